// Reads the messages of each viewer with the page's model, src/parlour/web/game.js.
import { readFileSync } from 'node:fs';

const [folder] = process.argv.slice(2);
const { Game } = await import(`file://${folder}/game.js`);

function known(messages) {
  const game = new Game();
  for (const message of messages) {
    if (message.t === 'welcome') game.applyWelcome(message);
    else if (message.t === 'update' && !game.applyUpdate(message)) throw new Error(`version ${game.v + 1} is missing`);
  }
  const { v, ply, status, seats, actor, offers, ending, rematch, history, scene } = game;
  return {
    v, ply, status, seats, actor, offers, ending, rematch,
    history: history.map((event) => event.v),
    glyphs: scene.cells.map((at) => scene.palette[at].glyph).join(''),
    actions: scene.actions.map(({ text }) => text),
    seat_names: scene.seats.map(({ name }) => name),
    words: scene.status,
  };
}

console.log(JSON.stringify(JSON.parse(readFileSync(`${folder}/messages.json`, 'utf-8')).map(known)));
