// Step: a parse move by move. Any legal move can be taken, also a wrong one; the oracle says what it costs and recovers.

import { TraceView } from "./tracing/trace.js";
import { LESSON } from "./step-lesson.js";
import { ask, element, tell, writeState } from "./support.js";
import { drawing, widthIn } from "./tree.js";

const SYSTEMS = ["arc-eager", "arc-hybrid", "arc-standard", "covington", "covington-projective", "easy-first"];
const BUNDLED = "english-fast"; // it comes with treewright and makes moves
const EXAMPLE = { words: "She saw the duck with a telescope .", heads: "2 0 4 2 7 7 4 2", relations: "nsubj root det obj case det nmod punct" };

export async function show(main, values) {
  const served = (await ask("/v1/models")).models;
  const names = [...new Set([BUNDLED, ...served.map((model) => model.name)])];
  const option = (value, name) => element("option", { value }, name);
  const leader = element("select", { "aria-label": "Who parses" },
    element("optgroup", { label: "models" }, ...names.map((name) => option(`model:${name}`, name))),
    element("optgroup", { label: "transition systems" }, ...SYSTEMS.map((name) => option(`system:${name}`, name))));
  const follow = element("select", { "aria-label": "Who moves on" }, option("", "as usual"),
    ...["model", "dynamic", "static"].map((name) => option(name, name)));
  const field = (label, more = {}) => element("input", { "aria-label": label, dir: "auto", ...more });
  const words = field("Sentence", { class: "long" }), heads = field("Gold heads", { placeholder: "gold heads: 2 0 2 (may be empty)" });
  const relations = field("Gold relations", { placeholder: "gold relations (may be empty)" });
  const view = element("div"), told = element("p", { class: "lesson", hidden: true });
  let given = "", at = 0, conllu = "", trace = null;

  // Fill in the form from an address, or from a lesson.
  function fill(from) {
    const isEmpty = !["words", "conllu", "system", "model"].some((name) => name in from);
    const example = isEmpty ? EXAMPLE : from;
    leader.value = from.system ? `system:${from.system}` : `model:${from.model ?? BUNDLED}`;
    if (!leader.value) leader.value = `model:${BUNDLED}`;
    [words.value, heads.value, relations.value] = ["words", "heads", "relations"].map((name) => example[name] ?? "");
    follow.value = from.follow ?? "";
    [given, at, conllu] = [from.moves ?? "", Number(from.at ?? 0), from.conllu ?? ""];
  }

  const lessons = element("div", { class: "row small", role: "group", "aria-label": "A lesson of five sentences" }, "A lesson: ", ...LESSON.map((one, n) =>
    element("button", { type: "button", onclick: () => begin(n) }, `${n + 1}. ${one.title}`)));
  async function begin(n) {
    fill(LESSON[n]);
    told.textContent = LESSON[n].text;
    told.hidden = false;
    lessons.querySelectorAll("button").forEach((button, k) => button.setAttribute("aria-pressed", String(k === n)));
    await run();
  }

  const form = element("form", { onsubmit: (event) => {
    event.preventDefault();
    [given, at] = ["", 0];
    if (words.value.trim()) conllu = "";
    run();
  } }, element("div", { class: "row" }, leader, words, heads, relations, element("label", {}, "then follow ", follow), element("button", { class: "main" }, "Start")));
  main.append(element("h2", {}, "Step"), element("p", { class: "faint small" },
    "Click any legal move, or press its digit, to take it: also a wrong one. The rest of the parse follows from it."), lessons, form, told, view);

  function asked() {
    const [kind, name] = leader.value.split(/:(.*)/s);
    const list = (input) => input.value.trim().split(/[\s,]+/).filter(Boolean);
    const steps = served.find((model) => model.name === name)?.steps ?? ["tokenizer"];
    const body = { [kind]: name, drawing: widthIn(view) - 230 > 400 ? widthIn(view) - 230 : widthIn(view) };
    if (conllu) body.conllu = conllu;
    else if (kind === "model" && steps.includes("tokenizer") && !list(heads).length) body.text = words.value;
    else body.words = words.value.trim().split(/\s+/);
    if (list(heads).length) body.heads = list(heads).map(Number);
    if (list(relations).length) body.relations = list(relations);
    if (given) body.moves = given;
    if (follow.value && (follow.value !== "model" || kind === "model")) body.follow = follow.value;
    if (kind === "model") body.features = 8;
    return body;
  }

  function remember() {
    const [kind, name] = leader.value.split(/:(.*)/s);
    writeState("step", { [kind]: name, words: conllu ? "" : words.value, conllu, heads: heads.value, relations: relations.value, follow: follow.value, moves: given, at });
  }

  async function run() {
    try {
      const found = await ask("/v1/trace", asked());
      if (trace?.timer) trace.toggle();
      trace = new TraceView(found, drawing(found.drawing), { at, take, moved: (place) => { at = place; remember(); } });
      view.replaceChildren(trace.element);
    } catch (error) {
      tell(error.message, true);
      view.replaceChildren(element("p", { class: "error", role: "alert" }, error.message), element("p", {},
        `Choose another model, such as ${BUNDLED}, or a transition system with gold heads.`));
    }
  }

  function take(step, move) {
    given = [...trace.trace.steps.slice(0, step).map((one) => one.move), move].join(" ");
    at = step + 1;
    run();
  }

  const keys = (event) => trace?.pressed(event);
  document.addEventListener("keydown", keys);
  fill(values);
  await run();
  return () => {
    if (trace?.timer) trace.toggle();
    document.removeEventListener("keydown", keys);
  };
}
