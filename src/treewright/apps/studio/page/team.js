// Team: who annotates what, how far everybody is, and the files to take away.

import { ask, element, many, percent, tell } from "./support.js";

export async function show(main) {
  const view = element("div");
  main.append(element("h2", {}, "Team"), view);

  async function draw() {
    const [team, { files }] = await Promise.all([ask("/studio/api/team"), ask("/studio/api/project")]);
    const own = files.filter((file) => !file.name.startsWith("layers/"));
    const layers = team.progress.map((one) => ({ ...one, name: `layers/${one.user}/${one.file}` }));
    const row = (one) => element("tr", {}, element("th", { scope: "row" }, one.user), element("td", {}, one.file), element("td", { class: "number" }, String(one.sentences)),
      element("td", { class: "number" }, `${one.annotated} (${percent(one.sentences ? one.annotated / one.sentences : 0)})`),
      element("td", {}, link(`annotate?${new URLSearchParams({ file: one.name, n: 0 })}`, "look"), " ", download(one.name)));
    view.replaceChildren(
      ...(team.users.length ? [] : [element("p", {}, "Nobody yet. Start the server with a name for each annotator: ", element("code", {}, "treewright serve --project FOLDER --user anna --user ben"), ". It prints a link for each.")]),
      layers.length ? element("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "progress" }, element("table", {},
        element("tr", {}, ...["annotator", "file", "sentences", "done", "layer"].map((name) => element("th", { scope: "col" }, name))), ...layers.map(row))) : "",
      ...(team.lead && team.users.length ? [assignment(own, team.users), pairs(layers)] : []),
      element("h3", {}, "Files"), element("p", { class: "faint small" }, "Without notes and without what was said of decisions."),
      element("ul", {}, ...own.map((file) => element("li", {}, `${file.name}, ${many(file.sentences, "sentence")} `, download(file.name)))));
  }

  const link = (place, label) => element("a", { href: `#${place}` }, label);
  const download = (name) => element("a", { href: `/studio/api/export?${new URLSearchParams({ file: name })}`, download: name.replaceAll("/", "-") }, "export");

  function assignment(files, users) {
    const file = element("select", { "aria-label": "File" }, ...files.map((one) => element("option", { value: one.name }, `${one.name} (${one.sentences})`)));
    const first = element("input", { type: "number", min: "1", value: "1", "aria-label": "First sentence" });
    const last = element("input", { type: "number", min: "1", value: "100", "aria-label": "Last sentence" });
    const boxes = users.map((name) => element("label", {}, element("input", { type: "checkbox", value: name, checked: true }), ` ${name}`));
    const keep = element("input", { type: "checkbox" });
    const assign = async (event) => {
      event.preventDefault();
      try {
        const chosen = boxes.map((box) => box.firstChild).filter((box) => box.checked).map((box) => box.value);
        const { assigned } = await ask("/studio/api/assign", { file: file.value, first: Number(first.value), last: Number(last.value), users: chosen, keep_trees: keep.checked });
        await draw();
        tell(Object.entries(assigned).map(([name, count]) => `${name}: ${count} new`).join(", "));
      } catch (error) { tell(error.message, true); }
    };
    return element("form", { onsubmit: assign }, element("h3", {}, "Assign"), element("div", { class: "row" }, file, element("label", {}, "from ", first), element("label", {}, "to ", last),
      ...boxes, element("label", {}, keep, " with the trees that are there"), element("button", { class: "main" }, "Assign")),
    element("p", { class: "faint small" }, "Several annotators of one sentence do not see each other's trees, and the parser does not learn from them."));
  }

  // Two layers of one file can be compared, and decided in the file itself.
  function pairs(layers) {
    const found = layers.flatMap((one, n) => layers.slice(n + 1).filter((other) => other.file === one.file).map((other) => [one, other]));
    if (!found.length) return "";
    const take = (one, other) => async () => {
      try {
        const { written } = await ask("/studio/api/agree", { first: one.name, second: other.name, target: one.file });
        tell(`${many(written, "sentence")} written to ${one.file}`);
      } catch (error) { tell(error.message, true); }
    };
    return element("section", {}, element("h3", {}, "Annotated twice"), element("ul", {}, ...found.map(([one, other]) => element("li", { class: "row" },
      `${one.user} and ${other.user}, ${one.file}: `, link(`compare?${new URLSearchParams({ first: one.name, second: other.name, target: one.file })}`, "agreement and decisions"),
      element("button", { type: "button", onclick: take(one, other) }, "Take the sentences on which both agree")))));
  }

  await draw();
}
