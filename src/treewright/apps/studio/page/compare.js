// Compare: two annotators of the same sentences; how far they agree, and what to decide where they do not.

import { wordsOf } from "./sentence.js";
import { ask, element, percent, tell, writeState } from "./support.js";
import { drawTree } from "./tree.js";

export async function show(main, values) {
  const { files } = await ask("/studio/api/project");
  const choice = (label, value) => {
    const made = element("select", { "aria-label": label }, ...files.map((file) => element("option", { value: file
        .name }, `${file.name} (${file.sentences})`)));
    if (value) made.value = value;
    return made;
  };
  const first = choice("First annotator", values.first ?? files[0]?.name),
    second = choice("Second annotator", values.second ?? files[1]?.name);
  const target = element("input", { value: values.target ??
    "adjudicated.conllu", "aria-label": "File for decisions" });
  const view = element("div");
  main.append(element("h2", {}, "Two annotators"), element("form", { onsubmit: (event) => { event.preventDefault();
        compare(); } },
    element("div", { class: "row" }, element("label", {}, "first ", first), element("label", {}, "second ",
      second), element("label", {}, "decisions go to ", target), element("button", { class: "main" },
      "Compare"))), view);

  async function compare() {
    writeState("compare", { first: first.value, second: second.value, target: target.value });
    let found;
    try {
      found = await ask("/studio/api/agreement?" + new URLSearchParams({ first: first.value, second: second
          .value }));
    } catch (error) { tell(error.message, true); return; }
    const kappa = (value) => (value === null ? "–" : value.toFixed(3));
    const sentences = [...new Set(found.differences.map((one) => one.sentence))];
    view.replaceChildren(
      element("p", { id: "agreement" },
        `${found.words} words in ${found.sentences} sentences: UAS ${percent(found.uas, 1)}, LAS ${percent(found.las, 1)}, kappa of relations ${kappa(found.kappa)}.`,
        found.skipped ? ` ${found.skipped} sentences are not annotated by both.` : ""),
      element("details", {}, element("summary", {}, "By relation"), element("table", {},
        element("tr", {}, ...["relation", "first", "second", "both", "kappa"].map((name) => element("th", {},
          name))),
        ...found.relations.map((one) => element("tr", {}, element("td", {}, one.relation), ...[one.first, one
          .second, one.both
        ].map((n) => element("td", { class: "number" }, String(n))), element("td", { class: "number" },
          kappa(one.kappa)))))),
      element("h3", {}, `Adjudicate: ${found.differences.length} differences in ${sentences.length} sentences`),
      ...sentences.slice(0, 200).map((number) => adjudicate(number, found.differences.filter((one) => one
        .sentence === number))));
  }

  // The file for decisions begins as a copy of the first annotator's; both annotators' files stay as they are.
  async function decisions() {
    const { files: now } = await ask("/studio/api/project");
    if (now.some((file) => file.name === target.value)) return target.value;
    target.value = (await ask("/studio/api/copy", { from: first.value, file: target.value })).file;
    return target.value;
  }

  function adjudicate(number, differences) {
    const holder = element("section", { class: "card" });
    async function draw() {
      const [one, other] = await Promise.all([first, second].map((file) => ask("/studio/api/sentence?" +
        new URLSearchParams({ file: file.value, n: number }))));
      const rows = differences.map((difference) => {
        const words = wordsOf(one),
          word = words[difference.word - 1];
        const named = ([head, relation]) =>
          `${relation} of ${head === "0" ? "the root" : words[Number(head) - 1]?.form ?? head}`;
        const take = ([head, relation]) => async (event) => {
          const row = event.target.closest("tr");
          try {
            const there = await ask("/studio/api/sentence?" + new URLSearchParams({ file: await decisions(),
              n: number }));
            if (wordsOf(there).map((each) => each.form).join(" ") !== words.map((each) => each.form).join(" "))
              throw new Error(`sentence ${number + 1} of ${there.file} has other words: nothing was written`);
            const place = { file: there.file, id: there.id };
            const edited = await ask("/studio/api/edit", { ...place, revision: there.revision, edit: { do: "attach",
                word: difference.word, head: Number(head), relation } });
            await ask("/studio/api/save", { ...place, revision: edited.revision });
            for (const button of row.querySelectorAll("button")) button.setAttribute("aria-pressed",
              String(button === event.target));
            row.classList.add("selected");
            tell(`written to ${place.file}`);
          } catch (error) { tell(error.message, true); }
        };
        return element("tr", {}, element("th", {}, `${difference.word} ${word.form}`),
          element("td", {}, named(difference.first), " ", element("button", { type: "button", onclick: take(
              difference.first) }, "first is right")),
          element("td", {}, named(difference.second), " ", element("button", { type: "button",
            onclick: take(difference.second) }, "second is right")));
      });
      holder.replaceChildren(element("h3", {}, `Sentence ${number + 1}`), compared(one, other), compared(other,
        one), element("table", {}, ...rows));
    }
    const watcher = new IntersectionObserver((entries) => { if (entries.some((entry) => entry
        .isIntersecting)) { watcher.disconnect();
        draw(); } });
    holder.append(element("h3", {}, `Sentence ${number + 1}`));
    watcher.observe(holder);
    return holder;
  }

  if (values.first && values.second) await compare();
}

function compared(one, other) {
  const there = wordsOf(other);
  const arcs = wordsOf(one).map((token, n) => ({
    head: Number(token.head),
    dependent: n + 1,
    label: token.deprel,
    mark: token.head !== there[n]?.head ? "wrong" : token.deprel !== there[n]?.deprel ? "half-wrong" : ""
  }));
  return drawTree({ words: wordsOf(one).map((token) => ({ text: token.form, tag: token.upos === "_" ? "" : token
        .upos })), arcs, rightToLeft: one.rightToLeft, label: one.file });
}
