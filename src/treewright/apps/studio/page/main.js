// The frame: pages by the address, light and dark, and what every page needs first.

import { ask, element, readState, tell } from "./support.js";

const PAGES = { parse: "./parse.js", step: "./step.js", annotate: "./annotate.js", loop: "./loop.js", compare: "./compare.js" };
const main = document.getElementById("main");
let leave = null;
let shown = "";

const themes = ["", "light", "dark"];
function setTheme(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  localStorage.setItem("theme", name);
}
setTheme(localStorage.getItem("theme") ?? "");
document.getElementById("theme").addEventListener("click", () => {
  const next = themes[(themes.indexOf(localStorage.getItem("theme") ?? "") + 1) % themes.length];
  setTheme(next);
  tell(next ? `${next} colours` : "colours as the system has them");
});

async function show() {
  const { page, values } = readState();
  const name = page in PAGES ? page : "parse";
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  leave?.();
  leave = null;
  shown = name;
  document.title = `${name[0].toUpperCase()}${name.slice(1)} · treewright studio`;
  const module = await import(PAGES[name]);
  main.replaceChildren();
  try {
    const left = await module.show(main, values);
    if (shown === name) leave = left ?? null;
    main.dataset.ready = name;
  } catch (error) {
    if (error.status === 423) return;
    main.replaceChildren(error.message);
    tell(error.message, true);
  }
}

// Another server has the project: say so, and offer to take it over.
window.addEventListener("in-use", (event) => {
  leave?.();
  leave = null;
  if (document.getElementById("in-use")) return;
  const takeOver = async () => {
    try {
      await ask("/studio/api/takeover", {});
      tell("This server has the project now.");
      await show();
    } catch (error) {
      tell(error.message, true);
    }
  };
  main.replaceChildren(element("div", { class: "card", role: "alert", id: "in-use" }, element("p", {}, event.detail),
    element("div", { class: "row" }, element("button", { type: "button", class: "main", onclick: takeOver }, "Take over"),
      element("button", { type: "button", onclick: show }, "Try again"))));
});

window.addEventListener("hashchange", show);
const about = await ask("/studio/api/about");
document.documentElement.dataset.project = about.project ?? "";
await show();
