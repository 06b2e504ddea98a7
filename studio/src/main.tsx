import { effect } from '@preact/signals';
import { render } from 'preact';
import type { InputFile } from './app/engine-client.ts';
import { createFileSize } from './app/file-size.ts';
import { isServedHere, namesBuiltIn, openSetup, readSetup } from './app/links.ts';
import { messageOf } from './app/message.ts';
import { builtInId, loadOpening, type Opening } from './app/opening.ts';
import { createPlayer, type Player } from './app/player.ts';
import { keepSession, keepView, restoreSession, restoreView } from './app/session.ts';
import { createStudio, type Studio } from './app/studio.ts';
import { applyTheme } from './app/theme.ts';
import { createThumbnails } from './app/thumbnails.ts';
import { App, loadPanels } from './panels/app.tsx';
import type { Page } from './panels/context.ts';

/**
 * Registers the service worker of a hosted page, which then also opens without its server. Pages of the dev server have none; those of
 * `anyrig studio` are on the machine already.
 */
function keepOffline(): void {
  const isHosted = import.meta.env.PROD && !isServedHere();
  if (!isHosted || !('serviceWorker' in navigator)) return;
  // Browsers refuse it in private windows and without HTTPS. The page works without it.
  navigator.serviceWorker.register('./sw.js').catch(() => {});
}

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

/** Milliseconds to wait for the first motion: without WebGL there is none. */
const PATIENCE = 3000;

/** Resolves when a condition on signals is true. */
function until(isTrue: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (!isTrue()) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
}

function within(milliseconds: number, promise: Promise<void>): Promise<void> {
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });
  return Promise.race([promise, late]);
}

/** Resolves when the first character has its motion, or after a while. */
function moving({ duration }: Player): Promise<void> {
  return within(
    PATIENCE,
    until(() => duration.value > 0),
  );
}

/** Milliseconds that what nobody asked for waits at most for what is being done. */
const AT_MOST = 5000;

/** Resolves when nothing is being done, or after a while. */
function idle({ pending }: Studio): Promise<void> {
  return within(
    AT_MOST,
    until(() => pending.value === 0),
  );
}

/** Adds the files that are part of the page: motions, the characters of the show, standard rigs. What the user asks for is done before them. */
async function addBuiltIn(studio: Studio, { members }: Opening): Promise<void> {
  const add = async (name: string, title: string, loading: Promise<Uint8Array<ArrayBuffer>>): Promise<void> => {
    try {
      const blob = new Blob([await loading]);
      await studio.addBuiltIn({ id: builtInId(name), name, title, blob, resources: new Map() });
    } catch (error) {
      // The others are still of use.
      studio.notice.value = `${title}: ${messageOf(error)}`;
    }
  };
  for (let index = 0; ; index++) {
    await idle(studio);
    const made = await studio.client.engine().builtIn(index);
    if (made === null) return;
    await add(made.path, made.title, Promise.resolve(made.bytes));
    if (index > 0) continue;
    for (const { file, title, bytes } of members) await add(file, title, bytes);
  }
}

/** Opens what the page starts with: files that it names, a link, the last session, or the show; then the built-in files. */
async function start({ studio, player }: Page, loading: Promise<Opening>): Promise<void> {
  const given = await givenFiles();
  if (given.length > 0) await studio.add(given, { isShown: true });
  const setup = readSetup(location.search);
  const isRestored = given.length > 0 || (setup === null && (await restoreSession(studio)));
  // A link is looked at: what was worked on before stays for the next visit.
  if (setup === null) keepSession(studio);
  const opening = await loading;
  if (!isRestored) {
    studio.startShow(opening);
    // What the worker does would only keep the first character waiting.
    await moving(player);
  }
  if (setup !== null && !namesBuiltIn(setup)) await openSetup(studio, setup);
  await addBuiltIn(studio, opening);
  const hasOwn = studio.files.value.some(({ isBuiltIn }) => !isBuiltIn);
  if (setup !== null && namesBuiltIn(setup) && !hasOwn) await openSetup(studio, setup);
}

/** Loads what is not needed at once, when nothing else is waited for. */
async function loadRest({ studio, player }: Page): Promise<void> {
  await moving(player);
  await idle(studio);
  await loadPanels();
  // It loads the whole page once more.
  keepOffline();
}

const loading = loadOpening();
// The stage is the largest part of the page: it loads while the rest of the page is drawn.
void import('anyrig/stage');
const studio = createStudio();
const player = createPlayer();
const page: Page = { studio, player, fileSize: createFileSize(studio), thumbnails: createThumbnails(studio, player) };
restoreView();
keepView();
applyTheme();
render(<App page={page} />, document.querySelector('#app') as Element);
// Not awaited: what the stage imports is in this chunk, and would wait for all of it.
start(page, loading).catch((error: unknown) => {
  studio.notice.value = messageOf(error);
});
void loadRest(page);
