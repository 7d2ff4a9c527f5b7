// The layout as a picture, its count and open ends; in Bingo and Tiu-U the board in words and tiles.
import { credentials } from "../api.js";
import { byId, el, fill } from "../dom.js";
import { t, tf } from "../i18n.js";
import { showBlob } from "../pictures.js";
import { boardView, countView } from "../board.js";
import { halfOf } from "../tiles.js";

let shown = "";

/** @param {import("../model.js").Table} table @param {any} state */
export function showPlay(table, state) {
  const layout = state.layout;
  const ends = layout?.ends ?? [];
  fill(byId("counts"),
    layout?.count !== null && layout?.count !== undefined && ends.length > 0
      && el("p", { class: "count" }, el("span", { textContent: t("layout.count") }), el("strong", { id: "count", textContent: layout.count })),
    ends.length > 0 && el("ul", { class: "ends", "aria-label": t("layout.ends") }, ends.map((/** @type {any} */ end) => endView(layout, end))));
  fill(byId("board"), ...(state.board ? boardView(state) : []));
  drawLayout(table, state);
}

/** @param {any} layout @param {any} end */
function endView(layout, end) {
  return el("li", {}, el("span", { class: "arm", textContent: tf("arm", end.arm) }), halfOf(end.pips), countView(layout, end));
}

/** @param {import("../model.js").Table} table @param {any} state */
async function drawLayout(table, state) {
  const key = `${state.hand} ${state.layout?.text ?? ""}`;
  if (key === shown) return;
  shown = key;
  const image = byId("layout");
  const there = Boolean(state.layout?.text);
  if (there) {
    const answer = await fetch(`/api/v1${table.path}/layout.svg`, { headers: credentials(), cache: "no-store" }).catch(() => null);
    if (answer?.ok && shown === key) {
      showBlob(image, await answer.blob());
      image.alt = t("layout.alt", { text: state.layout.text });
      image.hidden = false;
    }
  } else {
    image.hidden = true;
  }
  byId("no-layout").hidden = there || Boolean(state.board);
}
