/**
 * The page of one table: it connects the parts of the page with the server.
 * @typedef {import('./scene.js').Scene} Scene
 */
import { ParlourBoard } from './board.js';
import { Choices } from './choices.js';
import { Controls, iconButton } from './controls.js';
import { h, longest, showPage } from './dom.js';
import { loadPieces, logo } from './drawing.js';
import { Game } from './game.js';
import { isKnown } from './geometry.js';
import { Messages } from './messages.js';
import { MoveList } from './moves.js';
import { Parts } from './parts.js';
import { Playback } from './playback.js';
import { seatColours } from './scene.js';
import { renderSeats } from './seats.js';
import { Connection } from './socket.js';
import { Status } from './status.js';
import { applyTheme, gameText, isOn, language, loadTexts, needsTexts, putText, sentenceOf, stored, words } from './words.js';

/** Milliseconds between two updates of the clocks. */
const TICK = 200;

export class TablePage {
  /** @param {Awaited<Parameters<Parameters<typeof import('./pass.js').openTogether>[1]>[0]> | null} [pass] the people of this device */
  constructor(pass = null) {
    this.pass = pass;
    this.id = location.pathname.split('/').at(-1) || '';
    this.game = new Game();
    this.board = new ParlourBoard();
    this.messages = new Messages();
    this.parts = new Parts(this);
    this.choices = new Choices(this);
    this.playback = new Playback(this);
    this.status = new Status(this);
    this.controls = new Controls(this);
    this.moves = new MoveList((ply) => this.parts.withReview((review) => review.go(ply)));
    /** @type {import('./tray.js').Tray | null} */
    this.tray = null;
    this.isBuilt = false;
    this.was = '';
    /** @type {any[] | null} */
    this.early = null;
    this.state = h('span', { className: 'state', role: 'img', 'aria-label': words('connecting') });
    this.title = h('h1', {}, 'Parlour');
    this.top = h('header', { className: 'top' },
      h('a', { href: '/', className: 'home', 'aria-label': words('toLobby'), title: words('toLobby') }, logo(28)),
      this.title, this.state,
      iconButton('flipBoard', 'turn', () => this.board.turnBoard(!this.board.isFlipped)),
      iconButton('more', 'more', () => this.parts.openMenu()));
    this.seats = h('section', { className: 'seats', 'aria-label': words('opponents') });
    this.stage = h('section', { className: 'stage', 'aria-label': words('board') }, this.board);
    this.offers = h('div', { className: 'offers' });
    this.moveBox = h('input', { id: 'move', type: 'text', autocomplete: 'off', spellcheck: false, maxLength: longest('action'), placeholder: words('moveBox'), 'aria-label': words('moveBox') });
    this.moveForm = h('form', { className: 'move-form', hidden: true, onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.parts.withAssist((assist) => assist.playText(this));
    } }, this.moveBox, h('button', { className: 'button' }, words('play')));
    this.trayPlace = h('div', { className: 'tray-place' });
    this.result = h('div', { className: 'result' });
    this.line = h('div', { className: 'line' }, this.status.element, this.result, this.messages.toast);
    this.play = h('section', { className: 'play', 'aria-label': words('status') }, this.line, this.trayPlace, this.offers);
    this.side = h('aside', { className: 'side', 'aria-label': words('moves') }, this.moves.element, this.moveForm);
    this.main = h('main', { className: 'table' }, this.top, this.seats, this.stage, this.play, this.controls.element, this.side);
    this.listen();
    this.connection = new Connection(
      () => (this.pass ? { table: this.id, token: this.pass.token } : this.game.v >= 0 ? { table: this.id, v: this.game.v } : { table: this.id }),
      (message) => this.receive(message),
      (state) => this.showState(state),
    );
  }

  listen() {
    document.documentElement.lang = language;
    const { board, choices, parts } = this;
    const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ act) =>
      board.addEventListener(name, (event) => act(/** @type {CustomEvent} */ (event).detail));
    on('choose', ({ action }) => choices.chosen(action));
    on('confirm', ({ action }) => choices.commit(action));
    on('refuse', (detail) => parts.withAssist((assist) => assist.refuse(this, detail)));
    on('unchoose', () => this.game.premove !== null && choices.setPremove(null));
    on('armed', () => this.messages.say(words('tapAgain')));
    on('hand', ({ how }) => ['take', 'turn', 'flip'].includes(how) && parts.withAssist((assist) => assist.describeHand(this)));
    on('ask', ({ what }) => parts.withAssist((assist) => assist.answer(this, what)));
    board.peek = async (action) => {
      /** @type {import('./board.js').Look[]} */
      let found = [];
      await parts.withAssist(async (assist) => {
        found = await assist.peek(this, action);
      });
      return found;
    };
    board.addEventListener('pointerdown', () => this.playback.skip?.(), { capture: true });
    document.addEventListener('keydown', (event) => choices.onKey(event));
    setInterval(() => this.tick(), TICK);
  }

  /** The scene on the board: of the game, or of the position under review. @returns {Scene | null} */
  get shown() {
    return this.parts.review?.scene || this.game.scene;
  }

  /** @param {'connecting' | 'open' | 'lost' | 'closed'} state */
  showState(state) {
    this.state.dataset.state = state;
    this.state.ariaLabel = words(state === 'open' ? 'connected' : 'connecting');
    if (state === 'closed') this.messages.say(words('seatTaken'));
    else if (state === 'lost' && this.was === 'open') this.messages.say(words('offline'), true);
    else if (state === 'open' && this.was === 'lost') this.messages.say(words('back'));
    if (state === 'lost' && !this.isBuilt) this.sentence(words('noServer'));
    if (state !== 'connecting') this.was = state;
  }

  /** Show a sentence instead of the table. @param {string} text */
  sentence(text) {
    showPage(h('main', { className: 'alone' }, h('h1', {}, 'Parlour'), h('p', { role: 'status' }, text), h('a', { href: '/', className: 'button main' }, words('toLobby'))));
  }

  // Messages of the server.

  /** Handle a message. The first ones wait until the game's translations are loaded. @param {any} message */
  receive(message) {
    if (this.early) this.early.push(message);
    else if (message.t === 'welcome' && needsTexts(message.game)) {
      this.early = [message];
      loadTexts(message.game).then(() => {
        const early = this.early || [];
        this.early = null;
        for (const each of early) this.handle(each);
      });
    } else this.handle(message);
  }

  /** @param {any} message */
  handle(message) {
    const { game, messages } = this;
    if (message.t === 'welcome') this.onWelcome(message);
    else if (message.t === 'update') this.onUpdate(message);
    else if (message.t === 'presence') {
      [game.present, game.watchers] = [message.seats, message.watchers];
      renderSeats(this);
    } else if (message.t === 'thinking') {
      game.thinking = message.seat;
      this.status.render();
    } else if (message.t === 'premove') this.onPremove(message);
    else if (message.t === 'say') this.parts.withTalk((talk) => talk.receive(message));
    else if (message.t === 'closing') messages.say(words('offline'), true);
    else if (message.t === 'error' && message.code === 'not_found') {
      this.connection.close();
      this.sentence(words('noTable'));
    } else if (message.t === 'error' && message.code === 'version') this.sentence(words('oldPage'));
    else if (message.t === 'error') messages.sayText(message.message);
  }

  /** @param {{action: number | string | null, message?: string}} premove */
  onPremove({ action, message }) {
    const { board, game } = this;
    game.premove = action;
    if (message) this.messages.sayText(message);
    if (action === null && board.isPremove) {
      board.pending = null;
      board.drawMarks();
    }
    this.status.render();
    this.controls.render();
  }

  /** @param {import('./wire.js').Welcome} welcome */
  onWelcome(welcome) {
    const { game, parts } = this;
    parts.past?.clear();
    try {
      game.applyWelcome(welcome);
    } catch {
      this.sentence(words('badScene'));
      return;
    }
    if (!this.isBuilt) this.begin();
    this.playback.skip?.();
    document.title = gameText(welcome.title);
    putText(this.title, welcome.title);
    this.render(false);
    parts.loadTrail();
    this.announce(welcome.missed || []);
    if (welcome.said?.length) parts.withTalk((talk) => talk.all(welcome.said || []));
    if (this.choices.unsent && !this.choices.isSending && game.isYours) this.board.pending = this.choices.unsent;
    this.pass?.follow(this);
  }

  /** Show the page after the first welcome, and load further modules. */
  begin() {
    this.isBuilt = true;
    showPage(this.main, this.messages.live);
    requestAnimationFrame(async () => {
      const { Tray } = await import('./tray.js');
      this.tray = new Tray(this.board, this.game, () => isOn('confirm'));
      this.trayPlace.append(this.tray.element);
      this.tray.update();
      this.main.classList.add('ready');
      this.parts.coach();
    });
    const ply = new URLSearchParams(location.search).get('ply');
    if (ply) this.parts.withReview((review) => review.go(Number(ply)));
    const { scene } = this.game;
    if (scene && !isKnown(scene.board)) this.messages.say(words('strangeBoard'), true);
  }

  /** Announce events to screen readers. @param {import('./wire.js').EventView[]} events */
  announce(events) {
    for (const event of events) this.messages.announce(sentenceOf(event));
  }

  /** @param {import('./wire.js').Update} update */
  onUpdate(update) {
    const { game, parts } = this;
    const { scene: before, offers, ending, rematch } = game;
    if (!game.applyUpdate(update)) {
      this.connection.sendHello();
      return;
    }
    const { events, diff } = update;
    const [event] = events;
    this.announce(events);
    if (event.kind === 'takeback') parts.past?.clear();
    const hasEnded = !ending && game.ending;
    if (hasEnded || ['play', 'chance', 'takeback'].includes(event.kind)) parts.sound(event);
    this.renderWords();
    parts.showOffers(event, offers);
    this.pass?.follow(this);
    if (!rematch && game.rematch && game.you !== null) parts.follow();
    const hasScene = game.scene && (diff || update.scene);
    if (game.scene && hasScene && !parts.review?.isPast) this.playback.add(update, before, game.scene);
    if (game.ending) parts.end(Boolean(hasEnded));
    if (event.kind === 'start') parts.coach();
    parts.invite();
  }

  // Rendering.

  /** Render everything beside the board. */
  renderWords() {
    const { game } = this;
    this.main.classList.toggle('over', game.status === 'over');
    this.status.render();
    this.moves.render(game.entries, game.seats.map((_, seat) => oneColour(game.scene, seat)));
    renderSeats(this);
    this.controls.render();
    this.status.noteTurn();
    if (game.you === null || game.status !== 'playing') this.moveForm.hidden = true;
  }

  /** @param {boolean} animate */
  render(animate) {
    const { game, parts } = this;
    this.renderWords();
    parts.showOffers();
    this.main.classList.toggle('boardless', Boolean(game.scene) && !game.scene?.board.rows);
    this.main.classList.toggle('waiting', !game.scene);
    if (game.scene && !parts.review?.isPast) this.playback.put(game.scene, game.lastCells, animate);
    if (game.ending) parts.end(false);
    parts.invite();
  }

  tick() {
    const { game } = this;
    if (!game.clocks) return;
    import('./clock.js').then(({ clockText }) => {
      this.seats.querySelectorAll('.clock').forEach((element, seat) => {
        const left = game.left(seat) ?? 0;
        const text = clockText(left);
        if (element.textContent !== text) element.textContent = text;
        element.classList.toggle('low', left < 20 && game.clocks?.running === seat);
      });
    });
  }

  /** Show the field for moves as text. */
  openMoveBox() {
    if (this.game.you === null || this.game.status !== 'playing') return;
    this.moveForm.hidden = false;
    this.moveBox.focus();
  }
}

/** The colour of a seat that has only one. @param {Scene | null} scene @param {number} seat */
function oneColour(scene, seat) {
  const [colour, ...others] = scene ? seatColours(scene, seat) : [];
  return others.length ? '' : colour || '';
}

applyTheme();
loadPieces();
if (location.hash.includes('claim=')) import('./invite.js').then(({ join }) => join(() => new TablePage()));
else if (stored(`pass:${location.pathname.split('/').at(-1)}`)) import('./pass.js').then(({ openTogether }) => openTogether(location.pathname.split('/').at(-1) || '', (pass) => new TablePage(pass)));
else new TablePage();
if (stored('seek', true)) import('./seek.js').then(({ resume }) => resume(location.pathname.split('/').at(-1)));
