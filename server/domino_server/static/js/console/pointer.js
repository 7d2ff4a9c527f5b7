// A place on the picture, shown with the finger, the mouse or the arrow keys.
import { svg } from "../dom.js";
import { t } from "../i18n.js";

const STEP = 0.02;

export class Pointer {
  /** @param {SVGSVGElement} canvas whose viewBox is in the picture's pixels */
  constructor(canvas) {
    this._canvas = canvas;
    this._done = /** @type {((at: number[] | null) => void) | null} */ (null);
    this._at = [0, 0];
    this.mark = svg("g", { class: "pointer", tabindex: 0, role: "button", "data-own-keys": "" });
    this.mark.append(svg("circle", { class: "ring" }), svg("path", { class: "hair" }));
    canvas.addEventListener("click", (event) => { if (this._done) this._finish(this._placeOf(event)); });
    this.mark.addEventListener("keydown", (/** @type {any} */ event) => this._pressed(event));
    this.mark.style.display = "none";
  }

  /** Whether a place is being asked for. */
  get busy() {
    return this._done !== null;
  }

  /** Ask for a place. @param {[number, number]} size @param {number[] | null} [from] where the cross begins
   * @returns {Promise<number[] | null>} pixels of the picture; null if it was given up */
  point(size, from = null) {
    this._finish(null);
    this._size = size;
    this._at = from ?? [size[0] / 2, size[1] / 2];
    this.mark.style.display = "";
    this.mark.setAttribute("aria-label", t("picture.pointer"));
    this._canvas.append(this.mark);
    this._canvas.classList.add("pointing");
    this._place();
    /** @type {any} */ (this.mark).focus({ preventScroll: false });
    return new Promise((resolve) => { this._done = resolve; });
  }

  /** Give up what was asked for. */
  cancel() {
    this._finish(null);
  }

  _finish(/** @type {number[] | null} */ at) {
    const done = this._done;
    this._done = null;
    /** @type {any} */ (this.mark).blur(); // keys are the page's again
    this.mark.style.display = "none";
    this._canvas.classList.remove("pointing");
    done?.(at);
  }

  /** @param {MouseEvent} event */
  _placeOf(event) {
    const matrix = this._canvas.getScreenCTM();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
    return [Math.round(at.x), Math.round(at.y)];
  }

  /** @param {KeyboardEvent} event */
  _pressed(event) {
    const step = this._size[0] * (event.shiftKey ? STEP / 5 : STEP);
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const move = moves[/** @type {keyof typeof moves} */ (event.key)];
    if (move) this._at = this._at.map((value, axis) => Math.max(0, Math.min(this._size[axis], value + move[axis])));
    else if (event.key === "Enter" || event.key === " ") this._finish(this._at.map(Math.round));
    else if (event.key === "Escape") this._finish(null);
    else return;
    event.preventDefault();
    this._place();
  }

  _place() {
    const [x, y] = this._at;
    const r = Math.max(...(this._size ?? [1000])) / 50;
    const [ring, hair] = this.mark.children;
    ring.setAttribute("cx", String(x));
    ring.setAttribute("cy", String(y));
    ring.setAttribute("r", String(r));
    hair.setAttribute("d", `M${x - 2 * r} ${y}H${x + 2 * r}M${x} ${y - 2 * r}V${y + 2 * r}`);
  }
}
