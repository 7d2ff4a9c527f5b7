// A new table in four steps: game and house rules, seats, camera, done.
import { get, send } from "./api.js";
import { cameraField } from "./cameras.js";
import { el, fill } from "./dom.js";
import { labelled, selectOf, tick, tried } from "./dialogs.js";
import { LANGUAGES, language, t, tf } from "./i18n.js";
import { optionFields, readOptions, spoken } from "./options.js";

const STEPS = ["game", "seats", "camera", "ready"];

/** Begin the guided set-up in a section of the page. @param {HTMLElement} place */
export async function startSetup(place) {
  const games = await tried(() => get("/games"));
  if (!games) return;
  const choice = { game: games[0], options: {}, seats: defaultSeats(4), count: 0, name: "", camera: cameraField("push"), language: language() };
  choice.count = usualSeats(choice.game);
  place.hidden = false;
  show(place, 0, choice, games);
  place.scrollIntoView({ block: "nearest" });
}

/** @param {HTMLElement} place @param {number} step @param {any} choice @param {any[]} games */
function show(place, step, choice, games) {
  const go = (/** @type {number} */ to) => show(place, to, choice, games);
  const views = [gameStep, seatStep, cameraStep, readyStep];
  const form = el("form", { onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (step < views.length - 1) go(step + 1);
    else await create(choice);
  } });
  form.append(...views[step](choice, games, go).filter(Boolean), el("p", { class: "row end" },
    step > 0 && el("button", { type: "button", textContent: t("setup.back"), onclick: () => go(step - 1) }),
    el("button", { class: "main", textContent: step < views.length - 1 ? t("setup.next") : t("setup.create") })));
  const heading = el("h2", { id: "setup-title", tabIndex: -1, textContent: `${t("setup.title")}: ${tf("step", STEPS[step])}` });
  const path = el("ol", { class: "steps", "aria-label": t("setup.steps") }, STEPS.map((name, at) => el("li", {
    class: at < step ? "done" : "", ...(at === step ? { "aria-current": "step" } : {}), textContent: tf("step", name) })));
  fill(place, heading, path, form);
  heading.focus();
}

/** @param {any} choice @param {any[]} games @param {(step: number) => void} go */
function gameStep(choice, games, go) {
  const cards = games.map((game) => el("label", { class: "game-card" },
    el("input", { type: "radio", name: "game", value: game.name, checked: game === choice.game, onchange: () => {
      Object.assign(choice, { game, options: {}, count: usualSeats(game) });
      go(0);
    } }),
    el("strong", { textContent: spoken(game.title) || tf("game", game.name) }), el("span", { class: "soft", textContent: tf("about", game.name) })));
  const options = optionFields(choice.game, choice.options);
  options.addEventListener("change", () => { choice.options = readOptions(options); });
  return [el("fieldset", { class: "games" }, el("legend", { textContent: t("setup.which_game") }), cards),
    el("details", { open: Object.keys(choice.options).length > 0 }, el("summary", { textContent: t("setup.options") }),
      el("p", { class: "soft", textContent: t("setup.options_help") }), options)];
}

/** @param {any} choice @param {any[]} games @param {(step: number) => void} go */
function seatStep(choice, games, go) {
  const counts = seatCounts(choice.game);
  const fields = Array.from({ length: choice.count }, (_, at) => labelled(t("setup.seat", { n: at + 1 }),
    el("input", { value: choice.seats[at] ?? "", required: true, maxLength: 60, autocomplete: "off",
      oninput: (/** @type {any} */ event) => { choice.seats[at] = event.target.value; } })));
  return [counts.length > 1 && el("fieldset", { class: "row" }, el("legend", { textContent: t("setup.how_many") }), counts.map((n) =>
    el("label", { class: "tick" }, el("input", { type: "radio", name: "count", value: n, checked: n === choice.count,
      onchange: () => { choice.count = n; go(1); } }), el("span", { textContent: n })))),
  el("p", { class: "soft", textContent: t("setup.seats_help") }),
  el("fieldset", { class: "fields" }, el("legend", { textContent: t("setup.seats") }), fields)];
}

/** @param {any} choice */
function cameraStep(choice) {
  return [el("fieldset", {}, el("legend", { textContent: t("setup.camera") }), choice.camera.field),
    el("p", { class: "soft", textContent: t("setup.camera_help") })];
}

/** @param {any} choice */
function readyStep(choice) {
  const seats = choice.seats.slice(0, choice.count);
  choice.name ||= seats.join(" · ");
  const name = el("input", { value: choice.name, required: true, maxLength: 80, oninput: () => { choice.name = name.value; } });
  const lang = selectOf(Object.entries(LANGUAGES), choice.language, { onchange: () => { choice.language = lang.value; } });
  const tournament = tick(t("settings.tournament"), choice.tournament === true, { onchange: (/** @type {any} */ event) => { choice.tournament = event.target.checked; } });
  const closed = tick(t("settings.public"), choice.public !== false, { onchange: (/** @type {any} */ event) => { choice.public = event.target.checked; } });
  return [el("p", {}, spoken(choice.game.title), " · ", seats.flatMap((/** @type {string} */ seat, /** @type {number} */ at) => [at ? ", " : "", el("bdi", { textContent: seat })])),
    el("div", { class: "fields" }, labelled(t("setup.name"), name), labelled(t("settings.language"), lang)),
    el("fieldset", { class: "ticks" }, el("legend", { textContent: t("settings.who") }), closed, tournament)];
}

/** @param {any} choice */
async function create(choice) {
  choice.camera.stop();
  const made = await tried(() => send("/tables", {
    name: choice.name.trim(), game: choice.game.name, seats: choice.seats.slice(0, choice.count).map((/** @type {string} */ seat) => seat.trim()),
    options: choice.options, source: choice.camera.value() || null, language: choice.language,
    public: choice.public !== false, tournament: choice.tournament === true,
  }));
  if (!made) return;
  await tried(() => send(`/tables/${encodeURIComponent(made.table.id)}/start`));
  location.assign(`/table/${encodeURIComponent(made.table.id)}#token=${made.tokens.keeper}`);
}

/** @param {any} game @returns {number[]} */
function seatCounts(game) {
  return game.seats ?? [2, 3, 4];
}

/** @param {any} game */
function usualSeats(game) {
  const counts = seatCounts(game);
  return game.name === "pincset" && counts.includes(4) ? 4 : counts[0];
}

/** @param {number} n */
function defaultSeats(n) {
  return Array.from({ length: n }, (_, at) => t("setup.player", { n: at + 1 }));
}
