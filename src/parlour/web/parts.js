/**
 * Parts of a table's page that are loaded when they are needed.
 * @typedef {import('./table.js').TablePage} TablePage
 */
import { isPiece } from './drawing.js';
import { BADGES, renderSeats } from './seats.js';
import { isOn, stored } from './words.js';

export class Parts {
  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    /** @type {import('./review.js').Review | null} */
    this.review = null;
    /** @type {import('./lines.js').Lines | null} */
    this.lines = null;
    /** @type {import('./talk.js').Talk | null} */
    this.talk = null;
    /** Past positions. @type {import('./positions.js').Positions | null} */
    this.past = null;
    this.hasInvite = false;
    this.hasFaces = false;
  }

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
    this.review ??= new Review(this.page);
    work(this.review);
  }

  /** @param {(talk: import('./talk.js').Talk) => void} work */
  async withTalk(work) {
    const { Talk } = await import('./talk.js');
    this.talk ??= new Talk(this.page);
    work(this.talk);
    this.page.controls.render();
  }

  /** @param {import('./wire.js').EventView} [event] that changed them @param {import('./wire.js').Offers} [before] */
  async showOffers(event, before) {
    const { game, offers } = this.page;
    const after = game.offers;
    const isOpen = BADGES.some(([name]) => after[name].length || before?.[name].length);
    if (!isOpen && !offers.childElementCount) return;
    const { noteOffers, showOffers } = await import('./offers.js');
    showOffers(this.page, offers);
    if (event && before) noteOffers(this.page, event, before, after);
  }

  /** Show the result and the review. @param {boolean} isNew whether the game has just ended */
  async end(isNew) {
    this.withReview((review) => review.update());
    const { showEnding } = await import('./ending.js');
    showEnding(this.page, isNew);
  }

  /** Introduce the game to a new player. */
  async coach() {
    const { game } = this.page;
    const isStart = game.status === 'playing' && !game.history.some(({ seat }) => seat === game.you);
    if (!isOn('coach') || game.you === null || !isStart || stored(`coached:${game.welcome?.game}`)) return;
    const { startCoach } = await import('./coach.js');
    startCoach(this.page);
  }

  async positions() {
    const { Positions } = await import('./positions.js');
    this.past ??= new Positions(this.page);
    return this.past;
  }

  /** Mark what the last move changed, after a reload. Pieces that moved are marked by their cells. */
  async loadTrail() {
    const { board, game } = this.page;
    const { ply, scene } = game;
    if (!ply || !scene?.palette.some((cell) => (cell.owner ?? -1) >= 0 && !cell.piece && !isPiece(cell))) return;
    const trail = await (await this.positions()).trailOf(ply, scene).catch(() => []);
    if (game.scene !== scene) return;
    game.trail = trail;
    if (!this.review?.isPast) board.showTrail(trail);
  }

  /** Find the looks of captured pieces that were not seen on the board, in a sample game. */
  async learnFaces() {
    if (this.hasFaces) return;
    this.hasFaces = true;
    const { game } = this.page;
    const { api } = await import('./dom.js');
    /** @type {import('./wire.js').GamePreview} */
    const found = await api(`/games/${encodeURIComponent(game.welcome?.game || '')}/preview`).catch(() => ({ palette: [] }));
    game.learn(found.palette);
    renderSeats(this.page);
  }

  async openMenu() {
    const { openMenu } = await import('./menu.js');
    openMenu(this.page);
  }

  /** Show invitations and free seats while the table waits. */
  async invite() {
    if (this.page.game.status !== 'waiting' && !this.hasInvite) return;
    this.hasInvite = true;
    const { showWaiting } = await import('./invite.js');
    showWaiting(this.page);
  }

  /** Go to the rematch. */
  async follow() {
    const { followRematch } = await import('./invite.js');
    await followRematch(this.page);
  }

  /** @param {import('./wire.js').EventView} event */
  async sound(event) {
    const { game } = this.page;
    if (!isOn('sounds') || document.hidden && !game.isYours) return;
    const { playSound } = await import('./sound.js');
    playSound(game.ending ? 'end' : event.seat === game.you ? 'own' : 'other');
  }
}
