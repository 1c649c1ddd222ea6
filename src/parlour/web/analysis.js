/**
 * The analysis board: a game with its variations, an agent's judgement, and links to share. The server plays the
 * actions and stores nothing; the address holds the whole analysis.
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Action} Action
 * @typedef {import('./variations.js').Variation} Variation
 */
import { ParlourBoard } from './board.js';
import { button, iconButton } from './controls.js';
import { api, h, showPage } from './dom.js';
import { icon, loadPieces, logo } from './drawing.js';
import { Engine } from './engine.js';
import { pause } from './lines.js';
import { Messages } from './messages.js';
import { Mistakes } from './mistakes.js';
import { actorColour, sceneOf, seatColours } from './scene.js';
import { Refused } from './socket.js';
import { Tray } from './tray.js';
import { MoveTree } from './tree.js';
import { Tree, unpacked } from './variations.js';
import { applyTheme, gameText, gameWords, language, loadTexts, words } from './words.js';

/** Between two positions while the game plays by itself, in milliseconds. */
const STEP = 1300;

class Analysis {
  constructor() {
    document.documentElement.lang = language;
    /** @type {Tree} */
    this.tree = /** @type {any} */ (null);
    /** @type {Map<Variation, Promise<Scene>>} */
    this.scenes = new Map();
    this.typing = 0;
    this.board = new ParlourBoard();
    this.messages = new Messages();
    this.player = /** @type {any} */ ({ you: null, status: 'playing', isYours: true });
    this.tray = new Tray(this.board, this.player, () => false);
    this.moves = new MoveTree((node) => this.go(node));
    this.engine = new Engine({
      source: () => this.tree.source,
      choose: (action) => this.play(action),
      hint: (cells) => this.board.hint(cells),
    });
    this.mistakes = new Mistakes(this);
    this.title = h('h1', {}, words('analysisBoard'));
    this.seats = h('section', { className: 'sides', 'aria-label': words('opponents') });
    this.status = h('p', { className: 'message' });
    this.slider = h('input', { type: 'range', min: '0', step: '1', 'aria-label': words('moves'), oninput: () => this.go(this.stops[Number(this.slider.value)]) });
    this.autoplay = iconButton('autoplay', 'play', () => this.toggleAutoplay());
    this.comment = h('textarea', { rows: 2, maxLength: 1000, placeholder: words('comment'), 'aria-label': words('comment'), oninput: () => {
      this.tree.at.comment = this.comment.value.trim();
      this.moves.render(this.tree);
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.keep(), 300);
    } });
    this.promote = button('promote', '', () => this.change(() => this.tree.promote(this.tree.at)));
    this.remove = button('removeBranch', '', () => this.change(() => this.tree.remove(this.tree.at)));
    this.setUp = button('setUp', '', async () => {
      const { openEditor } = await import('./source.js');
      openEditor(this.tree.at.position, (position) => this.open({ ...this.tree.source, position }));
    });
    this.main = h('main', { className: 'table analysis ready' },
      h('header', { className: 'top' }, h('a', { href: '/', className: 'home', 'aria-label': words('toLobby'), title: words('toLobby') }, logo(28)), this.title,
        iconButton('flipBoard', 'turn', () => this.board.turnBoard(!this.board.isFlipped))),
      this.seats,
      h('section', { className: 'stage', 'aria-label': words('board') }, this.board),
      h('section', { className: 'play', 'aria-label': words('status') }, h('div', { className: 'line' }, this.status, this.messages.toast), this.tray.element),
      h('aside', { className: 'side', 'aria-label': words('moves') },
        h('div', { className: 'review-row' }, iconButton('first', 'first', () => this.go(this.tree.root)), iconButton('previous', 'previous', () => this.by(-1)),
          this.slider, this.autoplay, iconButton('next', 'next', () => this.by(1)), iconButton('last', 'last', () => this.go(this.end))),
        this.engine.element, this.mistakes.element, this.moves.element, this.comment,
        h('div', { className: 'branch' }, this.promote, this.remove)),
      h('div', { className: 'controls' }, button('share', 'friend', () => this.share()), this.setUp,
        h('a', { className: 'button', href: '/analysis' }, words('newAnalysis'))));
    this.board.addEventListener('choose', (event) => this.play(/** @type {CustomEvent} */ (event).detail.action.id));
    this.board.addEventListener('refuse', (event) => this.refuse(/** @type {CustomEvent} */ (event).detail));
    document.addEventListener('keydown', (event) => this.onKey(event));
    addEventListener('hashchange', () => location.hash.slice(1) !== this.kept && location.reload());
    this.kept = '';
    this.load();
  }

  // Where the analysis comes from.

  async load() {
    const query = new URLSearchParams(location.search);
    const table = query.get('table');
    if (location.hash.length > 1) {
      const found = await unpacked(location.hash.slice(1));
      const wrong = found ? await this.open(found) : words('badLink');
      if (wrong) this.begin(wrong);
    } else if (table) {
      const answer = await fetch(`/api/v1/tables/${encodeURIComponent(table)}/record`).catch(() => null);
      const text = answer ? await answer.text() : '';
      const wrong = answer?.ok ? await this.open({ record: text, shown: Number(query.get('ply') || 0) }) : gameText(messageIn(text)) || words('noServer');
      if (wrong) this.begin(wrong);
    } else if (query.get('game')) {
      const options = JSON.parse(query.get('options') || '{}');
      const wrong = await this.open({ game: query.get('game'), options, position: query.get('position') || '' });
      if (wrong) this.begin(wrong);
    } else this.begin('');
  }

  /** Ask where to begin. @param {string} wrong */
  async begin(wrong) {
    const { sourceForm } = await import('./source.js');
    /** @type {{games: import('./wire.js').GameInfo[]}} */
    const { games } = await api('/games').catch(() => ({ games: [] }));
    await loadTexts(...games.map(({ name }) => name));
    const form = sourceForm(games, (wish) => this.open({ shown: 0, ...wish }));
    showPage(form, this.messages.live);
    const note = form.querySelector('.wrong');
    if (note) note.textContent = wrong;
  }

  /** Show another tree. @param {any} wish @returns {Promise<string>} what was wrong */
  async open({ comments = [], ...wish }) {
    try {
      /** @type {import('./wire.js').TreeFound} */
      const found = await api('/positions', wish);
      await loadTexts(found.game);
      this.tree = new Tree(found);
      this.tree.comment(comments);
      this.scenes.clear();
      this.scenes.set(this.tree.at, Promise.resolve(sceneOf(found.scene)));
    } catch (error) {
      return messageOf(error);
    }
    showPage(this.main, this.messages.live);
    document.title = `${gameText(this.tree.title)} – ${words('analysisBoard')}`;
    Object.assign(this.title, gameWords(this.tree.title));
    this.setUp.hidden = !this.tree.canSetUp;
    this.mistakes.clear();
    this.moves.render(this.tree);
    await this.go(this.tree.at);
    return '';
  }

  /** Keep the analysis in the address. */
  async keep() {
    const { tree } = this;
    const text = await tree.toText();
    if (tree !== this.tree) return;
    this.kept = text;
    history.replaceState(null, '', `/analysis#${text}`);
  }

  // Positions.

  /** @param {Variation} node @returns {Promise<Scene>} */
  sceneAt(node) {
    const known = this.scenes.get(node) || api('/positions', { ...this.tree.source, position: node.position }).then(({ scene }) => sceneOf(scene));
    this.scenes.set(node, known);
    known.catch(() => this.scenes.delete(node));
    return known;
  }

  /** The last position of the shown line. */
  get end() {
    return /** @type {Variation} */ (this.tree.at.line.at(-1));
  }

  /** The positions of the shown line to step through: those without chance events to come. */
  get stops() {
    return this.tree.at.line.filter((node) => node.actor !== -1 || !node.children.length || node === this.tree.at);
  }

  /** @param {number} by */
  by(by) {
    const { stops } = this;
    const next = stops[stops.indexOf(this.tree.at) + by];
    if (next) this.go(next);
    return Boolean(next);
  }

  /** Show the same move's next alternative. @param {number} by */
  aside(by) {
    const siblings = this.tree.at.parent?.children || [];
    const next = siblings[siblings.indexOf(this.tree.at) + by];
    if (next) this.go(next);
  }

  /** @param {Variation | undefined} node */
  async go(node) {
    if (!node) return;
    const before = this.tree.at;
    this.tree.at = node;
    this.update();
    // A slider passes many positions; load only the one where it stops.
    if (!this.scenes.has(node)) await pause(40);
    if (this.tree.at !== node) return;
    try {
      const scene = await this.sceneAt(node);
      if (this.tree.at !== node) return;
      this.show(node, scene);
      this.engine.show(node);
      this.keep();
    } catch (error) {
      if (this.tree.at === node) this.tree.at = before;
      this.update();
      this.failed(error);
    }
  }

  /** @param {Variation} node @param {Scene} scene */
  show(node, scene) {
    this.player.you = scene.actor >= 0 ? scene.actor : null;
    this.player.status = scene.actor === -2 ? 'over' : 'playing';
    const isChance = scene.actor === -1;
    // `flipped c2: red pawn` repeats the move before the colon.
    const actions = isChance ? scene.actions.map((action) => ({ ...action, text: gameText(action.text).split(': ').at(-1) || '' })) : scene.actions;
    this.board.show({ ...scene, actions }, { last: node.decision.found.cells || [], animate: true });
    this.tray.update();
    Object.assign(this.status, gameWords(scene.status));
    this.status.prepend(isChance ? `${words('chooseChance')} ` : '');
    this.seats.classList.toggle('several', scene.seats.length > 2);
    this.seats.replaceChildren(...scene.seats.map((seat, at) => h('div', { className: `side-of${scene.actor === at ? ' turn' : ''}` },
      h('span', { className: 'swatches', 'aria-hidden': 'true' }, ...(seatColours(scene, at).length ? seatColours(scene, at) : [actorColour({ ...scene, actor: at })]).map((colour) => h('i', { className: `dot c-${colour}` }))),
      h('b', gameWords(seat.name)), h('span', { className: 'score', ...gameWords(seat.score || '') }))));
    const { words: said = '', text = '' } = node.found;
    this.messages.announce([gameText(said || text) || words('start'), node.mark && words(node.mark === '??' ? 'blunder' : 'mistake'), gameText(scene.status)].filter(Boolean).join('. '));
  }

  /** Play an action here; it branches off unless it is known. @param {number} action */
  async play(action) {
    const parent = this.tree.at;
    const known = parent.children.find((child) => child.found.action === action);
    if (known) {
      this.go(known);
      return;
    }
    const { tree } = this;
    try {
      /** @type {import('./wire.js').TreeFound} */
      const found = await api('/positions', { ...tree.source, position: parent.position, moves: [[0, action]] });
      if (tree !== this.tree) return;
      const made = tree.add(parent, found.nodes[1]);
      this.scenes.set(made, Promise.resolve(sceneOf(found.scene)));
      this.moves.render(tree);
      this.go(made);
    } catch (error) {
      this.failed(error);
    }
  }

  /** @param {{cells: number[], group: string}} asked */
  refuse({ cells, group }) {
    const { palette, cells: shown } = this.board.scene;
    if (!group && this.board.picker.byGroup.size) this.messages.say(words('choosePiece'));
    else if (group) this.messages.say(words(cells.length ? 'doesNotFit' : 'fitsNowhere'));
    else this.messages.say(words('nothingHere', { label: gameText(palette[shown[cells.at(-1) || 0]].label) }));
  }

  /** Change the tree, and show what is left. @param {() => void} act */
  change(act) {
    act();
    this.moves.render(this.tree);
    this.go(this.tree.at);
  }

  /** Update what depends on the place in the tree. */
  update() {
    const { tree } = this;
    const { at } = tree;
    const { stops } = this;
    this.slider.max = String(stops.length - 1);
    this.slider.value = String(stops.indexOf(at));
    this.slider.setAttribute('aria-valuetext', words('past', { at: at.number, of: this.end.number }));
    this.comment.value = at.comment;
    this.promote.disabled = !tree.branch(at);
    this.remove.disabled = !at.parent;
    this.moves.mark(at);
    this.mistakes.draw();
  }

  // Playing through, keys, links.

  toggleAutoplay() {
    if (this.timer) this.stopAutoplay();
    else {
      this.by(1);
      this.timer = setInterval(() => this.by(1) || this.stopAutoplay(), STEP);
      this.showAutoplay('pauseAutoplay', 'pause');
    }
  }

  stopAutoplay() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.showAutoplay('autoplay', 'play');
  }

  /** @param {'autoplay' | 'pauseAutoplay'} key @param {string} sign */
  showAutoplay(key, sign) {
    this.autoplay.ariaLabel = this.autoplay.title = words(key);
    this.autoplay.replaceChildren(icon(sign));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!this.tree || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest('input, select, textarea, dialog')) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowLeft: () => this.by(-1), ArrowRight: () => this.by(1), ArrowUp: () => this.aside(-1), ArrowDown: () => this.aside(1),
      Home: () => this.go(this.tree.root), End: () => this.go(this.end), a: () => this.toggleAutoplay(), m: () => this.mistakes.next(),
      Delete: () => this.tree.at.parent && this.change(() => this.tree.remove(this.tree.at)),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  async share() {
    await this.keep();
    const [{ openDialog }, { linkField }] = await Promise.all([import('./menu.js'), import('./invite.js')]);
    const { at, game, options, root } = this.tree;
    const { line } = at;
    const query = (/** @type {Variation[]} */ shown) => new URLSearchParams({ game, options: JSON.stringify(options), position: root.position, moves: shown.slice(1).map(({ found }) => found.action).join(',') });
    const base = `${location.origin}/api/v1/positions`;
    const links = [linkField(location.href, words('shareTree'))];
    if (this.tree.canSetUp) links.push(linkField(`${base}/picture?${query(at.path)}`, words('sharePicture')), linkField(`${base}/film?${query(line)}`, words('shareFilm')));
    openDialog(words('share'), h('div', { className: 'fields links' }, ...links.map(([field, copy]) => h('div', {}, h('b', {}, field.getAttribute('aria-label') || ''), field, copy))),
      h('p', { className: 'none' }, words('shareHelp')));
  }

  /** @param {unknown} error */
  failed(error) {
    this.messages.sayText(messageOf(error));
  }
}

/** @param {unknown} error */
function messageOf(error) {
  if (!(error instanceof Refused)) throw error;
  return gameText(error.message) || words('noServer');
}

/** The message in the server's refusal. @param {string} text */
function messageIn(text) {
  try {
    return JSON.parse(text).message || '';
  } catch {
    return '';
  }
}

applyTheme();
loadPieces();
new Analysis();
