// Loop: how the parser gets on, and which sentences it is least sure of.

import { ask, element, many, percent } from "./support.js";

const SVG = "http://www.w3.org/2000/svg";

export async function show(main) {
  const view = element("div");
  main.append(element("h2", {}, "The loop"), element("p", { class: "faint small" },
    "After each saved tree the parser learns again. One annotated sentence in eight is held out: its score is the curve, and it also chooses the round, so the curve is a little optimistic."
    ), view);
  let timer = 0,
    gone = false;

  async function draw() {
    const state = await ask("/studio/api/loop");
    if (gone) return;
    const last = state.curve.at(-1);
    view.replaceChildren(
      element("p", { role: "status" }, state.learning ? "Learning … " : "", state.problem || "",
        last ?
        ` ${many(last.sentences, "sentence")} learnt in ${last.seconds.toFixed(1)} s, LAS ${percent(last.las, 1)} on ${last.held_out} held out.` :
        ""),
      element("div", { class: "row" }, element("button", { type: "button", onclick: async () => { await ask(
              "/studio/api/learn", {});
            draw(); } }, "Learn now"),
        element("a", { href: "#annotate?next=1" }, "Annotate the least sure sentence")),
      chart(state.curve), element("h3", {}, `Least sure first (${many(state.left, "sentence waits", "sentences wait")})`),
      element("table", {}, element("tr", {}, element("th", {}, "sentence"), element("th", { class: "number" },
          "doubt")),
        ...state.waiting.map((one) => element("tr", {}, element("td", {}, element("a", { href: "#annotate?" +
              new URLSearchParams({ file: one.file, n: one.n, id: one.id }) }, `${one.file}, ${one.n + 1}`)),
          element("td", { class: "number" }, percent(one.doubt))))));
    timer = setTimeout(draw, state.learning ? 700 : 4000);
  }

  await draw();
  return () => { gone = true;
    clearTimeout(timer); };
}

export function chart(points) {
  if (!points.length) return element("p", { class: "faint" },
    "No point yet: the curve begins when at least five annotated sentences are held out.");
  const width = 640,
    height = 240,
    left = 44,
    bottom = 28,
    most = Math.max(...points.map((point) => point.sentences), 10);
  const low = Math.max(0, Math.floor((Math.min(...points.map((point) => point.las)) - 0.05) * 10) / 10);
  const x = (sentences) => left + (sentences / most) * (width - left - 12),
    y = (share) => 8 + (1 - (share - low) / (1 - low)) * (height - bottom - 8);
  const root = document.createElementNS(SVG, "svg");
  root.setAttribute("class", "chart");
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.setAttribute("width", width);
  root.setAttribute("role", "img");
  root.setAttribute("aria-label",
    `Learning curve: LAS ${percent(points.at(-1).las, 1)} after ${points.at(-1).sentences} sentences`);
  const add = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    root.append(made);
  };
  for (let share = low; share <= 1.001; share += 0.1) {
    add("line", { x1: left, x2: width - 12, y1: y(share), y2: y(share) });
    add("text", { x: 4, y: y(share) + 4 }, `${Math.round(share * 100)} %`);
  }
  for (const name of ["uas", "las"]) add("path", { class: name, d: "M" + points.map((point) =>
      `${x(point.sentences)} ${y(point[name])}`).join("L") });
  for (const point of points) add("circle", { class: "las", r: 2.5, cx: x(point.sentences), cy: y(point.las) });
  add("text", { x: width - 12, y: height - 8, "text-anchor": "end" }, `${many(most, "sentence")}; LAS, UAS dashed`);
  return root;
}
