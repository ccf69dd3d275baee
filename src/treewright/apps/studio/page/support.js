// What all pages share: elements, requests, messages, the address.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const statusBox = document.getElementById("status");
let hiding = 0;
export function tell(message, isError = false) {
  clearTimeout(hiding);
  statusBox.replaceChildren(message ? element("div", { class: isError ? "error" : "" }, message) : "");
  if (message) hiding = setTimeout(() => statusBox.replaceChildren(), isError ? 12000 : 4000);
}

export class RequestError extends Error {
  constructor(status, message, data) { super(message); this.status = status; this.data = data; }
}

export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new RequestError(0, "The server does not answer. Is it still running?");
  }
  const data = await answer.json().catch(() => ({}));
  if (answer.status === 423) window.dispatchEvent(new CustomEvent("in-use", { detail: data.error?.message }));
  if (!answer.ok) throw new RequestError(answer.status, data.error?.message ?? `error ${answer.status}`, data);
  return data;
}

// The state of a page is in the address, behind #page?, so that a link holds it.
export function readState() {
  const [page, query] = location.hash.slice(1).split("?");
  return { page: page || "parse", values: Object.fromEntries(new URLSearchParams(query ?? "")) };
}

export function writeState(page, values) {
  const kept = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const query = new URLSearchParams(kept).toString();
  history.replaceState(null, "", `#${page}${query ? "?" + query : ""}`);
}

export function save(name, type, content) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

export async function png(svg) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
  await image.decode();
  const canvas = element("canvas");
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

export const percent = (share, digits = 0) => share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)} %`;

const dialog = document.getElementById("dialog");
export function openDialog(title, ...content) {
  dialog.replaceChildren(element("h2", { id: "dialog-title" }, title), ...content);
  dialog.showModal();
  return dialog;
}
export const closeDialog = () => dialog.open && dialog.close();
export const dialogIsOpen = () => dialog.open;

export const many = (count, one, several = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
