/**
 * Plays a random game at a table on a server and prints the events.
 *
 *     node --experimental-websocket play.mjs http://127.0.0.1:8000 octa size=3
 *     node --experimental-websocket play.mjs 'http://127.0.0.1:8000/t/TABLE#seat=1&claim=SECRET'
 *
 * The flag is not needed from Node 22 on.
 */
import { Server } from './parlour_client.mjs';

const [link, game, ...settings] = process.argv.slice(2);

/** `size=3` as a game's option: a number, true, false or a text. */
function option(text) {
  const [name, value] = text.split(/=(.*)/s);
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}

async function sitDown() {
  if (!link) throw new Error('say which server and game, or which invitation: play.mjs URL [GAME [OPTION=VALUE ...]]');
  if (!game) return Server.join(link, { name: 'node' });
  const server = new Server(link);
  const found = (await server.games()).find(({ name }) => name === game);
  if (!found) throw new Error(`the server has no game ${game}`);
  const seats = Array.from({ length: found.seats }, (_, seat) => (seat ? 1 : 'me'));
  return server.create({ game, seats, options: Object.fromEntries(settings.map(option)), name: 'node' });
}

try {
  const table = await sitDown();
  console.log(`table ${table.id}`);
  table.addEventListener('change', ({ detail }) => {
    for (const { kind, event } of detail) if (kind === 'news' && event.sentence) console.log(event.sentence);
  });
  while (await table.turn()) {
    const { actions } = table.view.scene;
    await table.play(actions[Math.floor(Math.random() * actions.length)].id);
  }
  table.close();
  console.log(`${table.sockets} sockets`);
  console.log(table.view.ending.words);
} catch (error) {
  console.error(error.code ? `${error.code}: ${error.message}` : error.message);
  process.exitCode = 1;
}
