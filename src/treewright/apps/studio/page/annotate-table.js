// All columns of a sentence as a table that can be edited, and what is wrong with them.

import { ask, element } from "./support.js";

const COLUMNS = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"];
const shown = (value) => (value === "_" ? "" : value);

// An answer of the server replaces the table while the next cell is being typed in: that cell keeps focus and text.
let replacing = false;
export function keepingTheCell(replace) {
  const active = document.activeElement?.isContentEditable ? document.activeElement : null;
  const name = active?.getAttribute("aria-label"), text = active?.textContent;
  const all = document.getSelection().toString() === text; // about to be typed over
  replacing = true;
  replace();
  replacing = false;
  const again = active && [...document.querySelectorAll("td[contenteditable]")].find((one) => one.getAttribute("aria-label") === name);
  if (!again) return;
  again.textContent = text;
  again.focus({ preventScroll: true });
  document.getSelection().selectAllChildren(again);
  if (!all) document.getSelection().collapseToEnd();
}

export function columnsTable(sentence, selected, edit, choose) {
  const head = element("tr", {}, ...COLUMNS.map((name) => element("th", {}, name)));
  const rows = sentence.tokens.map((token) => element("tr", { class: token.id === String(selected) ? "selected" : "", "data-id": token.id },
    ...COLUMNS.map((name) => (name === "id" ? element("th", {}, token.id) : cell(token, name, edit, choose)))));
  return element("details", {
    open: localStorage.getItem("table") === "1",
    ontoggle: (event) => localStorage.setItem("table", event.target.open ? "1" : "0"),
  }, element("summary", {}, "All columns"), element("div", { class: "wide" }, element("table", {}, head, ...rows)));
}

function cell(token, name, edit, choose) {
  const made = element("td", {
    contenteditable: "plaintext-only", spellcheck: "false", "aria-label": `${name} of ${token.id}`, dir: "auto",
  }, shown(token[name]));
  made.addEventListener("focus", () => /^\d+$/.test(token.id) && choose(Number(token.id)));
  made.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      made.blur();
    }
    event.stopPropagation();
  });
  made.addEventListener("blur", () => {
    if (replacing) return;
    const value = made.textContent.trim();
    if (value === shown(token[name])) return;
    if (name === "head") edit({ do: "attach", word: Number(token.id), head: value === "" ? null : Number(value) });
    else edit({ do: "cell", token: token.id, column: name.toUpperCase(), value });
  });
  return made;
}

export function findingsList(sentence, choose) {
  const item = (one) => element("li", { class: one.severity }, element("button", {
    type: "button", class: "small", disabled: !one.tokens.length, onclick: () => choose(Number(one.tokens[0])),
  }, one.tokens.slice(0, 4).join(", ") || "–"), ` ${one.message}`);
  return element("ul", { class: "findings", "aria-label": "Findings", "aria-live": "polite" }, ...sentence.findings.map(item));
}

// UD's own validator, where it is installed: it takes a moment, so it is asked when the sentence has settled.
export class UdValidator {
  constructor() {
    this.list = element("ul", { class: "findings", "aria-label": "UD's validator" });
    this.input = element("input", {
      value: localStorage.getItem("language") ?? "", size: "4", maxlength: "3", placeholder: "–",
      "aria-label": "Language for UD's validator",
    });
    this.input.addEventListener("change", () => {
      localStorage.setItem("language", this.input.value.trim().toLowerCase());
      this.check(this.sentence);
    });
    this.view = element("div", {}, element("label", { class: "small faint" }, "UD's validator, language ", this.input), this.list);
  }

  check(sentence) {
    const language = localStorage.getItem("language") ?? "";
    const what = JSON.stringify([sentence.version, language]);
    this.sentence = sentence;
    if (what === this.asked) return;
    this.asked = what;
    clearTimeout(this.timer);
    this.list.replaceChildren();
    if (language) this.timer = setTimeout(() => this.ask(what, { ...sentence.place, language }), 600);
  }

  async ask(what, values) {
    const found = await ask("/studio/api/ud?" + new URLSearchParams(values)).catch(() => null);
    if (!found || what !== this.asked) return;
    const missing = [{ severity: "info", message: "not installed: pip install udtools", tokens: [] }];
    this.list.replaceChildren(...(found.installed ? found.findings : missing)
      .map((one) => element("li", { class: one.severity }, `${one.tokens.join(", ")} ${one.message}`)));
  }
}
