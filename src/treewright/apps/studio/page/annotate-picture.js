// The tree of a sentence being annotated, and what the mouse does with it.

import { percent } from "./support.js";
import { drawTree } from "./tree.js";

const SVG = "http://www.w3.org/2000/svg";
const FAR_ENOUGH = 5; // pixels, from a click to a drag
const ROOT_EDGE = 12; // pixels from the top: dropped there, a word is attached to the root

export function drawSentence(sentence) {
  const shown = sentence.tokens.filter((token) => !token.id.includes("-"));
  const places = new Map(shown.map((token, n) => [token.id, n + 1]));
  const arcs = [...treeArcs(sentence, places)];
  for (const arc of graphArcs(shown, places)) {
    if (!arcs.some((one) => one.head === arc.head && one.dependent === arc.dependent)) arcs.push(arc);
  }
  const words = shown.map((token) => shownWord(sentence, token));
  const tree = drawTree({ words, arcs, rightToLeft: sentence.rightToLeft, label: "The tree" });
  tree.setAttribute("tabindex", "0");
  tree.placeOf = (token) => places.get(String(token));
  tree.tokenAt = (place) => shown[Number(place) - 1]?.id;
  return tree;
}

function treeArcs(sentence, places) {
  return sentence.words.map((token, at) => {
    const head = sentence.headOf(at + 1);
    const label = sentence.relationOf(at + 1).replace(/^_$/, "");
    return {
      head: head ? places.get(String(head)) : head,
      dependent: places.get(token.id),
      label,
      suggested: !sentence.isFixed(at + 1),
      confidence: sentence.confidenceOf(at + 1),
    };
  }).filter((arc) => arc.head !== null && arc.head !== undefined);
}

function graphArcs(shown, places) {
  return shown.flatMap((token) => (token.deps === "_" ? [] : token.deps.split("|")).map((arc) => {
    const [head, relation] = arc.split(/:(.*)/s);
    return { head: head === "0" ? 0 : places.get(head), dependent: places.get(token.id), label: relation, below: true };
  })).filter((arc) => arc.head !== undefined);
}

function shownWord(sentence, token) {
  if (!/^\d+$/.test(token.id)) {
    return { text: token.form, tag: token.upos === "_" ? "" : token.upos, empty: true, description: `empty node ${token.form}` };
  }
  const n = Number(token.id), head = sentence.headOf(n), sure = sentence.confidenceOf(n), tag = sentence.tagOf(n);
  const above = head ? sentence.word(head)?.form : "the root";
  const arc = head === null ? "no head" : `${sentence.relationOf(n)} of ${above}`;
  const note = sure === null ? "" : `suggested, ${percent(sure)} sure`;
  return {
    text: token.form,
    tag: tag === "_" ? "" : tag,
    doubt: sure === null ? 0 : 1 - sure,
    title: note,
    description: [`${n} ${token.form}`, tag, arc, note].filter(Boolean).join(", "),
  };
}

// Call `attach(word, head)`, `choose(word)` and `label(word)` as words are dragged, and words and arcs clicked; `begin()`
// and `end()` around a drag: whoever draws the tree anew waits for its end.
export function makeDraggable(tree, { attach, choose, label, begin, end }) {
  let from = null, rubber = null;
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".word")?.dataset.place;
  const wordAt = (place) => (/^\d+$/.test(tree.tokenAt(place) ?? "") ? Number(tree.tokenAt(place)) : null);
  const local = (event) => {
    const box = tree.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const finish = () => {
    const dragged = from && { word: from.word, far: Boolean(rubber) };
    from = null;
    rubber?.remove();
    rubber = null;
    return dragged;
  };
  tree.addEventListener("pointerdown", (event) => {
    const arc = event.target.closest(".arc");
    if (arc && wordAt(arc.dataset.dependent)) label(wordAt(arc.dataset.dependent));
    const word = arc ? null : wordAt(under(event));
    if (!word || event.button !== 0) return;
    from = { word, start: local(event) };
    tree.setPointerCapture(event.pointerId);
    begin();
  });
  tree.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [x, y] = local(event), [startX, startY] = from.start;
    if (!rubber && Math.hypot(x - startX, y - startY) > FAR_ENOUGH) {
      rubber = document.createElementNS(SVG, "path");
      rubber.setAttribute("class", "rubber");
      tree.append(rubber);
    }
    rubber?.setAttribute("d", `M${startX} ${startY}L${x} ${y}`);
  });
  tree.addEventListener("pointerup", (event) => {
    if (!from) return;
    const head = wordAt(under(event)), { word, far } = finish();
    end();
    if (far && head && head !== word) attach(word, head);
    else if (far && local(event)[1] < ROOT_EDGE) attach(word, 0);
    else choose(word);
  });
  tree.addEventListener("lostpointercapture", () => finish() && end());
}
