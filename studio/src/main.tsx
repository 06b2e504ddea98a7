/** Starts the page. */
import { render } from 'preact';
import type { InputFile } from './app/engine-client.ts';
import { createPlayer } from './app/player.ts';
import { keepSession, restoreSession } from './app/session.ts';
import { createStudio, type Studio } from './app/studio.ts';
import { applyTheme } from './app/theme.ts';
import { App } from './panels/app.tsx';

/**
 * Registers the service worker of a hosted page, which then also opens without its server. Pages of the dev server have none; those of
 * `anyrig studio` are on the machine already.
 */
function keepOffline(): void {
  const isHosted = import.meta.env.PROD && document.querySelector('#anyrig-files') === null;
  if (!isHosted || !('serviceWorker' in navigator)) return;
  // Browsers refuse it in private windows and without HTTPS. The page works without it.
  navigator.serviceWorker.register('./sw.js').catch(() => {});
}

/** A served file. */
interface GivenFile {
  readonly name: string;
  readonly url: string;
  readonly resources?: readonly GivenFile[];
}

async function blobOf({ url }: GivenFile): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be read: the server answered ${response.status}.`);
  return await response.blob();
}

/** Reads the files that the page names. */
async function givenFiles(): Promise<InputFile[]> {
  const list = document.querySelector('#anyrig-files')?.textContent;
  if (list === undefined || list === null) return [];
  const given = JSON.parse(list) as readonly GivenFile[];
  return await Promise.all(
    given.map(async (file, k) => {
      const resources = await Promise.all(
        (file.resources ?? []).map(async (one) => [one.name, await blobOf(one)] as const),
      );
      return { id: `given-${k}`, name: file.name, blob: await blobOf(file), resources: new Map(resources) };
    }),
  );
}

/** Adds the built-in files: any motion goes on any character. */
async function addDemo(studio: Studio, isShown: boolean): Promise<void> {
  const files = await studio.client.engine().demo();
  const inputs = files.map(({ path, bytes }): InputFile => {
    return { id: `demo-${path}`, name: path, blob: new Blob([bytes]), resources: new Map() };
  });
  await studio.add(inputs, { isBuiltIn: true, isShown });
}

const page = { studio: createStudio(), player: createPlayer() };
applyTheme();
keepOffline();
render(<App page={page} />, document.querySelector('#app') as Element);

const given = await givenFiles();
if (given.length > 0) await page.studio.add(given, { isBuiltIn: false, isShown: true });
const isRestored = given.length > 0 || (await restoreSession(page.studio));
keepSession(page.studio);
await addDemo(page.studio, !isRestored);
