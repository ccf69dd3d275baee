// Drawings come from the server, the same as those of `treewright show`; here they become elements that respond.

import { ask } from "./support.js";

const PADDING = 28; // pixels of a card, on both sides

// The width that a drawing may have inside of an element.
export const widthIn = (holder) => Math.max(150, Math.floor(holder.clientWidth || document.documentElement.clientWidth - 40) - PADDING);

export function drawing(text) {
  const made = document.createElement("template");
  made.innerHTML = text;
  const tree = made.content.querySelector("svg");
  tree.word = (id) => tree.querySelector(`.tw-node[data-id="${id}"]`);
  tree.arcsTo = (id) => tree.querySelectorAll(`.tw-arc:not(.tw-below)[data-dependent="${id}"]`);
  tree.isRightToLeft = tree.dataset.direction === "rtl";
  return tree;
}

// A box that scrolls where a tree is wider than the page, and begins where the sentence does.
export function framed(tree) {
  const box = document.createElement("div");
  box.className = "wide";
  box.dir = tree.dataset.direction;
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "the tree");
  box.append(tree);
  return box;
}

export async function draw(body) {
  const { drawings } = await ask("/studio/api/draw", body);
  return drawings.map(drawing);
}
