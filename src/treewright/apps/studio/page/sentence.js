// A sentence as the server shows it: which words it has, and what head and relation each has, fixed or suggested.

export const wordsOf = (sentence) => sentence.tokens.filter((token) => /^\d+$/.test(token.id));

export class Sentence {
  // `before`: the version of which a change made on this page has made this one.
  constructor(data, before = null) {
    Object.assign(this, data);
    this.words = wordsOf(data);
    this.made = before?.isSame(data) ? [...before.made, before.revision] : [];
  }

  get place() {
    return { file: this.file, id: this.id };
  }

  // What a change is about: the sentence, and the version of it that is shown.
  get version() {
    return { ...this.place, revision: this.revision };
  }

  // Does what was begun on an older version hold for this one? Only our own changes are in between, and the same words.
  follows(other) {
    const words = (sentence) => JSON.stringify(sentence.words.map((word) => word.form));
    const known = this.revision === other.revision || this.made.includes(other.revision);
    return this.isSame(other) && known && words(this) === words(other);
  }

  isSame(other) {
    return this.file === other.file && this.id === other.id;
  }

  word(n) {
    return this.words[n - 1];
  }

  isFixed(n) {
    return this.word(n).head !== "_";
  }

  headOf(n) {
    return this.isFixed(n) ? Number(this.word(n).head) : this.suggestion?.heads[n - 1] ?? null;
  }

  relationOf(n) {
    const own = this.word(n).deprel;
    return this.isFixed(n) && own !== "_" ? own : this.suggestion?.relations[n - 1] ?? "_";
  }

  // The heads and relations that the parser's best trees give a word, the likeliest first.
  choicesOf(n) {
    return this.suggestion?.choices[n - 1] ?? [];
  }

  // The words whose arcs are only suggested, the least sure first.
  get doubtful() {
    const open = this.words.map((_, at) => at + 1).filter((n) => this.confidenceOf(n) !== null);
    return open.sort((a, b) => this.confidenceOf(a) - this.confidenceOf(b) || a - b);
  }

  dependentsOf(n) {
    return this.words.map((_, at) => at + 1).filter((other) => this.headOf(other) === n);
  }

  confidenceOf(n) {
    return this.isFixed(n) || !this.suggestion ? null : this.suggestion.confidences[n - 1];
  }

  tagOf(n) {
    const own = this.word(n).upos;
    return own === "_" ? this.suggestion?.tags[n - 1]?.[1] ?? "_" : own;
  }

  // The tags of a word and of its head, by which relations are looked up.
  tagsOf(n, head = this.headOf(n)) {
    return `${this.tagOf(n)} ${head ? this.tagOf(head) : "ROOT"}`;
  }

  get isAnnotated() {
    return this.words.every((word) => word.head !== "_");
  }
}
