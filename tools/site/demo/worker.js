/**
 * Parlour's server, run by Python in a worker. Each page sends a port; messages from it go to `parlour_demo.py`, and
 * the answers go back.
 */
// @ts-expect-error: the file exists on the site, not in the source tree
import { loadPyodide } from './pyodide/pyodide.mjs';

const PLACE = '/lib/parlour';
let sockets = 0;

async function start() {
  const progress = (/** @type {string} */ step) => postMessage({ step });
  progress('python');
  const files = fetch(new URL('python.zip', import.meta.url)).then((answer) => answer.arrayBuffer());
  const python = await loadPyodide({ indexURL: new URL('pyodide/', import.meta.url).href });
  progress('games');
  python.unpackArchive(await files, 'zip', { extractDir: PLACE });
  const demo = await python.runPythonAsync(`
import sys
sys.path.insert(0, "${PLACE}")
from parlour_demo import Demo
demo = Demo()
await demo.start()
demo
`);
  progress('ready');
  return { python, demo };
}

const started = start();
started.catch((error) => postMessage({ step: 'failed', message: String(error) }));

/** @param {MessagePort} port */
function serve(port) {
  /** @type {Map<number, number>} the page's socket numbers, mapped to the server's */
  const own = new Map();
  port.onmessage = async ({ data }) => {
    const { python, demo } = await started;
    if (data.kind === 'request') {
      const headers = python.toPy(data.headers);
      const answer = (await demo.request(data.method, data.path, headers, data.body)).toJs();
      port.postMessage({ id: data.id, status: answer[0], type: answer[1], body: answer[2] });
    } else if (data.kind === 'open') {
      own.set(data.socket, (sockets += 1));
      demo.open(sockets,
        (/** @type {string} */ text) => port.postMessage({ socket: data.socket, text }),
        (/** @type {number} */ code) => port.postMessage({ socket: data.socket, code }));
    } else if (data.kind === 'say') demo.say(own.get(data.socket), data.text);
    else if (data.kind === 'close') demo.close(own.get(data.socket));
  };
}

onmessage = ({ data }) => serve(data.port);
