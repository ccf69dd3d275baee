// Trees and graphs in SVG, in the style of treewright's own drawings: arcs with round corners and legs of their own.
//
// words: [{ text, tag, id, empty, doubt }]; arcs: [{ head, dependent, label, below, mark, suggested, confidence }],
// with positions from 1, 0 for the root. Right-to-left text starts at the right.

const SVG = "http://www.w3.org/2000/svg";
const WORD_GAP = 12,
  PORT_GAP = 9,
  MARGIN = 12,
  LEVEL = 21,
  FIRST = 24,
  CORNER = 8,
  AIR = 5,
  TIP = 4,
  TEXT = 19,
  TAG = 15;
const FOR_UNKNOWN = ["core", "oblique", "nominal", "coordination", "compound", "clause"];
let families = {};
export const setFamilies = (given) => { families = given; };

const canvas = document.createElement("canvas").getContext("2d");

function widthOf(text, size) {
  canvas.font = `${size}px system-ui, "Segoe UI", Arial, sans-serif`;
  return canvas.measureText(text).width;
}

const crcTable = Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k += 1) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n >>> 0;
});

function crc32(text) {
  let value = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) value = (value >>> 8) ^ crcTable[(value ^ byte) & 255];
  return (value ^ 0xffffffff) >>> 0;
}

export function colourOf(relation) {
  const base = (relation || "").split(":")[0].split(">")[0].toLowerCase();
  return families[base] ?? FOR_UNKNOWN[crc32(base) % FOR_UNKNOWN.length];
}

function svg(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Where the legs of arcs stand at each word: shorter arcs outside, the root's in the middle.
function portsOf(words, arcs) {
  const ports = words.map(() => ({ above: [], below: [] }));
  for (const arc of arcs) {
    const side = arc.below ? "below" : "above";
    if (arc.head === 0 || arc.head === arc.dependent) {
      ports[arc.dependent - 1][side].push({ arc, end: "dependent", order: 0 });
      continue;
    }
    const span = arc.dependent - arc.head;
    ports[arc.head - 1][side].push({ arc, end: "head", order: span > 0 ? 1e4 - span : -1e4 - span });
    ports[arc.dependent - 1][side].push({ arc, end: "dependent", order: span > 0 ? -1e4 + span : 1e4 + span });
  }
  for (const port of ports)
    for (const side of ["above", "below"]) port[side].sort((a, b) => a.order - b.order);
  return ports;
}

function layOut(words, arcs) {
  const ports = portsOf(words, arcs);
  const widths = words.map((word, n) => {
    const most = Math.max(ports[n].above.length, ports[n].below.length);
    const bar = Math.min(90, (most - 1) * PORT_GAP + 8);
    return Math.max(widthOf(word.text, 15), widthOf(word.tag || "", 11), bar, 10);
  });
  const left = [];
  let x = MARGIN;
  words.forEach((_, n) => { left.push(x);
    x += widths[n] + WORD_GAP; });
  const offset = (n, side, entry) => {
    const list = ports[n][side],
      gap = Math.min(PORT_GAP, 82 / Math.max(1, list.length - 1));
    return widths[n] / 2 + (list.indexOf(entry) - (list.length - 1) / 2) * gap;
  };
  const bows = [];
  ports.forEach((port, n) => {
    for (const side of ["above", "below"])
      for (const entry of port[side]) {
        let bow = bows.find((each) => each.arc === entry.arc);
        if (!bow) bows.push(bow = { arc: entry.arc, ends: [] });
        bow.ends.push({ word: n, off: offset(n, side, entry), end: entry.end });
      }
  });
  bows.sort((a, b) => Math.abs(a.arc.head - a.arc.dependent) - Math.abs(b.arc.head - b.arc.dependent));
  for (const bow of bows) {
    bow.labelWidth = widthOf(bow.arc.label || "", 11) * (bow.arc.mark ? 1.12 : 1);
    bow.ends.sort((a, b) => a.word - b.word);
    if (bow.ends.length < 2) continue;
    const [first, last] = bow.ends;
    const lack = bow.labelWidth + 2 * (AIR + CORNER) - (left[last.word] + last.off - left[first.word] - first.off);
    if (lack > 0)
      for (let n = last.word; n < words.length; n += 1) left[n] += lack;
  }
  const placed = { above: [], below: [] };
  for (const bow of bows) {
    const xs = bow.ends.map((end) => left[end.word] + end.off);
    bow.left = Math.min(...xs);
    bow.right = Math.max(...xs);
    const dependent = bow.ends.find((end) => end.end === "dependent");
    bow.arrow = left[dependent.word] + dependent.off;
  }
  const reach = (bow) => bow.right - bow.left || Infinity; // the root's label stands above the legs beside it
  bows.sort((a, b) => reach(a) - reach(b));
  for (const bow of bows) {
    const side = placed[bow.arc.below ? "below" : "above"];
    const half = bow.left === bow.right ? bow.labelWidth / 2 + 2 : 0;
    bow.level = 1 + Math.max(0, ...side.filter((other) =>
      other.low < bow.right + half && bow.left - half < other.high).map((other) => other.bow.level));
    side.push({ bow, low: bow.left - half, high: bow.right + half });
    bow.height = FIRST + (bow.level - 1) * LEVEL;
  }
  const end = words.length ? left[words.length - 1] + widths[words.length - 1] + MARGIN : 40;
  return { widths, left, bows, width: end };
}

// Draw; the returned element has `wordAt(position)` for those who make it respond.
export function drawTree({ words, arcs, rightToLeft = false, label = "" }) {
  const last = words.length + 1;
  const flip = (n) => (n === 0 ? 0 : last - n);
  const shownWords = rightToLeft ? [...words].reverse() : words;
  const shownArcs = arcs.map((arc) => rightToLeft ?
    { ...arc, head: flip(arc.head), dependent: flip(arc.dependent), of: arc } : { ...arc, of: arc });
  const plan = layOut(shownWords, shownArcs);
  const tall = (below) => Math.max(0, ...plan.bows.filter((bow) => Boolean(bow.arc.below) === below).map((bow) => bow
    .height));
  const above = tall(false),
    below = tall(true);
  const top = MARGIN + (above ? above + 10 : 0);
  const bottom = top + TEXT + (words.some((word) => word.tag) ? TAG : 0) + 4;
  const height = bottom + (below ? below + 10 : 0) + MARGIN;
  const root = svg("svg", { class: "tree", width: plan.width, height, viewBox: `0 0 ${plan.width} ${height}`,
    role: "group", "aria-label": label });
  for (const bow of plan.bows) root.append(drawBow(bow, bow.arc.below ? bottom : top));
  shownWords.forEach((word, n) => {
    const place = rightToLeft ? last - n - 1 : n + 1;
    root.append(drawWord(word, plan.left[n], plan.widths[n], top, bottom, place));
  });
  root.wordAt = (place) => root.querySelector(`.word[data-place="${place}"]`);
  return root;
}

function drawWord(word, x, width, top, bottom, place) {
  const middle = x + width / 2;
  const group = svg("g", {
    class: `word${word.empty ? " empty" : ""}`,
    "data-place": place,
    role: "button",
    tabindex: "-1",
    "aria-label": word.description ?? `${place} ${word.text} ${word.tag ?? ""}`,
  });
  const box = { x: x - 4, y: top + 1, width: width + 8, height: bottom - top - 2 };
  if (word.doubt) group.append(svg("rect", { class: "doubt", ...box, opacity: (0.55 * word.doubt).toFixed(2) }));
  group.append(svg("rect", { class: "box", ...box }));
  group.append(svg("text", { x: middle, y: top + TEXT - 3 }, word.text));
  if (word.tag) group.append(svg("text", { class: "tag", x: middle, y: top + TEXT + TAG - 4 }, word.tag));
  if (word.title) group.append(svg("title", {}, word.title));
  return group;
}

function drawBow(bow, base) {
  const sign = bow.arc.below ? 1 : -1,
    run = base + sign * bow.height,
    foot = base + (bow.arc.below ? 0 : sign * 4);
  let path = "",
    x = (bow.left + bow.right) / 2;
  if (bow.left === bow.right) {
    path = `M${bow.left} ${run - sign * 7.5}V${foot + sign * TIP}`;
  } else {
    const gap = bow.arc.label ? bow.labelWidth / 2 + AIR - 2 : 0,
      turn = run - sign * CORNER;
    for (const [leg, inward] of [
        [bow.left, 1],
        [bow.right, -1]
      ]) {
      const start = leg === bow.arrow ? foot + sign * TIP : foot;
      path += `M${leg} ${start}V${turn}Q${leg} ${run} ${leg + inward * CORNER} ${run}H${x - inward * gap}`;
    }
  }
  const wing = foot + sign * TIP * 1.9;
  const group = svg("g", {
    class: `arc c-${bow.arc.mark || colourOf(bow.arc.label)}${bow.arc.mark ? " marked" : ""}${bow.arc.suggested ? " suggested" : ""}`,
    "data-dependent": bow.arc.of.dependent,
    "data-head": bow.arc.of.head,
  });
  if (bow.arc.confidence !== undefined && bow.arc.confidence !== null) {
    group.setAttribute("opacity", (0.35 + 0.65 * bow.arc.confidence).toFixed(2));
    group.append(svg("title", {}, `${bow.arc.label} · ${Math.round(100 * bow.arc.confidence)} % sure`));
  }
  group.append(svg("path", { class: "run", d: path }));
  group.append(svg("path", { class: "tip",
    d: `M${bow.arrow} ${foot}L${bow.arrow - TIP} ${wing}H${bow.arrow + TIP}Z` }));
  if (bow.arc.label) group.append(svg("text", { x, y: run + 4 }, bow.arc.label));
  return group;
}
