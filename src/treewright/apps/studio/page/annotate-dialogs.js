// The dialogs of the annotation page: the relation of an arc, a word's columns, words that come and go, comments, keys.

import { closeDialog, element, openDialog } from "./support.js";

function buttons(...more) {
  return element("div", { class: "row" }, ...more, element("button", { type: "button", onclick: closeDialog },
    "Cancel"));
}

// Type to label: the first letters that no other relation begins with are enough, or the digit of one in the list, which
// begins with what the parser thinks of. `rest` is told which letters of a name were not needed: whoever types them, too,
// means no other key.
export function relationDialog(word, value, { likely, used, all }, done, rest) {
  const input = element("input", { "aria-label": "Relation", autocomplete: "off", placeholder: value === "_" ? "" : value,
    role: "combobox", "aria-expanded": "true", "aria-controls": "relations" });
  const list = element("ul", { class: "list", id: "relations", role: "listbox", "aria-label": "Relations", style: "max-height:14rem" });
  const choices = [...new Set([...likely, ...used, ...all])];
  let fitting = [], at = 0;
  const finish = (relation, typed = null) => {
    closeDialog();
    rest(typed === null ? null : relation.slice(typed.length));
    if (relation) done(relation);
  };
  const beginning = (start, names) => names.filter((one) => one.startsWith(start));

  function narrow() {
    const start = input.value.trim();
    const first = beginning(start, choices).sort((a, b) => (b === start) - (a === start));
    fitting = [...first, ...choices.filter((one) => !one.startsWith(start) && one.includes(start))];
    list.replaceChildren(...fitting.slice(0, 40).map((one, n) => element("li", { role: "option", "aria-selected": String(n === at), onclick: () => finish(one) },
      element("span", { class: "faint digit" }, !start && n < 9 ? String(n + 1) : ""), one)));
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  function typed() {
    const start = input.value.trim();
    at = 0;
    narrow();
    if (/^[1-9]$/.test(start) && choices[Number(start) - 1]) return finish(choices[Number(start) - 1]);
    const known = beginning(start, [...new Set([...likely, ...used])]), one = known.length ? known : beginning(start, choices);
    if (start && one.length === 1) finish(one[0], start);
    return undefined;
  }
  input.addEventListener("input", typed);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      at = Math.max(0, Math.min(fitting.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)));
      narrow();
      event.preventDefault();
    } else if (event.key === "Enter") {
      const text = input.value.trim();
      finish(choices.includes(text) ? text : fitting[at] ?? text);
      event.preventDefault();
    } else if (event.key === "Tab" && fitting[at]) { input.value = fitting[at];
      event.preventDefault(); }
  });
  openDialog(`Relation of “${word.form}”`, element("div", {}, input), list, buttons(
    element("button", { type: "button", onclick: () => finish(input.value.trim()) }, "Take as typed")));
  narrow();
  input.focus();
}

export function tokenDialog(tokens, id, vocabulary, done) {
  const token = tokens.find((one) => one.id === id),
    inputs = {};
  const fields = ["form", "lemma", "upos", "xpos", "feats", "deps", "misc"].map((name) => {
    const known = { upos: vocabulary?.upos, xpos: vocabulary?.xpos } [name];
    inputs[name] = element("input", { value: token[name] === "_" ? "" : token[name], list: known ?
        `known-${name}` : null, dir: "auto", spellcheck: "false" });
    return element("label", {}, { deps: "enhanced" } [name] ?? name, inputs[name],
      known ? element("datalist", { id: `known-${name}` }, ...known.map((value) => element(
        "option", { value }))) : "");
  });
  const form = element("form", {
      method: "dialog",
      onsubmit: () => {
        const edits = [];
        for (const [name, input] of Object.entries(inputs)) {
          const value = input.value.trim();
          if (value === (token[name] === "_" ? "" : token[name])) continue;
          if (name === "deps") edits.push({ do: "enhanced", token: id, arcs: value ? value.split("|").map((
              arc) => [arc.split(":")[0], arc.split(":").slice(1).join(":")]) : [] });
          else edits.push({ do: "cell", token: id, column: name.toUpperCase(), value });
        }
        done(edits);
      }
    }, ...fields, element("p", { class: "small faint" },
      "Features: Name=Value|Name=Value. Enhanced arcs: 4:nsubj|6:nsubj."),
    buttons(element("button", { class: "main" }, "Write")));
  openDialog(`Word ${id}`, form);
  inputs.form.focus();
}

export function wordsDialog(words, tokens, selected, edit) {
  const form = words[selected - 1].form,
    next = words[selected]?.form;
  const forms = element("input", { value: form, "aria-label": "Form", dir: "auto" });
  const work = (what) => async () => { closeDialog();
    await edit(what()); };
  const inside = tokens.find((token) => token.id.includes("-") && selected >= Number(token.id.split("-")[0]) &&
    selected <= Number(token.id.split("-")[1]));
  const button = (label, what, disabled = false) => element("button", { type: "button", disabled, onclick: work(
      what) }, label);
  const empties = tokens.filter((token) => token.id.startsWith(`${selected}.`));
  openDialog(`Words around “${form}”`, element("label", {}, "form", forms),
    element("p", { class: "small faint" }, "To split, write the parts with spaces between them."),
    element("div", { class: "row" },
      button("Split", () => ({ do: "split", word: selected, forms: forms.value.trim().split(/\s+/) })),
      button(next ? `Merge with “${next}”` : "Merge", () => ({ do: "merge", first: selected, last: selected + 1 }),
        !next),
      button("Insert behind it", () => ({ do: "insert", after: selected, form: forms.value.trim() })),
      button("Delete", () => ({ do: "delete", word: selected }), words.length < 2)),
    element("div", { class: "row" },
      button(next ? `Multiword token with “${next}”` : "Multiword token", () => ({ do: "join", first: selected,
          last: selected + 1, form: forms.value.trim() === form ? form + next : forms.value.trim() }), !next ||
        Boolean(inside)),
      inside ? button(`Remove multiword token ${inside.id}`, () => ({ do: "remove", token: inside.id })) : "",
      button("Empty node behind it", () => ({ do: "empty", after: selected, form: forms.value.trim() })),
      ...empties.map((token) => button(`Remove ${token.id}`, () => ({ do: "remove", token: token.id })))), buttons()
    );
  forms.select();
}

export function commentsDialog(comments, done) {
  const text = element("textarea", { "aria-label": "Comments, one on each line", rows: "8", dir: "auto" });
  text.value = comments.join("\n");
  openDialog("Comments", text, buttons(element("button", {
    type: "button",
    class: "main",
    onclick: () => {
      closeDialog();
      done(text.value.split("\n").map((line) => line.trimEnd()).filter(Boolean));
    }
  }, "Write")));
  text.focus();
}

// Both sides have changed a sentence: the lines that differ, and three ways out.
export function conflictCard({ mine, theirs }, decide) {
  const button = (label, ...what) => element("button", { type: "button", onclick: () => decide(...what) }, label);
  if (theirs === null) {
    return element("div", { class: "card conflict", role: "alert" },
      "This sentence is gone from the file on disk, and has edits that were not saved. ", element("div", { class: "row" },
        button("Keep it: save puts it back", "mine"), button("Let it go", "theirs")));
  }
  const [own, other] = [mine, theirs].map((text) => text.trim().split("\n"));
  const lines = (some, others) => element("pre", { class: "small differs" }, some.filter((line) =>
    !others.includes(line)).join("\n") || "nothing that the other side lacks");
  const side = (title, some, others) => element("div", {}, element("strong", {}, title), lines(some, others));
  return element("div", { class: "card conflict", role: "alert" },
    "This sentence was changed here and on disk. Decide before it can be saved.",
    element("div", { class: "columns" }, side("Mine", own, other), side("On disk", other, own)),
    element("div", { class: "row" }, button("Keep mine", "mine"), button("Take the one on disk", "theirs"),
      element("button", { type: "button", onclick: () => mergeDialog(mine, (text) => decide("edit", text)) }, "Edit…")));
}

function mergeDialog(mine, done) {
  const text = element("textarea", { "aria-label": "The sentence as CoNLL-U", rows: "14", spellcheck: "false", class: "conllu" });
  text.value = mine;
  openDialog("Write the sentence", text, buttons(element("button", { type: "button", class: "main", onclick: () => {
    closeDialog();
    done(`${text.value.trimEnd()}\n\n`);
  } }, "Write")));
  text.focus();
}

const HELP = [
  ["← → Home End", "choose a word"],
  ["↑ ↓", "go to the head, to the first dependent"],
  ["Space", "the word that the parser is next least sure of"],
  ["v", "the parser's next choice for the word: another head, or another relation"],
  [".", "the relation, or the head, that was given last"],
  ["a, then ← →, Enter", "attach the word to another"],
  ["0 … 9", "attach to the word with this number, 0 is the root; the next key, or a moment, ends the number"],
  ["r or Enter", "relation: its digit in the list, or its first letters"],
  ["c", "confirm the suggested arc; the rest is parsed again around it"],
  ["x", "take the head away"],
  ["e", "edit form, lemma, tags, features, enhanced arcs"],
  ["w", "split, merge, insert, delete, multiword tokens, empty nodes"],
  ["#", "comments"],
  ["u, Ctrl+Z", "undo"],
  ["U, Ctrl+Y", "redo"],
  ["s, Ctrl+S", "save"],
  ["Ctrl+Enter", "accept all suggestions, save, go to the least sure sentence"],
  ["n", "go to the least sure sentence"],
  ["N", "go to the next sentence in the file that is not done"],
  ["[ ]", "previous, next sentence of the list"],
  ["g", "go to a number or sent_id, or find a text"],
  ["Esc", "give up"],
  ["?", "this list"],
];
export function helpDialog() {
  openDialog("Keys", element("dl", { class: "keys" }, ...HELP.flatMap(([keys, meaning]) => [element("dt", {}, element(
      "kbd", {}, keys)), element("dd", {}, meaning)])),
    element("p", { class: "small faint" },
      "With the mouse: drag a word onto its head, or to the top for the root; click an arc for its relation; double-click a word to edit it."
      ),
    element("div", { class: "row" }, element("button", { type: "button", onclick: closeDialog }, "Close")));
}
