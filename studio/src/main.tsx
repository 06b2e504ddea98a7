/** Starts the page. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { InputFile } from './app/engine-client.ts';
import { createFileSize } from './app/file-size.ts';
import { createPlayer, type Player } from './app/player.ts';
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

/** Milliseconds to wait for the first motion, which does not play where people want little motion. */
const PATIENCE = 3000;

/** Resolves when the stage plays, or after a while. */
function playing(player: Player): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE);
    const stop = effect(() => {
      if (player.paused.value) return;
      clearTimeout(timer);
      resolve();
      queueMicrotask(() => stop());
    });
  });
}

/** Adds the built-in files one by one: the first character dances before the others are there. */
async function addBuiltIn(studio: Studio, isShown: boolean, start: Promise<void>): Promise<void> {
  for (let index = 0; ; index++) {
    const file = await studio.client.engine().builtIn(index);
    if (file === null) return;
    const { path, title, bytes, isInShow } = file;
    const input = { id: `demo-${path}`, name: path, title, blob: new Blob([bytes]), resources: new Map() };
    await studio.addBuiltIn(input, isShown && isInShow);
    // A motion and a character are there: the others would only keep them waiting.
    if (isShown && index === 1) await start;
  }
}

const studio = createStudio();
const page = { studio, player: createPlayer(), fileSize: createFileSize(studio) };
applyTheme();
keepOffline();
render(<App page={page} />, document.querySelector('#app') as Element);

const given = await givenFiles();
if (given.length > 0) await page.studio.add(given, { isShown: true });
const isRestored = given.length > 0 || (await restoreSession(page.studio));
keepSession(page.studio);
page.studio.isShow.value = !isRestored;
await addBuiltIn(page.studio, !isRestored, playing(page.player));
