// Hands at the end: photographed or tapped in, counted, compared with the table, then told.
import { send } from "../api.js";
import { announce, el, fill, nameOf } from "../dom.js";
import { openDialog, tried } from "../dialogs.js";
import { t } from "../i18n.js";
import { tileList } from "../pick_tile.js";
import { whenChosen } from "../pictures.js";
import { pipsOf } from "../tiles.js";

/** @param {import("../model.js").Table} table */
export function countHands(table) {
  const state = table.state;
  const hands = /** @type {Record<string, string[]>} */ ({ ...state.shown });
  return openDialog(t("action.count_hands"), (close) => {
    const check = el("p", { class: "check", role: "status" });
    const rows = state.seats.map((/** @type {string} */ seat) => handRow(table, seat, hands, check));
    return [el("p", { class: "soft", textContent: t("hands.help") }), el("div", { class: "hand-rows" }, rows), check,
      el("p", { class: "row end" }, el("button", { type: "button", class: "main", textContent: t("hands.apply"), onclick: async () => {
        for (const [player, tiles] of Object.entries(hands)) {
          if (!(await tried(() => send(`${table.path}/commands`, { op: "shown", player, tiles })))) return;
        }
        close();
        announce(t("hands.applied"));
      } }))];
  }, "wide");
}

/** @param {import("../model.js").Table} table @param {string} seat @param {Record<string, string[]>} hands @param {any} check */
function handRow(table, seat, hands, check) {
  const place = el("div");
  const sum = el("strong", { class: "pips" });
  const show = () => {
    const tiles = hands[seat];
    sum.textContent = tiles ? t("hands.pips", { n: pipsOf(tiles) }) : "";
    fill(place, tileList(table.state.set, tiles ?? [], (next) => {
      hands[seat] = next;
      sum.textContent = t("hands.pips", { n: pipsOf(next) });
    }));
  };
  const file = el("input", { type: "file", accept: "image/*", capture: "environment" });
  whenChosen(file, async ([picture]) => {
    check.textContent = t("count.reading");
    const form = new FormData();
    form.append(seat, picture);
    const found = await tried(() => send(`${table.path}/hands`, form));
    check.textContent = found?.checksum?.text ?? "";
    const hand = found?.hands?.find((/** @type {any} */ one) => one.player === seat);
    if (!hand) return;
    hands[seat] = hand.tiles;
    show();
  });
  show();
  return el("section", { class: "hand-row" }, el("h3", {}, nameOf(seat)), sum,
    el("label", { class: "button" }, file, el("span", { textContent: t("hands.photograph") })), place);
}
