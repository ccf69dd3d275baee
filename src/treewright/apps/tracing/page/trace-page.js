const trace = JSON.parse(document.getElementById("trace").textContent);
const app = document.getElementById("app"), drawing = document.querySelector("#drawing svg");
const view = new TraceView(trace, drawing, { at: (parseInt(location.hash.slice(1), 10) || 1) - 1, moved: (at) => {
  try { history.replaceState(null, "", `#${at + 1}`); } catch { /* a page without an address */ }
} });
document.addEventListener("keydown", view.keys);
app.append(make("h1", {}, trace.words.map((word) => word.form).join(" ")), view.element);
app.hidden = false;
