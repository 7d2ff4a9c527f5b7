// What a table is set up with: names, house options with what they mean, camera, language, who may see it.
import { Refused, get, getBlob, send } from "../api.js";
import { announce, el, fill } from "../dom.js";
import { labelled, openDialog, selectOf, tick, tried } from "../dialogs.js";
import { LANGUAGES, t } from "../i18n.js";
import { cameraField } from "../cameras.js";
import { optionFields, readOptions } from "../options.js";

/** @param {import("../model.js").Table} table */
export async function openSettings(table) {
  const [row, games] = await Promise.all([get(table.path), get("/games")]).catch((error) => {
    announce(/** @type {Refused} */ (error).message, "warn");
    return [null, null];
  });
  if (!row) return;
  const config = { private_evidence: true, ...(row.config ?? row) };
  const game = games.find((/** @type {any} */ one) => one.name === config.game);
  await openDialog(t("settings.title"), (close) => form(table, row, config, game, close), "wide");
}

/** @param {import("../model.js").Table} table @param {any} row @param {any} config @param {any} game @param {() => void} close */
function form(table, row, config, game, close) {
  const name = el("input", { value: row.name, required: true, maxLength: 80 });
  const seats = config.seats.map((/** @type {string} */ seat) => el("input", { value: seat, required: true, maxLength: 60 }));
  const lang = selectOf(Object.entries(LANGUAGES), config.language);
  const delay = el("input", { type: "number", min: 0, max: 3600, step: 0.5, value: config.delay_s ?? 0 });
  const camera = cameraField(config.source ?? "");
  const open = tick(t("settings.public"), config.public !== false);
  const tournament = tick(t("settings.tournament"), config.tournament === true);
  const room = tick(t("settings.private_evidence"), config.private_evidence);
  const options = game ? optionFields(game, config.options ?? {}) : null;
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    camera.stop(); // the table is to open it
    const wanted = { language: lang.value, delay_s: Number(delay.value), source: camera.value() || null,
      public: open.querySelector("input").checked, tournament: tournament.querySelector("input").checked,
      private_evidence: room.querySelector("input").checked };
    const changes = Object.fromEntries(Object.entries(wanted).filter(([key, value]) => value !== (config[key] ?? null)));
    const names = seats.map((/** @type {any} */ seat) => seat.value.trim());
    const chosen = options ? readOptions(options) : {};
    const done = await tried(async () => {
      await send(table.path, { name: name.value.trim(), config: changes }, "PATCH");
      if (names.some((/** @type {string} */ one, /** @type {number} */ i) => one !== config.seats[i])) await tell(table, { op: "seats", names });
      if (JSON.stringify(chosen) !== JSON.stringify(config.options ?? {})) await tell(table, { op: "options", options: chosen });
    });
    if (done) close();
  };
  return el("form", { onsubmit: save },
    el("div", { class: "fields" }, labelled(t("setup.name"), name), labelled(t("settings.language"), lang), labelled(t("settings.delay"), delay, t("settings.delay_help"))),
    el("fieldset", { class: "fields" }, el("legend", { textContent: t("setup.seats") }), seats.map((/** @type {any} */ seat, /** @type {number} */ i) => labelled(t("setup.seat", { n: i + 1 }), seat))),
    el("fieldset", {}, el("legend", { textContent: t("setup.camera") }), camera.field),
    el("fieldset", { class: "ticks" }, el("legend", { textContent: t("settings.who") }), open, tournament, room),
    options && el("details", {}, el("summary", { textContent: t("setup.options") }), el("p", { class: "soft", textContent: t("settings.options_help") }), options),
    el("p", { class: "row end" }, phaseButtons(table, close), el("button", { class: "main", textContent: t("action.save") })));
}

/** @param {import("../model.js").Table} table @param {() => void} close */
function phaseButtons(table, close) {
  const running = table.state.phase === "running";
  const button = (/** @type {string} */ words, /** @type {string} */ what) => el("button", { type: "button", textContent: words, onclick: async () => {
    if (await tried(() => send(`${table.path}/${what}`))) close();
  } });
  const place = el("span", { class: "row" });
  fill(place, running ? button(t("settings.stop"), "stop") : button(t("settings.start"), "start"),
    !running && button(t("settings.archive"), "archive"),
    el("button", { type: "button", textContent: t("settings.export"), onclick: () => tried(() => download(table)) }));
  return place;
}

/** @param {import("../model.js").Table} table */
async function download(table) {
  const link = el("a", { href: URL.createObjectURL(await getBlob(`${table.path}/export`)), download: `${table.state.name || table.state.id}.zip` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {import("../model.js").Table} table @param {any} command */
function tell(table, command) {
  return send(`${table.path}/commands`, command);
}
