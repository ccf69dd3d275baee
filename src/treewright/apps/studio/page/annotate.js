// Annotate: one sentence at a time, keyboard first. What the parser suggests is dashed and shaded by its doubt.

import { commentsDialog, conflictCard, helpDialog, noteDialog, relationDialog, tokenDialog, wordsDialog } from "./annotate-dialogs.js";
import { InOrder, PendingHead, typeIntoDialog } from "./annotate-keys.js";
import { SentenceList } from "./annotate-list.js";
import { makeDraggable } from "./annotate-picture.js";
import { Rewriting } from "./annotate-rewrite.js";
import { UdValidator, columnsTable, findingsList, keepingTheCell } from "./annotate-table.js";
import { Sentence } from "./sentence.js";
import { ask, closeDialog, dialogIsOpen, element, tell, writeState } from "./support.js";
import { drawing, framed, widthIn } from "./tree.js";

const SWALLOW = 800; // milliseconds after a relation, in which the rest of its name means nothing
const LOOK_AGAIN = 2000; // milliseconds: has the sentence changed on disk, or the parser learnt?

export async function show(main, values) {
  const project = await ask("/studio/api/project");
  if (!project.files.length) {
    main.append("The folder has no .conllu files. Parse a text and add it to the project.");
    return undefined;
  }
  const page = new Annotating(main, project);
  await page.begin(values);
  return () => page.end();
}

class Annotating {
  constructor(main, project) {
    this.project = project;
    this.sentence = null;
    this.selected = 1;
    this.target = null; // the head being chosen
    this.order = new InOrder();
    this.pending = new PendingHead((word, head, sentence) => this.attach(word, head, sentence), (work) => this.inOrder(work));
    this.dragging = null; // the sentence in which a word is being dragged
    this.gone = false;
    this.files = element("select", { "aria-label": "File" }, ...project.files.map((file) =>
      element("option", { value: file.name }, `${file.name} (${file.annotated}/${file.sentences})`)));
    this.files.addEventListener("change", () => this.inOrder(() => this.open({ file: this.files.value, n: 0 })));
    this.list = new SentenceList((place, n) => this.inOrder(() => this.open(place, n)));
    this.list.counted = ({ file, annotated, sentences }) => {
      const option = [...this.files.options].find((one) => one.value === file);
      if (option) option.textContent = `${file} (${annotated}/${sentences})`;
    };
    this.rewriting = new Rewriting(this.list, (work) => this.inOrder(work), async () => {
      this.take(await this.asked(this.sentence.place));
      await this.drawList();
    });
    this.stage = element("section", { "aria-label": "Sentence" });
    this.spoken = element("div", { class: "spoken", "aria-live": "assertive" }); // what screen readers say on the way
    this.validator = new UdValidator();
    const problems = project.problems.map((problem) => element("li", { class: "error" }, problem));
    main.append(element("div", { role: "alert" }, problems.length ? element("ul", { class: "findings" }, ...problems) : ""),
      element("div", { class: "layout" }, element("div", {}, this.files, this.list.view, this.rewriting.view), this.stage), this.spoken);
    this.setKeys();
  }

  async begin(values) {
    if (this.project.recovered.length) tell(`${this.project.recovered.length} edits that were not saved came back from the journal.`);
    let place = { file: values.file ?? this.project.files[0].name, n: Number(values.n ?? 0) };
    if (values.next || !values.file) place = (await ask(`/studio/api/next?order=${values.next ? "" : "file"}`)).next ?? place;
    if (values.id) await this.open({ file: place.file, id: values.id }, place.n);
    else await this.open(place);
    ask("/studio/api/vocabulary").then((found) => { this.vocabulary = found; });
    this.listener = (event) => this.pressed(event);
    this.resized = () => {
      clearTimeout(this.resizing);
      this.resizing = setTimeout(() => this.inOrder(() => this.open(this.sentence.place, this.sentence.n)), 250);
    };
    document.addEventListener("keydown", this.listener);
    window.addEventListener("resize", this.resized);
    this.watch = setInterval(() => this.lookAgain(), LOOK_AGAIN);
  }

  end() {
    this.gone = true;
    this.pending.cancel();
    this.order.drop();
    closeDialog();
    clearInterval(this.watch);
    clearTimeout(this.resizing);
    window.removeEventListener("resize", this.resized);
    document.removeEventListener("keydown", this.listener);
  }

  // The sentence

  // Do something when all that was asked for before is done; a number that is being typed counts first.
  inOrder(work) {
    return this.order.add(async () => {
      return (await this.pending.end()) === false ? undefined : work();
    });
  }

  asked(values) {
    return ask("/studio/api/sentence?" + new URLSearchParams({ ...values, width: widthIn(this.stage) }));
  }

  // Open a sentence by its name; if it is gone, the one that stands at `n` now.
  async open({ file, id, n }, otherwise = 0) {
    const data = await this.asked(id ? { file, id } : { file, n }).catch(async (error) => {
      if (error.status !== 404) throw error;
      tell(error.message, true);
      const { files } = await ask("/studio/api/project");
      const most = files.find((one) => one.name === file).sentences - 1;
      return this.asked({ file, n: Math.max(0, Math.min(otherwise, most)) });
    });
    if (this.gone) return;
    this.selected = 1;
    this.target = null;
    this.pending.cancel();
    this.take(data);
    this.selected = this.sentence.doubtful[0] ?? 1;
    this.mark();
    this.drawList();
    this.stage.querySelector("svg.tree")?.focus();
  }

  take(data, before = null) {
    const { sentence: shown } = this;
    this.sentence = new Sentence(data, before);
    if (shown?.isSame(data) && shown.revision === data.revision) this.sentence.made = shown.made;
    this.selected = Math.max(1, Math.min(this.selected, this.sentence.words.length));
    this.files.value = data.file;
    writeState("annotate", { file: data.file, n: data.n, id: data.id });
    this.draw();
  }

  async lookAgain() {
    if (dialogIsOpen() || document.hidden || document.activeElement?.isContentEditable) return;
    if (this.dragging || this.pending.typed) return;
    const asked = this.sentence;
    const { revision, parser, learning, n, count } = asked;
    const now = await this.asked({ ...asked.place, known: `${revision} ${parser} ${learning} ${n} ${count}` }).catch((error) => error);
    if (this.gone || this.sentence !== asked || dialogIsOpen() || this.pending.typed) return;
    if (now.status === 404) this.inOrder(() => (this.sentence === asked ? this.open(asked.place, asked.n) : undefined));
    if (now instanceof Error || now.same) return;
    this.take(now);
    if (now.count !== asked.count || Boolean(now.conflict) !== Boolean(asked.conflict)) await this.drawList();
  }

  // Ask for a change of a sentence as it was shown, `from`; the answer is shown unless another sentence is by then.
  async change(path, body, done, from = this.sentence) {
    const base = this.sentence.follows(from) ? this.sentence : from;
    try {
      const now = await ask(`${path}?width=${widthIn(this.stage)}`, { ...base.version, ...body });
      if (this.gone) return true;
      if (now.gone) await this.open(from.place, from.n);
      else if (this.sentence.isSame(now)) this.take(now, base);
      if (done) tell(done);
      return true;
    } catch (error) {
      if (this.gone) return false;
      this.order.drop();
      if (error.status === 409 && error.data.tokens && this.sentence.isSame(error.data)) this.take(error.data);
      if (error.status === 409 && error.data.gone) await this.open(from.place, from.n);
      tell(error.message, true);
      return false;
    }
  }

  // `guess`: the parser says which relation a word has under its new head.
  edit(what, from = this.sentence, guess = false) {
    return this.change("/studio/api/edit", { edit: what, guess }, "", from);
  }

  // What a dialog about the sentence does in the end.
  later(work) {
    const from = this.sentence;
    return (...values) => this.inOrder(() => work(from, ...values));
  }

  // What is shown

  drawList() {
    return this.list.show(this.sentence.place);
  }

  draw() {
    if (this.dragging) return; // the end of the drag draws
    const focused = document.activeElement?.matches("svg.tree") || document.activeElement === document.body;
    const shown = this.sentence, tree = drawing(shown.drawing);
    tree.setAttribute("tabindex", "0");
    makeDraggable(tree, {
      attach: (word, head) => { const from = shown; this.inOrder(() => this.attach(word, head, from)); },
      choose: (word) => this.inOrder(() => this.choose(word)),
      label: (word) => this.inOrder(() => { this.choose(word); this.relation(); }),
      begin: () => { this.dragging = shown; },
      end: () => { this.dragging = null; this.draw(); },
    });
    tree.addEventListener("dblclick", () => this.inOrder(() => this.editToken()));
    keepingTheCell(() => this.stage.replaceChildren(this.heading(), element("p", { class: "text", dir: "auto" }, shown.text),
      ...this.notes(), ...this.conflict(), element("div", { class: "card" }, framed(tree)), this.buttons(),
      findingsList(this.sentence, (word) => this.inOrder(() => this.choose(word))), this.validator.view,
      columnsTable(this.sentence, this.selected, this.later((from, what) => this.edit(what, from)),
        (word) => this.inOrder(() => { this.selected = word; }))));
    this.validator.check(this.sentence);
    this.tree = tree;
    this.mark();
    if (focused) tree.focus({ preventScroll: true });
  }

  choose(word) {
    this.selected = word;
    this.mark();
    this.tree.focus({ preventScroll: true });
  }

  // Show which word is chosen, and where it is to be attached.
  mark() {
    const { tree } = this, chosen = tree.word(this.selected), aim = this.target && tree.word(this.target);
    for (const old of tree.querySelectorAll(".selected, .target")) old.classList.remove("selected", "target");
    chosen?.classList.add("selected");
    aim?.classList.add("target");
    for (const arc of tree.arcsTo(this.selected)) arc.classList.add("selected");
    for (const row of this.stage.querySelectorAll("tbody tr, table tr")) row.classList.toggle("selected", row.dataset.id === String(this.selected));
    const question = this.target ? `. Attach to ${this.sentence.word(this.target).form}? Enter does it` : "";
    const said = `${chosen?.getAttribute("aria-label") ?? ""}${question}`;
    if (this.spoken.textContent !== said) this.spoken.textContent = said;
    tree.setAttribute("aria-label", `${said}. Arrow keys choose a word, question mark shows all keys.`);
    (aim ?? chosen)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  heading() {
    const { file, n, count, saved, learning, parser } = this.sentence;
    return element("div", { class: "row" }, element("strong", {}, `${file}, sentence ${n + 1} of ${count}`),
      element("span", { class: "faint" }, saved ? "saved" : "not saved"),
      element("span", { class: "faint small" }, learning ? "learning …" : parser ? `parser ${parser}` : ""));
  }

  // What annotators have noted of the sentence.
  notes() {
    const found = this.sentence.comments.map((line) => line.match(/^#\s*note\s*=\s*(.*)/)?.[1]).filter(Boolean);
    return found.map((note) => element("p", { class: "note small" }, note));
  }

  conflict() {
    if (!this.sentence.conflict) return [];
    const decide = this.later(async (from, choice, text = "") => {
      if (await this.change("/studio/api/decide", { choice, text }, "decided", from)) await this.drawList();
    });
    return [conflictCard(this.sentence.conflict, decide)];
  }

  buttons() {
    const { canUndo, canRedo } = this.sentence;
    const button = ([label, keys, key, disabled = false]) => element("button", {
      type: "button", disabled, title: keys, "aria-keyshortcuts": keys, onclick: () => this.inOrder(this.keys[key]),
    }, label);
    return element("div", { class: "row" },
      element("button", { type: "button", class: "main", title: "Control+Enter", onclick: () => this.inOrder(() => this.finish()) }, "Accept, save, next"),
      ...[["Save", "Control+s", "s"], ["Undo", "Control+z", "u", !canUndo], ["Redo", "Control+y", "U", !canRedo],
        ["Relation", "r", "r"], ["Edit word", "e", "e"], ["Words", "w", "w"], ["Note", "m", "m"], ["Comments", "#", "#"],
        ["Previous", "[", "["], ["Next", "]", "]"], ["Least sure", "n", "n"], ["Next to do", "N", "N"], ["Keys", "?", "?"]].map(button));
  }

  // What can be done

  attach(dependent, head, from = this.sentence) {
    this.target = null;
    if (dependent === head) return this.mark();
    if (!this.sentence.follows(from)) {
      tell("The sentence was changed meanwhile: nothing was attached.", true);
      return false;
    }
    this.last = { head };
    const known = this.sentence.relationOf(dependent);
    const relation = head === 0 ? "root" : known === "_" || known === "root" ? this.usualRelation(dependent, head) : known;
    return this.edit({ do: "attach", word: dependent, head, relation }, this.sentence, head !== 0);
  }

  usualRelation(dependent, head) {
    return this.vocabulary?.relationsByTags[this.sentence.tagsOf(dependent, head)]?.[0] ?? this.vocabulary?.relations[0] ?? "dep";
  }

  confirm() {
    const head = this.sentence.headOf(this.selected);
    if (head === null) return undefined;
    return this.edit({ do: "attach", word: this.selected, head, relation: this.sentence.relationOf(this.selected) });
  }

  relation() {
    const n = this.selected, head = this.sentence.headOf(n), own = this.sentence.relationOf(n);
    const likely = this.sentence.choicesOf(n).toSorted((a, b) => (b[0] === head) - (a[0] === head)).map(([, relation]) => relation);
    const usual = this.vocabulary?.relationsByTags[this.sentence.tagsOf(n)] ?? [];
    const lists = { likely: [...new Set([...likely, ...usual])].filter((one) => one !== own), used: this.vocabulary?.used ?? [], all: this.vocabulary?.relations ?? [] };
    relationDialog(this.sentence.word(n), own, lists, this.later((from, value) => this.label(n, value, from)), (letters) => this.swallow(letters));
  }

  label(n, relation, from = this.sentence) {
    this.last = { relation };
    const head = this.sentence.headOf(n);
    return this.edit(head === null ? { do: "cell", token: String(n), column: "DEPREL", value: relation } : { do: "attach", word: n, head, relation }, from);
  }

  // Letters that somebody types after a relation was known already are no commands.
  swallow(letters) {
    this.extra = letters === null ? [] : [...letters, "Enter"];
    this.extraUntil = performance.now() + SWALLOW;
  }

  // The parser's next choice for the word.
  vary() {
    const n = this.selected, choices = this.sentence.choicesOf(n);
    if (choices.length < 2) return tell("The parser knows nothing else for this word.");
    const at = choices.findIndex(([head, relation]) => head === this.sentence.headOf(n) && relation === this.sentence.relationOf(n));
    const [head, relation] = choices[(at + 1) % choices.length];
    return this.edit({ do: "attach", word: n, head, relation });
  }

  // What was done last, done to this word.
  repeat() {
    if (this.last?.relation) return this.label(this.selected, this.last.relation);
    return this.last ? this.attach(this.selected, this.last.head) : undefined;
  }

  // Follow the tree: up to the head, down to the first dependent.
  climb(up) {
    const to = up ? this.sentence.headOf(this.target ?? this.selected) : this.sentence.dependentsOf(this.target ?? this.selected)[0];
    if (!to) return;
    if (this.target) this.target = to;
    else this.selected = to;
    this.mark();
  }

  doubt() {
    const { doubtful } = this.sentence;
    if (doubtful.length) this.choose(doubtful[(doubtful.indexOf(this.selected) + 1) % doubtful.length]);
  }

  editToken() {
    tokenDialog(this.sentence.tokens, String(this.selected), this.vocabulary, this.later(async (from, edits) => {
      for (const one of edits) if (!(await this.edit(one, this.sentence.isSame(from) ? this.sentence : from))) return;
    }));
  }

  async save() {
    if (await this.change("/studio/api/save", {}, "saved")) await this.drawList();
  }

  async finish() {
    const { sentence } = this, all = sentence.words.map((_, n) => n + 1);
    if (sentence.suggestion) {
      const whole = { heads: all.map((n) => sentence.headOf(n)), relations: all.map((n) => sentence.relationOf(n)) };
      if (!(await this.edit({ do: "tree", ...whole, tags: sentence.suggestion.tags }))) return;
    }
    if (await this.change("/studio/api/save", {}, "saved")) await this.leastSure();
  }

  // Go to the next sentence without a tree: the least sure one, or the next in the file.
  async leastSure(order = "") {
    const { next } = await ask("/studio/api/next?" + new URLSearchParams({ ...this.sentence.place, order }));
    if (next) return this.open(next, next.n);
    tell("Every sentence is annotated.");
    return this.drawList();
  }

  // Go to the neighbour in the list as it is shown, or in the file.
  async neighbour(by) {
    const { file, n, count } = this.sentence;
    const row = this.list.isFiltered ? await this.list.beside(by) : { n: Math.max(0, Math.min(count - 1, n + by)) };
    return row && this.open(row.key ? { file, id: row.key } : { file, n: row.n }, row.n);
  }

  // The keyboard

  setKeys() {
    const count = () => this.sentence.words.length;
    this.keys = {
      ArrowUp: () => this.climb(true), ArrowDown: () => this.climb(false), " ": () => this.doubt(), v: () => this.vary(), ".": () => this.repeat(),
      ArrowLeft: () => this.move(-1), ArrowRight: () => this.move(1), Home: () => this.choose(1), End: () => this.choose(count()),
      a: () => this.beginToAttach(), Enter: () => (this.target ? this.attach(this.selected, this.target) : this.relation()),
      Escape: () => { this.target = null; this.mark(); },
      r: () => this.relation(), c: () => this.confirm(), x: () => this.edit({ do: "attach", word: this.selected, head: null }),
      e: () => this.editToken(), w: () => wordsDialog(this.sentence.words, this.sentence.tokens, this.selected, this.later((from, what) => this.edit(what, from))),
      m: () => noteDialog(this.later((from, text) => this.edit({ do: "note", text }, from))),
      "#": () => commentsDialog(this.sentence.comments, this.later((from, comments) => this.edit({ do: "comments", comments }, from))),
      u: () => this.change("/studio/api/undo", {}), U: () => this.change("/studio/api/redo", {}), s: () => this.save(),
      n: () => this.leastSure(), N: () => this.leastSure("file"), g: () => this.list.find.focus(), "[": () => this.neighbour(-1), "]": () => this.neighbour(1), "?": helpDialog,
    };
    this.controls = { s: this.keys.s, z: this.keys.u, y: this.keys.U, Z: this.keys.U, Enter: () => this.finish() };
  }

  pressed(event) {
    const { target } = event;
    if (dialogIsOpen() || event.altKey || /INPUT|SELECT|TEXTAREA/.test(target.tagName) || target.isContentEditable) return;
    const control = event.ctrlKey || event.metaKey;
    if (!control && target.closest?.("button, a, summary") && (event.key === "Enter" || event.key === " ")) return;
    if (!control && this.extra?.length && [this.extra[0], "Enter"].includes(event.key) && performance.now() < this.extraUntil) {
      this.extra = event.key === "Enter" ? [] : this.extra.slice(1);
      event.preventDefault();
      return;
    }
    this.extra = [];
    const isDigit = !control && /^\d$/.test(event.key), work = (control ? this.controls : this.keys)[event.key];
    if (!work && !isDigit) return;
    event.preventDefault();
    if (isDigit) this.order.add(() => this.typed(event));
    else if (event.key === "Escape" && this.pending.cancel()) tell("given up");
    else if (event.key === "Enter" && this.pending.typed && !control) this.inOrder(() => undefined);
    else this.inOrder(() => (dialogIsOpen() ? typeIntoDialog(event) : work()));
  }

  typed(event) {
    if (dialogIsOpen()) return typeIntoDialog(event);
    return this.pending.add(event.key, this.selected, this.sentence);
  }

  move(by) {
    const step = this.sentence.rightToLeft ? -by : by, within = (n) => Math.max(1, Math.min(this.sentence.words.length, n));
    if (this.target) this.target = within(this.target + step);
    else this.selected = within(this.selected + step);
    this.mark();
  }

  beginToAttach() {
    const beside = this.selected > 1 ? this.selected - 1 : Math.min(2, this.sentence.words.length);
    this.target = this.sentence.headOf(this.selected) || beside;
    this.mark();
  }
}
