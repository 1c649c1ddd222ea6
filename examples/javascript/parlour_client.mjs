/**
 * A client for `parlour serve` in one file without dependencies, for browsers, node, deno and bun.
 *
 *     import { Server } from './parlour_client.mjs';
 *     const server = new Server('http://127.0.0.1:8000');
 *     const table = await server.create({ game: 'octa', seats: ['me', 1] });
 *     while (await table.turn()) await table.play(table.view.scene.actions[0].id);
 *     console.log(table.view.ending.words);
 *
 * Requests are idempotent: each has an id and is sent again with it, over a new socket if necessary,
 * until it is answered; the server executes it once. `Conversation` does no I/O;
 * `Table` gives it a socket. Node before 22 has no WebSocket: start it with
 * `--experimental-websocket`, or pass that of the package `ws`: `new Server(url, { WebSocket })`.
 */

/** A refusal of the server, or a failed connection: a code and a message. */
export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

// Scenes: a palette of distinct cells, indices into it, and changes.

const CELL = { owner: -1, colour: '', face: '', sign: '', marks: [], piece: 0, number: 0 };
const NO_BOARD = { rows: 0, cols: 0, row_names: [], col_names: [] };
const cellOf = (wire) => ({ ...CELL, ...wire });
const boardOf = (wire) => ({ shape: 'square', holes: [], points: [], links: [], pieces: [], ...wire });
/** An item of a tray is a text or a cell. */
const seatsOf = (wire) => wire.map((seat) => ({ score: '', tray: [], ...seat }));
const actionsOf = (wire) => wire.map(([id, text, cells, group, also]) => ({ id, text, cells, group, also }));

class BadScene extends Error {}

/** Decodes scenes; each one is a new value. */
export class SceneReceiver {
  constructor() {
    this.palette = [];
    this.places = [];
    this.scene = { board: boardOf(NO_BOARD), cells: [], seats: [], status: '', actor: -2, actors: [], actions: [] };
  }

  /** Returns the scene after a message with a scene, a diff or neither. */
  take(full, diff) {
    if (full) this.takeFull(full);
    else if (diff) this.takeDiff(diff);
    return this.scene;
  }

  takeFull(full) {
    const palette = full.palette.map(cellOf);
    const board = full.board ? boardOf(full.board) : this.scene.board;
    if (full.cells.length !== board.rows * board.cols) throw new BadScene('the cells do not fill the board');
    this.show(palette, full.cells, {
      board,
      seats: seatsOf(full.seats),
      status: full.status,
      actor: full.actor,
      actors: full.actors || [],
      actions: actionsOf(full.actions || []),
    });
  }

  takeDiff(diff) {
    const palette = [...this.palette, ...(diff['palette+'] || []).map(cellOf)];
    const places = this.places.slice();
    for (const [cell, place] of diff.cells || []) {
      if (!(cell in places)) throw new BadScene('a change is not on the board');
      places[cell] = place;
    }
    const { board, seats, status, actor, actors, actions } = this.scene;
    this.show(palette, places, {
      board,
      seats: diff.seats ? seatsOf(diff.seats) : seats,
      status: diff.status ?? status,
      actor: diff.actor ?? actor,
      actors: diff.actors ?? actors,
      actions: diff.actions ? actionsOf(diff.actions) : actions,
    });
  }

  show(palette, places, rest) {
    const cells = places.map((place) => palette[place]);
    if (cells.includes(undefined)) throw new BadScene('a cell is not in the palette');
    this.palette = palette;
    this.places = places;
    this.scene = { ...rest, cells };
  }
}

// The state of a table: a value that stores the server's last message.

/** The protocol version of this client. */
const PROTOCOL = 1;
const SAID_KEPT = 50;
const PASSING = new Set(['rate_limited', 'closing', 'store_unavailable', 'busy']);

/** Default values of missing fields. */
const STANDING = { actor: -2, actors: [], clocks: null, ending: null, remark: '', rematch: '', position: null };

/** Returns the fields of a view that a standing replaces. */
const stored = (standing) => ({ ...STANDING, ...standing, offers: { draw: [], takeback: [], rematch: [], ...standing.offers } });

const viewOf = (welcome, scene) => ({
  table: welcome.table,
  game: welcome.game,
  title: welcome.title,
  options: welcome.options,
  you: welcome.you ?? null,
  commitment: welcome.commitment,
  control: welcome.control || '',
  scene: welcome.scene ? scene : null,
  history: welcome.history || [],
  start: welcome.start ?? null,
  said: welcome.said || [],
  rematch_of: welcome.rematch_of || '',
  present: [],
  watchers: 0,
  thinking: null,
  premove: null,
  ...stored(welcome.standing),
});

const after = (view, { events, standing, line = 0, scene, diff, start }, next) => ({
  ...view,
  history: [...view.history.slice(0, standing.ply - line), ...events.slice(events.length - line)],
  scene: scene || diff ? next : view.scene,
  start: start ?? view.start,
  thinking: null,
  ...stored(standing),
});

/**
 * The client's side of the protocol at one table, without I/O.
 *
 * For a new connection, call `connected`, send the contents of `outgoing`, and pass each incoming text
 * to `hear`. It returns results with a `kind`: `news` (an `event`), `talk`
 * (`spoken`), `changed`, `answered` (`id`, `v`), `failed` (`id`, `error`), `later` (`id`, `seconds`,
 * `error`: ask `again` then), `renew` (open a new connection after `seconds`) and `ended` (`error`: a
 * new connection would not help).
 */
export class Conversation {
  constructor(table, token = '') {
    this.table = table;
    this.token = token;
    /** The table's state; `null` before the welcome. */
    this.view = null;
    this.outgoing = [];
    this.requests = new Map();
    this.settling = new Map();
    this.scenes = new SceneReceiver();
    this.begin();
  }

  begin() {
    this.outgoing.length = 0;
    this.isWelcome = this.isDoneWith = false;
  }

  connected() {
    this.begin();
    const known = this.view ? { v: this.view.v } : {};
    this.send({ t: 'hello', protocol: PROTOCOL, table: this.table, token: this.token, ...known });
  }

  /** Sends a request with an `id`, now or as soon as there is a connection. */
  ask(request) {
    this.requests.set(request.id, request);
    this.again(request.id);
  }

  again(id) {
    if (this.isWelcome && this.requests.has(id)) this.send(this.requests.get(id));
  }

  drop(id) {
    this.requests.delete(id);
    this.settling.delete(id);
  }

  send(message) {
    this.outgoing.push(JSON.stringify(message));
  }

  hear(text) {
    if (this.isDoneWith) return [];
    let heard;
    try {
      heard = this.take(JSON.parse(text));
    } catch (error) {
      if (error instanceof BadScene) heard = [{ kind: 'renew', reason: error.message }];
      else if (error instanceof SyntaxError) heard = [{ kind: 'ended', error: new Refused('bad_message', 'the server does not speak JSON') }];
      else throw error;
    }
    this.isDoneWith = heard.some(({ kind }) => kind === 'renew' || kind === 'ended');
    return heard;
  }

  take(message) {
    if (message.t === 'welcome') return this.takeWelcome(message);
    if (message.t === 'error') return this.takeError(message);
    if (message.t === 'closing') return [{ kind: 'renew', reason: 'the server shuts down', seconds: message.retry_after }];
    if (message.t === 'resync') return [{ kind: 'renew', reason: message.reason }];
    if (!this.isWelcome) return [];
    if (message.t === 'update') return this.takeUpdate(message);
    if (message.t === 'ack') {
      if (!this.requests.has(message.id)) return [];
      this.settling.set(message.id, message.v);
      return this.settled();
    }
    return this.takeAside(message);
  }

  takeWelcome(welcome) {
    if (welcome.protocol !== PROTOCOL) {
      const message = `this client speaks version ${PROTOCOL} of the protocol, the server version ${welcome.protocol}: update the older one`;
      return [{ kind: 'ended', error: new Refused('version', message) }];
    }
    const known = this.view?.v ?? Infinity;
    // A duplicated message may be old.
    if (this.isWelcome && welcome.standing.v < known) return [];
    const scenes = new SceneReceiver();
    this.view = viewOf(welcome, scenes.take(welcome.scene));
    this.scenes = scenes;
    if (!this.isWelcome) {
      this.isWelcome = true;
      for (const id of this.requests.keys()) this.again(id);
    }
    const news = (welcome.missed || []).filter(({ v }) => v > known).map((event) => ({ kind: 'news', event }));
    return [{ kind: 'changed' }, ...news, ...this.settled()];
  }

  takeUpdate(update) {
    const { view } = this;
    if (update.standing.v <= view.v) return [];
    if (update.events[0].v !== view.v + 1) return [{ kind: 'renew', reason: `version ${view.v + 1} is missing` }];
    this.view = after(view, update, this.scenes.take(update.scene, update.diff));
    return [...update.events.map((event) => ({ kind: 'news', event })), ...this.settled()];
  }

  /** Returns the executed requests whose events have all arrived. */
  settled() {
    const done = [...this.settling].filter(([, v]) => v <= this.view.v);
    for (const [id] of done) this.drop(id);
    return done.map(([id, v]) => ({ kind: 'answered', id, v }));
  }

  takeError(message) {
    const { id, code } = message;
    const error = new Refused(code, message.message);
    const seconds = message.retry_after;
    if (id === undefined) {
      if (this.isWelcome) return [];
      return [PASSING.has(code) ? { kind: 'renew', reason: message.message, seconds } : { kind: 'ended', error }];
    }
    if (!this.requests.has(id) || this.settling.has(id)) return [];
    if (PASSING.has(code)) return [{ kind: 'later', id, seconds: seconds || 1, error }];
    this.drop(id);
    return [{ kind: 'failed', id, error }];
  }

  /** Handles messages that are not events. */
  takeAside(message) {
    const { t, seat, name, text } = message;
    const spoken = { seat, name, text };
    let changed;
    if (t === 'say') changed = { said: [...this.view.said, spoken].slice(-SAID_KEPT) };
    else if (t === 'presence') changed = { present: message.seats, watchers: message.watchers };
    else if (t === 'thinking') changed = { thinking: seat };
    else if (t === 'premove') changed = { premove: message.action };
    else return [];
    this.view = { ...this.view, ...changed };
    return t === 'say' ? [{ kind: 'changed' }, { kind: 'talk', spoken }] : [{ kind: 'changed' }];
  }
}

// I/O.

const ATTEMPTS = 14;
/** The limit for a server that has never answered: its address is probably wrong. */
const FIRST_ATTEMPTS = 3;
const QUIET = 25_000;
const DEAF = 35_000;
const UNAUTHORIZED = 4401;
const SEAT_TAKEN = 4403;
const WRONG_VERSION = 4426;

/** Browsers do not distinguish the two causes. */
const noAnswer = (base) => new Refused('unreachable', globalThis.document ? `${base} does not answer, or not to this page: see --origin` : `${base} does not answer`);
/** Exponential backoff with jitter. */
const pause = (failures) => Math.min(10, 0.2 * 2 ** (failures - 1)) * (0.5 + 0.5 * Math.random());
const sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
/** Keys must be unguessable, because some answers contain secrets. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Parses a link: `BASE/t/TABLE` watches, `BASE/t/TABLE#seat=1&claim=SECRET` is an invitation. */
export function readLink(text) {
  const found = /^(https?:\/\/[^#?]+)\/t\/([^/#?]+)(?:\?[^#]*)?(?:#(.*))?$/.exec(String(text).trim());
  if (!found) throw new Refused('bad_link', `a link to a table reads like https://games.example.org/t/TABLE, not ${text}`);
  const given = new URLSearchParams(found[3] || '');
  const seat = given.has('seat') ? Number(given.get('seat')) : null;
  return { base: found[1], table: found[2], seat, claim: given.get('claim') || '' };
}

/** A server, given by the address of its start page. */
export class Server {
  constructor(base, { WebSocket = globalThis.WebSocket, fetch = globalThis.fetch } = {}) {
    this.base = String(base).replace(/\/+$/, '');
    if (!/^https?:\/\/./.test(this.base)) throw new Refused('bad_link', `a server reads like http://127.0.0.1:8000, not ${base}`);
    if (!WebSocket) throw new Refused('no_websocket', 'there is no WebSocket: start node with --experimental-websocket, or hand one in');
    this.WebSocket = WebSocket;
    /** Consecutive failures before the client gives up. */
    this.attempts = FIRST_ATTEMPTS;
    // Browsers require a call as a function, not as a method.
    this.fetch = (...request) => fetch(...request);
  }

  /** Calls the HTTP API; retries while the server is unavailable. */
  async call(method, path, { token = '', body, key = newKey() } = {}) {
    const headers = { 'Idempotency-Key': key };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    for (let failures = 1; ; failures++) {
      let problem;
      let seconds = pause(failures);
      try {
        const answer = await this.fetch(`${this.base}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
        const text = await answer.text();
        this.attempts = ATTEMPTS;
        if (answer.ok) return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
        const { code = 'refused', message = `the server answers ${answer.status}`, retry_after } = text.startsWith('{') ? JSON.parse(text) : {};
        problem = new Refused(code, message);
        if (!PASSING.has(code)) throw problem;
        seconds = retry_after ?? seconds;
      } catch (error) {
        if (error === problem) throw error;
        problem = noAnswer(this.base);
      }
      if (failures >= this.attempts) throw problem;
      await sleep(seconds);
    }
  }

  async games() {
    return (await this.call('GET', '/games')).games;
  }

  /** Creates a table. Seats are `me`, `open` or the level of an agent; for the rest see openapi.json. */
  async create({ seats = ['me'], ...wish }) {
    const kinds = seats.map((seat) => (typeof seat === 'number' ? { kind: 'agent', level: seat } : { kind: seat }));
    const made = await this.call('POST', '/tables', { body: { nonce: newKey(), ...wish, seats: kinds } });
    return new Table(this, made.table, made.token || '', made.invitations || []).open();
  }

  /** Joins by a link: takes the seat of an invitation, otherwise watches. */
  static async join(link, { name = '', ...settings } = {}) {
    const { base, table, seat, claim } = readLink(link);
    const server = new Server(base, settings);
    if (seat === null) return server.sit(table);
    const seated = await server.call('POST', `/tables/${table}/seats/${seat}/claim`, { body: { claim, name, nonce: newKey() } });
    return server.sit(table, seated.token);
  }

  /** Returns to a seat with its token, or watches without one. */
  sit(table, token = '') {
    return new Table(this, table, token).open();
  }
}

/** A table on a server, over a socket that reconnects. */
export class Table extends EventTarget {
  constructor(server, id, token = '', invitations = []) {
    super();
    this.server = server;
    this.id = id;
    this.token = token;
    this.invitations = invitations;
    /** The number of sockets opened so far. */
    this.sockets = 0;
    /** Why the connection failed for good. */
    this.failure = null;
    this.talk = new Conversation(id, token);
    this.answers = new Map();
    this.failures = 0;
    this.heardAt = 0;
    this.socket = null;
  }

  /** The table's state: scene, seats, status, history, ... from `Conversation`. */
  get view() {
    return this.talk.view;
  }

  get isMyTurn() {
    const { view } = this;
    const isMine = view && view.you !== null && (view.actor === view.you || view.actors.includes(view.you));
    return Boolean(isMine) && view.status === 'playing' && view.seats[view.you].kind === 'person';
  }

  /** Resolves with the table after the welcome. */
  async open() {
    this.pulse = setInterval(() => this.watch(), 5000);
    this.connect();
    await this.wait((view) => view);
    return this;
  }

  connect() {
    const socket = new this.server.WebSocket(`${this.server.base.replace(/^http/, 'ws')}/ws/v1`, 'parlour.1');
    this.socket = socket;
    this.heardAt = Date.now();
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.sockets += 1;
      this.server.attempts = ATTEMPTS;
      this.talk.connected();
      this.flush();
    };
    socket.onmessage = ({ data }) => socket === this.socket && this.take(data);
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.socket) return;
      if (code === WRONG_VERSION) this.fail(new Refused('version', reason));
      else if (code === UNAUTHORIZED || code === SEAT_TAKEN) this.fail(new Refused(code === UNAUTHORIZED ? 'unauthorized' : 'not_your_seat', reason || 'the seat has another holder'));
      else this.renew();
    };
    // An error is always followed by a close.
    socket.onerror = () => {};
  }

  /** Closes this socket and schedules the next one. */
  renew(seconds) {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    if (this.failure) return;
    this.failures += 1;
    if (this.failures >= this.server.attempts) this.fail(noAnswer(this.server.base));
    else this.timer = setTimeout(() => this.connect(), (seconds ?? pause(this.failures)) * 1000);
  }

  /** Detects a connection that is silently dead. */
  watch() {
    const quiet = Date.now() - this.heardAt;
    if (!this.socket) return;
    if (quiet > DEAF) this.renew();
    else if (quiet > QUIET && this.socket.readyState === 1) this.socket.send(`{"t":"ping","at":${Date.now()}}`);
  }

  flush() {
    // Unsent messages are sent again on the next socket.
    while (this.socket?.readyState === 1 && this.talk.outgoing.length) this.socket.send(this.talk.outgoing.shift());
  }

  take(text) {
    this.heardAt = Date.now();
    const heard = this.talk.hear(text);
    for (const each of heard) this.act(each);
    this.flush();
    if (heard.length) this.dispatchEvent(new CustomEvent('change', { detail: heard }));
  }

  act({ kind, id, v, error, seconds }) {
    if (kind === 'renew') this.renew(seconds);
    else if (kind === 'ended') this.fail(error);
    else if (kind === 'later') {
      this.failures += 1;
      if (this.failures >= this.server.attempts) {
        this.talk.drop(id);
        this.answers.get(id)?.reject(error);
      } else setTimeout(() => (this.talk.again(id), this.flush()), seconds * 1000);
    } else {
      this.failures = 0;
      if (kind === 'answered') this.answers.get(id)?.resolve(v);
      if (kind === 'failed') this.answers.get(id)?.reject(error);
    }
  }

  fail(error) {
    this.failure ??= error;
    this.close();
    for (const { reject } of this.answers.values()) reject(this.failure);
    this.dispatchEvent(new CustomEvent('change', { detail: [{ kind: 'ended', error: this.failure }] }));
  }

  /** Disconnects. The seat stays reserved; `server.sit(id, token)` returns to it. */
  close() {
    this.failure ??= new Refused('closed', 'this client has left the table');
    clearInterval(this.pulse);
    clearTimeout(this.timer);
    this.socket?.close();
    this.socket = null;
  }

  /** Sends a request and returns the resulting version; throws `Refused`. */
  async ask(t, body = {}) {
    if (this.failure) throw this.failure;
    const id = newKey();
    const answer = new Promise((resolve, reject) => this.answers.set(id, { resolve, reject }));
    this.talk.ask({ t, id, ...body });
    this.flush();
    try {
      return await answer;
    } finally {
      this.answers.delete(id);
    }
  }

  /** Plays an action by its id or text, for the position at `ply`. */
  play(action, ply = this.view.ply) {
    return this.ask('play', { ply, action });
  }

  /** Waits until `holds(view)` is true and returns its result. */
  wait(holds) {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.view && holds(this.view);
        if (!found && !this.failure) return;
        this.removeEventListener('change', look);
        if (found) resolve(found);
        else reject(this.failure);
      };
      this.addEventListener('change', look);
      look();
    });
  }

  /** Waits for your turn: `true`, or `false` when the game is over. */
  async turn() {
    return (await this.wait((view) => (view.status === 'over' ? 'over' : this.isMyTurn && 'own'))) === 'own';
  }
}
