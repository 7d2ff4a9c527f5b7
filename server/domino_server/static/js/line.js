// The connection, said in words: quiet while it stands, plain when it is torn, and when it is back.
import { byId } from "./dom.js";
import { t } from "./i18n.js";

/** Show in #line whether the table is followed. @param {import("./model.js").Table} table */
export function showLine(table) {
  const place = byId("line");
  let was = /** @type {boolean | null} */ (null);
  table.line((up, problem) => {
    if (up === was) return;
    const refused = problem && problem.status >= 400;
    place.dataset.up = String(up);
    place.textContent = up ? (was === false ? t("line.back") : "") : refused ? problem.message : t("line.lost");
    if (up) setTimeout(() => { if (table.connected) place.textContent = ""; }, 4000);
    was = up;
  });
}
