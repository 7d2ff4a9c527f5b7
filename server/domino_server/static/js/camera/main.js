// A phone as the table's camera: live where the browser allows it, photographs where it does not.
import { tableId, takeToken } from "../api.js";
import { byId, fill } from "../dom.js";
import { languageSelect, t, tf, useLanguage } from "../i18n.js";
import { Table } from "../model.js";
import { scoreView } from "../console/score.js";
import { showBlob } from "../pictures.js";
import { Lens } from "./lens.js";
import { photoMode } from "./photo.js";
import { Pusher } from "./pusher.js";

const id = tableId();
const token = takeToken(`camera/${id}`) ?? "";
await useLanguage();
languageSelect(byId("language"));
document.title = `${t("cam.title")} · dominotable`;

const table = new Table(id);
let drawn = "";
table.listen((state) => {
  showSettle(state.settle?.state ?? "", state.settle?.text ?? "");
  fill(byId("score"), ...scoreView(state));
  showLayout(state);
});
table.watch();
await begin();

async function begin() {
  if (!navigator.mediaDevices?.getUserMedia) {
    photoMode(table, t("cam.no_live"));
    return;
  }
  const lens = new Lens(byId("video"));
  try {
    await lens.open();
  } catch (error) {
    const denied = /** @type {Error} */ (error).name === "NotAllowedError";
    photoMode(table, denied ? t("cam.denied") : t("cam.none"));
    return;
  }
  byId("live").hidden = false;
  lens.controls({ lock: byId("lock"), torch: byId("torch"), turn: byId("turn"), locked: byId("locked") });
  const pusher = new Pusher(table, token, lens, {
    line: (up, problem) => {
      byId("line").dataset.up = String(up);
      byId("line").textContent = up ? t("cam.sending") : problem && problem.status >= 400 ? problem.message : t("line.lost");
    },
    ack: (ack, rate) => {
      showSettle(ack.state, "");
      byId("sent").textContent = t("cam.rate", { n: rate });
    },
  });
  const mode = byId("mode");
  mode.hidden = false;
  mode.addEventListener("click", () => {
    pusher.stop();
    lens.close();
    byId("live").hidden = true;
    for (const name of ["lock", "torch", "turn", "mode"]) byId(name).hidden = true;
    photoMode(table, t("cam.photo_chosen"));
  });
  keepAwake();
  pusher.start();
}

/** @param {string} state @param {string} more */
function showSettle(state, more) {
  const place = byId("settle");
  const words = state ? tf("settle", state) : t("cam.waiting");
  if (place.firstChild?.textContent !== words) place.textContent = words;
  place.dataset.state = state;
  place.title = more;
}

/** @param {any} state */
async function showLayout(state) {
  const key = `${state.hand} ${state.layout?.text}`;
  if (key === drawn || !state.layout?.text) return;
  drawn = key;
  const answer = await fetch(`/api/v1${table.path}/layout.svg`, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  showBlob(byId("layout"), await answer.blob());
  byId("layout").alt = t("layout.title");
  byId("layout").hidden = false;
}

/** The screen stays on while the phone looks at the table. */
async function keepAwake() {
  const ask = () => navigator.wakeLock?.request("screen").catch(() => null);
  await ask();
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") ask(); });
}
