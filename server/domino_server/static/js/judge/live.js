// The live picture with the ghost of the table over it, while it is looked at or something was bumped.
import { getBlob } from "../api.js";
import { announce, byId } from "../dom.js";
import { t } from "../i18n.js";
import { ghostLayer, ghostWords } from "../ghost.js";
import { showBlob } from "../pictures.js";

const LEAST_MS = 400;

export class Live {
  /** @param {import("../model.js").Table} table */
  constructor(table) {
    this._table = table;
    this._number = -1;
    this._loading = false;
    this._said = "";
    byId("live").addEventListener("toggle", () => this.show(table.state));
  }

  /** @param {any} state */
  show(state) {
    const words = ghostWords(state);
    byId("ghost-said").textContent = words;
    if (words && words !== this._said) {
      byId("live").open = true;
      announce(words, "warn");
    } else if (!words && this._said) {
      announce(t("ghost.back"));
    }
    this._said = words;
    if (!byId("live").open || !state) return;
    if (state.picture !== this._number && state.picture) this._load(state.picture);
    const size = state.observation?.size ?? state.camera?.size ?? [1600, 900];
    byId("ghost").setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    byId("ghost").replaceChildren(ghostLayer(state, size));
  }

  /** @param {number} number */
  async _load(number) {
    if (this._loading) return;
    this._loading = true;
    this._number = number;
    try {
      showBlob(byId("live-picture"), await getBlob(`${this._table.path}/picture.jpg?kind=plain`));
      byId("live-picture").alt = t("picture.alt");
      byId("live-picture").hidden = false;
    } catch {
      // the next picture is another try
    }
    setTimeout(() => {
      this._loading = false;
      this.show(this._table.state);
    }, LEAST_MS);
  }
}
