/**
 * The connection to a table: it comes back by itself, and nothing that was asked is lost.
 * A request keeps its id until it is answered; after a break it is asked again, and the server
 * does not do it twice.
 * @typedef {{id: string, t: string, [field: string]: unknown}} Request
 * @typedef {{code: string, message: string}} Refusal
 */

const WAITS = [0.3, 0.7, 1.5, 3, 6, 10];
const QUIET = 25_000;
const DEAF = 10_000;
/** The version of the protocol that this page speaks. */
const PROTOCOL = 1;
/** Close codes of the server. */
const UNAUTHORIZED = 4401;
const SEAT_TAKEN = 4403;
const WRONG_VERSION = 4426;

/** What the server refused, with its own sentence. */
export class Refused extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Connection {
  /**
   * @param {() => object} hello what to say first, each time
   * @param {(message: any) => void} hear
   * @param {(state: 'connecting' | 'open' | 'lost' | 'closed') => void} show
   * @param {string} [base] the server, if it is not the page's own
   */
  constructor(hello, hear, show, base = location.origin) {
    this.hello = hello;
    this.hear = hear;
    this.show = show;
    this.url = `${base.replace(/^http/, 'ws')}/ws/v1`;
    /** @type {Map<string, {message: Request, resolve: (answer: any) => void, reject: (error: Error) => void, keeps: boolean}>} */
    this.waiting = new Map();
    this.tries = 0;
    this.isDone = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    addEventListener('online', () => this.again(0));
    document.addEventListener('visibilitychange', () => !document.hidden && !this.socket && this.again(0));
    this.open();
  }

  open() {
    if (this.socket || this.isDone) return;
    clearTimeout(this.timer);
    this.show(this.tries ? 'lost' : 'connecting');
    const socket = new WebSocket(this.url, 'parlour.1');
    this.socket = socket;
    this.heardAt = Date.now();
    socket.onopen = () => {
      this.greet();
      this.watch(socket);
    };
    socket.onmessage = (event) => this.take(socket, JSON.parse(event.data));
    socket.onclose = (event) => this.lost(socket, event.code);
  }

  /** Say hello: the server answers with a welcome. */
  greet() {
    this.socket?.send(JSON.stringify({ t: 'hello', protocol: PROTOCOL, ...this.hello() }));
  }

  /** @param {WebSocket} socket @param {any} message */
  take(socket, message) {
    if (socket !== this.socket) return;
    this.heardAt = Date.now();
    if (message.t === 'pong') return;
    if (message.t === 'welcome' || message.t === 'tables') {
      this.tries = 0;
      this.hear(message);
      this.show('open');
      for (const { message: asked } of this.waiting.values()) this.send(asked);
      return;
    }
    if (message.t === 'resync') {
      this.greet();
      return;
    }
    const asked = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (asked) {
      this.waiting.delete(message.id);
      if (message.t === 'error') asked.reject(new Refused(message.code, message.message));
      else asked.resolve(message);
      if (message.t === 'ack' || message.t === 'error') return;
    }
    this.hear(message);
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
    if (code === UNAUTHORIZED || code === SEAT_TAKEN) this.show('closed');
    if (isOver) {
      this.isDone = true;
      return;
    }
    this.again(WAITS[Math.min(this.tries, WAITS.length - 1)]);
    this.tries += 1;
    if (code !== SEAT_TAKEN) this.show('lost');
  }

  /** @param {number} seconds */
  again(seconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), seconds * 1000);
  }

  /** Notice a line that is dead without having said so. @param {WebSocket} socket */
  watch(socket) {
    clearInterval(this.pulse);
    this.pulse = setInterval(() => {
      const quiet = Date.now() - (this.heardAt || 0);
      if (quiet > QUIET + DEAF) {
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
   * Ask for something. @param {string} t @param {object} body
   * @param {boolean} [keeps] whether to ask again after a break; otherwise it is rejected then
   * @returns {Promise<any>} the answer; `Refused`
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
