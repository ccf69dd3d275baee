// Annotate: one sentence at a time, keyboard first. What the parser suggests is dashed and shaded by its doubt.

import { ask, closeDialog, dialogIsOpen, element, percent, tell, writeState } from "./support.js";
import { drawTree } from "./tree.js";
import { commentsDialog, helpDialog, relationDialog, tokenDialog, wordsDialog } from "./annotate-dialogs.js";

export async function show(main, values) {
  const project = await ask("/studio/api/project");
  let vocabulary = null, sentence = null, selected = 1, target = null, typed = "", gone = false;
  const files = element("select", { "aria-label": "File" }, ...project.files.map((file) =>
    element("option", { value: file.name }, `${file.name} (${file.annotated}/${file.sentences})`)));
  const list = element("ul", { class: "list", "aria-label": "Sentences" });
  const stage = element("section", { "aria-label": "Sentence" });
  const spoken = element("div", { class: "spoken", "aria-live": "assertive" }); // what screen readers say on the way
  main.append(element("div", { class: "layout" }, element("div", {}, files, list), stage), spoken);
  files.addEventListener("change", () => open(files.value, 0));
  if (project.problems.length) main.prepend(element("ul", { class: "findings", role: "alert" }, ...project.problems.map((problem) => element("li", { class: "error" }, problem))));
  if (!project.files.length) { stage.append("The folder has no .conllu files. Parse a text and add it to the project."); return undefined; }
  if (project.recovered.length) tell(`${project.recovered.length} edits that were not saved came back from the journal.`);
  ask("/studio/api/vocabulary").then((found) => { vocabulary = found; });

  const place = () => ({ file: sentence.file, n: sentence.n });
  const words = () => sentence.tokens.filter((token) => /^\d+$/.test(token.id));
  const word = (n = selected) => words()[n - 1];
  const isFixed = (n) => word(n).head !== "_";
  const headOf = (n) => (isFixed(n) ? Number(word(n).head) : sentence.suggestion?.heads[n - 1] ?? null);
  const relationOf = (n) => (isFixed(n) && word(n).deprel !== "_" ? word(n).deprel : sentence.suggestion?.relations[n - 1] ?? "_");

  async function open(file, n, keep = false) {
    if (gone) return;
    const data = await ask("/studio/api/sentence?" + new URLSearchParams({ file, n }));
    if (!keep) { selected = 1; target = null; }
    take(data);
    await drawList();
    stage.querySelector("svg.tree")?.focus();
  }

  function take(data) {
    sentence = data;
    selected = Math.max(1, Math.min(selected, words().length));
    files.value = data.file;
    writeState("annotate", place());
    draw();
  }

  async function change(path, body, done) {
    try {
      take(await ask(path, { ...place(), ...body }));
      if (done) tell(done);
      return true;
    } catch (error) {
      if (error.status === 409 && error.data.tokens) take(error.data);
      tell(error.message, true);
      return false;
    }
  }
  const edit = (what) => change("/studio/api/edit", { revision: sentence.revision, edit: what });

  async function drawList() {
    const { sentences } = await ask("/studio/api/sentences?" + new URLSearchParams({ file: sentence.file }));
    list.replaceChildren(...sentences.map((one, n) => element("li", {}, element("button", {
      type: "button", "aria-current": String(n === sentence.n), title: one.text, onclick: () => open(sentence.file, n),
    }, element("span", { class: "state", "aria-label": one.unsaved ? "not saved" : one.annotated ? "annotated" : "waiting" },
      one.unsaved ? "●" : one.annotated ? "✓" : "○"), `${n + 1} `, one.doubt === null ? "" : element("span", { class: "faint small", title: "doubt" }, `${percent(one.doubt)} `),
    element("bdi", {}, one.text)))));
    files.selectedOptions[0].textContent = `${sentence.file} (${sentences.filter((one) => one.annotated).length}/${sentences.length})`;
    list.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }

  function picture() {
    const places = new Map(), shown = sentence.tokens.filter((token) => !token.id.includes("-"));
    shown.forEach((token, n) => places.set(token.id, n + 1));
    const arcs = [], own = words();
    own.forEach((token, n) => {
      const head = headOf(n + 1);
      if (head === null) return;
      const suggested = !isFixed(n + 1);
      arcs.push({ head: head ? places.get(String(head)) : 0, dependent: places.get(token.id), label: relationOf(n + 1).replace(/^_$/, ""), suggested,
        confidence: suggested ? sentence.suggestion.confidences[n] : undefined });
    });
    for (const token of shown) for (const arc of token.deps === "_" ? [] : token.deps.split("|")) {
      const [head, relation] = arc.split(/:(.*)/s), from = head === "0" ? 0 : places.get(head), to = places.get(token.id);
      if (from !== undefined && !arcs.some((one) => !one.below && one.head === from && one.dependent === to)) arcs.push({ head: from, dependent: to, label: relation, below: true });
    }
    const drawn = shown.map((token) => {
      const n = Number(token.id), isWord = /^\d+$/.test(token.id), head = isWord ? headOf(n) : null;
      const sure = isWord && !isFixed(n) && sentence.suggestion ? sentence.suggestion.confidences[n - 1] : null;
      const tag = isWord && token.upos === "_" ? sentence.suggestion?.tags[n - 1]?.[1] ?? "_" : token.upos;
      return { text: token.form, tag: tag === "_" ? "" : tag, empty: !isWord, doubt: sure === null ? 0 : 1 - sure,
        title: sure === null ? "" : `suggested, ${percent(sure)} sure`,
        description: `${token.id} ${token.form}, ${tag}, ${head === null ? "no head" : `${relationOf(n)} of ${head ? own[head - 1].form : "the root"}`}${sure === null ? "" : `, suggested, ${percent(sure)} sure`}` };
    });
    const tree = drawTree({ words: drawn, arcs, rightToLeft: sentence.rightToLeft, label: "The tree. Arrow keys choose a word, ? shows all keys." });
    tree.setAttribute("tabindex", "0");
    tree.placeOf = (token) => places.get(String(token));
    tree.tokenAt = (at) => shown[at - 1]?.id;
    return tree;
  }

  function scrollTo(tree) {
    const box = tree.parentElement, chosen = tree.wordAt(tree.placeOf(target ?? selected))?.getBBox();
    if (chosen && (chosen.x < box.scrollLeft || chosen.x + chosen.width > box.scrollLeft + box.clientWidth)) box.scrollLeft = chosen.x - box.clientWidth / 2;
  }

  function mark(tree) {
    const chosen = tree.wordAt(tree.placeOf(selected));
    chosen?.classList.add("selected");
    if (target) tree.wordAt(tree.placeOf(target))?.classList.add("target");
    for (const arc of tree.querySelectorAll(`.arc[data-dependent="${tree.placeOf(selected)}"]`)) arc.classList.add("selected");
    const said = `${chosen?.getAttribute("aria-label") ?? ""}${target ? `. Attach to ${word(target).form}? Enter does it` : ""}`;
    if (spoken.textContent !== said) spoken.textContent = said;
    tree.setAttribute("aria-label", `${chosen?.getAttribute("aria-label") ?? ""}${target ? `. Attach to ${word(target).form}? Enter does it` : ""}`);
  }

  function draw() {
    const focused = stage.contains(document.activeElement) && document.activeElement.matches("svg.tree");
    const scrolled = stage.querySelector(".stage")?.scrollLeft ?? 0, tree = picture();
    mark(tree);
    makeDraggable(tree);
    const button = (label, keys, work, disabled = false) => element("button", { type: "button", disabled, onclick: work, title: keys, "aria-keyshortcuts": keys }, label);
    stage.replaceChildren(
      element("div", { class: "row" }, element("strong", {}, `${sentence.file}, sentence ${sentence.n + 1} of ${sentence.count}`),
        element("span", { class: "faint" }, sentence.saved ? "saved" : "not saved"), element("span", { class: "faint small" }, sentence.learning ? "learning …" : sentence.parser ? `parser ${sentence.parser}` : "")),
      ...conflict(),
      element("div", { class: "card stage" }, tree),
      element("div", { class: "row" },
        element("button", { type: "button", class: "main", onclick: finish, title: "Control+Enter" }, "Accept, save, next"),
        button("Save", "Control+s", save), button("Undo", "Control+z", () => change("/studio/api/undo", {}), !sentence.canUndo),
        button("Redo", "Control+y", () => change("/studio/api/redo", {}), !sentence.canRedo),
        button("Relation", "r", relation), button("Edit word", "e", editToken), button("Words", "w", editWords), button("Comments", "#", comments),
        button("Previous", "[", () => open(sentence.file, Math.max(0, sentence.n - 1))), button("Next", "]", () => open(sentence.file, Math.min(sentence.count - 1, sentence.n + 1))),
        button("Least sure", "n", leastSure), button("Keys", "?", helpDialog)),
      findings(), udCheck(), table());
    askUd();
    tree.parentElement.scrollLeft = scrolled;
    scrollTo(tree);
    if (focused || document.activeElement === document.body) tree.focus({ preventScroll: true });
  }

  function conflict() {
    if (!sentence.conflict) return [];
    const decide = (mine) => () => change("/studio/api/decide", { mine }, mine ? "kept" : "taken from disk");
    return [element("div", { class: "card", role: "alert" }, "This sentence was changed on disk, too. ",
      element("button", { type: "button", onclick: decide(true) }, "Keep mine"), " ", element("button", { type: "button", onclick: decide(false) }, "Take the one on disk"),
      element("pre", { class: "small" }, sentence.conflict))];
  }

  const findings = () => element("ul", { class: "findings", "aria-label": "Findings", "aria-live": "polite" }, ...sentence.findings
    .map((one) => element("li", { class: one.severity }, element("button", { type: "button", class: "small", onclick: () => { selected = Number(one.tokens[0] ?? selected) || selected; draw(); } }, one.tokens.slice(0, 4).join(", ") || "–"), ` ${one.message}`)));

  // UD's own validator, where it is installed: it takes a moment, so it is asked when the sentence has settled.
  const udList = element("ul", { class: "findings", "aria-label": "UD's validator" });
  let udTimer = 0, udAsked = "";
  function udCheck() {
    const input = element("input", { value: localStorage.getItem("language") ?? "", size: "4", placeholder: "–", "aria-label": "Language for UD's validator", maxlength: "3" });
    input.addEventListener("change", () => { localStorage.setItem("language", input.value.trim().toLowerCase()); udAsked = ""; askUd(); });
    return element("div", {}, element("label", { class: "small faint" }, "UD's validator, language ", input), udList);
  }
  function askUd() {
    const language = localStorage.getItem("language") ?? "", what = JSON.stringify([place(), sentence.revision, language]);
    if (what === udAsked) return;
    udAsked = what;
    clearTimeout(udTimer);
    udList.replaceChildren();
    if (!language) return;
    udTimer = setTimeout(async () => {
      const found = await ask("/studio/api/ud?" + new URLSearchParams({ ...place(), language })).catch(() => null);
      if (!found || what !== udAsked) return;
      udList.replaceChildren(...(found.installed ? found.findings : [{ severity: "info", message: "not installed: pip install udtools", tokens: [] }])
        .map((one) => element("li", { class: one.severity }, `${one.tokens.join(", ")} ${one.message}`)));
    }, 600);
  }

  const COLUMNS = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"];
  function table() {
    const row = (token) => element("tr", { class: token.id === String(selected) ? "selected" : "" }, ...COLUMNS.map((name) => {
      if (name === "id") return element("th", {}, token.id);
      const cell = element("td", { contenteditable: "plaintext-only", spellcheck: "false", "aria-label": `${name} of ${token.id}`, dir: "auto" }, token[name] === "_" ? "" : token[name]);
      cell.addEventListener("focus", () => { if (/^\d+$/.test(token.id)) selected = Number(token.id); });
      cell.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); cell.blur(); } event.stopPropagation(); });
      cell.addEventListener("blur", () => writeCell(token, name, cell.textContent.trim()));
      return cell;
    }));
    return element("details", { open: localStorage.getItem("table") === "1", ontoggle: (event) => localStorage.setItem("table", event.target.open ? "1" : "0") },
      element("summary", {}, "All columns"), element("table", {}, element("tr", {}, ...COLUMNS.map((name) => element("th", {}, name))), ...sentence.tokens.map(row)));
  }

  function writeCell(token, name, value) {
    if (value === (token[name] === "_" ? "" : token[name])) return;
    if (name === "head") edit({ do: "attach", word: Number(token.id), head: value === "" ? null : Number(value) });
    else edit({ do: "cell", token: token.id, column: name.toUpperCase(), value });
  }

  // What the keys do

  function attach(dependent, head) {
    if (dependent === head) { target = null; draw(); return undefined; }
    target = null;
    const known = head === 0 ? "root" : relationOf(dependent);
    const relation = head !== 0 && known === "root" ? suggestRelation(dependent, head) : known === "_" ? suggestRelation(dependent, head) : known;
    return edit({ do: "attach", word: dependent, head, relation });
  }

  function suggestRelation(dependent, head) {
    const tags = `${word(dependent).upos} ${head ? word(head).upos : "ROOT"}`;
    return vocabulary?.relationsByTags[tags]?.[0] ?? vocabulary?.relations[0] ?? "dep";
  }

  const confirm = () => headOf(selected) !== null && edit({ do: "attach", word: selected, head: headOf(selected), relation: relationOf(selected) });
  const relation = () => relationDialog(word(), relationOf(selected), completions(), (value) => headOf(selected) === null
    ? edit({ do: "cell", token: String(selected), column: "DEPREL", value }) : edit({ do: "attach", word: selected, head: headOf(selected), relation: value }));
  function completions() {
    const head = headOf(selected), tags = `${word().upos} ${head ? word(head).upos : "ROOT"}`;
    return [...new Set([...(vocabulary?.relationsByTags[tags] ?? []), ...(vocabulary?.relations ?? [])])];
  }
  const editToken = () => tokenDialog(sentence.tokens, String(selected), vocabulary, async (edits) => { for (const one of edits) if (!(await edit(one))) return; });
  const editWords = () => wordsDialog(words(), sentence.tokens, selected, edit);
  const comments = () => commentsDialog(sentence.comments, (lines) => edit({ do: "comments", comments: lines }));

  async function save() {
    if (await change("/studio/api/save", {}, "saved")) await drawList();
  }

  async function finish() {
    if (sentence.suggestion) {
      const all = words().map((_, n) => n + 1);
      if (!(await edit({ do: "tree", heads: all.map(headOf), relations: all.map(relationOf), tags: sentence.suggestion.tags }))) return;
    }
    if (await change("/studio/api/save", {}, "saved")) await leastSure();
  }

  async function leastSure() {
    const { next } = await ask("/studio/api/next?" + new URLSearchParams(place()));
    if (next) await open(next.file, next.n);
    else { tell("Every sentence is annotated."); await drawList(); }
  }

  function move(by) {
    const step = sentence.rightToLeft ? -by : by, count = words().length;
    if (target) target = Math.max(1, Math.min(count, target + step));
    else selected = Math.max(1, Math.min(count, selected + step));
    draw();
  }

  const KEYS = {
    ArrowLeft: () => move(-1), ArrowRight: () => move(1),
    Home: () => { selected = 1; draw(); }, End: () => { selected = words().length; draw(); },
    a: () => { target = headOf(selected) || (selected > 1 ? selected - 1 : Math.min(2, words().length)); draw(); },
    Enter: () => (target ? attach(selected, target) : relation()), Escape: () => { target = null; typed = ""; draw(); },
    r: relation, c: confirm, x: () => edit({ do: "attach", word: selected, head: null }), e: editToken, w: editWords, "#": comments,
    u: () => change("/studio/api/undo", {}), U: () => change("/studio/api/redo", {}), s: save, n: leastSure, "?": helpDialog,
    "[": () => open(sentence.file, Math.max(0, sentence.n - 1)), "]": () => open(sentence.file, Math.min(sentence.count - 1, sentence.n + 1)),
  };
  const CONTROL = { s: save, z: KEYS.u, y: KEYS.U, Z: KEYS.U, Enter: finish };

  function digit(key) {
    typed += key;
    clearTimeout(digit.timer);
    tell(`attach to ${typed}`);
    digit.timer = setTimeout(() => { const head = Number(typed); typed = ""; if (head <= words().length) attach(selected, head); }, words().length > 9 ? 700 : 0);
  }

  function keys(event) {
    if (!sentence || dialogIsOpen() || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || event.target.isContentEditable) return;
    const control = event.ctrlKey || event.metaKey;
    if (!control && event.target.closest("button, a, summary") && (event.key === "Enter" || event.key === " ")) return;
    if (!control && /^\d$/.test(event.key)) { digit(event.key); event.preventDefault(); return; }
    const work = (control ? CONTROL : KEYS)[event.key];
    if (work) { event.preventDefault(); work(); }
  }

  function makeDraggable(tree) {
    let from = null, rubber = null;
    const at = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".word")?.dataset.place;
    const local = (event) => { const box = tree.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    tree.addEventListener("pointerdown", (event) => {
      const place = at(event), arc = event.target.closest(".arc");
      if (arc) { selected = Number(tree.tokenAt(Number(arc.dataset.dependent))) || selected; relation(); draw(); return; }
      if (!place || !/^\d+$/.test(tree.tokenAt(Number(place)))) return;
      from = { token: Number(tree.tokenAt(Number(place))), start: local(event) };
      tree.setPointerCapture(event.pointerId);
    });
    tree.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [x, y] = local(event);
      if (!rubber && Math.hypot(x - from.start[0], y - from.start[1]) > 5) {
        rubber = document.createElementNS("http://www.w3.org/2000/svg", "path");
        rubber.setAttribute("class", "rubber");
        tree.append(rubber);
      }
      rubber?.setAttribute("d", `M${from.start[0]} ${from.start[1]}L${x} ${y}`);
    });
    tree.addEventListener("pointerup", (event) => {
      if (!from) return;
      const token = Number(tree.tokenAt(Number(at(event))));
      const dragged = Boolean(rubber), own = from.token, [, y] = local(event);
      from = null;
      rubber?.remove();
      rubber = null;
      selected = own;
      if (dragged && Number.isInteger(token) && token !== own) attach(own, token);
      else if (dragged && y < 12) attach(own, 0);
      else draw();
      tree.focus({ preventScroll: true });
    });
    tree.addEventListener("dblclick", editToken);
  }

  document.addEventListener("keydown", keys);
  const watch = setInterval(async () => {
    if (!sentence || dialogIsOpen() || document.hidden || document.activeElement?.isContentEditable) return;
    const now = await ask("/studio/api/sentence?" + new URLSearchParams(place())).catch(() => null);
    if (now && sentence && !gone && now.file === sentence.file && now.n === sentence.n
      && (now.revision !== sentence.revision || now.parser !== sentence.parser || now.learning !== sentence.learning || now.conflict !== sentence.conflict)) take(now);
  }, 2000);
  if (values.next || !values.file) {
    const { next } = await ask("/studio/api/next");
    await open(next?.file ?? values.file ?? project.files[0].name, next?.n ?? Number(values.n ?? 0));
  } else await open(values.file, Number(values.n ?? 0));
  return () => { gone = true; closeDialog(); clearInterval(watch); document.removeEventListener("keydown", keys); };
}
