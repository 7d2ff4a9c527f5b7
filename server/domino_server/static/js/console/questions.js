// What the table cannot tell by itself: crops to look at, answers to tap, and what each answer would change.
import { getBlob, send } from "../api.js";
import { byId, el, fill, nameOf } from "../dom.js";
import { tried } from "../dialogs.js";
import { has, language, t, tf } from "../i18n.js";
import { moveView } from "../moves.js";
import { showBlob } from "../pictures.js";
import { tileOf } from "../tiles.js";

const TILES = /^\d{1,2}-\d{1,2}( \d{1,2}-\d{1,2})*$/;

export class Questions {
  /** @param {import("../model.js").Table} table @param {import("../keys.js").Keys} keys */
  constructor(table, keys) {
    this._table = table;
    this._shown = "";
    for (let n = 1; n <= 9; n += 1) keys.on(String(n), n === 1 ? t("ask.keys") : "", () => this._choose(n - 1));
  }

  /** @param {any} state */
  show(state) {
    const questions = state.questions ?? [];
    showPause(state);
    byId("ask").hidden = !questions.length && !state.pause;
    const key = JSON.stringify(questions);
    if (key === this._shown) return;
    this._shown = key;
    fill(byId("questions"), ...questions.map((/** @type {any} */ question) => this._card(question)));
  }

  /** @param {any} question */
  _card(question) {
    const words = has("question", question.code) ? tf("question", question.code, question.params) : question.text ?? question.code;
    const crops = Array.from({ length: cropsOf(question) }, (_, n) => this._crop(question.code, n, question.tiles?.[n]));
    return el("article", { class: "question", data: { code: question.code } },
      el("h2", { textContent: words }),
      doubtsOf(question),
      !question.doubts?.length && question.text && question.text !== words && question.text !== question.code && el("p", { class: "soft", textContent: question.text }),
      crops.length > 0 && el("div", { class: "crops" }, crops),
      question.choices?.length > 0
        ? el("div", { class: "choices" }, question.choices.map((/** @type {any} */ choice, /** @type {number} */ n) => this._choice(question, choice, n)))
        : el("p", { textContent: t("ask.free") }));
  }

  /** @param {string} code @param {number} n @param {string} tile */
  _crop(code, n, tile) {
    const image = el("img", { class: "crop", alt: tile ? t("ask.crop", { tile }) : t("ask.crop_unread") });
    getBlob(`${this._table.path}/crops/${encodeURIComponent(code)}/${n}.jpg`)
      .then((blob) => showBlob(image, blob), () => image.remove());
    return image;
  }

  /** @param {any} question @param {any} choice @param {number} n */
  _choice(question, choice, n) {
    const odds = typeof choice.odds === "number"
      ? el("span", { class: "odds", textContent: new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 0 }).format(choice.odds) }) : null;
    return el("button", { type: "button", class: "choice", onclick: () => this._answer(question.code, choice.key) },
      el("kbd", { textContent: n + 1, "aria-hidden": "true" }),
      el("span", { class: "what" }, choiceView(question, choice)), odds,
      el("small", {}, changesView(choice.changes)));
  }

  /** @param {number} n */
  _choose(n) {
    const button = /** @type {any} */ (byId("questions").querySelectorAll(".question:first-child .choice")[n]);
    button?.click();
  }

  /** @param {string} code @param {string} key */
  _answer(code, key) {
    return tried(() => send(`${this._table.path}/commands`, { op: "answer", code, key }));
  }
}

/** What is unsure in the picture, each with its tiles. @param {any} question */
function doubtsOf(question) {
  return question.doubts?.length > 0 && el("ul", { class: "doubts" }, question.doubts.map((/** @type {any} */ doubt) =>
    el("li", {}, doubt.tiles.map((/** @type {string} */ tile) => [tile === "?" ? "?" : tileOf(tile), " "]).flat(), doubt.text)));
}

/** @param {any} question */
function cropsOf(question) {
  return Array.isArray(question.crops) ? question.crops.length : question.crops ?? 0;
}

/** @param {any} question @param {any} choice */
function choiceView(question, choice) {
  const text = choice.text || choice.key;
  if (TILES.test(text)) return text.split(" ").map(tileOf);
  if (has("choice", choice.key)) return [tf("choice", choice.key, question.params)];
  const as = /^as:(\d+-\d+)$/.exec(choice.key);
  if (as) return [t("ask.it_is"), tileOf(as[1])];
  if (question.code === "order") return text.split(", ").flatMap((/** @type {string} */ move) => orderStep(move));
  return [el("bdi", { textContent: text })];
}

/** @param {string} move */
function orderStep(move) {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) /.exec(move);
  if (!quoted) return [move];
  const player = quoted[1].startsWith('"') ? JSON.parse(quoted[1]) : quoted[1];
  return [el("span", { class: "step" }, nameOf(player), " ", moveView(move, player))];
}

/** @param {any} changes */
function changesView(changes) {
  const points = Object.entries(changes?.points ?? {}).filter(([, n]) => Number(n));
  const lines = points.map(([side, n]) => t("ask.points", { side, n: Number(n) }));
  if (typeof changes?.legal === "boolean") lines.push(changes.legal ? t("ask.legal") : t("ask.illegal"));
  if (changes?.to_move) lines.push(t("ask.next", { player: changes.to_move }));
  return lines.join(" · ");
}

/** @param {any} state */
function showPause(state) {
  const place = byId("pause");
  const pause = state.pause;
  place.hidden = !pause;
  if (!pause) return;
  fill(place, el("h2", { textContent: t("pause.title") }), el("p", { textContent: has("pause", pause.code) ? tf("pause", pause.code) : pause.text ?? pause.code }),
    pause.expects?.length > 0 && el("p", { class: "row" }, t("pause.expects"), pause.expects.map(tileOf)));
}
