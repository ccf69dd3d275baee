// A trace to step through: the moves, the arcs so far, the gold arcs, the lists, and what each move would cost.
//
// The drawing is made once, with all arcs; each step shows those that are there. Words are written as text, never as markup.

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const count = (n, name) => `${n} ${name}${n === 1 ? "" : "s"}`;

// `take(step, move)`: what to do when somebody chooses another move; without it, moves are shown only. `moved(at)` is told
// where the trace stands.
export class TraceView {
  constructor(trace, drawing, { take = null, moved = null, at = 0 } = {}) {
    Object.assign(this, { trace, drawing, take, moved });
    this.states = [...trace.steps, trace.end];
    this.structure = trace.system.graphs ? "graph" : "tree";
    this.goldArcs = new Set((trace.gold || []).map((arc) => JSON.stringify([arc.head, arc.dependent, arc.relation])));
    this.frame();
    this.keys = (event) => this.pressed(event);
    this.go(at);
  }

  form(node) { return node ? this.trace.words[node - 1].form : "ROOT"; }
  isWrong(arc) { return this.trace.gold !== null && !this.goldArcs.has(JSON.stringify([arc.head, arc.dependent, arc.relation])); }
  named(arc) { return arc.relation === "_" ? "" : arc.relation || ""; }
  showArc(arc) { return `${this.named(arc) || "·"}(${this.form(arc.head)}, ${this.form(arc.dependent)})`; }

  // The frame: made once; a step changes what is inside.
  frame() {
    const { trace, states } = this, { system } = trace, go = (at) => this.go(at), last = states.length - 1;
    this.entries = states.map((state, i) => make("li", {}, make("button", { type: "button", onclick: () => go(i) },
      make("span", { class: "number" }, state.moves ? String(i + 1) : ""),
      make("span", { class: "name" }, state.moves ? state.move : state.terminal ? "end" : "stopped"),
      state.moves && state.moves[state.chosen].cost ? make("span", { class: "lost" }, `−${state.moves[state.chosen].cost}`) : null)));
    // Words, not signs: fonts of some systems lack arrows, and others show them as coloured pictures.
    this.back = make("button", { type: "button", onclick: () => go(this.at - 1) }, "back");
    this.next = make("button", { type: "button", onclick: () => go(this.at + 1) }, "next");
    this.first = make("button", { type: "button", onclick: () => go(0) }, "first");
    this.last = make("button", { type: "button", onclick: () => go(last) }, "last");
    this.play = make("button", { type: "button", onclick: () => this.toggle() }, "play");
    this.where = make("span", { class: "place", role: "status" });
    this.stage = make("div", {});
    const gold = make("input", { type: "checkbox", checked: true, onchange: () => this.tree.classList.toggle("no-gold", !gold.checked) });
    const about = [`${system.name}, root ${system.root}${system.single_root ? ", single root" : ""}`];
    if (trace.model) about.push(`model ${trace.model}`);
    const missing = trace.gold ? ", red arcs are not in the gold standard." : ".";
    this.tree = make("div", { class: "card tree", dir: this.drawing.dataset.direction, role: "group", tabindex: "0", "aria-label": "the arcs so far" }, this.drawing);
    this.element = make("div", { class: "trace" },
      make("div", { class: "steps" }, make("ol", { "aria-label": "Moves" }, ...this.entries)),
      make("div", { class: "configuration" }, make("p", { class: "about" }, about.join(" · ")),
        ...trace.notes.map((note) => make("p", { class: "about" }, note)),
        make("div", { class: "controls" }, this.first, this.back, this.where, this.next, this.last, this.play,
          trace.gold ? make("label", {}, gold, ` gold ${this.structure}`) : null),
        this.tree, this.stage,
        system.root === "last" && !system.graphs ? make("details", {}, make("summary", {}, "Why ROOT is last"), make("p", {}, WHY_ROOT_IS_LAST)) : null,
        make("p", { class: "help" }, "Keys: ", make("kbd", {}, "←"), " ", make("kbd", {}, "→"), " step, ", make("kbd", {}, "Home"), " ",
          make("kbd", {}, "End"), ` first and last, `, make("kbd", {}, "space"), ` play${this.take ? ", a digit takes a move" : ""}. Boxed words are on the stack, dotted ones in the `,
          `buffer; the dashed arc is the one that the chosen move adds${missing}`)));
  }

  go(target) {
    this.at = Math.max(0, Math.min(this.states.length - 1, target));
    const { at, states } = this, state = states[at];
    this.show(state);
    this.stage.replaceChildren(...[this.lists(state), this.moves(state), this.features(state)].filter(Boolean));
    const lost = this.trace.steps.slice(0, at).reduce((sum, step) => sum + (step.moves[step.chosen].cost || 0), 0);
    const place = state.moves ? `step ${at + 1} of ${this.trace.steps.length}` : "end";
    this.where.textContent = this.trace.gold ? `${place} · ${count(lost, "arc")} lost so far` : place;
    this.back.disabled = this.first.disabled = at === 0;
    this.next.disabled = this.last.disabled = at === states.length - 1;
    this.entries.forEach((entry, i) => {
      if (i === at) entry.firstChild.setAttribute("aria-current", "step");
      else entry.firstChild.removeAttribute("aria-current");
    });
    const list = this.entries[at].parentElement.parentElement, entry = this.entries[at];
    if (list.scrollTop > entry.offsetTop || list.scrollTop + list.clientHeight < entry.offsetTop + entry.offsetHeight) list.scrollTop = entry.offsetTop - list.clientHeight / 2;
    if (at === states.length - 1 && this.timer) this.toggle();
    this.moved?.(at);
  }

  // Show the arcs of a state, and where each word is.
  show(state) {
    const chosen = state.moves ? state.moves[state.chosen].arc : null;
    const shown = new Map((chosen ? [...state.arcs, chosen] : state.arcs).map((arc) => [`${arc.head} ${arc.dependent}`, arc]));
    const isNew = (arc) => chosen && arc.head === chosen.head && arc.dependent === chosen.dependent;
    for (const group of this.drawing.querySelectorAll(".tw-arc")) {
      const arc = shown.get(`${group.dataset.head} ${group.dataset.dependent}`);
      if (group.classList.contains("tw-below")) continue;
      group.classList.toggle("off", !arc);
      group.classList.toggle("new", Boolean(arc) && Boolean(isNew(arc)));
      group.classList.toggle("bad", Boolean(arc) && this.isWrong(arc));
      const label = group.querySelector("text");
      if (arc && label) label.textContent = this.named(arc);
    }
    for (const group of this.drawing.querySelectorAll(".tw-node")) {
      const node = Number(group.dataset.id);
      const list = Object.keys(state.lists).find((name) => state.lists[name].includes(node)) || "done";
      group.setAttribute("class", `tw-node in-${list}`);
    }
  }

  lists(state) {
    const front = state.lists.returned && state.lists.returned.length ? "returned" : "buffer";
    const rows = Object.entries(state.lists).flatMap(([name, members]) => {
      const edge = name === front ? 0 : name === "stack" ? members.length - 1 : -1;
      return [make("dt", {}, name), make("dd", { class: `list-${name}` }, ...members.map((node, i) =>
        make("span", { class: i === edge ? "node edge" : "node" }, this.form(node), node ? make("small", {}, String(node)) : null)))];
    });
    return make("dl", { class: "card lists" }, ...rows);
  }

  moves(state) {
    if (!state.moves) return this.end(state);
    const some = (name) => state.moves.some((move) => move[name] !== null && move[name] !== undefined);
    const name = (move) => move.kind + (move.relation === null || move.relation === "_" ? "" : `(${move.relation})`);
    const judged = some("cost") || some("right");
    const body = state.moves.map((move, i) => make("tr", { class: i === state.chosen ? "chosen" : null },
      make("td", {}, this.take ? make("button", { type: "button", class: `take ${move.right === null ? "" : move.right ? "right" : "wrong"}`,
        "aria-pressed": String(i === state.chosen), onclick: () => this.take(this.at, name(move)) }, make("kbd", {}, String(i + 1)), ` ${name(move)}`) : (i === state.chosen ? "▸ " : "") + name(move)),
      make("td", {}, move.arc ? `${this.form(move.arc.head)} → ${this.form(move.arc.dependent)}` : ""),
      judged ? make("td", { class: `figure ${move.right ? "good" : "bad"}` },
        move.cost !== null ? String(move.cost) : move.right === null ? "" : move.right ? "right" : "wrong") : null,
      some("lost") ? make("td", { class: "loses" }, (move.lost || []).map((arc) => this.showArc(arc)).join(", ")
        + (move.cost > (move.lost || []).length ? `${(move.lost || []).length ? ", and " : ""}${count(move.cost - (move.lost || []).length, "arc")} of those that do not fit together any more` : "")) : null,
      some("score") ? make("td", { class: "figure" }, move.score === null ? "" : move.score.toFixed(2)) : null));
    const by = { moves: "the moves given", model: "the model" }[state.by] || `the ${state.by} oracle`;
    const illegal = (state.illegal || []).map((move) => make("li", {}, make("strong", {}, move.kind), ` ${move.why}`));
    return make("div", { class: "card moves" }, make("h3", {}, `Legal moves; chosen by ${by}`), make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "legal moves" }, make("table", {},
      make("thead", {}, make("tr", {}, make("th", {}, "move"), make("th", {}, "arc"),
        judged ? make("th", { class: "figure" }, some("cost") ? "cost" : "oracle") : null, some("lost") ? make("th", {}, "gold arcs that it loses") : null,
        some("score") ? make("th", { class: "figure" }, "score") : null)),
      make("tbody", {}, ...body))),
    illegal.length ? make("h3", {}, "Not legal here") : null, illegal.length ? make("ul", { class: "illegal" }, ...illegal) : null);
  }

  end(state) {
    const lines = [];
    const say = (text, style) => lines.push(make("div", { class: style || null }, text));
    if (state.terminal && state.headless.length) say(`Without a head: ${state.headless.map((node) => this.form(node)).join(", ")}`);
    if (state.terminal && state.loss === 0) say(`Loss 0: the gold ${this.structure}.`, "good");
    if (state.terminal && state.loss) {
      const parts = [];
      if (state.missing.length) parts.push(`without ${state.missing.map((arc) => this.showArc(arc)).join(", ")}`);
      if (state.extra && state.extra.length) parts.push(`with ${state.extra.map((arc) => this.showArc(arc)).join(", ")} too many`);
      say(`Loss ${state.loss}: ${parts.join("; ")}`, "bad");
    }
    if (this.trace.tree && this.trace.steps.every((step) => step.by === "model")) {
      const built = new Set(state.arcs.map((arc) => JSON.stringify(arc)));
      const later = this.trace.tree.filter((arc) => !built.has(JSON.stringify(arc)));
      if (later.length) say(`In the parser's ${this.structure}, after the moves: ${later.map((arc) => this.showArc(arc)).join(", ")}`);
    }
    return make("div", { class: "card" }, make("h3", {}, state.terminal ? "The parse is complete" : "Stopped here, before the end"), ...lines);
  }

  features(state) {
    if (!state.features || !state.features.length) return null;
    return make("div", { class: "card features" }, make("h3", {}, "Features of the chosen move"), make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "features" }, make("table", {},
      make("thead", {}, make("tr", {}, make("th", {}, "template"), make("th", {}, "value"), make("th", { class: "figure" }, "weight"))),
      make("tbody", {}, ...state.features.map((feature) => make("tr", {}, make("td", {}, feature.template),
        make("td", {}, feature.value), make("td", { class: `figure ${feature.weight > 0 ? "good" : "bad"}` }, feature.weight.toFixed(2))))))));
  }

  toggle() {
    if (this.timer) { clearInterval(this.timer); this.timer = null; } else {
      if (this.at === this.states.length - 1) this.go(0);
      this.timer = setInterval(() => this.go(this.at + 1), 1100);
    }
    this.play.textContent = this.timer ? "pause" : "play";
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
    if (event.key === " " && event.target.closest && event.target.closest("button, summary")) return;
    const act = { ArrowRight: () => this.go(this.at + 1), ArrowLeft: () => this.go(this.at - 1), Home: () => this.go(0),
      End: () => this.go(this.states.length - 1), " ": () => this.toggle() }[event.key];
    const button = this.stage.querySelectorAll("button.take")[Number(event.key) - 1];
    if (act) { event.preventDefault(); act(); } else if (/^[1-9]$/.test(event.key) && button) button.click();
  }
}

const WHY_ROOT_IS_LAST = "Every word meets all others before it can become the root, so a wrong root is not chosen early, and every parse ends in a tree. "
  + "With ROOT in front, words that never got a head are left over at the end and have to be attached afterwards.";
