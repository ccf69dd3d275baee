"use strict";
(() => {
  const trace = JSON.parse(document.getElementById("trace").textContent);
  const app = document.getElementById("app");
  const rootLast = trace.system.root === "last";
  const states = [...trace.steps, trace.end];
  let at = 0, timer = null, showGold = trace.gold !== null;

  // All elements are made here, and text goes into them as text.
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }
  function draw(tag, attributes, text) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }
  const form = (node) => (node ? trace.words[node - 1].form : "ROOT");
  const structure = trace.system.graphs ? "graph" : "tree";
  const key = (arc) => `${arc.head} ${arc.dependent}`;
  const pen = document.createElement("canvas").getContext("2d");
  function textWidth(text, size) {
    pen.font = `600 ${size}px system-ui, sans-serif`;
    return pen.measureText(text).width;
  }

  // Where the words stand.
  const nodes = trace.words.map((word) => word.id);
  const order = rootLast ? [...nodes, 0] : [0, ...nodes];
  const place = {};
  order.forEach((node, i) => { place[node] = i; });
  const everything = [...trace.end.arcs, ...trace.steps.map((step) => step.moves[step.chosen].arc).filter(Boolean)];
  const unique = [...new Map(everything.map((arc) => [key(arc), arc])).values()];

  // An arc lies above all arcs that it spans.
  function levels(arcs) {
    const found = new Map();
    const span = (arc) => Math.abs(place[arc.head] - place[arc.dependent]);
    for (const arc of [...arcs].sort((a, b) => span(a) - span(b))) {
      const low = Math.min(place[arc.head], place[arc.dependent]), high = Math.max(place[arc.head], place[arc.dependent]);
      let level = 1;
      for (const [other, height] of found) {
        const l = Math.min(place[other.head], place[other.dependent]), h = Math.max(place[other.head], place[other.dependent]);
        if (l < high && h > low) level = Math.max(level, height + 1);
      }
      found.set(arc, level);
    }
    return found;
  }

  // Where arcs meet a word: side by side, the lowest on the outside, so no arc runs through the end of another.
  const GAP = 9;
  function portsOf(arcs) {
    const ends = {};
    for (const [arc, height] of levels(arcs)) {
      for (const [node, other] of [[arc.head, arc.dependent], [arc.dependent, arc.head]]) {
        // Ends from left to right: arcs to the left, the lowest first; arcs to the right, the lowest last.
        const rank = place[other] < place[node] ? height : 2 * arcs.length + 1 - height;
        (ends[node] = ends[node] || []).push([rank, `${node} ${key(arc)}`]);
      }
    }
    const ports = {}, widths = {};
    for (const [node, found] of Object.entries(ends)) {
      found.sort((a, b) => a[0] - b[0]);
      found.forEach(([, name], i) => { ports[name] = (i - (found.length - 1) / 2) * GAP; });
      widths[node] = found.length * GAP;
    }
    return { ports, widths };
  }
  const built = portsOf(unique), golden = portsOf(trace.gold || []);
  const boxes = {};
  let right = 8;
  for (const node of order) {
    const tag = node ? trace.words[node - 1].tag : "";
    const width = Math.max(textWidth(form(node), 15), textWidth(tag, 11), built.widths[node] || 14, golden.widths[node] || 14) + 14;
    boxes[node] = { x: right + width / 2, width };
    right += width + 16;
  }
  const STEP = 28;
  function drawArc(arc, level, base, direction, style) {
    const group = draw("g", { class: style }), { ports } = direction > 0 ? built : golden;
    const start = boxes[arc.head].x + ports[`${arc.head} ${key(arc)}`], to = boxes[arc.dependent].x + ports[`${arc.dependent} ${key(arc)}`];
    const side = to > start ? 1 : -1, y = base - direction * (STEP * level - 4), bend = 10 * side;
    group.append(draw("path", {
      d: `M${start},${base} L${start},${y + direction * 10} Q${start},${y} ${start + bend},${y}`
        + ` L${to - bend},${y} Q${to},${y} ${to},${y + direction * 10} L${to},${base - direction * 3}`,
    }));
    group.append(draw("path", {
      class: "head", d: `M${to},${base} l-4,${-direction * 8} l8,0 z`,
    }));
    group.append(draw("text", { class: "relation", x: (start + to) / 2, y: y + 4 }, arc.relation || "·"));
    return group;
  }
  const deepest = (found) => Math.max(0, ...found.values());
  const topRoom = STEP * deepest(levels(unique)) + 24;
  const goldLevels = trace.gold ? levels(trace.gold) : new Map();

  const goldArcs = new Set((trace.gold || []).map((arc) => JSON.stringify([arc.head, arc.dependent, arc.relation])));
  const isWrong = (arc) => trace.gold !== null && !goldArcs.has(JSON.stringify([arc.head, arc.dependent, arc.relation]));

  function tree(state) {
    const chosen = state.moves ? state.moves[state.chosen].arc : null;
    const below = showGold && trace.gold ? STEP * deepest(goldLevels) + 16 : 0;
    const hasTags = trace.words.some((word) => word.tag);
    const foot = topRoom + (hasTags ? 44 : 30), height = foot + below + 6;
    const svg = draw("svg", { width: right, height, viewBox: `0 0 ${right} ${height}`, role: "img" });
    svg.append(draw("title", {}, "The arcs so far"));
    const arcs = chosen ? [...state.arcs, chosen] : state.arcs;
    for (const [arc, level] of levels(arcs)) svg.append(drawArc(arc, level, topRoom, 1, arc === chosen ? "new" : isWrong(arc) ? "wrong" : "arc"));
    for (const node of order) {
      const where = Object.keys(state.lists).find((name) => state.lists[name].includes(node)) || "done";
      const group = draw("g", { class: where }), box = boxes[node];
      group.append(draw("rect", { x: box.x - box.width / 2, y: topRoom + 2, width: box.width, height: foot - topRoom - 4, rx: 5 }));
      group.append(draw("text", { x: box.x, y: topRoom + 20 }, form(node)));
      if (node && trace.words[node - 1].tag) group.append(draw("text", { class: "tag", x: box.x, y: topRoom + 35 }, trace.words[node - 1].tag));
      svg.append(group);
    }
    if (below) for (const [arc, level] of goldLevels) svg.append(drawArc(arc, level, foot, -1, "gold"));
    return make("div", { class: "card tree" }, svg);
  }

  const front = (lists) => (lists.returned && lists.returned.length ? "returned" : "buffer");
  function lists(state) {
    const rows = [];
    for (const [name, members] of Object.entries(state.lists)) {
      const edge = name === front(state.lists) ? 0 : name === "stack" ? members.length - 1 : -1;
      rows.push(make("dt", {}, name), make("dd", { class: `list-${name}` }, ...members.map((node, i) =>
        make("span", { class: i === edge ? "node edge" : "node" }, form(node), node ? make("small", {}, String(node)) : null))));
    }
    return make("dl", { class: "card lists" }, ...rows);
  }

  function moves(state) {
    if (!state.moves) return end(state);
    const some = (name) => state.moves.some((move) => move[name] !== null);
    const body = state.moves.map((move, i) => make("tr", { class: i === state.chosen ? "chosen" : null },
      make("td", {}, (i === state.chosen ? "▸ " : "") + move.kind + (move.relation === null ? "" : `(${move.relation})`)),
      make("td", {}, move.arc ? `${form(move.arc.head)} → ${form(move.arc.dependent)}` : ""),
      some("cost") || some("right") ? make("td", { class: `figure ${move.right ? "good" : "bad"}` },
        move.cost !== null ? String(move.cost) : move.right === null ? "" : move.right ? "right" : "wrong") : null,
      some("score") ? make("td", { class: "figure" }, move.score === null ? "" : move.score.toFixed(2)) : null));
    const by = { moves: "the moves given", model: "the model" }[state.by] || `the ${state.by} oracle`;
    return make("div", { class: "card" }, make("h2", {}, `Legal moves; chosen by ${by}`), make("table", {},
      make("thead", {}, make("tr", {}, make("th", {}, "move"), make("th", {}, "arc"),
        some("cost") || some("right") ? make("th", { class: "figure" }, some("cost") ? "cost" : "oracle") : null,
        some("score") ? make("th", { class: "figure" }, "score") : null)),
      make("tbody", {}, ...body)));
  }
  const showArc = (arc) => `${arc.relation || "·"}(${form(arc.head)}, ${form(arc.dependent)})`;
  function end(state) {
    const lines = [];
    const say = (text, style) => lines.push(make("div", { class: style || null }, text));
    if (state.terminal && state.headless.length) say(`Without a head: ${state.headless.map(form).join(", ")}`);
    if (state.terminal && state.loss === 0) say(`Loss 0: the gold ${structure}.`, "good");
    if (state.terminal && state.loss) {
      const parts = [];
      if (state.missing.length) parts.push(`without ${state.missing.map(showArc).join(", ")}`);
      if (state.extra && state.extra.length) parts.push(`with ${state.extra.map(showArc).join(", ")} too many`);
      say(`Loss ${state.loss}: ${parts.join("; ")}`, "bad");
    }
    if (trace.tree && trace.steps.every((step) => step.by === "model")) {
      const built = new Set(state.arcs.map((arc) => JSON.stringify(arc)));
      const later = trace.tree.filter((arc) => !built.has(JSON.stringify(arc)));
      if (later.length) say(`In the parser's ${structure}, after the moves: ${later.map(showArc).join(", ")}`);
    }
    return make("div", { class: "card" }, make("h2", {}, state.terminal ? "The parse is complete" : "Stopped here, before the end"), ...lines);
  }
  function features(state) {
    if (!state.features || !state.features.length) return null;
    return make("div", { class: "card features" }, make("h2", {}, "Features of the chosen move"), make("table", {},
      make("thead", {}, make("tr", {}, make("th", {}, "template"), make("th", {}, "value"), make("th", { class: "figure" }, "weight"))),
      make("tbody", {}, ...state.features.map((feature) => make("tr", {}, make("td", {}, feature.template),
        make("td", {}, feature.value), make("td", { class: `figure ${feature.weight > 0 ? "good" : "bad"}` }, feature.weight.toFixed(2)))))));
  }

  // The frame: made once; a step changes what is inside.
  const entries = states.map((state, i) => make("li", {}, make("button", { onclick: () => go(i) },
    make("span", { class: "number" }, state.moves ? String(i + 1) : ""),
    make("span", { class: "name" }, state.moves ? state.move : state.terminal ? "end" : "stopped"),
    state.moves && state.moves[state.chosen].cost ? make("span", { class: "lost" }, `−${state.moves[state.chosen].cost}`) : null)));
  // Words, not signs: fonts of some systems lack arrows, and others show them as coloured pictures.
  const back = make("button", { onclick: () => go(at - 1) }, "back");
  const next = make("button", { onclick: () => go(at + 1) }, "next");
  const first = make("button", { onclick: () => go(0) }, "first");
  const last = make("button", { onclick: () => go(states.length - 1) }, "last");
  const play = make("button", { onclick: () => toggle() }, "play");
  const where = make("span", { class: "place", "aria-live": "polite" });
  const stage = make("div", {});
  const gold = make("input", { type: "checkbox", checked: showGold, onchange: (e) => { showGold = e.target.checked; go(at); } });
  const system = trace.system;
  const about = [`${system.name}, root ${system.root}${system.single_root ? ", single root" : ""}`];
  if (trace.model) about.push(`model ${trace.model}`);
  app.append(
    make("aside", {}, make("ol", {}, ...entries)),
    make("main", {}, make("h1", {}, trace.words.map((word) => word.form).join(" ")), make("p", { class: "about" }, about.join(" · ")),
      ...trace.notes.map((note) => make("p", { class: "about" }, note)),
      make("div", { class: "controls" }, first, back, where, next, last, play, trace.gold ? make("label", {}, gold, ` gold ${structure}`) : null),
      stage,
      make("p", { class: "help" }, "Keys: ", make("kbd", {}, "←"), " ", make("kbd", {}, "→"), " step, ", make("kbd", {}, "Home"), " ",
        make("kbd", {}, "End"), " first and last, ", make("kbd", {}, "space"), " play. Boxed words are on the stack, dotted ones in the ",
        "buffer; the dashed arc is the one that the chosen move adds", trace.gold ? ", red arcs are not in the gold standard." : ".")));
  app.hidden = false;

  function go(target) {
    at = Math.max(0, Math.min(states.length - 1, target));
    const state = states[at];
    stage.textContent = "";
    stage.append(...[tree(state), lists(state), moves(state), features(state)].filter(Boolean));
    // In a long sentence, show the words that the move is about.
    const arc = state.moves ? state.moves[state.chosen].arc : null;
    const focus = arc ? (boxes[arc.head].x + boxes[arc.dependent].x) / 2 : boxes[(state.lists[front(state.lists)] || [0])[0] || 0].x;
    stage.firstChild.scrollLeft = focus - stage.firstChild.clientWidth / 2;
    where.textContent = state.moves ? `step ${at + 1} of ${trace.steps.length}` : "end";
    back.disabled = first.disabled = at === 0;
    next.disabled = last.disabled = at === states.length - 1;
    entries.forEach((entry, i) => {
      const button = entry.firstChild;
      if (i === at) { button.setAttribute("aria-current", "step"); entry.scrollIntoView({ block: "nearest" }); } else button.removeAttribute("aria-current");
    });
    if (at === states.length - 1 && timer) toggle();
    try { history.replaceState(null, "", `#${at + 1}`); } catch { /* a page without an address */ }
  }
  function toggle() {
    if (timer) { clearInterval(timer); timer = null; } else { if (at === states.length - 1) go(0); timer = setInterval(() => go(at + 1), 1100); }
    play.textContent = timer ? "pause" : "play";
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const act = { ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(states.length - 1), " ": toggle }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  go((parseInt(location.hash.slice(1), 10) || 1) - 1);
})();
