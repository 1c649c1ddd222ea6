/**
 * The page of one table: board, seats, status, controls and history.
 * @typedef {import('./scene.js').Action} Action
 * @typedef {import('./scene.js').Scene} Scene
 */
import { ParlourBoard, isMotionReduced } from './board.js';
import { h, showPage } from './dom.js';
import { loadPieces, logo } from './drawing.js';
import { Game } from './game.js';
import { isKnown } from './geometry.js';
import { seatColours } from './scene.js';
import { Connection, Refused } from './socket.js';
import { applyTheme, gameText, gameWords, isOn, language, loadTexts, needsTexts, putText, sentenceOf, words } from './words.js';

/** @type {[import('./wire.js').OfferName, string][]} */
const BADGES = [['draw', 'drawBadge'], ['takeback', 'takebackBadge'], ['rematch', 'rematchBadge']];

export class TablePage {
  constructor() {
    this.id = location.pathname.split('/').at(-1) || '';
    this.game = new Game();
    this.board = new ParlourBoard();
    /** @type {import('./tray.js').Tray | null} */
    this.tray = null;
    /** @type {import('./review.js').Review | null} */
    this.review = null;
    /** @type {import('./review.js').Lines | null} */
    this.lines = null;
    /** @type {import('./talk.js').Talk | null} */
    this.talk = null;
    /** @type {Action | null} */
    this.unsent = null;
    this.isSending = false;
    this.hasFrames = true;
    /** @type {(() => void) | null} */
    this.skip = null;
    /** @type {Promise<void>} */
    this.showing = Promise.resolve();
    this.queued = 0;
    this.isBuilt = false;
    this.hasInvite = false;
    this.controlsKey = '';
    this.was = '';
    this.wasYours = false;
    this.premoveText = '';
    /** @type {any[] | null} */
    this.early = null;
    this.build();
    this.connection = new Connection(
      () => (this.game.v >= 0 ? { table: this.id, v: this.game.v } : { table: this.id }),
      (message) => this.receive(message),
      (state) => this.showState(state),
    );
  }

  // The page.

  build() {
    document.documentElement.lang = language;
    const button = (/** @type {string} */ key, /** @type {string} */ sign, /** @type {() => void} */ act) =>
      h('button', { type: 'button', className: 'icon', 'aria-label': words(key), title: words(key), onclick: act }, sign);
    this.state = h('span', { className: 'state', role: 'img', 'aria-label': words('connecting') });
    this.title = h('h1', {}, 'Parlour');
    this.top = h('header', { className: 'top' },
      h('a', { href: '/', className: 'home', 'aria-label': words('toLobby'), title: words('toLobby') }, logo(28)),
      this.title, this.state,
      button('flipBoard', '⇅', () => this.board.turnBoard(!this.board.flipped)),
      button('more', '⋯', () => this.openMenu()));
    this.seats = h('section', { className: 'seats', 'aria-label': words('opponents') });
    this.turn = h('strong', { className: 'turn-words' });
    this.statusWords = h('span', { className: 'status-words' });
    this.message = h('p', { className: 'message' }, this.turn, ' ', this.statusWords);
    this.live = h('div', { className: 'quietly', 'aria-live': 'polite' });
    this.alert = h('div', { className: 'toast', role: 'alert' });
    this.stage = h('section', { className: 'stage', 'aria-label': words('board') }, this.board, this.alert);
    this.offers = h('div', { className: 'offers' });
    this.controls = h('div', { className: 'controls' });
    this.moveBox = h('input', { id: 'move', type: 'text', autocomplete: 'off', spellcheck: false, maxLength: 200, placeholder: words('moveBox'), 'aria-label': words('moveBox') });
    this.moveForm = h('form', { className: 'move-form', onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.withAssist((assist) => assist.playText(this));
    } },
      this.moveBox, h('button', { className: 'button' }, words('play')));
    this.trayPlace = h('div', { className: 'tray-place' });
    this.play = h('section', { className: 'play', 'aria-label': words('status') }, this.message, this.trayPlace, this.offers, this.controls);
    this.history = h('ol', { className: 'history', 'aria-label': words('moves') });
    this.side = h('aside', { className: 'side', 'aria-label': words('moves') }, this.history, this.moveForm);
    this.main = h('main', { className: 'table' }, this.top, this.seats, this.stage, this.play, this.side);
    this.board.addEventListener('choose', (event) => this.chosen(/** @type {CustomEvent} */ (event).detail.action));
    this.board.addEventListener('confirm', (event) => this.commit(/** @type {CustomEvent} */ (event).detail.action));
    this.board.addEventListener('refuse', (event) => this.withAssist((assist) => assist.refuse(this, /** @type {CustomEvent} */ (event).detail)));
    this.board.addEventListener('look', (event) => this.withAssist((assist) => assist.preview(this, /** @type {CustomEvent} */ (event).detail.action)));
    this.board.addEventListener('unchoose', () => this.game.premove !== null && this.setPremove(null));
    this.board.addEventListener('ask', (event) => this.withAssist((assist) => assist.answer(this, /** @type {CustomEvent} */ (event).detail.what)));
    this.board.addEventListener('pointerdown', () => this.skip?.(), { capture: true });
    document.addEventListener('keydown', (event) => this.onKey(event));
    setInterval(() => this.tick(), 200);
  }

  /** @param {'connecting' | 'open' | 'lost' | 'closed'} state */
  showState(state) {
    if (!this.state) return;
    this.state.dataset.state = state;
    this.state.ariaLabel = words(state === 'open' ? 'connected' : 'connecting');
    if (state === 'closed') this.say(words('seatTaken'));
    else if (state === 'lost' && this.was === 'open') this.say(words('offline'), true);
    else if (state === 'open' && this.was === 'lost') this.say(words('back'));
    if (state === 'lost' && !this.isBuilt) this.sentence(words('noServer'));
    if (state !== 'connecting') this.was = state;
  }

  /** Show a sentence instead of the table. @param {string} text */
  sentence(text) {
    showPage(h('main', { className: 'alone' }, h('h1', {}, 'Parlour'), h('p', { role: 'status' }, text), h('a', { href: '/', className: 'button' }, words('toLobby'))));
  }

  /** Show a short message over the board. @param {string} text @param {boolean} [stays] @param {string} [lang] */
  say(text, stays = false, lang = language) {
    if (!this.alert) return;
    this.alert.lang = lang;
    this.alert.textContent = text;
    this.alert.classList.toggle('shown', Boolean(text));
    clearTimeout(this.sayTimer);
    if (!stays && text) this.sayTimer = setTimeout(() => this.say(''), 5000);
  }

  /** Show a text that came from the server. @param {string} text */
  sayText(text) {
    const { textContent, lang } = gameWords(text);
    this.say(textContent, false, lang);
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
    const { game } = this;
    if (message.t === 'welcome') this.onWelcome(message);
    else if (message.t === 'update') this.onUpdate(message);
    else if (message.t === 'presence') {
      [game.present, game.watchers] = [message.seats, message.watchers];
      this.renderSeats();
    } else if (message.t === 'thinking') {
      game.thinking = message.seat;
      this.renderStatus();
    } else if (message.t === 'premove') {
      game.premove = message.action;
      if (message.message) this.sayText(message.message);
      if (game.premove === null && this.board.isPremove) {
        this.board.pending = null;
        this.board.drawMarks();
      }
      this.renderStatus();
      this.renderControls();
    } else if (message.t === 'say') this.withTalk((talk) => talk.receive(message));
    else if (message.t === 'closing') this.say(words('offline'), true);
    else if (message.t === 'error' && message.code === 'not_found') {
      this.connection.close();
      this.sentence(words('noTable'));
    } else if (message.t === 'error' && message.code === 'version') this.sentence(words('oldPage'));
    else if (message.t === 'error') this.sayText(message.message);
  }

  /** @param {import('./wire.js').Welcome} welcome */
  onWelcome(welcome) {
    const { game } = this;
    try {
      game.applyWelcome(welcome);
    } catch {
      this.sentence(words('badScene'));
      return;
    }
    if (!this.isBuilt) this.begin();
    this.skip?.();
    document.title = gameText(welcome.title);
    putText(this.title, welcome.title);
    this.render(false);
    this.announce(welcome.missed || []);
    if (welcome.said?.length) this.withTalk((talk) => talk.all(welcome.said || []));
    if (this.unsent && !this.isSending && game.isYours) this.board.pending = this.unsent;
  }

  /** Show the page after the first welcome, and load further modules. */
  begin() {
    this.isBuilt = true;
    showPage(/** @type {HTMLElement} */ (this.main), /** @type {HTMLElement} */ (this.live));
    const { game } = this;
    requestAnimationFrame(async () => {
      const { Tray } = await import('./tray.js');
      this.tray = new Tray(this.board, () => isOn('confirm'));
      this.trayPlace?.append(this.tray.element);
      this.tray.update();
      this.main?.classList.add('ready');
    });
    const ply = new URLSearchParams(location.search).get('ply');
    if (ply) this.withReview((review) => review.go(Number(ply)));
    if (game.scene && !isKnown(game.scene.board)) this.say(words('strangeBoard'), true);
  }

  /** Announce events to screen readers. @param {import('./wire.js').EventView[]} events */
  announce(events) {
    const text = events.map(sentenceOf).join(' ');
    if (text && this.live) this.live.textContent = text;
  }

  /** @param {import('./wire.js').Update} update */
  onUpdate(update) {
    const { scene: before, offers, ending, rematch } = this.game;
    if (!this.game.applyUpdate(update)) {
      this.connection.sendHello();
      return;
    }
    const { events, diff } = update;
    const [event] = events;
    this.announce(events);
    const hasEnded = !ending && this.game.ending;
    if (hasEnded || ['play', 'chance', 'takeback'].includes(event.kind)) this.sound(event);
    const scene = this.game.scene;
    this.renderStatus();
    this.renderHistory();
    this.renderSeats();
    this.renderControls();
    this.noteTurn();
    this.showOffers(event, offers);
    if (!rematch && this.game.rematch && this.game.you !== null) this.follow();
    if (!scene || (!diff && !update.scene)) {
      this.invite();
      return;
    }
    if (this.review?.isPast) return;
    const changes = diff?.cells?.length || 0;
    const wantsFrames = event.kind === 'play' && changes > 2 && this.hasFrames && before && !isMotionReduced() && !scene.palette.some((cell) => cell.piece);
    const last = this.game.lastCells;
    this.queued += 1;
    if (!wantsFrames) {
      this.showing = this.showing.then(() => this.put(scene, last, true));
      if (this.queued === 1) this.put(scene, last, true);
    } else {
      this.showing = this.showing.then(() => this.withAssist((assist) => assist.playFrames(this, event.v, before, last))).then(() => this.put(scene, last, true));
    }
    this.showing = this.showing.then(() => {
      this.queued -= 1;
    });
    if (this.game.ending) this.withReview((review) => review.update());
    this.invite();
  }

  /** Draw a scene of the game, unless a newer one is drawn. @param {Scene} scene @param {number[]} last @param {boolean} animate */
  put(scene, last, animate) {
    const isNow = scene === this.game.scene;
    if (!isNow && this.queued <= 1) return;
    const plays = isNow ? this.playable(scene) : { ...scene, actions: [] };
    const premove = isNow && plays !== scene && plays.actions.length > 0;
    const { premove: wish } = this.game;
    const pending = premove && wish !== null ? plays.actions.find(({ id, text }) => wish === id || wish === text) : null;
    this.board.show(plays, { last, animate, premove, pending });
    this.tray?.update();
  }

  /** The scene with the actions to choose from, now or as a premove. @param {Scene} scene @returns {Scene} */
  playable(scene) {
    const { game } = this;
    if (game.isYours || game.status !== 'playing' || game.you === null || !isOn('premoves')) return scene;
    this.inAdvance = this.inAdvance?.from === scene ? this.inAdvance : { from: scene, scene: game.inAdvance(scene) };
    return this.inAdvance.scene;
  }

  // Rendering.

  /** @param {boolean} animate */
  render(animate) {
    const { game } = this;
    this.renderSeats();
    this.renderStatus();
    this.renderHistory();
    this.renderControls();
    this.showOffers();
    this.noteTurn();
    this.main?.classList.toggle('boardless', Boolean(game.scene) && !game.scene?.board.rows);
    this.main?.classList.toggle('waiting', !game.scene);
    if (game.scene && !this.review?.isPast) this.put(game.scene, game.lastCells, animate);
    if (game.ending) this.withReview((review) => review.update());
    this.invite();
  }

  /** The name of a seat's player. @param {number} seat */
  nameOf(seat) {
    const info = this.game.seats[seat];
    if (!info) return '';
    if (info.kind === 'agent') return words('computer');
    if (info.name) return info.name;
    return info.kind === 'open' ? words('free') : seat === this.game.you ? words('me') : words('seat', { n: seat + 1 });
  }

  renderSeats() {
    const { game } = this;
    const made = game.seats.map((info, seat) => {
      const view = game.scene?.seats[seat];
      const isTurn = game.status === 'playing' && (game.actor === seat || game.actors.includes(seat));
      const element = h('div', { className: `seat${isTurn ? ' turn' : ''}${seat === game.you ? ' own' : ''}` });
      const swatches = h('span', { className: 'swatches', 'aria-hidden': 'true' });
      for (const colour of game.scene ? seatColours(game.scene, seat) : []) swatches.append(h('i', { className: `c-${colour}` }));
      const offer = BADGES.find(([name]) => game.offers[name][0] === seat);
      const level = info.kind === 'agent' ? ` · ${words('levelShort', { level: info.level || 1 })}` : '';
      element.append(swatches,
        h('span', { className: 'who' }, h('b', {}, this.nameOf(seat)),
          seat === game.you && info.name ? h('small', {}, ` (${words('you')})`) : null,
          info.left ? h('small', {}, ` ${words('gone')}`) : null),
        offer ? h('span', { className: 'side-name offer' }, words(offer[1]))
          : h('span', { className: 'side-name' }, view?.name ? h('span', gameWords(view.name)) : words('seat', { n: seat + 1 }), level),
        h('span', { className: 'score', ...gameWords(view?.score || '') }));
      if (game.clocks) element.append(h('time', { className: 'clock', 'aria-label': words('clock') }));
      if (view?.tray?.length && !this.board.picker.byGroup.size && view.tray.length < 17) element.append(h('span', { className: 'taken' }, view.tray.map((item) => gameText(typeof item === 'string' ? item : item.label)).join(' ')));
      if (info.kind === 'person' && seat !== game.you && game.present.length) {
        const isHere = game.present[seat];
        element.querySelector('.who')?.append(h('i', { className: `presence${isHere ? ' here' : ''}`, role: 'img', 'aria-label': words(isHere ? 'present' : 'away'), title: words(isHere ? 'present' : 'away') }));
      }
      return element;
    });
    this.seats?.replaceChildren(...made);
    this.seats?.classList.toggle('many', made.length > 2);
    this.tick();
  }

  renderStatus() {
    const { game } = this;
    if (!this.turn || !this.statusWords || !this.message) return;
    const { actor } = game;
    let text = words('waiting');
    if (game.status === 'over') text = words('over');
    else if (game.status === 'playing') {
      text = game.isYours ? words('yourTurn') : actor < 0 ? '' : words(game.thinking === actor ? 'thinking' : 'theirTurn', { name: this.nameOf(actor) });
    }
    this.turn.textContent = text;
    const { ending } = game;
    const status = ending ? [ending.words, ending.remark].map((each) => gameText(each)).join(' ').trim() : gameText(game.scene?.status || '');
    const isInAdvance = game.premove !== null && !game.isYours && game.status === 'playing';
    this.statusWords.textContent = isInAdvance ? words('premove', { text: gameText(this.premoveText) || words('aMove') }) : status;
    this.message.classList.toggle('own', game.isYours);
    if (game.you === null && game.status === 'playing') this.turn.textContent = `${words('watching')}. ${text}`;
  }

  renderHistory() {
    const { game, history } = this;
    if (!history) return;
    const shown = game.history.filter((event) => event.kind === 'play' || event.words);
    while (history.children.length > shown.length) history.lastElementChild?.remove();
    shown.forEach((event, at) => {
      const text = event.words || event.text || '…';
      const old = history.children[at];
      if (old && /** @type {HTMLElement} */ (old).dataset.v === String(event.v)) return;
      const made = h('li', {}, h('button', { type: 'button', ...gameWords(text), onclick: () => this.withReview((review) => review.go(event.ply)) }));
      made.dataset.v = String(event.v);
      made.dataset.ply = String(event.ply);
      if ((event.seat ?? -1) >= 0) made.dataset.seat = String(event.seat);
      if (old) old.replaceWith(made);
      else history.append(made);
    });
    if (!this.review?.isPast) history.scrollTo(history.scrollWidth, history.scrollHeight);
  }

  renderControls() {
    const { game, controls } = this;
    if (!controls) return;
    const button = (/** @type {string} */ key, /** @type {() => void} */ act, name = '') =>
      h('button', { type: 'button', className: `button ${name}`, onclick: act }, words(key));
    const ask = (/** @type {string} */ t) => () => this.request(t, {});
    const made = [];
    const canAct = game.you !== null && game.status === 'playing';
    if (canAct) {
      if (game.premove !== null && !game.isYours) made.push(button('cancelPremove', () => this.setPremove(null), 'main'));
      if (game.isAlone) made.push(button('hint', () => this.withAssist((assist) => assist.hint(this))));
      if (!game.offers.takeback.length && game.history.some((event) => event.seat === game.you)) made.push(button('takeback', ask('takeback')));
      if (!game.offers.draw.length && !game.isAlone && game.welcome?.can_draw) made.push(button('draw', ask('draw')));
      made.push(button('resign', () => confirm(words('resignSure')) && ask('resign')()));
    } else if (game.status === 'over') {
      if (game.rematch) {
        made.push(h('a', { className: 'button main', href: `/t/${game.rematch}`, onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.follow();
        } }, words('nextGame')));
      } else if (game.you !== null && !game.offers.rematch.length) made.push(button('rematch', ask('rematch'), 'main'));
      made.push(h('a', { className: 'button', href: '/' }, words('newGame')));
    }
    if (game.scene && game.you !== null && !game.isAlone && game.welcome?.chat && !this.talk) {
      made.push(button('talk', () => this.withTalk((talk) => talk.box.focus())));
    }
    if (this.moveForm) this.moveForm.hidden = !canAct;
    const key = made.map((each) => each.textContent).join('|') + game.rematch;
    if (key === this.controlsKey) return;
    this.controlsKey = key;
    controls.replaceChildren(...made);
  }

  tick() {
    const { game } = this;
    if (!game.clocks || !this.seats) return;
    import('./clock.js').then(({ clockText }) => {
      this.seats?.querySelectorAll('.clock').forEach((element, seat) => {
        const left = game.left(seat) ?? 0;
        const text = clockText(left);
        if (element.textContent !== text) element.textContent = text;
        element.classList.toggle('low', left < 20 && game.clocks?.running === seat);
      });
    });
  }

  // Input.

  /** @param {Action} action */
  chosen(action) {
    if (!this.game.isYours) {
      if (this.game.status === 'playing' && this.game.you !== null) this.setPremove(action);
      return;
    }
    if (isOn('confirm')) this.tray?.update();
    else this.commit(action);
  }

  /** Play an action; it is kept until the server has acknowledged it. @param {Action} action */
  async commit(action) {
    this.unsent = action;
    this.isSending = true;
    this.board.pending = action;
    this.tray?.update();
    const note = setTimeout(() => this.say(words('storing'), true), 1500);
    try {
      await this.connection.ask('play', { ply: this.game.ply, action: action.id }, true);
      this.say('');
    } catch (error) {
      this.failed(error);
    } finally {
      clearTimeout(note);
      this.isSending = false;
      this.unsent = null;
      if (this.board.pending === action && this.game.isYours) {
        this.board.pending = null;
        this.board.drawMarks();
        this.tray?.update();
      }
    }
  }

  /** @param {Action | null} action */
  async setPremove(action) {
    this.premoveText = action?.text || '';
    if (!(await this.request('premove', { action: action && action.id })) || this.game.isYours) return;
    this.board.pending = action;
    this.board.drawMarks();
  }

  /** @param {string} t @param {object} body @returns {Promise<boolean>} whether the server accepted it */
  async request(t, body) {
    try {
      await this.connection.ask(t, body, true);
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  /** @param {unknown} error */
  failed(error) {
    if (error instanceof Refused) {
      if (error.message) this.sayText(error.message);
    } else throw error;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest('input, select, textarea, dialog')) return;
    const way = /** @type {Record<string, import('./geometry.js').Direction>} */ ({ ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' })[event.key];
    if (way && this.review?.isPast && (way === 'left' || way === 'right')) this.review.by(way === 'left' ? -1 : 1);
    else if (way && this.game.isYours) {
      const view = this.board.picker.compass()?.ways[this.board.seen(way)];
      if (!view) return;
      this.board.choose(view);
    } else if (!this.board.contains(target) && this.board.picker.group && this.board.onLetter(event.key.toLowerCase())) {
      // Handled: the piece in hand is rotated wherever the focus is.
    } else if (event.key === 'Escape' && this.board.picker.group) this.board.putBack();
    else if (event.key === 'Enter' && this.board.ghost && !target.closest('button, a')) this.board.placeGhost();
    else return;
    event.preventDefault();
  }

  // Modules that are loaded when needed.

  /** @param {(assist: typeof import('./assist.js')) => void | Promise<void>} work */
  async withAssist(work) {
    /** @type {typeof import('./assist.js')} */
    let assist;
    try {
      assist = await import('./assist.js');
    } catch {
      // Browsers remember a failed download, so ask under another URL. The game goes on without assistance.
      assist = await import(`./assist.js?${Date.now()}`).catch(() => null);
    }
    if (assist) await work(assist);
  }

  /** @param {(review: import('./review.js').Review) => void} work */
  async withReview(work) {
    const { Review } = await import('./review.js');
    this.review ??= new Review(this);
    work(this.review);
  }

  /** @param {(talk: import('./talk.js').Talk) => void} work */
  async withTalk(work) {
    const { Talk } = await import('./talk.js');
    this.talk ??= new Talk(this);
    work(this.talk);
    this.renderControls();
  }

  /** @param {import('./wire.js').EventView} [event] that changed them @param {import('./wire.js').Offers} [before] */
  async showOffers(event, before) {
    const after = this.game.offers;
    const isOpen = BADGES.some(([name]) => after[name].length || before?.[name].length);
    if (!isOpen && !this.offers?.childElementCount) return;
    const { noteOffers, showOffers } = await import('./offers.js');
    showOffers(this, /** @type {HTMLElement} */ (this.offers));
    if (event && before) noteOffers(this, event, before, after);
  }

  async openMenu() {
    const { openMenu } = await import('./menu.js');
    openMenu(this);
  }

  /** Show invitations and free seats while the table waits. */
  async invite() {
    if (this.game.status === 'waiting' || this.hasInvite) {
      this.hasInvite = true;
      const { showWaiting } = await import('./invite.js');
      showWaiting(this);
    }
  }

  /** Go to the rematch. */
  async follow() {
    const { followRematch } = await import('./invite.js');
    await followRematch(this);
  }

  /** @param {import('./wire.js').EventView} event */
  async sound(event) {
    if (!isOn('sounds') || document.hidden && !this.game.isYours) return;
    const { playSound } = await import('./sound.js');
    playSound(this.game.ending ? 'end' : event.seat === this.game.you ? 'own' : 'other');
  }

  /** Show in the title, and by a notification if allowed, that it is the player's turn. */
  noteTurn() {
    const { game } = this;
    const title = gameText(game.welcome?.title || 'Parlour');
    document.title = game.isYours ? `● ${words('yourTurn')} – ${title}` : title;
    if (game.isYours && !this.wasYours && document.hidden && isOn('notices')) this.withAssist((assist) => assist.notify(this));
    if (isOn('evaluation') && game.isAlone) this.withAssist((assist) => assist.evaluate(this));
    this.lines?.keepTo(game.ply);
    this.wasYours = game.isYours;
  }
}

applyTheme();
loadPieces();
if (location.hash.includes('claim=')) import('./invite.js').then(({ join }) => join(() => new TablePage()));
else new TablePage();
