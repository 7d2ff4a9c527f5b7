// One move, said or put right: who, what, which tile, where.
import { labelled, openDialog, selectOf } from "../dialogs.js";
import { el, fill } from "../dom.js";
import { t, tf } from "../i18n.js";
import { kindsOf, notation, parsed } from "../moves.js";
import { pickTile } from "../pick_tile.js";
import { tileOf } from "../tiles.js";

/**
 * Ask for a move. @param {any} state @param {any} given a written move, or only its player
 * @param {number | null} number of the move that is put right; null for a new one
 * @param {boolean} [ruled] a judge puts it right: nothing is inserted
 * @returns {Promise<{text: string | null, insert?: boolean} | null>}
 */
export function moveForm(state, given, number, ruled = false) {
  const kinds = kindsOf(state.game);
  const ends = state.layout?.ends?.map((/** @type {any} */ end) => end.arm) ?? [];
  const move = { kind: Object.keys(kinds)[0], tile: "", take: "", arm: ends[0] ?? "start", doubles: 0, player: given.player,
    ...(given.text ? parsed(given.text, given.player) : {}) };
  const title = number === null ? t("action.add_move") : t("move.correct", { number });
  return openDialog(title, (close) => {
    const player = selectOf(state.seats.map((/** @type {string} */ seat) => [seat, seat]), move.player, { onchange: () => { move.player = player.value; } });
    move.player = player.value;
    const kind = selectOf(Object.keys(kinds).map((name) => [name, tf("kind", name)]), move.kind, { onchange: () => { move.kind = kind.value; more(); } });
    const place = el("div", { class: "move-parts" });
    const more = () => fill(place, ...(kinds[move.kind] ?? []).map((part) => partField(part, move, state, more)));
    more();
    const done = (/** @type {boolean} */ insert) => {
      if (complete(move, kinds)) close({ text: notation(move), insert });
      else /** @type {any} */ (place.querySelector("button, select"))?.focus();
    };
    return el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); done(false); } },
      labelled(t("move.player"), player), labelled(t("move.kind"), kind), place,
      el("p", { class: "row end" },
        number !== null && el("button", { type: "button", class: "danger", textContent: t("move.remove"), onclick: () => close({ text: null, insert: false }) }),
        number !== null && !ruled && el("button", { type: "button", textContent: t("move.insert"), title: t("move.insert_help"), onclick: () => done(true) }),
        el("button", { class: "main", textContent: number === null ? t("action.add_move") : t("action.save") })));
  });
}

/** @param {any} move @param {Record<string, string[]>} kinds */
function complete(move, kinds) {
  return (kinds[move.kind] ?? []).every((part) => part.endsWith("?") || part === "doubles" || move[part]);
}

/** @param {string} part @param {any} move @param {any} state @param {() => void} again */
function partField(part, move, state, again) {
  const name = part.replace("?", "");
  if (name === "arm") {
    const arms = ["start", "L", "R", "U", "D"].map((arm) => /** @type {[string, string]} */ ([arm, tf("arm", arm)]));
    return labelled(t("move.arm"), selectOf(move.arm ? arms : [["", t("move.choose")], ...arms], move.arm,
      { onchange: (/** @type {any} */ event) => { move.arm = event.target.value; } }));
  }
  if (name === "doubles") {
    return labelled(t("move.doubles"), el("input", { type: "number", min: 0, max: 7, value: move.doubles,
      onchange: (/** @type {any} */ event) => { move.doubles = Number(event.target.value); } }));
  }
  const words = name === "take" ? t("move.take") : t("move.tile");
  const button = el("button", { type: "button", class: "tile-field", "aria-label": move[name] ? `${words}: ${move[name]}` : words, onclick: async () => {
    const tile = await pickTile(words, state.set);
    if (!tile) return;
    move[name] = tile;
    again();
  } }, move[name] ? tileOf(move[name]) : t("move.choose"));
  return el("div", { class: "field" }, el("span", { textContent: words }), button);
}
