// Count these tiles: photographs in, pips out, without a game. What is misread can be put right.
import { send, takeToken } from "./api.js";
import { byId, el, fill } from "./dom.js";
import { languageSelect, t, useLanguage } from "./i18n.js";
import { boxesOver, whenChosen } from "./pictures.js";
import { tileList } from "./pick_tile.js";
import { pipsOf } from "./tiles.js";

takeToken("count", true);
await useLanguage();
languageSelect(byId("language"));
document.title = `${t("count.title")} · dominotable`;

const hands = /** @type {Array<{id: number, tiles: string[], view: HTMLElement}>} */ ([]);
let made = 0;

whenChosen(byId("file"), async (pictures) => {
  byId("said").textContent = t("count.reading");
  for (const picture of pictures) await count(picture);
});

/** @param {File} picture */
async function count(picture) {
  const form = new FormData();
  form.append("picture", picture);
  try {
    const { hands: found } = await send("/count", form);
    for (const hand of found) add(hand, picture);
    byId("said").textContent = found.some((/** @type {any} */ hand) => hand.tiles.length) ? "" : t("count.nothing");
  } catch (error) {
    byId("said").textContent = `${picture.name}: ${/** @type {Error} */ (error).message}`;
  }
}

/** @param {any} found @param {File} picture */
function add(found, picture) {
  made += 1;
  const hand = { id: made, tiles: found.tiles, view: el("article", { class: "counted" }) };
  const sum = el("strong", { class: "pips", textContent: t("hands.pips", { n: pipsOf(found.tiles) }) });
  const address = URL.createObjectURL(picture);
  const drop = el("button", { type: "button", class: "quiet", textContent: t("count.drop"), onclick: () => {
    hands.splice(hands.indexOf(hand), 1);
    URL.revokeObjectURL(address);
    hand.view.remove();
    total();
  } });
  hand.view.append(
    el("header", {}, el("h2", { textContent: t("count.picture", { n: hand.id }) }), sum, drop),
    el("figure", { class: "stage" }, el("img", { src: address, alt: t("count.alt", { n: found.tiles.length }) }), found.boxes?.length ? boxesOver(found.size, found.boxes) : null),
    tileList(found.set ?? null, hand.tiles, (tiles) => {
      hand.tiles = tiles;
      sum.textContent = t("hands.pips", { n: pipsOf(tiles) });
      total();
    }));
  hands.push(hand);
  byId("hands").prepend(hand.view);
  total();
}

function total() {
  const tiles = hands.flatMap((hand) => hand.tiles);
  const place = byId("total");
  place.hidden = hands.length === 0;
  fill(place, el("strong", { textContent: t("hands.pips", { n: pipsOf(tiles) }) }), el("span", { textContent: t("board.tiles", { n: tiles.length }) }));
}
