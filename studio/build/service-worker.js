/**
 * Keeps the page on the machine, so that it opens without its server. The build puts `BUILD` before this text: the version and the files of the
 * page, by address relative to this file. A new version waits until all pages of the old one are closed, whose chunks it would replace.
 */
const PREFIX = `anyrig-studio ${self.registration.scope} `;
const CACHE = PREFIX + BUILD.version;

self.addEventListener('install', (event) => {
  // Past the HTTP cache: a page and chunks of different versions would not work together.
  const requests = BUILD.files.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

async function removeOldCaches() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

self.addEventListener('activate', (event) => {
  event.waitUntil(removeOldCaches().then(() => self.clients.claim()));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: request.mode === 'navigate' })) ?? fetch(request);
}

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'GET' && new URL(url).origin === self.location.origin) event.respondWith(answer(event.request));
});
