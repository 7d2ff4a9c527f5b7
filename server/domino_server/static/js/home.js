// The first page: the tables there are, and a new one step by step.
import { Refused, currentToken, get, takeToken } from "./api.js";
import { announce, byId, el, fill } from "./dom.js";
import { languageSelect, t, tf, useLanguage } from "./i18n.js";
import { startSetup } from "./setup.js";

takeToken("admin");
await useLanguage();
languageSelect(byId("language"));

const house = Boolean(currentToken());
byId("new").hidden = !house;
byId("locked").hidden = house;
byId("new").addEventListener("click", () => startSetup(byId("setup")));
await showTables();

async function showTables() {
  let tables = [];
  try {
    tables = await get("/tables");
  } catch (error) {
    announce(/** @type {Refused} */ (error).message, "warn");
  }
  fill(byId("tables"), ...tables.map(tableRow));
  const none = byId("none");
  none.hidden = tables.length > 0;
  none.textContent = house ? t("home.none") : t("home.none_public");
  if (house && !tables.length) startSetup(byId("setup"));
}

/** @param {any} table */
function tableRow(table) {
  const config = table.config ?? table;
  const id = encodeURIComponent(table.id);
  return el("li", {}, el("a", { class: "table-card", href: `/table/${id}` },
    el("strong", {}, el("bdi", { textContent: table.name })),
    el("span", { class: "soft", textContent: tf("game", config.game ?? "") }),
    el("span", { class: "players" }, (config.seats ?? []).map((/** @type {string} */ seat) => el("bdi", { class: "tag", textContent: seat }))),
    el("span", { class: "chip-state", data: { state: table.phase ?? "" }, textContent: tf("phase", table.phase ?? "stopped") })));
}
