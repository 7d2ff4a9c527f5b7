// Frames to the server, one at a time: the next goes when the last was taken, so that a slow line never falls behind.
import { Refused } from "../api.js";
import { openSocket } from "../socket.js";

const LEAST_MS = 1000 / 15;
/** A server that takes no frame for so long is gone. */
const PATIENCE_MS = 15_000;
const WAITS_MS = [500, 1000, 2000, 4000, 8000];

export class Pusher {
  /**
   * @param {import("../model.js").Table} table @param {string} token @param {{frame: () => Promise<Blob | null>}} lens
   * @param {{line: (up: boolean, problem: Refused | null) => void, ack: (ack: any, rate: number) => void}} to
   */
  constructor(table, token, lens, to) {
    Object.assign(this, { _path: `/api/v1${table.path}/camera`, _token: token, _lens: lens, _to: to });
    this._stopped = false;
    this._times = /** @type {number[]} */ ([]);
  }

  /** Send until told to stop; a torn line is tied again. */
  async start() {
    for (let failures = 0; !this._stopped; failures += 1) {
      const problem = await this._session(() => { failures = -1; });
      if (this._stopped) return;
      this._to.line(false, problem);
      await pause(WAITS_MS[Math.min(Math.max(failures, 0), WAITS_MS.length - 1)]);
    }
  }

  stop() {
    this._stopped = true;
    this._socket?.close();
  }

  /** @param {() => void} worked @returns {Promise<Refused>} */
  _session(worked) {
    let watch = 0;
    const { socket, ended } = openSocket(this._path, this._token, async (message) => {
      if (message.hello) {
        worked();
        this._to.line(true, null);
      }
      if (message.ack !== undefined) this._to.ack(message, this._rate());
      if (message.hello || message.ack !== undefined) {
        clearTimeout(watch);
        await this._send(socket);
        watch = setTimeout(() => socket.close(), PATIENCE_MS);
      }
    });
    this._socket = socket;
    return ended.finally(() => clearTimeout(watch));
  }

  /** @param {WebSocket} socket */
  async _send(socket) {
    const wait = LEAST_MS - (performance.now() - (this._times.at(-1) ?? 0));
    if (wait > 0) await pause(wait);
    let frame = await this._lens.frame();
    while (!frame && socket.readyState === WebSocket.OPEN) {
      await pause(200);
      frame = await this._lens.frame();
    }
    if (frame && socket.readyState === WebSocket.OPEN) {
      socket.send(frame);
      this._times = [...this._times.slice(-14), performance.now()];
    }
  }

  /** Frames a second, lately. */
  _rate() {
    const first = this._times[0];
    const span = performance.now() - (first ?? 0);
    return span > 0 ? Math.round((1000 * this._times.length) / span) : 0;
  }
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
