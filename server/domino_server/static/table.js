// What both pages share: the stream of the table's status, and the parts of a report drawn as elements.
// @ts-check

/** Follow the table; the browser reconnects by itself. @param {(status: any) => void} show @param {() => void} lost */
export function follow(show, lost) {
  const stream = new EventSource("/api/v1/table/events");
  stream.addEventListener("status", (event) => show(JSON.parse(event.data)));
  stream.addEventListener("error", lost);
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** @param {string} tag @param {string} text @param {string} [className] */
export function element(tag, text, className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** @param {any} report */
export function showCount(report) {
  byId("count").textContent = report?.count ?? "–";
  byId("points").textContent = report?.points ? `+${report.points}` : "";
  const sure = (report?.open_ends ?? []).filter((/** @type {any} */ end) => !end.if_spinner);
  byId("ends").replaceChildren(...sure.map(endItem));
}

/** @param {any} end */
function endItem(end) {
  const item = document.createElement("li");
  item.append(element("span", end.arm, "arm"), element("span", String(end.pips), "pips"));
  if (end.count !== end.pips) item.append(element("span", `counts ${end.count}`, "counts"));
  return item;
}
