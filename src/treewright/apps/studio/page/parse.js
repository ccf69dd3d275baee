// Parse: text in, trees out; models side by side, with their differences marked.

import { ask, element, percent, png, save, tell, writeState } from "./support.js";
import { draw, framed, widthIn } from "./tree.js";

const EXAMPLE = "The studio shows what the parser sees.";

export async function show(main, values) {
  const { models } = await ask("/v1/models");
  const names = models.map((model) => model.name);
  const chosen = new Set((values.models ?? names[0] ?? "").split(",").filter((name) => names.includes(name)));
  const text = element("textarea", { "aria-label": "Text to parse", spellcheck: "false", dir: "auto" });
  text.value = values.text ?? EXAMPLE;
  const boxes = names.map((name) => element("label", {}, element("input", { type: "checkbox", value: name,
    checked: chosen.has(name) }), ` ${name}`));
  const tags = element("select", { "aria-label": "Below the words" },
    ...["upos", "xpos", "lemma", "none"].map((tag) => element("option", { value: tag, selected: tag === (values
        .tags ?? "upos") }, tag)));
  const best = element("input", { type: "number", min: "1", max: "20", value: values.k ??
    "1", "aria-label": "Number of best trees", style: "width:4rem" });
  const sure = element("input", { type: "checkbox", checked: values.sure !== "0" });
  const button = element("button", { class: "main", type: "submit" }, "Parse");
  const results = element("section", { "aria-label": "Trees", "aria-live": "polite" });
  const form = element("form", {
    onsubmit: (event) => { event.preventDefault();
      run(); },
  }, text, element("div", { class: "row" }, ...boxes, element("label", {}, "below the words ", tags),
    element("label", {}, "best trees ", best), element("label", {}, sure, " confidence"), button));
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  });
  main.append(element("h2", {}, "Parse"), element("p", { class: "faint small" },
      "Type or paste text, or CoNLL-U. Ctrl+Enter parses. The address of this page holds text and models."), form,
    results);

  async function run() {
    const selected = boxes.map((box) => box.firstChild).filter((box) => box.checked).map((box) => box.value);
    writeState("parse", { text: text.value, models: selected.join(","), tags: tags.value, k: best.value === "1" ?
        "" : best.value, sure: sure.checked ? "" : "0" });
    if (!selected.length) { tell("Choose a model", true); return; }
    button.disabled = true;
    const tried = await Promise.allSettled(selected.map((name) => parse(name, text.value, Number(best.value), sure.checked)));
    const parsed = tried.filter((one) => one.value).map((one) => one.value);
    const failed = tried.map((one, n) => [selected[n], one.reason]).filter(([, reason]) => reason);
    results.replaceChildren(...failed.map(([name, reason]) => element("p", { class: "error", role: "alert" }, `${name}: ${reason.message}`)),
      ...(parsed.length ? view(parsed, tags.value, results) : []));
    button.disabled = false;
  }
  if (text.value.trim()) await run();
}

async function parse(name, given, k, sure) {
  const isTreebank = /^\s*(#.*\n)*1(-\d+)?(\t[^\t\n]*){7,}(\n|$)/.test(given);
  const input = isTreebank ? { conllu: given.endsWith("\n\n") ? given : given.trimEnd() + "\n\n" } :
  { text: given };
  const about = await ask(`/v1/models/${encodeURIComponent(name)}`);
  const can = (what) => about.capabilities.includes(what);
  const options = { model: name, ...input };
  if (sure && can("confidence")) options.confidence = true;
  if (can("certificate")) options.certificate = true;
  const done = await ask("/v1/parse", options);
  const conllu = (await ask("/v1/parse", { model: name, ...input, output: "conllu" })).conllu;
  let trees = null;
  if (k > 1 && can("k best")) trees = (await ask("/v1/k-best", { model: name, ...input, k })).sentences;
  return { name, sentences: done.sentences, certificates: done.certificates, conllu, trees, graph: can("graphs") };
}

function view(parsed, tags, holder) {
  const most = Math.max(...parsed.map((one) => one.sentences.length));
  const parts = [];
  const short = Math.max(...parsed[0].sentences.map((sentence) => sentence.words.length), 0) <= 12; // others stand below each other
  const width = parsed.length > 1 && short && holder.clientWidth > 900 ? Math.floor(widthIn(holder) / 2) - 20 : widthIn(holder);
  for (let n = 0; n < most; n += 1) {
    const cards = parsed.filter((one) => one.sentences[n]).map((one) => card(one, n, parsed[0], tags, width));
    parts.push(element("section", { class: parsed.length > 1 && short ? "columns" : "" }, ...cards));
  }
  if (parsed.length > 1) parts.unshift(element("p", { class: "small" }, summary(parsed)));
  return parts;
}

function summary(parsed) {
  const first = parsed[0];
  return parsed.slice(1).map((other) => {
    let words = 0,
      same = 0;
    first.sentences.forEach((sentence, n) => sentence.words.forEach((word, w) => {
      const there = other.sentences[n]?.words[w];
      words += 1;
      same += there && there.form === word.form && there.head === word.head && there.deprel === word.deprel;
    }));
    return `${other.name} agrees with ${first.name} on ${same} of ${words} words.`;
  }).join(" ");
}

function card(one, n, reference, tags, width) {
  const sentence = one.sentences[n], holder = element("div");
  const block = (from) => `${from.conllu.split("\n\n")[n]}\n\n`;
  const own = { heads: sentence.words.map((word) => word.head), deprels: sentence.words.map((word) => word.deprel) };
  let current = own;
  const show = async (tree) => {
    current = tree;
    const body = { conllu: withTree(block(one), tree), tags, width };
    if (one !== reference && reference.sentences[n]) body.other = block(reference);
    if (sentence.words.some((word) => word.confidence !== undefined)) body.sure = [sentence.words.map((word) => word.confidence ?? null)];
    const [drawn] = await draw(body);
    holder.replaceChildren(framed(drawn));
  };
  show(own).catch((error) => tell(error.message, true));
  const rest = [];
  const certificate = one.certificates?.[n];
  if (certificate) {
    rest.push(element("p", { class: "small faint" }, certificate.optimal ?
      "certified: no other tree scores higher" :
      `not certified: the best tree may score ${certificate.gap.toFixed(3)} higher`));
  }
  const choices = one.trees?.[n]?.trees;
  if (choices?.length > 1) {
    const list = element("select", { "aria-label": "Choose a tree" }, ...choices.map((tree, rank) =>
      element("option", { value: rank },
        `${rank + 1}. score ${tree.score.toFixed(2)}${tree.probability === null ? "" : `, ${percent(tree.probability)}`}`
        )));
    list.addEventListener("change", () => show(choices[Number(list.value)]).catch((error) => tell(error.message, true)));
    rest.push(element("label", { class: "row small" }, `the ${choices.length} best trees `, list));
  }
  rest.push(exports(one, n, tags, () => withTree(block(one), current)));
  return element("article", { class: "card" }, element("h3", {}, one.name), element("p", { class: "text", dir: "auto" }, sentence.text),
    holder, ...rest);
}

// The sentence with the tree that is shown, which may be another than the best.
function withTree(conllu, tree) {
  let word = 0;
  return conllu.split("\n").map((line) => {
    const cells = line.split("\t");
    if (!/^\d+$/.test(cells[0]) || cells.length < 8) return line;
    cells[6] = tree.heads[word] ?? "_";
    cells[7] = tree.deprels[word];
    word += 1;
    return cells.join("\t");
  }).join("\n");
}

function exports(one, n, tags, shown) {
  const name = `${one.name}-${n + 1}`;
  const drawn = async (kind) => (await ask("/v1/draw", { conllu: shown(), kind, tags })).drawings[0];
  const failing = (work) => () => work().catch((error) => tell(error.message, true));
  const buttons = [
    ["CoNLL-U", async () => save(`${name}.conllu`, "text/plain", shown())],
    ["SVG", async () => save(`${name}.svg`, "image/svg+xml", await drawn("svg"))],
    ["PNG", async () => save(`${name}.png`, "image/png", await png(await drawn("svg")))],
    ["LaTeX", async () => save(`${name}.tex`, "text/plain", await drawn("tikz"))],
    ["Step through it", async () => { location.hash = "step?" + new URLSearchParams({ model: one.name,
        conllu: shown() }); }],
  ];
  if (document.documentElement.dataset.project) {
    buttons.push(["Add to the project", async () => {
      const file = `parsed-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}`;
      tell(`added as ${(await ask("/studio/api/add", { file, conllu: one.conllu })).file}`);
    }]);
  }
  return element("div", { class: "row small" }, ...buttons.map(([label, work]) => element("button", { type: "button",
    onclick: failing(work) }, label)));
}
