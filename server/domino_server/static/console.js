// The table's page: newest picture, count, ends, legal plays, and a form to read one photograph.
// @ts-check
import { byId, element, follow, showCount } from "./table.js";

const STATES = {
  idle: "no camera: start with --source, or read a photograph below",
  starting: "starting",
  live: "live",
  waiting: "waiting for the next picture",
  ended: "the video has ended",
  failed: "failed",
};
const SHOWN_PLAYS = 24;

/** @param {any} status */
function show(status) {
  const label = STATES[/** @type {keyof typeof STATES} */ (status.state)] ?? status.state;
  byId("state").textContent = status.detail ? `${label}: ${status.detail}` : label;
  byId("state").dataset.state = status.state;
  const report = status.report;
  if (!report) return;
  const picture = /** @type {HTMLImageElement} */ (byId("picture"));
  picture.src = `/api/v1/table/picture.jpg?seq=${status.seq}`;
  picture.hidden = false;
  byId("source").textContent = report.source;
  showReport(report);
}

/** @param {any} report */
function showReport(report) {
  showCount(report);
  byId("ask").hidden = !report.ask;
  byId("plays").replaceChildren(...report.legal_plays.slice(0, SHOWN_PLAYS).map(playRow));
  byId("problems").replaceChildren(...report.problems.map((/** @type {any} */ problem) => element("li", problem.text)));
}

/** @param {any} play */
function playRow(play) {
  const row = document.createElement("tr");
  const end = play.if_spinner ? `${play.arm} (if ${play.if_spinner} is the spinner)` : play.arm;
  for (const text of [play.tile, end, play.count ?? "", play.points || ""]) row.append(element("td", String(text)));
  if (play.points) row.className = "scores";
  return row;
}

/** Show the picture that was read instead of the live one, until the next live picture comes. @param {File} file */
function showUpload(file) {
  const picture = /** @type {HTMLImageElement} */ (byId("picture"));
  picture.src = URL.createObjectURL(file);
  picture.hidden = false;
  byId("source").textContent = file.name;
}

byId("upload").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const result = byId("upload-result");
  result.textContent = "reading";
  try {
    const response = await fetch("/api/v1/read", { method: "POST", body: new FormData(form) });
    const body = await response.json();
    if (!response.ok) {
      result.textContent = body.detail;
      return;
    }
    const points = body.points ? `, ${body.points} points` : "";
    result.textContent = body.count === null ? "no line of play in this picture" : `count ${body.count}${points}`;
    showReport(body);
    showUpload(/** @type {File} */ (new FormData(form).get("picture")));
  } catch {
    result.textContent = "the server does not answer";
  }
});

follow(show, () => {
  byId("state").textContent = "connection lost, trying again";
});
