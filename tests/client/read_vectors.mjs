// See vectors.py: reads conversations and scenes with the JavaScript client.
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [client, folder] = process.argv.slice(2);
const { Conversation, SceneReceiver } = await import(pathToFileURL(client));
const read = (name) => readFileSync(`${folder}/${name}`, 'utf-8');
const sorted = (message) => JSON.stringify(Object.entries(message).sort());

function known(lines) {
  const talk = new Conversation('table-1', 'token-1');
  const heard = [];
  const asked = new Set();
  for (const { dir, msg } of lines) {
    if (dir === 'S') {
      heard.push(...talk.hear(JSON.stringify(msg)));
      continue;
    }
    if (msg.t === 'hello') talk.connected();
    else if (!asked.has(msg.id)) {
      asked.add(msg.id);
      talk.ask(msg);
    }
    const said = JSON.parse(talk.outgoing.shift());
    if (sorted(said) !== sorted(msg)) throw new Error(`${sorted(said)} is not ${sorted(msg)}`);
  }
  const { view } = talk;
  const of = (kind) => heard.filter((each) => each.kind === kind);
  return {
    ...Object.fromEntries(['v', 'ply', 'you', 'status', 'actor', 'offers', 'rematch'].map((name) => [name, view[name]])),
    glyphs: view.scene.cells.map(({ glyph }) => glyph).join(''),
    actions: view.scene.actions.map(({ text }) => text),
    history: view.history.map(({ text }) => text ?? null),
    said: view.said.map(({ text }) => text),
    returns: view.ending?.returns ?? null,
    events: of('news').map(({ event }) => event.v),
    answered: Object.fromEntries(of('answered').map(({ id, v }) => [id, v])),
    failed: Object.fromEntries(of('failed').map(({ id, error }) => [id, error.code])),
    renewals: of('renew').length,
    talk: of('talk').length,
  };
}

const conversations = {};
for (const name of readdirSync(folder).filter((each) => each.endsWith('.jsonl'))) {
  conversations[name.slice(0, -6)] = known(read(name).trim().split('\n').map((line) => JSON.parse(line)));
}
const scenes = JSON.parse(read('scenes.json')).map((messages) => {
  const receiver = new SceneReceiver();
  return messages.map(({ scene, diff }) => receiver.take(scene, diff));
});
console.log(JSON.stringify({ conversations, scenes }));
