// Camera check: what the camera has learned of its table by itself, step by step, and what is still needed.
import { byId, el, fill } from "../dom.js";
import { openDialog } from "../dialogs.js";
import { language, t, tf } from "../i18n.js";

export class Calibration {
  /** @param {import("../model.js").Table} table @param {import("../keys.js").Keys} keys */
  constructor(table, keys) {
    this._table = table;
    this._list = el("ol", { class: "checks" });
    byId("calibration").addEventListener("click", () => this._open());
    keys.on("i", t("calib.title"), () => this._open());
  }

  /** @param {any} state */
  show(state) {
    if (!this._list.isConnected) return;
    fill(this._list, checksOf(state).map((check) => el("li", { data: { done: String(check.done) } },
      el("span", { class: "mark", "aria-hidden": "true", textContent: check.done ? "✓" : "○" }),
      el("span", {}, el("strong", { textContent: tf("calib_step", check.name) }),
        el("span", { class: "unseen", textContent: ` (${check.done ? t("calib.done") : t("calib.open")})` }),
        el("small", { textContent: check.text })))));
  }

  async _open() {
    if (this._table.role === "judge") return; // what it leads to is for those who keep the table
    const opened = openDialog(t("calib.title"), (close) => [
      el("p", { class: "soft", textContent: t("calib.help") }), this._list,
      el("p", { class: "row end" },
        el("button", { type: "button", textContent: t("zones.draw"), onclick: () => { close(); byId("draw-zones").click(); } }),
        el("button", { type: "button", textContent: t("own.title"), onclick: () => { close(); byId("own-tiles").click(); } }))]);
    this.show(this._table.state);
    await opened;
  }
}

/** Why no picture comes. @param {any} state */
function cameraText(state) {
  const known = state.phase === "running" && ["waiting", "lost", "ended"].includes(state.camera?.state);
  return known ? tf("camera", state.camera.state) : t("calib.camera_no");
}

/** What is known of the table, from its state alone. @param {any} state */
function checksOf(state) {
  const camera = state.camera ?? {};
  const known = { tiles: 0, mm_per_px: null, zones: "none", ...state.calibration };
  const live = state.phase === "running" && camera.state === "live";
  const shown = state.phase === "running" && camera.state === "ended"; // a film or a folder has given all that it has
  const scale = known.mm_per_px === null ? "" : new Intl.NumberFormat(language(), { maximumSignificantDigits: 2 }).format(known.mm_per_px);
  return [
    { name: "camera", done: live || shown, text: live && camera.size ? t("calib.camera_yes", { width: camera.size[0], height: camera.size[1] }) : live ? "" : cameraText(state) },
    { name: "tiles", done: known.tiles > 0, text: known.tiles > 0 ? t("calib.tiles_yes", { n: known.tiles }) : t("calib.tiles_no") },
    { name: "scale", done: known.mm_per_px !== null, text: known.mm_per_px !== null ? t("calib.scale_yes", { mm: scale }) : t("calib.scale_no") },
    { name: "zones", done: known.zones !== "none", text: tf("calib_zones", known.zones) },
  ];
}
