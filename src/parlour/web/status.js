/**
 * Whose turn it is, and how the game stands: the line below the board, the window's title, notifications.
 * @typedef {import('./table.js').TablePage} TablePage
 */
import { h } from './dom.js';
import { playerName } from './seats.js';
import { gameText, isOn, words } from './words.js';

/** The number at the start of a score, or NaN. @param {string | undefined} score */
const pointsOf = (score) => Number.parseFloat((score || '').replace('−', '-'));

/** The result for this viewer, or for all viewers of a shared device, with the margin if points decided it.
 * @param {import('./game.js').Game} game @param {boolean} isShared */
function resultText(game, isShared) {
  const { ending, scene, you, winners } = game;
  const outcome = isShared ? '' : game.outcome;
  const points = (scene?.seats || []).map(({ score }) => pointsOf(score));
  const best = Math.max(...points);
  // Points decide only a game that was played to its end.
  const isCounted = scene?.actor === -2 && points.length > 1 && !points.some(Number.isNaN) && winners.length === 1 && points[winners[0]] === best;
  const others = points.filter((_, seat) => seat !== winners[0]);
  if (outcome === 'won' && isCounted && best > Math.max(...others)) return words('youWonBy', { n: best - Math.max(...others) });
  if (outcome === 'lost' && isCounted && you !== null && best > points[you]) return words('youLostBy', { n: best - points[you] });
  if (outcome) return words({ won: 'youWon', lost: 'youLost', draw: 'aDraw', shared: 'youShare' }[outcome]);
  if (game.seats.length < 2 || !ending?.returns.length) return words('over');
  if (winners.length > 1) return words('over');
  return winners.length ? words('theyWon', { name: playerName(game, winners[0]) }) : words('aDraw');
}

export class Status {
  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.turn = h('strong', { className: 'turn-words' });
    this.words = h('span', { className: 'status-words' });
    this.element = h('p', { className: 'message' }, this.turn, ' ', this.words);
    this.wasYours = false;
  }

  /** The whole line as text. */
  get text() {
    return `${this.turn.textContent}. ${this.words.textContent}`;
  }

  render() {
    const { game, choices } = this.page;
    this.turn.textContent = this.turnText();
    this.element.classList.toggle('own', game.isYours);
    const isInAdvance = game.premove !== null && !game.isYours && game.status === 'playing';
    const { ending } = game;
    if (isInAdvance) this.words.textContent = words('premove', { text: gameText(choices.premoveText) || words('aMove') });
    else if (ending) this.words.textContent = [ending.words, ending.remark].map((each) => gameText(each)).join(' ').trim();
    else this.words.textContent = [game.scene?.status || '', game.remark].map((each) => gameText(each)).join(' ').trim();
  }

  turnText() {
    const { game, pass } = this.page;
    const { actor } = game;
    if (game.status === 'over') return resultText(game, Boolean(pass));
    if (game.status !== 'playing') return words('waiting');
    if (game.isYours && !pass) return words('yourTurn');
    const text = actor < 0 ? '' : words(game.thinking === actor ? 'thinking' : 'theirTurn', { name: playerName(game, actor) });
    return game.you === null ? `${words('watching')}. ${text}` : text;
  }

  /** Show in the title, and by a notification if allowed, that it is the player's turn. */
  noteTurn() {
    const { page, page: { game, parts } } = this;
    const title = gameText(game.welcome?.title || 'Parlour');
    document.title = game.isYours ? `● ${words('yourTurn')} – ${title}` : title;
    if (game.isYours && !this.wasYours && document.hidden && isOn('notices')) parts.withAssist((assist) => assist.notify(page));
    if (isOn('evaluation') && game.isAlone) parts.withAssist((assist) => assist.evaluate(page));
    parts.lines?.keepTo(game.ply);
    this.wasYours = game.isYours;
  }
}
