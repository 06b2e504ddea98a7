/** The studio in a real browser, with real files where they exist: open, retarget, change a bone, trim, take away. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBytes, retargetMotions } from 'anyrig/files';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_CHARACTERS, DEMO_MOTIONS } from '../../src/demo/index.ts';
import { joinParts } from '../../studio/src/engine/join-parts.ts';
import { asset, HAS_ASSETS } from '../assets.ts';
import { IS_FULL_RUN } from '../law-runs.ts';
import { CHROMIUM } from './chromium.ts';

const STUDIO = fileURLToPath(new URL('../../studio', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};
const FLAGS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
/** Milliseconds: software rendering on a busy machine is slow. */
const PATIENCE = 60_000;

let folder = '';
let server: Server;
let browser: Browser;
let address = '';

beforeAll(async () => {
  if (CHROMIUM === null) return;
  folder = mkdtempSync(join(tmpdir(), 'anyrig-studio-'));
  await build({
    root: STUDIO,
    configFile: join(STUDIO, 'vite.config.ts'),
    logLevel: 'silent',
    build: { outDir: folder },
  });
  server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '/index.html');
    try {
      const content = readFileSync(join(folder, decodeURIComponent(path)));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}, 2 * PATIENCE);

afterAll(async () => {
  await browser?.close();
  server?.close();
  if (folder !== '') rmSync(folder, { recursive: true });
});

/** A finding of axe-core. */
interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** A page, what it complained about, and what it asked other hosts for. */
interface Visit {
  readonly page: Page;
  readonly complaints: string[];
}

async function visit(): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-US' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url())) complaints.push(request.url());
  });
  await page.goto(address);
  // Characters are listed once they are open; walk.glb is one of them too.
  await page.locator('aside .item').nth(DEMO_CHARACTERS.length).waitFor();
  await settle(page);
  return { page, complaints };
}

/** Waits until the worker is done. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(100);
  await page.getByText('Ready', { exact: true }).waitFor();
}

async function openFiles(page: Page, ...files: { name: string; bytes: Uint8Array }[]): Promise<void> {
  const inputs = files.map(({ name, bytes }) => ({ name, mimeType: '', buffer: Buffer.from(bytes) }));
  await page.locator('input[type=file][multiple]').first().setInputFiles(inputs);
  await settle(page);
}

async function takeAway(page: Page): Promise<{ name: string; bytes: Uint8Array }> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download / }).click();
  const download = await waiting;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Each visit takes seconds in software rendering: `npm test` makes the first one, `.ci/run` all. */
describe.skipIf(CHROMIUM === null)('studio', () => {
  it.skipIf(!IS_FULL_RUN)(
    'shows built-in files at once, with a result and without a complaint',
    async () => {
      const { page, complaints } = await visit();
      await page.locator('anyrig-stage').waitFor();
      expect(await page.locator('nav .item').count()).toBe(DEMO_MOTIONS.length);
      await page.getByText('largest pose error').waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    PATIENCE,
  );

  it.skipIf(!IS_FULL_RUN)(
    'takes away the bytes of the library, trimmed and mirrored',
    async () => {
      const { page, complaints } = await visit();
      const [walk, child] = [DEMO_MOTIONS[0].bytes(), DEMO_CHARACTERS[2].bytes()];
      // Of the files, not of the page: procedural files differ in the last bits too.
      await openFiles(page, { name: 'mine.glb', bytes: walk }, { name: 'child.vrm', bytes: child });
      // Contacts differ in the last bits between Chromium and Node, whose Math functions differ.
      await page.getByLabel('Ground contacts').selectOption('off');
      await page.getByLabel('Mirror').check();
      await page.getByLabel('End of the trim').fill('0.6');
      await settle(page);
      await page.getByRole('tab', { name: 'Take away' }).click();
      const { name, bytes } = await takeAway(page);
      const [motion, character] = [
        await openBytes(walk, { name: 'mine.glb' }),
        await openBytes(child, { name: 'child.vrm' }),
      ];
      const { outputs } = await retargetMotions([motion], character, {
        output: name,
        contacts: 'off',
        edits: { mirror: true, trim: { from: 0, to: 0.6 } },
      });
      expect(Buffer.compare(bytes, joinParts(outputs[0].parts))).toBe(0);
      expect(await page.locator('code.command').textContent()).toContain('--trim 0:0.6 --mirror');
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    PATIENCE,
  );

  it.skipIf(!IS_FULL_RUN)(
    'undo by keyboard takes an option back, and a reload restores the session',
    async () => {
      const { page } = await visit();
      await page.getByLabel('Mirror').check();
      await page.keyboard.press('Control+z');
      expect(await page.getByLabel('Mirror').isChecked()).toBe(false);
      await page.keyboard.press('Control+y');
      await openFiles(page, { name: 'mine.vrm', bytes: DEMO_CHARACTERS[2].bytes() });
      await page.waitForTimeout(800);
      await page.reload();
      await page.getByRole('button', { name: /^mine\.vrm/ }).waitFor();
      expect(await page.getByLabel('Mirror').isChecked()).toBe(true);
      await page.context().close();
    },
    PATIENCE,
  );

  it.skipIf(!IS_FULL_RUN)(
    'a file that is broken is named with its reason, and the page goes on',
    async () => {
      const { page } = await visit();
      await openFiles(page, { name: 'broken.bvh', bytes: new TextEncoder().encode('HIERARCHY\nROOT hips {') });
      await page.getByText(/^The text ends/).waitFor();
      await page.getByRole('button', { name: /^giant\.glb/ }).click();
      await settle(page);
      await page.getByText('largest pose error').waitFor();
      await page.context().close();
    },
    PATIENCE,
  );

  it.skipIf(!IS_FULL_RUN)(
    'a bone map that is broken or does not fit is reported, and can be taken back',
    async () => {
      const { page } = await visit();
      await page.getByRole('tab', { name: 'Bones' }).click();
      const load = (text: string) => {
        const map = { name: 'a.map.json', mimeType: 'application/json', buffer: Buffer.from(text) };
        return page.locator('input[accept=".json"]').setInputFiles(map);
      };
      await load('{"bones"');
      await page.getByRole('alert').filter({ hasText: 'not valid JSON' }).waitFor();
      await load('{"bones":{"hips":"Nowhere"}}');
      await page.getByRole('alert').filter({ hasText: 'Nowhere' }).first().waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await settle(page);
      await page.getByRole('tab', { name: 'Motion' }).click();
      await page.getByText('largest pose error').waitFor();
      await page.context().close();
    },
    PATIENCE,
  );

  it.skipIf(!IS_FULL_RUN)(
    'axe-core finds no serious issue on any panel, light or dark, desktop or phone',
    async () => {
      const { page } = await visit();
      // Colors on their way from one theme to the other would be measured.
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      await page.evaluate(source);
      const found: string[] = [];
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 720 });
        for (const theme of ['light', 'dark']) {
          await page.getByLabel('Theme').selectOption(theme);
          for (const tab of ['Motion', 'Bones', 'Pose', 'Take away']) {
            await page.getByRole('tab', { name: tab }).click();
            await settle(page);
            const violations = await page.evaluate(async () => {
              const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
              return (await axe.run()).violations;
            });
            for (const { id, impact, nodes } of violations) {
              if (impact === 'serious' || impact === 'critical')
                found.push(`${width} ${theme} ${tab}: ${id} ${nodes[0].html}`);
            }
          }
        }
      }
      expect(found).toEqual([]);
      await page.context().close();
    },
    3 * PATIENCE,
  );

  it.skipIf(!IS_FULL_RUN)(
    'everything is done once by keyboard alone: motion, character, option, bone, pose, take away',
    async () => {
      const { page } = await visit();
      const focus = async (name: RegExp | string, role: 'button' | 'tab' = 'button') => {
        await page.getByRole(role, { name }).first().focus();
      };
      await focus(/^wave\.vrma/);
      await page.keyboard.press('Enter');
      await focus(/^giant\.glb/);
      await page.keyboard.press('Enter');
      await settle(page);
      await page.keyboard.press('1');
      await page.getByLabel('Mirror').focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('2');
      await page.getByLabel('leftToes', { exact: true }).focus();
      await page.keyboard.press('Home');
      await settle(page);
      await page.keyboard.press('3');
      await page.getByLabel('Reference pose').focus();
      await page.keyboard.type('bind');
      await settle(page);
      await page.keyboard.press('4');
      const command = await page.locator('code.command').textContent();
      expect(command).toContain('wave.vrma giant.glb');
      expect(command).toContain('--mirror --target-map giant.map.json --target-pose bind');
      const waiting = page.waitForEvent('download');
      await focus(/^Download /);
      await page.keyboard.press('Enter');
      expect((await waiting).suggestedFilename()).toBe('giant-wave.glb');
      await page.context().close();
    },
    PATIENCE,
  );

  it.skipIf(!HAS_ASSETS || !IS_FULL_RUN)(
    'a Mixamo FBX on a VRM: a bone is changed, and the result is that of the library with the same map',
    async () => {
      const { page, complaints } = await visit();
      const [motion, character] = ['fbx/mixamo_Walking.fbx', 'vrm/Godette_vrm_v4.vrm'].map((path) => {
        return { name: path.slice(4), bytes: readFileSync(asset('assets', path)) };
      });
      await openFiles(page, motion, character);
      await page.getByRole('tab', { name: 'Bones' }).click();
      await page.getByLabel('leftToes', { exact: true }).selectOption('');
      await settle(page);
      await page.getByRole('tab', { name: 'Take away' }).click();
      await page.getByLabel('Format').selectOption('glb');
      const { name, bytes } = await takeAway(page);
      const written = await openBytes(bytes, { name });
      const own = await openBytes(character.bytes, { name: character.name });
      const { humanoids } = await import('anyrig/files').then(({ inspectFile }) => inspectFile(own));
      const map = Object.entries(humanoids[0].bones).flatMap(([bone, report]) => {
        return bone === 'leftToes' ? [] : [[bone, report.node]];
      });
      const { outputs } = await retargetMotions([await openBytes(motion.bytes, { name: motion.name })], own, {
        output: name,
        target: { map: Object.fromEntries(map) },
      });
      const expected = await openBytes(joinParts(outputs[0].parts), { name });
      expect(written.asset.clips.map((clip) => clip.name)).toEqual(expected.asset.clips.map((clip) => clip.name));
      expect(written.asset.clips[0].clips[0].tracks.length).toBe(expected.asset.clips[0].clips[0].tracks.length);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    2 * PATIENCE,
  );
});
