/**
 * The connection to the server. It reconnects by itself and sends open requests again.
 * A request keeps its id until it is answered, so the server executes it only once.
 * @typedef {{id: string, t: string, [field: string]: unknown}} Request
 * @typedef {{code: string, message: string}} Refusal
 */

const WAITS = [0.3, 0.7, 1.5, 3, 6, 10];
/** Send a ping after this time without a message, in milliseconds. */
const QUIET = 25_000;
/** Wait this long for the answer before reconnecting. */
const ANSWER = 10_000;
/** The protocol version of this page. */
const PROTOCOL = 1;
/** Close codes of the server. */
const UNAUTHORIZED = 4401;
const SEAT_TAKEN = 4403;
const WRONG_VERSION = 4426;
/** Refusals of a hello that pass. */
const PASSING = new Set(['busy', 'rate_limited', 'closing', 'store_unavailable']);

/** The server refused a request, or the connection was lost (`lost`, without a message). */
export class Refused extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Connection {
  /**
   * @param {() => object} hello makes the first message of each connection
   * @param {(message: any) => void} onMessage
   * @param {(state: 'connecting' | 'open' | 'lost' | 'closed') => void} onState
   * @param {string} [base] the server, if it is not the origin of the page
   */
  constructor(hello, onMessage, onState, base = location.origin) {
    this.hello = hello;
    this.onMessage = onMessage;
    this.onState = onState;
    this.url = `${base.replace(/^http/, 'ws')}/ws/v1`;
    /** @type {Map<string, {message: Request, resolve: (answer: any) => void, reject: (error: Error) => void, keeps: boolean}>} */
    this.waiting = new Map();
    this.tries = 0;
    this.isDone = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    addEventListener('online', () => this.again(0));
    addEventListener('offline', () => {
      const { socket } = this;
      if (!socket) return;
      socket.close();
      this.lost(socket, 1006);
    });
    document.addEventListener('visibilitychange', () => !document.hidden && !this.socket && this.again(0));
    this.open();
  }

  open() {
    if (this.socket || this.isDone) return;
    clearTimeout(this.timer);
    this.onState(this.tries ? 'lost' : 'connecting');
    const socket = new WebSocket(this.url, 'parlour.1');
    this.socket = socket;
    this.heardAt = Date.now();
    socket.onopen = () => {
      this.sendHello();
      this.watch(socket);
    };
    socket.onmessage = (event) => this.take(socket, JSON.parse(event.data));
    socket.onclose = (event) => this.lost(socket, event.code);
  }

  /** Send hello; the server answers with a welcome. */
  sendHello() {
    this.socket?.send(JSON.stringify({ t: 'hello', protocol: PROTOCOL, ...this.hello() }));
  }

  /** @param {WebSocket} socket @param {any} message */
  take(socket, message) {
    if (socket !== this.socket) return;
    this.heardAt = Date.now();
    if (message.t === 'pong') return;
    if (message.t === 'welcome' || message.t === 'tables') {
      this.tries = 0;
      this.onMessage(message);
      this.onState('open');
      for (const { message: asked } of this.waiting.values()) this.send(asked);
      return;
    }
    if (message.t === 'resync') {
      this.sendHello();
      return;
    }
    if (message.t === 'error' && message.id === undefined && PASSING.has(message.code)) {
      socket.close();
      this.lost(socket, 1006); // try again, each time later
      return;
    }
    const asked = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (asked) {
      this.waiting.delete(message.id);
      if (message.t === 'error') asked.reject(new Refused(message.code, message.message));
      else asked.resolve(message);
      if (message.t === 'ack' || message.t === 'error') return;
    }
    this.onMessage(message);
  }

  /** @param {WebSocket} socket @param {number} code */
  lost(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    clearInterval(this.pulse);
    const isOver = code === UNAUTHORIZED || code === WRONG_VERSION;
    for (const [id, { keeps, reject }] of this.waiting) {
      if (keeps && !isOver && code !== SEAT_TAKEN) continue;
      this.waiting.delete(id);
      reject(new Refused('lost', ''));
    }
    if (code === UNAUTHORIZED || code === SEAT_TAKEN) this.onState('closed');
    if (isOver) {
      this.isDone = true;
      return;
    }
    this.again(WAITS[Math.min(this.tries, WAITS.length - 1)]);
    this.tries += 1;
    if (code !== SEAT_TAKEN) this.onState('lost');
  }

  /** @param {number} seconds */
  again(seconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), seconds * 1000);
  }

  /** Detect a dead connection by pings. @param {WebSocket} socket */
  watch(socket) {
    clearInterval(this.pulse);
    this.pulse = setInterval(() => {
      const quiet = Date.now() - (this.heardAt || 0);
      if (quiet > QUIET + ANSWER) {
        socket.close();
        this.lost(socket, 1006);
      } else if (quiet > QUIET && socket.readyState === WebSocket.OPEN) socket.send(`{"t":"ping","at":${Date.now()}}`);
    }, 5000);
  }

  /** @param {Request} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /**
   * Send a request. @param {string} t @param {object} body
   * @param {boolean} [keeps] send it again after a reconnect instead of rejecting it
   * @returns {Promise<any>} the answer; rejects with `Refused`
   */
  ask(t, body, keeps = false) {
    const id = crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2);
    const message = { t, id, ...body };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { message, resolve, reject, keeps });
      if (!keeps && this.socket?.readyState !== WebSocket.OPEN) {
        this.waiting.delete(id);
        reject(new Refused('lost', ''));
      } else this.send(message);
    });
  }

  close() {
    this.isDone = true;
    this.socket?.close();
  }
}
