/**
 * Loaded before the page's modules: replaces fetch and WebSocket, so that requests go to the worker instead of a
 * server. This page is inside a frame; the outer page holds the worker and loads pages into the frame.
 */
{
  const port = /** @type {any} */ (parent).connect();
  const table = new URLSearchParams(location.search).get('table');
  if (table) history.replaceState(null, '', table);

  /** @type {Map<number, (answer: any) => void>} */
  const waiting = new Map();
  /** @type {Map<number, LocalSocket>} */
  const sockets = new Map();
  let numbers = 0;

  class LocalSocket {
    static OPEN = 1;
    /** @type {(() => void) | null} */
    onopen = null;
    /** @type {((event: {data: string}) => void) | null} */
    onmessage = null;
    /** @type {((event: {code: number}) => void) | null} */
    onclose = null;

    constructor() {
      this.number = numbers += 1;
      this.readyState = 0;
      sockets.set(this.number, this);
      port.postMessage({ kind: 'open', socket: this.number });
      setTimeout(() => {
        this.readyState = 1;
        this.onopen?.();
      });
    }

    /** @param {string} text */
    send(text) {
      port.postMessage({ kind: 'say', socket: this.number, text });
    }

    close() {
      port.postMessage({ kind: 'close', socket: this.number });
      this.end(1000);
    }

    /** @param {number} code */
    end(code) {
      sockets.delete(this.number);
      this.readyState = 3;
      this.onclose?.({ code });
    }
  }
  window.WebSocket = /** @type {any} */ (LocalSocket);

  port.onmessage = (/** @type {MessageEvent} */ { data }) => {
    if (data.socket === undefined) {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    } else if (data.code === undefined) sockets.get(data.socket)?.onmessage?.({ data: data.text });
    else sockets.get(data.socket)?.end(data.code);
  };

  const ask = (/** @type {string} */ path, /** @type {any} */ init = {}) => new Promise((resolve) => {
    const id = numbers += 1;
    waiting.set(id, ({ status, type, body }) => resolve(new Response(body, { status, headers: { 'content-type': type } })));
    port.postMessage({ kind: 'request', id, method: init.method || 'GET', path, headers: init.headers || {}, body: init.body || '' });
  });
  const realFetch = window.fetch.bind(window);
  window.fetch = /** @type {any} */ ((/** @type {any} */ asked, /** @type {any} */ init) =>
    typeof asked === 'string' && asked.startsWith('/api/') ? ask(asked, init) : realFetch(asked, init));

  // Load pages that a server would send into the frame.
  navigation.addEventListener('navigate', (/** @type {any} */ event) => {
    const { origin, pathname } = new URL(event.destination.url);
    if (origin !== location.origin || !event.cancelable) return;
    const named = pathname.match(/^\/t\/([\w-]+)$/);
    if (!named && pathname !== '/') return;
    event.preventDefault();
    setTimeout(() => /** @type {any} */ (parent).show(named ? named[1] : ''));
  });
  addEventListener('click', (event) => {
    const link = /** @type {HTMLElement} */ (event.target).closest('a[href^="/api/"]');
    if (!link) return;
    event.preventDefault();
    ask(link.getAttribute('href') || '').then((answer) => answer.blob()).then((blob) => {
      const made = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: link.getAttribute('download') });
      made.click();
    });
  }, { capture: true });
  addEventListener('pagehide', () => [...sockets.keys()].forEach((socket) => port.postMessage({ kind: 'close', socket })));
}
