// What a judge decides: let it stand, correct a move, replay the hand, take or give points; with the reason.
import { send } from "../api.js";
import { labelled, openDialog, selectOf, tried } from "../dialogs.js";
import { el, fill } from "../dom.js";
import { t, tf } from "../i18n.js";
import { moveForm } from "./move_form.js";
import { words } from "../news.js";

const KINDS = ["let_stand", "correct", "replay", "penalty", "award"];
const STORED = "judge";

/** @param {import("../model.js").Table} table */
export async function rule(table) {
  const state = table.state;
  const ruling = await ask(state);
  if (!ruling) return;
  localStorage.setItem(STORED, ruling.by);
  if (ruling.kind === "correct") {
    const move = state.moves.find((/** @type {any} */ one) => one.number === ruling.move);
    const told = move && (await moveForm(state, move, move.number, true));
    if (!told) return;
    ruling.text = told.text;
  }
  await tried(() => send(`${table.path}/commands`, { op: "ruling", ...ruling }));
}

/** @param {any} state @returns {Promise<any>} */
function ask(state) {
  return openDialog(t("ruling.title"), (close) => {
    const parts = el("div", { class: "fields" });
    const side = selectOf(Object.keys(state.sides).map((name) => [name, name]));
    const points = el("input", { type: "number", min: 1, value: 10, required: true });
    const move = selectOf((state.moves ?? []).toReversed().map((/** @type {any} */ one) =>
      [String(one.number), `${one.number}. ${one.player}: ${words(one.text, one.player)}`]));
    const kind = selectOf(KINDS.map((name) => [name, tf("ruling", name)]), "let_stand", { onchange: () => more() });
    const reason = el("input", { required: true, maxLength: 300 });
    const by = el("input", { required: true, maxLength: 60, value: localStorage.getItem(STORED) ?? "" });
    const more = () => fill(parts,
      ["penalty", "award"].includes(kind.value) && labelled(t("score.side"), side),
      ["penalty", "award"].includes(kind.value) && labelled(t("action.points"), points),
      kind.value === "correct" && labelled(t("ruling.move"), move));
    more();
    return el("form", { onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const counts = ["penalty", "award"].includes(kind.value);
      close({ kind: kind.value, reason: reason.value.trim(), by: by.value.trim(),
        ...(counts ? { side: side.value, points: Number(points.value) } : {}),
        ...(kind.value === "correct" ? { move: Number(move.value) } : {}) });
    } }, labelled(t("ruling.kind"), kind), parts, labelled(t("action.note"), reason), labelled(t("ruling.by"), by),
      el("p", { class: "row end" }, el("button", { class: "main", textContent: t("ruling.title") })));
  });
}
