/**
 * The page's own words, in every language it speaks, and what this browser remembers of how its
 * reader likes it. What games say stays English.
 */

/** One line for each text: English, then German. @type {Record<string, [string, string]>} */
export const WORDS = {
  yourTurn: ['Your turn', 'Du bist am Zug'],
  theirTurn: ['{name} to move', '{name} ist am Zug'],
  thinking: ['{name} is thinking', '{name} denkt nach'],
  over: ['Game over', 'Spiel beendet'],
  waiting: ['Waiting for players', 'Warten auf Mitspieler'],
  watching: ['You are watching', 'Du schaust zu'],
  you: ['you', 'du'],
  agent: ['Computer, level {level}', 'Computer, Stufe {level}'],
  computer: ['Computer', 'Computer'],
  levelShort: ['level {level}', 'Stufe {level}'],
  seat: ['Seat {n}', 'Platz {n}'],
  free: ['free', 'frei'],
  gone: ['gave up', 'aufgegeben'],
  present: ['online', 'online'],
  away: ['away', 'abwesend'],
  board: ['Board', 'Brett'],
  row: ['row {name}', 'Zeile {name}'],
  column: ['column {name}', 'Spalte {name}'],
  canPlay: ['can be chosen', 'wählbar'],
  chosen: ['chosen', 'gewählt'],
  lastMove: ['last move', 'letzter Zug'],
  strangeBoard: ['This board has a shape that the page does not know; it is drawn in squares.', 'Dieses Brett hat eine unbekannte Form; es wird in Quadraten gezeichnet.'],
  badScene: ['The server sent something that this page cannot draw. Load it again.', 'Der Server hat etwas geschickt, das diese Seite nicht zeichnen kann. Lade sie neu.'],
  pieces: ['Pieces', 'Steine'],
  piece: ['Piece {name}, {n} squares', 'Stein {name}, {n} Felder'],
  rotate: ['Rotate', 'Drehen'],
  mirror: ['Flip', 'Wenden'],
  place: ['Place', 'Legen'],
  cancel: ['Cancel', 'Abbrechen'],
  confirm: ['Confirm move', 'Zug bestätigen'],
  doesNotFit: ['It does not fit there.', 'Da passt er nicht hin.'],
  sticksOut: ['It sticks out of the board.', 'Er ragt über das Brett hinaus.'],
  nothingHere: ['{label}: there is nothing to choose here now.', '{label}: Hier gibt es gerade nichts zu wählen.'],
  notYourTurn: ['It is not your turn.', 'Du bist nicht am Zug.'],
  moves: ['Moves', 'Züge'],
  moveBox: ['Move as text', 'Zug als Text'],
  play: ['Play', 'Spielen'],
  steps: ['Steps', 'Schritte'],
  resign: ['Resign', 'Aufgeben'],
  resignSure: ['Resign this game?', 'Dieses Spiel aufgeben?'],
  draw: ['Offer draw', 'Remis anbieten'],
  drawBadge: ['offers a draw', 'bietet Remis an'],
  drawOffer: ['{name} offers a draw', '{name} bietet Remis an'],
  drawOffered: ['You offered a draw', 'Du hast Remis angeboten'],
  drawDeclined: ['{name} declined the draw.', '{name} hat das Remis abgelehnt.'],
  accept: ['Accept', 'Annehmen'],
  decline: ['Decline', 'Ablehnen'],
  agreed: ['You agreed; waiting for the others', 'Du hast zugestimmt; die anderen fehlen noch'],
  withdraw: ['Withdraw', 'Zurückziehen'],
  withdrew: ['{name} withdrew the offer.', '{name} hat das Angebot zurückgezogen.'],
  takeback: ['Take back', 'Zurücknehmen'],
  takebackBadge: ['asks to take back', 'möchte zurücknehmen'],
  takebackOffer: ['{name} asks to take back a move', '{name} möchte einen Zug zurücknehmen'],
  takebackOffered: ['You asked to take back your move', 'Du möchtest deinen Zug zurücknehmen'],
  takebackDeclined: ['{name} declined the takeback.', '{name} hat die Rücknahme abgelehnt.'],
  rematch: ['Rematch', 'Revanche'],
  rematchBadge: ['wants a rematch', 'möchte eine Revanche'],
  rematchOffer: ['{name} wants a rematch', '{name} möchte eine Revanche'],
  rematchOffered: ['You offered a rematch', 'Du hast eine Revanche angeboten'],
  rematchDeclined: ['{name} declined the rematch.', '{name} hat die Revanche abgelehnt.'],
  nextGame: ['To the next game', 'Zum nächsten Spiel'],
  newGame: ['New game', 'Neues Spiel'],
  flipBoard: ['Turn the board', 'Brett drehen'],
  hint: ['Hint', 'Tipp'],
  hintIs: ['Hint: {words} ({value})', 'Tipp: {words} ({value})'],
  lines: ['Lines of play', 'Zugfolgen'],
  analyse: ['Analyse', 'Analysieren'],
  analysing: ['Analysing {at} of {of}', 'Analysiere {at} von {of}'],
  graph: ['Evaluation of every move, for {name}', 'Bewertung jedes Zuges, für {name}'],
  evaluation: ['Evaluation for {name}: {value}', 'Bewertung für {name}: {value}'],
  showEvaluation: ['Evaluation bar', 'Bewertungsbalken'],
  more: ['More', 'Mehr'],
  rules: ['Rules', 'Regeln'],
  share: ['Share', 'Teilen'],
  shareThis: ['Link to this position', 'Link zu dieser Stellung'],
  copied: ['Copied', 'Kopiert'],
  copy: ['Copy link', 'Link kopieren'],
  record: ['Save record', 'Partie speichern'],
  picture: ['Save picture', 'Bild speichern'],
  film: ['Save film', 'Film speichern'],
  print: ['Print', 'Drucken'],
  settings: ['Settings', 'Einstellungen'],
  close: ['Close', 'Schließen'],
  sounds: ['Sounds', 'Töne'],
  confirmMoves: ['Confirm every move', 'Jeden Zug bestätigen'],
  premoves: ['Moves in advance', 'Züge im Voraus'],
  notices: ['Tell me when it is my turn', 'Benachrichtigen, wenn ich am Zug bin'],
  noNotices: ['This browser shows no notifications.', 'Dieser Browser zeigt keine Benachrichtigungen.'],
  language: ['Language', 'Sprache'],
  appearance: ['Appearance', 'Darstellung'],
  auto: ['As the system', 'Wie das System'],
  light: ['Light', 'Hell'],
  dark: ['Dark', 'Dunkel'],
  boardColours: ['Board', 'Brett'],
  paper: ['Paper', 'Papier'],
  wood: ['Wood', 'Holz'],
  slate: ['Slate', 'Schiefer'],
  premove: ['In advance: {text}', 'Im Voraus: {text}'],
  aMove: ['a move', 'ein Zug'],
  cancelPremove: ['Cancel the move in advance', 'Zug im Voraus abbrechen'],
  storing: ['Not stored yet', 'Noch nicht gespeichert'],
  connected: ['Connected', 'Verbunden'],
  connecting: ['Connecting', 'Verbinde'],
  offline: ['No connection. Your move is kept; trying again.', 'Keine Verbindung. Dein Zug bleibt erhalten; neuer Versuch läuft.'],
  back: ['Connected again.', 'Wieder verbunden.'],
  seatTaken: ['Somebody else holds this seat now. You are watching.', 'Dieser Platz gehört jetzt jemand anderem. Du schaust zu.'],
  oldPage: ['This page is out of date. Reload it.', 'Diese Seite ist veraltet. Bitte neu laden.'],
  noTable: ['There is no such table.', 'Diesen Tisch gibt es nicht.'],
  toLobby: ['All games', 'Alle Spiele'],
  now: ['Back to the game', 'Zurück zum Spiel'],
  past: ['Move {at} of {of}', 'Zug {at} von {of}'],
  first: ['First position', 'Erste Stellung'],
  previous: ['Previous move', 'Voriger Zug'],
  next: ['Next move', 'Nächster Zug'],
  last: ['Last position', 'Letzte Stellung'],
  start: ['Start', 'Anfang'],
  talk: ['Chat', 'Gespräch'],
  say: ['Say', 'Sagen'],
  sayBox: ['Message', 'Nachricht'],
  name: ['Your name', 'Dein Name'],
  join: ['Join', 'Mitspielen'],
  watch: ['Watch', 'Zuschauen'],
  invited: ['You are invited to play {title}.', 'Du bist zu {title} eingeladen.'],
  claimUsed: ['This invitation was used already.', 'Diese Einladung wurde schon benutzt.'],
  invite: ['Invite a friend', 'Freund einladen'],
  inviteFor: ['Link for seat {n}', 'Link für Platz {n}'],
  inviteElsewhere: ['The link was shown to whoever made this table.', 'Den Link hat, wer diesen Tisch eröffnet hat.'],
  qr: ['QR code of the link', 'QR-Code des Links'],
  takeSeat: ['Take seat {n}', 'Platz {n} nehmen'],
  lead: ['Quiet board games for the computer, a friend, or both.', 'Ruhige Brettspiele gegen den Computer, mit Freunden oder beides.'],
  choose: ['Choose a game', 'Spiel wählen'],
  myGames: ['Your games', 'Deine Spiele'],
  openTables: ['Open tables', 'Offene Tische'],
  noTables: ['No open tables just now.', 'Gerade keine offenen Tische.'],
  opponents: ['Players', 'Mitspieler'],
  me: ['You', 'Du'],
  friend: ['A friend, by link', 'Freund, per Link'],
  level: ['Computer, level {level}', 'Computer, Stufe {level}'],
  clock: ['Clock', 'Uhr'],
  noClock: ['No clock', 'Keine Uhr'],
  minutes: ['{m} min + {s} s a move', '{m} Min. + {s} s je Zug'],
  listed: ['Anybody may join', 'Jeder darf mitspielen'],
  options: ['Options', 'Optionen'],
  startGame: ['Start', 'Starten'],
  yes: ['yes', 'ja'],
  no: ['no', 'nein'],
  byDefault: ['automatic', 'automatisch'],
  openRecord: ['Open a record', 'Partie öffnen'],
  loading: ['Loading', 'Lädt'],
  noServer: ['The server does not answer. Trying again.', 'Der Server antwortet nicht. Neuer Versuch läuft.'],
  keys: ['Keys: arrows move, Enter chooses, Escape cancels, L last move, C clock, S status', 'Tasten: Pfeile bewegen, Enter wählt, Escape bricht ab, L letzter Zug, C Uhr, S Stand'],
  pieceKeys: ['R rotates, F flips, N next piece', 'R dreht, F wendet, N nächster Stein'],
  clockLeft: ['{name}: {time} left', '{name}: noch {time}'],
  status: ['Status', 'Stand'],
};

const LANGUAGES = ['en', 'de'];

/** @returns {string} */
function preferred() {
  const kept = stored('language');
  if (LANGUAGES.includes(kept)) return kept;
  const wanted = navigator.languages?.find((each) => LANGUAGES.includes(each.slice(0, 2)));
  return wanted ? wanted.slice(0, 2) : 'en';
}

/** What this browser remembers of a setting; empty where it remembers nothing. @param {string} name */
export function stored(name) {
  try {
    return localStorage.getItem(`parlour:${name}`) || '';
  } catch {
    return '';
  }
}

/** @param {string} name @param {string} value */
export function store(name, value) {
  try {
    if (value) localStorage.setItem(`parlour:${name}`, value);
    else localStorage.removeItem(`parlour:${name}`);
  } catch {
    // A browser that keeps nothing: the setting lasts as long as the page.
  }
}

export const language = preferred();

/**
 * A text of the page. @param {string} key @param {Record<string, string | number>} [values]
 */
export function words(key, values = {}) {
  const found = WORDS[key][LANGUAGES.indexOf(language)];
  return found.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/** @typedef {'sounds' | 'confirm' | 'premoves' | 'evaluation' | 'notices'} Switch */

/** @type {Record<Switch, boolean>} */
const DEFAULTS = { sounds: true, confirm: false, premoves: true, evaluation: false, notices: false };

/** @param {Switch} name */
export function isOn(name) {
  const kept = stored(name);
  return kept ? kept === 'on' : DEFAULTS[name];
}

/** @param {Switch} name @param {boolean} on */
export const turn = (name, on) => store(name, on ? 'on' : 'off');

/** Put the chosen appearance onto the page. */
export function dress() {
  const root = document.documentElement;
  root.dataset.theme = stored('theme') || 'auto';
  root.dataset.board = stored('board') || 'paper';
}
