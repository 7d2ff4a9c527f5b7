// The rear camera: opened, held still (focus, exposure, white balance), and its frames as JPEG.
import { el } from "../dom.js";
import { t, tf } from "../i18n.js";

/** What may be locked once the picture has settled. */
const LOCKS = ["focusMode", "exposureMode", "whiteBalanceMode"];
const SETTLE_MS = 3000;
const LONGEST_PX = 1920;
const QUALITY = 0.85;

export class Lens {
  /** @param {HTMLVideoElement} video */
  constructor(video) {
    this._video = video;
    this._canvas = el("canvas");
    this._track = /** @type {any} */ (null);
    this._devices = /** @type {MediaDeviceInfo[]} */ ([]);
  }

  /** Open the rear camera, or another one. @param {string} [deviceId] */
  async open(deviceId) {
    this.close();
    const which = deviceId ? { deviceId: { exact: deviceId } } : { facingMode: { ideal: "environment" } };
    const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 15 } } });
    this._video.srcObject = stream;
    this._track = stream.getVideoTracks()[0];
    await this._video.play().catch(() => null);
    this._devices = (await navigator.mediaDevices.enumerateDevices()).filter((device) => device.kind === "videoinput");
  }

  close() {
    this._track?.stop();
    this._video.srcObject = null;
  }

  /** The frame as it is now; null before the first. @returns {Promise<Blob | null>} */
  frame() {
    const { videoWidth: width, videoHeight: height } = this._video;
    if (!width) return Promise.resolve(null);
    const scale = Math.min(1, LONGEST_PX / Math.max(width, height));
    this._canvas.width = Math.round(width * scale);
    this._canvas.height = Math.round(height * scale);
    this._canvas.getContext("2d")?.drawImage(this._video, 0, 0, this._canvas.width, this._canvas.height);
    return new Promise((resolve) => this._canvas.toBlob(resolve, "image/jpeg", QUALITY));
  }

  /** Buttons for what this camera can do. @param {Record<string, any>} place */
  controls({ lock, torch, turn, locked }) {
    const can = () => this._track.getCapabilities?.() ?? {};
    const holds = () => LOCKS.filter((name) => can()[name]?.includes("manual"));
    const show = (/** @type {string[]} */ held) => {
      lock.hidden = holds().length === 0;
      lock.setAttribute("aria-pressed", String(held.length > 0));
      locked.textContent = holds().length === 0 ? t("cam.no_lock") : held.length ? t("cam.locked", { what: held.map((name) => tf("lock", name)).join(", ") }) : "";
    };
    const hold = async (/** @type {boolean} */ on) => {
      const obeyed = await this._hold(holds(), on);
      show(on ? obeyed : []);
    };
    const settle = () => {
      show([]);
      const track = this._track;
      setTimeout(() => { if (track === this._track && track.readyState === "live") hold(true); }, SETTLE_MS);
    };
    lock.addEventListener("click", () => hold(lock.getAttribute("aria-pressed") !== "true"));
    settle();
    torch.hidden = !can().torch;
    torch.addEventListener("click", () => {
      const on = torch.getAttribute("aria-pressed") !== "true";
      this._track.applyConstraints({ advanced: [{ torch: on }] }).then(() => torch.setAttribute("aria-pressed", String(on)), () => null);
    });
    turn.hidden = this._devices.length < 2;
    turn.addEventListener("click", async () => {
      const now = this._devices.findIndex((device) => device.deviceId === this._track.getSettings().deviceId);
      await this.open(this._devices[(now + 1) % this._devices.length].deviceId);
      settle();
    });
  }

  /** One by one: a camera that refuses one may take the others; those that it took. @param {string[]} names @param {boolean} on */
  async _hold(names, on) {
    const taken = [];
    for (const name of names) {
      const done = this._track.applyConstraints({ advanced: [{ [name]: on ? "manual" : "continuous" }] }).then(() => true, () => false);
      if (await done) taken.push(name);
    }
    return taken;
  }
}
