// One entry in full: what was seen, by which rule, how sure that is, and what the score would be either way.
import { el, fill, nameOf, byId } from "../dom.js";
import { language, t, tf } from "../i18n.js";
import { tileOf } from "../tiles.js";
import { pictureOf, save } from "./evidence.js";
import { headOf, sayOf } from "./strip.js";

const CROP = 240;

/** @param {string} path of the table @param {any} entry @param {any} hand @param {boolean} urgent whether the page says already what the alert is about */
export function showAbout(path, entry, hand, urgent) {
  const move = entry.holds ? hand.moves[entry.moves[0] - 1] : null;
  fill(byId("about"),
    el("h2", {}, headOf(entry)),
    el("p", { class: "row" }, entry.player && nameOf(entry.player), el("span", { textContent: sayOf(entry) }), entry.tile && tileOf(entry.tile),
      entry.said && !entry.holds && el("span", { class: "badge", textContent: t("judge.gone") }),
      move && move.known !== "seen" && el("span", { class: "badge", textContent: tf("known", move.known) })),
    entry.before && entry.text && el("p", { class: "soft", textContent: t("judge.was", { before: entry.before }) }),
    move?.scores.length > 0 && el("ul", { class: "scores" }, move.scores.map((/** @type {string} */ score) => el("li", { textContent: score }))),
    entry.alert ? !urgent && alertBody(entry.alert) : typeof entry.odds === "number" && el("p", { textContent: t("judge.odds", { odds: percent(entry.odds) }) }),
    entry.ruling && rulingBody(entry.ruling),
    entry.crops.length > 0 && el("div", { class: "crops" }, entry.crops.map((/** @type {string} */ name) => crop(path, name))),
    entry.clip && clipOf(path, entry));
}

let shownClip = /** @type {any} */ (null);

/** The clip, to be played and saved; the one that is shown goes on when the entry is shown anew. @param {string} path @param {any} entry */
function clipOf(path, entry) {
  const name = `${entry.seq}${entry.clip.slice(entry.clip.lastIndexOf("."))}`;
  if (shownClip?.dataset.name === entry.clip) return shownClip;
  shownClip = el("div", { class: "clip", data: { name: entry.clip } }, playerOf(path, entry.clip),
    el("p", {}, el("button", { type: "button", class: "quiet", textContent: t("judge.save_clip"), onclick: () => save(`${path}/judge/evidence/${entry.clip}`, name) })));
  return shownClip;
}

/** @param {string} path @param {string} name */
function playerOf(path, name) {
  const video = el("video", { controls: true, muted: true, loop: true, playsInline: true, preload: "auto", "aria-label": t("judge.clip") });
  video.addEventListener("error", () => { video.hidden = true; }); // one of an earlier version that no browser plays can be saved
  pictureOf(path, name).then((url) => { video.src = url; }, () => { video.hidden = true; });
  return video;
}

/** @param {string} path @param {string} name */
function crop(path, name) {
  const image = el("img", { class: "crop", alt: t("judge.crop") });
  pictureOf(path, name, CROP).then((url) => { image.src = url; }, () => image.remove());
  return image;
}

/** What an alert says besides its title. @param {any} alert */
export function alertBody(alert) {
  return el("div", { class: "alert-body" },
    el("p", {}, el("strong", { textContent: alert.certainty }), alert.odds && ` · ${alert.odds}`),
    alert.rule && el("p", { class: "soft", textContent: t("judge.rule", { rule: alert.rule }) }),
    alert.outcomes?.length > 0 && el("table", { class: "outcomes" },
      el("caption", { textContent: t("judge.either_way") }),
      el("tbody", {}, alert.outcomes.map((/** @type {any} */ outcome) => el("tr", {},
        el("th", { scope: "row", textContent: outcome.text }),
        el("td", { textContent: typeof outcome.odds === "number" ? percent(outcome.odds) : "" }),
        el("td", {}, totalsOf(outcome.totals)))))));
}

/** @param {any} ruling */
function rulingBody(ruling) {
  return el("p", { class: "row" }, totalsOf(ruling.before), " → ", totalsOf(ruling.after));
}

/** @param {Record<string, number> | null} totals */
export function totalsOf(totals) {
  if (!totals) return "–";
  return el("span", { class: "totals" }, Object.entries(totals).map(([side, n]) => el("span", {}, nameOf(side), ` ${new Intl.NumberFormat(language()).format(n)}`)));
}

/** @param {number} share */
export function percent(share) {
  return new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 1 }).format(share);
}
