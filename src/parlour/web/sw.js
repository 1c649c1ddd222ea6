/** The service worker: without a connection, pages are replaced by a notice. Nothing else is kept. */

const KEPT = 'parlour-VERSION';
const NOTICE = '/offline';
const FILES = [NOTICE, '/web/VERSION/style.css', '/web/VERSION/lobby.css'];

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener('install', (event) => {
  worker.skipWaiting();
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(async () => (await caches.match(NOTICE)) || Response.error()));
  else if (FILES.includes(new URL(request.url).pathname)) event.respondWith(fetch(request).catch(async () => (await caches.match(request)) || Response.error()));
});
