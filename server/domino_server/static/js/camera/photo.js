// Photo mode: where a page may not open the camera, the phone's own camera takes each picture.
import { send } from "../api.js";
import { byId } from "../dom.js";
import { t } from "../i18n.js";
import { showBlob, whenChosen } from "../pictures.js";

/** @param {import("../model.js").Table} table @param {string} why */
export function photoMode(table, why) {
  byId("photo").hidden = false;
  byId("why").textContent = why;
  const said = byId("photo-said");
  whenChosen(byId("file"), async ([picture]) => {
    showBlob(byId("shot"), picture);
    byId("shot").alt = t("cam.shot");
    byId("shot").hidden = false;
    said.textContent = t("cam.sending_photo");
    const form = new FormData();
    form.append("picture", picture);
    try {
      await send(`${table.path}/photo`, form);
      said.textContent = t("cam.photo_taken");
    } catch (error) {
      said.textContent = /** @type {Error} */ (error).message;
    }
  });
}
