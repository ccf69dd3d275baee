// The sentences of a file as a list of any length: only what is in sight is asked for and drawn.

import { ask, element, percent, tell } from "./support.js";

const ROW = 26; // pixels
const PAGE = 100; // rows that are asked for at a time
const STATES = { all: "all sentences", waiting: "not done", done: "done", unsure: "least sure first", unsaved: "not saved", invalid: "with errors" };

export class SentenceList {
  // `open({ file, id }, n)` shows a sentence.
  constructor(open) {
    this.open = open;
    this.text = "";
    this.picked = null; // the ids of the sentences that are ticked; null: there is nothing to tick
    this.clear();
    this.find = element("input", { type: "search", placeholder: "number, sent_id, text, pattern", "aria-label": "Go to a number or sent_id, or find a text or a pattern" });
    this.find.addEventListener("keydown", (event) => event.key === "Enter" && this.search());
    this.find.addEventListener("input", () => this.find.value === "" && this.text && this.search());
    this.state = element("select", { "aria-label": "Which sentences" }, ...Object.entries(STATES).map(([value, name]) =>
      element("option", { value }, name)));
    this.state.addEventListener("change", () => this.show());
    this.found = element("span", { class: "faint small", role: "status" });
    this.list = element("ul", { class: "list", "aria-label": "Sentences" });
    this.box = element("div", { class: "list", tabindex: "0", role: "region", "aria-label": "List of sentences", onscroll: () => this.draw() }, this.list);
    this.view = element("div", { class: "finder" }, this.find, this.state, this.found, this.box);
  }

  clear() {
    this.pages = new Map();
    this.count = 0;
    this.round = (this.round ?? 0) + 1; // answers to what was asked for before are late
  }

  get isFiltered() {
    return this.text !== "" || this.state.value !== "all";
  }

  // Show the list anew, with a sentence in it; the numbers of sentences that are done come with it.
  async show(place = this.place) {
    this.place = place;
    const listed = JSON.stringify([place.file, this.state.value, this.text]);
    if (listed !== this.listed) this.pick(this.picked && []);
    this.listed = listed;
    this.clear();
    const found = await this.fetch({ id: place.id ?? "" });
    if (!found) return;
    this.at = found.at;
    this.list.style.paddingBottom = `${this.count * ROW}px`; // so that it can be scrolled there
    this.box.scrollTop = found.at === null ? 0 : Math.max(0, Math.min(this.box.scrollTop, found.at * ROW), (found.at + 2) * ROW - this.box.clientHeight);
    this.draw();
    this.counted?.(found);
  }

  async search() {
    const text = this.find.value.trim(), { file } = this.place;
    const { named } = text ? await ask("/studio/api/sentences?" + new URLSearchParams({ file, named: text, most: 1 })) : {};
    if (named) {
      this.find.value = this.text;
      this.open({ file, id: named }, 0);
      return;
    }
    this.text = text;
    this.failed = false;
    await this.show();
    if (text && !this.failed) tell(this.count ? `${this.count} found` : "nothing found", !this.count);
  }

  async fetch(which) {
    const { round } = this, { file } = this.place;
    const query = { file, state: this.state.value, text: this.text, most: PAGE, ...which };
    const found = await ask("/studio/api/sentences?" + new URLSearchParams(query)).catch((error) => { this.failed = true; tell(error.message, true); });
    if (!found || round !== this.round) return undefined;
    this.count = found.count;
    found.rows.forEach((row, n) => this.pages.set(found.from + n, row));
    this.found.textContent = this.isFiltered ? `${found.count} of ${found.sentences}` : "";
    return found;
  }

  // Tick these sentences and no others; null: nothing can be ticked.
  pick(ids) {
    this.picked = ids && new Set(ids);
    this.ticked?.();
  }

  // Tick all sentences that are listed, as far as so many can be changed at a time.
  async pickAll(most) {
    const { file } = this.place, { round } = this;
    const query = { file, state: this.state.value, text: this.text, from: 0, most };
    const found = await ask("/studio/api/sentences?" + new URLSearchParams(query)).catch((error) => tell(error.message, true));
    if (!found || round !== this.round) return;
    this.pick(found.rows.map((row) => row.key));
    this.draw();
    if (found.count > most) tell(`The first ${most} of ${found.count} sentences are selected.`);
  }

  // The row that stands so many rows from the sentence that is shown; undefined at the ends.
  async beside(by) {
    const at = (this.at ?? -1) + by;
    if (at < 0 || at >= this.count) return undefined;
    if (!this.pages.has(at)) await this.fetch({ from: at });
    return this.pages.get(at);
  }

  draw() {
    const first = Math.max(0, Math.min(Math.floor(this.box.scrollTop / ROW) - 10, this.count - 1));
    const last = Math.min(this.count, first + Math.ceil(this.box.clientHeight / ROW) + 20);
    const missing = [...Array(last - first).keys()].map((n) => first + n).find((n) => !this.pages.has(n));
    if (missing !== undefined && !this.waiting) {
      this.waiting = this.fetch({ from: missing }).then(() => {
        this.waiting = null;
        this.draw();
      });
    }
    const { tagName, dataset } = document.activeElement ?? {};
    const focused = this.list.contains(document.activeElement) ? `${tagName}[data-key="${dataset.key}"]` : null;
    const rows = [];
    for (let n = first; n < last; n += 1) rows.push(this.row(this.pages.get(n), n));
    this.list.replaceChildren(...rows);
    this.list.style.paddingTop = `${first * ROW}px`;
    this.list.style.paddingBottom = `${Math.max(0, this.count - last) * ROW}px`;
    if (focused) this.list.querySelector(focused)?.focus({ preventScroll: true });
  }

  row(one, at) {
    const place = { "aria-setsize": this.count, "aria-posinset": at + 1 };
    if (!one) return element("li", place, "…");
    const state = one.conflict ? ["⚠", "changed on disk, too"] : one.unsaved ? ["●", "not saved"] : one.annotated ? ["✓", "done"] : ["○", "not done"];
    const doubt = one.doubt === null ? "" : element("span", { class: "faint small", title: "doubt" }, `${percent(one.doubt)} `);
    return element("li", place, this.tick(one), element("button", {
      type: "button", dir: "auto", "aria-current": String(one.key === this.place.id), "data-key": one.key, title: one.text,
      onclick: () => this.open({ file: this.place.file, id: one.key }, one.n),
    }, element("span", { class: "state", role: "img", "aria-label": state[1] }, state[0]), `${one.n + 1} `, doubt, element("span", {}, one.text)));
  }
  tick(one) {
    if (!this.picked) return null;
    return element("input", {
      type: "checkbox", checked: this.picked.has(one.key), "data-key": one.key, "aria-label": `select sentence ${one.n + 1}`,
      onchange: ({ target }) => {
        if (target.checked) this.picked.add(one.key);
        else this.picked.delete(one.key);
        this.ticked?.();
      },
    });
  }
}
