/**
 * Registers the service worker of a hosted page, which then also opens without its server. Pages of the dev server have none; those of
 * `anyrig studio` are on the machine already.
 */
export function keepOffline(): void {
  const isHosted = import.meta.env.PROD && document.querySelector('#anyrig-files') === null;
  if (!isHosted || !('serviceWorker' in navigator)) return;
  // Browsers refuse it in private windows and without HTTPS. The page works without it.
  navigator.serviceWorker.register('./sw.js').catch(() => {});
}
