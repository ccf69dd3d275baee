// Compare: two annotators of the same sentences; how far they agree, and what to decide where they do not.

import { ask, element, many, percent, tell, writeState } from "./support.js";
import { drawing, framed, widthIn } from "./tree.js";

const AT_ONCE = 20; // sentences

export async function show(main, values) {
  const { files } = await ask("/studio/api/project");
  const choice = (label, value) => {
    const made = element("select", { "aria-label": label }, ...files.map((file) =>
      element("option", { value: file.name }, `${file.name} (${file.sentences})`)));
    if (value) made.value = value;
    return made;
  };
  const first = choice("First annotator", values.first ?? files[0]?.name);
  const second = choice("Second annotator", values.second ?? files[1]?.name);
  const target = element("input", { value: values.target ?? "adjudicated.conllu", "aria-label": "File for decisions" });
  const open = element("input", { type: "checkbox", checked: values.open !== "0" });
  const view = element("div");
  main.append(element("h2", {}, "Two annotators"), element("form", { onsubmit: (event) => { event.preventDefault(); compare(); } },
    element("div", { class: "row" }, element("label", {}, "first ", first), element("label", {}, "second ", second),
      element("label", {}, "decisions go to ", target), element("label", {}, open, " only what is not decided"),
      element("button", { class: "main" }, "Compare"))), view);
  const names = () => ({ first: first.value, second: second.value, target: target.value });

  async function compare() {
    writeState("compare", { ...names(), open: open.checked ? "" : "0" });
    let found;
    try {
      found = await ask("/studio/api/agreement?" + new URLSearchParams(names()));
    } catch (error) { tell(error.message, true); return; }
    const kappa = (value) => (value === null ? "–" : value.toFixed(3));
    const left = found.differing.filter((one) => one.open || !open.checked);
    const differences = found.differing.reduce((sum, one) => sum + one.differences, 0);
    const undecided = found.differing.reduce((sum, one) => sum + one.open, 0);
    const cards = element("div"), more = element("button", { type: "button", onclick: () => add() });
    let shown = 0;
    const add = () => {
      cards.append(...left.slice(shown, shown + AT_ONCE).map((one) => pair(one.n)));
      shown = Math.min(left.length, shown + AT_ONCE);
      more.textContent = `Show more: ${shown} of ${many(left.length, "sentence")} are shown`;
      more.hidden = shown === left.length;
    };
    add();
    view.replaceChildren(
      element("p", { id: "agreement" },
        `${many(found.words, "word")} in ${many(found.sentences, "sentence")}: UAS ${percent(found.uas, 1)}, LAS ${percent(found.las, 1)}, kappa of relations ${kappa(found.kappa)}.`,
        found.skipped ? ` ${many(found.skipped, "sentence is", "sentences are")} not annotated by both.` : "",
        found.alone ? ` ${many(found.alone, "sentence stands", "sentences stand")} in one file alone.` : ""),
      element("details", {}, element("summary", {}, "By relation"), element("div", { class: "wide", tabindex: "0" }, element("table", {},
        element("tr", {}, ...["relation", "first", "second", "both", "kappa"].map((name) => element("th", {}, name))),
        ...found.relations.map((one) => element("tr", {}, element("td", {}, one.relation), ...[one.first, one.second, one.both]
          .map((n) => element("td", { class: "number" }, String(n))), element("td", { class: "number" }, kappa(one.kappa))))))),
      element("h3", {}, `${many(differences, "difference")} in ${many(found.differing.length, "sentence")}, ${undecided} not decided`), cards, more);
  }

  // The file for decisions begins as a copy of the first annotator's; both annotators' files stay as they are.
  async function decisions() {
    const { files: now } = await ask("/studio/api/project");
    if (now.some((file) => file.name === target.value)) return;
    target.value = (await ask("/studio/api/copy", { from: first.value, file: target.value })).file;
  }

  function pair(number) {
    const holder = element("section", { class: "card", "aria-label": `Sentence ${number + 1}` }, element("h3", {}, `Sentence ${number + 1}`));
    const width = () => widthIn(holder.isConnected ? holder : main);
    const asked = () => ask("/studio/api/pair?" + new URLSearchParams({ ...names(), n: number, width: width() }));
    const write = async (word, head, relation) => {
      try {
        await decisions();
        const { target: there } = await asked();
        if (!there) throw new Error(`${target.value} does not have the sentence, or with other words: nothing was written`);
        const { file, id, revision } = there;
        const edited = await ask("/studio/api/edit", { file, id, revision, edit: { do: "decide", word, head, relation } });
        await ask("/studio/api/save", { file, id, revision: edited.revision });
        await draw();
        tell(`written to ${file}`);
      } catch (error) { tell(error.message, true); }
    };
    async function draw() {
      const found = await asked();
      const named = ([head, relation]) => `${relation} of ${head === "0" ? "the root" : found.forms[Number(head) - 1] ?? head}`;
      const same = (one, other) => one !== null && one.join(" ") === other.join(" ");
      const choose = (difference, side, label) => element("td", {}, named(difference[side]), " ", element("button", {
        type: "button", "aria-pressed": String(same(difference.decided, difference[side])),
        onclick: () => write(difference.word, Number(difference[side][0]), difference[side][1]),
      }, label));
      const neither = (one) => {
        const other = one.decided && !same(one.decided, one.first) && !same(one.decided, one.second) ? one.decided : ["", ""];
        const head = element("input", { size: "3", inputmode: "numeric", "aria-label": `Head of ${one.form}`, value: other[0], placeholder: "head" });
        const relation = element("input", { size: "8", "aria-label": `Relation of ${one.form}`, value: other[1], placeholder: "relation" });
        return element("td", {}, head, " ", relation, " ", element("button", { type: "button", "aria-pressed": String(Boolean(other[0])),
          onclick: () => (/^\d+$/.test(head.value) && relation.value.trim() ? write(one.word, Number(head.value), relation.value.trim()) : tell("give a head and a relation", true)) }, "neither"));
      };
      const rows = found.differences.map((one) => element("tr", { class: one.decided ? "selected" : "" },
        element("th", {}, `${one.word} ${one.form}`), choose(one, "first", "first is right"), choose(one, "second", "second is right"), neither(one)));
      holder.replaceChildren(element("h3", {}, `Sentence ${number + 1}`), element("p", { class: "text", dir: "auto" }, found.text),
        ...found.drawings.map((each) => framed(drawing(each))), element("div", { class: "wide", tabindex: "0" }, element("table", {}, ...rows)));
    }
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watcher.disconnect();
      draw().catch((error) => tell(error.message, true));
    });
    watcher.observe(holder);
    return holder;
  }

  if (values.first && values.second) await compare();
}
