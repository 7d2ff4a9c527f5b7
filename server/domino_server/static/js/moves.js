// Moves of the notation as words and tiles, and the other way round.
import { el } from "./dom.js";
import { rich, t, tf } from "./i18n.js";
import { tileOf } from "./tiles.js";

const TILE = /^\d{1,2}[-|]\d{1,2}$/;

/** Return what a move of the notation says, without its player. @param {string} text @param {string} player */
export function predicate(text, player) {
  for (const name of [JSON.stringify(player), player]) {
    if (text.startsWith(`${name} `)) return text.slice(name.length + 1);
  }
  return text;
}

/** Return a move as nodes: tiles are drawn, the rest is in the language of the page. */
export function moveView(/** @type {string} */ text, /** @type {string} */ player) {
  const [verb, ...rest] = predicate(text, player).split(" ");
  const tile = (/** @type {string} */ name) => tileOf(name);
  if (TILE.test(verb)) return [tile(verb), el("span", { class: "arm", textContent: tf("arm", rest[0] ?? "start") })];
  const declared = rest[1] === "declares" ? [el("span", { class: "arm", textContent: t("move.declares", { n: rest[2] }) })] : [];
  switch (verb) {
    case "passes": return [t("move.passes")];
    case "draws": return rest[0] && TILE.test(rest[0]) ? rich("move.draws_tile", { tile: tile(rest[0]) }) : [t("move.draws")];
    case "leads": return [...rich("move.leads", { tile: tile(rest[0]) }), ...declared];
    case "replies": return [...rich("move.replies", { tile: tile(rest[0]) }), ...declared];
    case "closes": return [t("move.closes")];
    case "captures": return rich("move.captures", { take: tile(rest[0]), tile: tile(rest[2]) });
    case "triples": return rich("move.triples", { tile: tile(rest[0]) });
    case "quadruples": return rich("move.quadruples", { tile: tile(rest[0]) });
    case "turns": return rest[1] === "takes"
      ? rich("move.turns_takes", { tile: tile(rest[0]), take: tile(rest[2]) })
      : rich("move.turns", { tile: tile(rest[0]) });
    default: return [text];
  }
}

/** What may be done in each game, with what each needs: tiles, an end, a number of doubles. */
export const KINDS = {
  pincset: { play: ["tile", "arm"], passes: [] },
  cincos: { play: ["tile", "arm"], passes: [], draws: [] },
  bingo: { leads: ["tile", "doubles"], replies: ["tile", "doubles"], draws: [], closes: [] },
  "tiu-u": {
    captures: ["take", "tile"], passes: [], turns: ["tile", "take?"], triples: ["tile"], quadruples: ["tile"],
  },
};

/** @param {string} game @returns {Record<string, string[]>} */
export function kindsOf(game) {
  return KINDS[/** @type {keyof typeof KINDS} */ (game)] ?? {};
}

/** Return a move as the notation writes it. @param {any} move */
export function notation(move) {
  const who = JSON.stringify(move.player);
  const declared = move.doubles ? ` declares ${move.doubles}` : "";
  switch (move.kind) {
    case "play": return `${who} ${move.arm === "start" ? move.tile.replace("-", "|") : move.tile} ${move.arm}`;
    case "draws": return `${who} draws ?`;
    case "leads": case "replies": return `${who} ${move.kind} ${move.tile}${declared}`;
    case "captures": return `${who} captures ${move.take} with ${move.tile}`;
    case "turns": return `${who} turns ${move.tile}${move.take ? ` takes ${move.take}` : ""}`;
    case "triples": case "quadruples": return `${who} ${move.kind} ${move.tile}`;
    default: return `${who} ${move.kind}`;
  }
}

/** Return the parts of a written move, as `notation` takes them. @param {string} text @param {string} player */
export function parsed(text, player) {
  const [verb, ...rest] = predicate(text, player).split(" ");
  if (TILE.test(verb)) return { player, kind: "play", tile: verb.replace("|", "-"), arm: rest[0] === "beside" ? "" : rest[0] };
  if (verb === "captures") return { player, kind: verb, take: rest[0], tile: rest[2] };
  if (verb === "turns") return { player, kind: verb, tile: rest[0], take: rest[2] ?? "" };
  return { player, kind: verb, tile: rest[0] ?? "", doubles: Number(rest[2] ?? 0) };
}
