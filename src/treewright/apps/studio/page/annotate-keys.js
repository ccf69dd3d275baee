// What is pressed, in order: a key waits until what was asked for before has been answered, and digits until the number
// is complete.

import { dialogIsOpen, tell } from "./support.js";

const NEXT_DIGIT = 700; // milliseconds to type the second digit of a number

// Work that is done one after the other. What fails drops what was asked for behind it: nobody had seen the failure.
export class InOrder {
  constructor() {
    this.last = Promise.resolve();
    this.round = 0;
  }

  add(work) {
    const { round } = this;
    this.last = this.last.then(() => (round === this.round ? work() : undefined)).catch((error) => {
      this.drop();
      tell(error.message, true);
    });
    return this.last;
  }

  drop() {
    this.round += 1;
  }
}

// The number of a head that is being typed: it belongs to the word and the version of the sentence where it began.
export class PendingHead {
  constructor(commit, inOrder) {
    Object.assign(this, { commit, inOrder });
    this.typed = "";
  }

  add(digit, word, sentence) {
    if (!this.typed) Object.assign(this, { word, sentence });
    this.typed += digit;
    clearTimeout(this.timer);
    tell(`attach “${this.sentence.word(this.word).form}” to ${this.typed}`);
    const isWhole = this.typed === "0" || Number(this.typed) * 10 > this.sentence.words.length;
    if (isWhole) return this.end();
    this.timer = setTimeout(() => this.inOrder(() => undefined), NEXT_DIGIT);
    return undefined;
  }

  // Take the number as it is, if there is one, before anything else is done; false if that fails.
  end() {
    const { typed, word, sentence } = this;
    if (!this.cancel()) return undefined;
    const head = Number(typed);
    if (head <= sentence.words.length) return this.commit(word, head, sentence);
    tell(`the sentence has no word ${head}`, true);
    return false;
  }

  cancel() {
    const was = this.typed;
    this.typed = "";
    clearTimeout(this.timer);
    return was;
  }
}

// A key that was pressed before a dialog was open: its sign goes into the field that has the focus now.
export function typeIntoDialog(event) {
  const field = document.activeElement;
  if (!dialogIsOpen() || event.key.length !== 1 || !/INPUT|TEXTAREA/.test(field?.tagName)) return;
  field.setRangeText(event.key, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input"));
}
