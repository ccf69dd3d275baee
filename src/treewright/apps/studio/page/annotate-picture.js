// What the mouse and the finger do with the tree of a sentence that is being annotated.

const SVG = "http://www.w3.org/2000/svg";
const FAR_ENOUGH = 5; // pixels, from a click to a drag
const ROOT_EDGE = 12; // pixels from the top: dropped there, a word is attached to the root

// Call `attach(word, head)`, `choose(word)` and `label(word)` as words are dragged, and words and arcs clicked; `begin()`
// and `end()` around a drag: whoever draws the tree anew waits for its end.
export function makeDraggable(tree, { attach, choose, label, begin, end }) {
  let from = null, rubber = null;
  const number = (id) => (/^\d+$/.test(id ?? "") ? Number(id) : null); // empty nodes have no tree
  const under = (event) => number(document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".tw-node")?.dataset.id);
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
  tree.addEventListener("click", (event) => {
    const arc = event.target.closest(".tw-arc:not(.tw-below)");
    if (arc && number(arc.dataset.dependent)) label(number(arc.dataset.dependent));
  });
  tree.addEventListener("pointerdown", (event) => {
    const word = event.target.closest(".tw-arc") ? null : under(event);
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
    const head = under(event), { word, far } = finish();
    end();
    if (far && head && head !== word) attach(word, head);
    else if (far && local(event)[1] < ROOT_EDGE) attach(word, 0);
    else choose(word);
  });
  tree.addEventListener("lostpointercapture", () => finish() && end());
}
