// Step: a parse move by move. Any legal move can be taken, also a wrong one; the oracle says what it costs and recovers.

import { ask, element, tell, writeState } from "./support.js";
import { drawTree } from "./tree.js";

const SYSTEMS = ["arc-eager", "arc-hybrid", "arc-standard", "covington", "covington-projective", "easy-first"];
const EXAMPLE = { words: "She saw the duck with a telescope", heads: "2 0 4 2 2 7 5" };

export async function show(main, values) {
  const { models } = await ask("/v1/models");
  const leader = element("select", { "aria-label": "Who parses" },
    element("optgroup", { label: "models" }, ...models.map(({ name }) => element(
    "option", { value: `model:${name}` }, name))),
    element("optgroup", { label: "transition systems" }, ...SYSTEMS.map((name) => element(
    "option", { value: `system:${name}` }, name))));
  leader.value = values.system ? `system:${values.system}` : `model:${values.model ?? models[0]?.name ?? ""}`;
  if (!leader.value) leader.value = "system:arc-eager";
  const words = element("input", { value: values.words ?? (values.conllu ? "" : EXAMPLE
    .words), "aria-label": "Sentence", style: "flex:1;min-width:18rem", dir: "auto" });
  const heads = element("input", { value: values.heads ?? (values.conllu || values.words ? "" : EXAMPLE
    .heads), "aria-label": "Gold heads", placeholder: "gold heads: 2 0 2 (may be empty)",
    style: "min-width:14rem" });
  const follow = element("select", { "aria-label": "Who moves on" }, element("option", { value: "" }, "as usual"),
    ...["model", "dynamic", "static"].map((name) => element("option", { value: name }, name)));
  follow.value = values.follow ?? "";
  const view = element("div");
  let given = values.moves ?? "",
    at = Number(values.at ?? 0),
    trace = null,
    conllu = values.conllu ?? "";
  const form = element("form", { onsubmit: (event) => { event.preventDefault();
        given = "";
        at = 0; if (words.value.trim()) conllu = "";
        run(); } },
    element("div", { class: "row" }, leader, words, heads, element("label", {}, "then follow ", follow), element(
      "button", { class: "main" }, "Start")));
  main.append(element("h2", {}, "Step"), element("p", { class: "faint small" },
    "← and → go back and forth, Home and End to the ends. Click any legal move to take it there, or press its number: the rest of the parse follows from it."
    ), form, view);

  async function run() {
    const [kind, name] = leader.value.split(/:(.*)/s);
    const body = {
      [kind]: name };
    if (conllu) body.conllu = conllu;
    else body[models.find((model) => model.name === name)?.steps?.includes("tokenizer") ? "text" : "words"] =
      models.find((model) => model.name === name)?.steps?.includes("tokenizer") ? words.value : words.value.trim()
      .split(/\s+/);
    const numbers = heads.value.trim() ? heads.value.trim().split(/[\s,]+/).map(Number) : null;
    if (numbers) body.heads = numbers;
    if (given) body.moves = given;
    if (follow.value && (follow.value !== "model" || kind === "model")) body.follow = follow.value;
    if (kind === "system" && !numbers && !conllu) { tell(
        "A system alone needs gold heads: the oracle shows the way", true); return; }
    if (kind === "model") body.features = 8;
    try {
      trace = await ask("/v1/trace", body);
    } catch (error) { tell(error.message, true); return; }
    writeState("step", {
      [kind]: name, words: conllu ? "" : words.value, conllu, heads: heads.value, follow: follow.value,
      moves: given, at });
    at = Math.min(at, trace.steps.length);
    draw();
  }

  function go(place) {
    if (!trace) return;
    at = Math.max(0, Math.min(place, trace.steps.length));
    draw();
  }

  function take(move) {
    given = [...trace.steps.slice(0, at).map((step) => step.move), move].join(" ");
    at += 1;
    run();
  }

  function keys(event) {
    if (!trace || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event
      .altKey) return;
    const jump = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: trace.steps.length } [event.key];
    if (jump !== undefined) { go(jump);
      event.preventDefault(); return; }
    const button = view.querySelectorAll(".moves button")[Number(event.key) - 1];
    if (/^[1-9]$/.test(event.key) && button) button.click();
  }

  function draw() {
    const last = at === trace.steps.length,
      step = last ? trace.end : trace.steps[at];
    const form = (node) => (node ? trace.words[node - 1].form : "ROOT");
    const lists = Object.entries(step.lists).map(([name, nodes]) => element("div", {}, element("h3", {}, name),
      element("div", { class: "cells", "data-list": name }, ...nodes.map((node) => element("span", {},
        `${form(node)}${node ? ` ${node}` : ""}`)))));
    const gold = new Map((trace.gold ?? []).map((arc) => [`${arc.head} ${arc.dependent}`, arc.relation]));
    const arcs = step.arcs.map((arc) => ({
      head: arc.head,
      dependent: arc.dependent,
      label: (arc.relation ?? "").replace(/^_$/, ""),
      mark: trace.gold && !gold.has(`${arc.head} ${arc.dependent}`) ? "wrong" : ""
    }));
    const tree = drawTree({ words: trace.words.map((word) => ({ text: word.form, tag: word.tag })), arcs,
      label: "arcs so far" });
    const cost = trace.steps.slice(0, at).reduce((sum, each) => sum + (each.moves[each.chosen].cost ?? 0), 0);
    const bar = element("div", { class: "row" },
      element("button", { type: "button", disabled: at === 0, onclick: () => go(at - 1) }, "← back"),
      element("button", { type: "button", disabled: last, onclick: () => go(at + 1) }, "forth →"),
      element("input", {
        type: "range",
        min: "0",
        max: String(trace.steps.length),
        value: String(at),
        "aria-label": "Step",
        oninput: (event) => go(Number(event.target.value))
      }),
      element("span", { role: "status" }, `step ${at} of ${trace.steps.length}`,
        trace.gold ? ` · arcs lost so far: ${cost}` : "", last ? " · complete" : ""));
    const moves = last ? result(cost) : element("div", { class: "moves", "aria-label": "Legal moves" }, ...step
      .moves.map((move, n) => moveButton(move, n, n === step.chosen)));
    view.replaceChildren(bar, element("div", { class: "card" }, tree), element("div", { class: "columns" },
        element("div", {}, ...lists), element("div", {}, element("h3", {}, last ? "The end" :
          `Legal moves (chosen by: ${step.by})`), moves), features(step)),
      ...trace.notes.map((note) => element("p", { class: "small faint" }, note)));
  }

  function result(cost) {
    const { headless, missing } = trace.end;
    return element("p", {}, trace.gold ? `${missing.length} gold arcs were not built; the moves cost ${cost}. ` :
      "",
      headless.length ? `${headless.length} words have no head yet: the parser attaches them to the root word.` :
      "");
  }

  function moveButton(move, n, chosen) {
    const named = move.relation === null ? move.kind : `${move.kind}(${move.relation})`;
    const arc = move.arc ?
      `  ${move.arc.head ? trace.words[move.arc.head - 1].form : "ROOT"} → ${trace.words[move.arc.dependent - 1].form}` :
      "";
    const notes = [move.score === null ? "" : `score ${move.score.toFixed(2)}`, move.cost === null ? "" :
      `cost ${move.cost}`
    ].filter(Boolean).join(" · ");
    return element("button", {
      type: "button",
      class: `${chosen ? "chosen " : ""}${move.right === null ? "" : move.right ? "right" : "wrong"}`,
      "aria-pressed": String(chosen),
      onclick: () => take(named)
    }, element("kbd", {}, String(n + 1)), element("span", {},
      `${move.relation === "_" ? move.kind : named}${arc}`), element("span", { class: "cost" }, notes));
  }

  function features(step) {
    if (!step.features?.length) return element("div");
    return element("div", {}, element("h3", {}, "Strongest features"), element("table", {}, ...step.features.map((
        feature) =>
      element("tr", {}, element("td", { class: "number" }, feature.weight.toFixed(2)), element("td", {},
        feature.template), element("td", {}, feature.value)))));
  }

  document.addEventListener("keydown", keys);
  if (conllu || words.value) await run();
  return () => document.removeEventListener("keydown", keys);
}
