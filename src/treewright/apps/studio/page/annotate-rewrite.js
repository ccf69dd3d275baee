// Rules in Grew's notation for the sentences that are ticked in the list: look what they would do, do it, take it back.

import { ask, closeDialog, element, many, openDialog } from "./support.js";
import { drawing, framed, widthIn } from "./tree.js";

const MOST = 500; // sentences at a time
const NAMED = 20; // sentences in a message
const EXAMPLE = "rule r {\n  pattern { e: N -[det]-> D }\n  commands { e.2 = art }\n}";

export class Rewriting {
  // `inOrder(work)` works when all that was asked for before is done; `changed()` shows what has become of the sentences.
  constructor(list, inOrder, changed) {
    Object.assign(this, { list, inOrder, changed });
    this.last = null; // what can be taken back
    const button = (label, onclick) => element("button", { type: "button", onclick }, label);
    this.rules = element("textarea", { "aria-label": "Rules", rows: "6", placeholder: EXAMPLE, spellcheck: "false" });
    this.count = element("span", { class: "faint small", role: "status" });
    this.said = element("p", { class: "small", role: "status" });
    this.problem = element("p", { class: "error", role: "alert" });
    this.back = button("Undo rewriting", () => this.inOrder(() => this.takeBack()));
    this.back.disabled = true;
    this.view = element("details", { class: "rewriting", ontoggle: () => this.toggled() }, element("summary", {}, "Rewrite"),
      element("div", { class: "row" }, button("Select all found", () => this.list.pickAll(MOST)),
        button("Select none", () => this.select([])), this.count),
      this.rules, element("div", { class: "row" }, button("Try", () => this.inOrder(() => this.tryRules())), this.back),
      this.problem, this.said);
    list.ticked = () => { this.count.textContent = list.picked ? `${list.picked.size} selected` : ""; };
  }

  toggled() {
    this.select(this.view.open ? [...this.list.picked ?? []] : null);
  }

  select(ids) {
    this.list.pick(ids);
    this.list.draw();
  }

  say(problem, said = "") {
    this.problem.textContent = problem;
    this.said.textContent = said;
  }

  async tryRules() {
    const { file } = this.list.place, ids = [...this.list.picked ?? []], rules = this.rules.value;
    if (!ids.length) return this.say("Select sentences in the list first.");
    this.say("");
    const width = Math.floor(0.85 * widthIn(document.body));
    const tried = await ask("/studio/api/try_rules", { file, ids, rules, width }).catch((error) => this.say(error.message));
    if (!tried) return undefined;
    const { first, changed } = tried;
    if (!first) return this.say("", `No rule changes any of ${many(tried.tried, "sentence")}.`);
    const applied = Object.entries(tried.rules).map(([name, times]) => `${name} ${times}×`).join(", ");
    const rewrite = { file, rules, sentences: versionsOf(changed) };
    openDialog("Rewrite", element("p", {}, `${changed.length} of ${many(tried.tried, "sentence")} would change: ${applied}`),
      element("p", { class: "text", dir: "auto" }, `${first.n + 1} ${first.text}`), framed(drawing(first.drawing)),
      element("pre", { class: "small wide", tabindex: "0" }, first.lines.join("\n")),
      element("div", { class: "row" },
        element("button", { type: "button", class: "main", onclick: () => this.inOrder(() => this.rewrite(rewrite)) }, `Rewrite ${changed.length}`),
        element("button", { type: "button", onclick: closeDialog }, "Close")));
    return undefined;
  }

  async rewrite(body) {
    closeDialog();
    const done = await this.ask("/studio/api/rewrite", body, "rewritten");
    if (!done) return;
    this.last = done.length ? { file: body.file, sentences: versionsOf(done) } : null;
    this.back.disabled = !this.last;
    this.list.pick([]);
    await this.changed();
  }

  async takeBack() {
    const { last } = this;
    if (!last || !(await this.ask("/studio/api/take_back", last, "as before"))) return;
    this.last = null;
    this.back.disabled = true;
    await this.changed();
  }

  // Change sentences and say which; those that others have changed meanwhile are left out.
  async ask(path, body, what) {
    try {
      const { changed, error } = await ask(path, body).catch((problem) => {
        if (problem.status === 409 && problem.data.changed) return problem.data;
        throw problem;
      });
      const numbers = changed.map(({ n }) => n + 1), more = numbers.length > NAMED ? ", …" : "";
      const listed = numbers.length ? `: ${numbers.slice(0, NAMED).join(", ")}${more}` : "";
      this.say(error?.message ?? "", `${many(numbers.length, "sentence")} ${what}${listed}`);
      return changed;
    } catch (error) {
      this.say(error.message);
      return null;
    }
  }
}

const versionsOf = (changed) => changed.map(({ id, revision }) => [id, revision]);
