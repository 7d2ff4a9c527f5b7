// The table as the server tells it: one state that follows the stream, and who listens to it.
import { Refused, currentToken } from "./api.js";
import { follow } from "./feed.js";
import { followSocket } from "./socket.js";

/** @typedef {(state: any, event: any) => void} Listener called with each new state and the numbered event behind it */

export class Table {
  /** @param {string} id */
  constructor(id) {
    this.path = `/tables/${encodeURIComponent(id)}`;
    this.state = /** @type {any} */ (null);
    this.connected = false;
    this.role = "viewer";
    this._listeners = /** @type {Listener[]} */ ([]);
    this._lines = /** @type {Array<(up: boolean, problem: Refused | null) => void>} */ ([]);
    this._seen = 0;
  }

  /** Hear of each new state. @param {Listener} listener */
  listen(listener) {
    this._listeners.push(listener);
  }

  /** Hear of the connection coming and going. @param {(up: boolean, problem: Refused | null) => void} listener */
  line(listener) {
    this._lines.push(listener);
  }

  /** Begin to follow what everybody may see; comes back by itself and never ends. */
  watch() {
    return follow(`/api/v1${this.path}/events`, this._ears());
  }

  /** Begin to follow what a keeper or judge sees too. */
  keep() {
    return followSocket(`/api/v1${this.path}/control`, currentToken() ?? "", this._ears());
  }

  _ears() {
    return {
      event: (/** @type {string} */ kind, /** @type {any} */ data, /** @type {any} */ id) => this._take(kind, data, id),
      open: (/** @type {any} */ hello) => {
        this.role = hello?.role ?? this.role;
        this._line(true, null);
      },
      lost: (/** @type {Refused} */ problem) => this._line(false, problem),
    };
  }

  /** @param {string} kind @param {any} data @param {string | number | null} id */
  _take(kind, data, id) {
    if (kind === "snapshot" || kind === "status" || kind === "private") {
      const first = kind === "snapshot" && this.state === null;
      this.state = { ...this.state, ...data };
      if (first) this._seen = Math.max(this._seen, this.state.seq ?? 0);
      this._tell(null);
      return;
    }
    const seq = Number(id ?? data.seq ?? 0);
    if (seq <= this._seen) return; // what was heard before the line was torn
    this._seen = seq;
    if (this.state) this._tell({ ...data, event: kind, seq });
  }

  /** @param {any} event */
  _tell(event) {
    for (const listener of this._listeners) listener(this.state, event);
  }

  /** @param {boolean} up @param {Refused | null} problem */
  _line(up, problem) {
    this.connected = up;
    for (const listener of this._lines) listener(up, problem);
  }
}
