/**
 * Takes the pictures of docs/studio.md: opens the built studio in Chromium with real files, works it as the page says, and saves what it shows.
 *
 *     npx vite build studio && npx tsx --conditions=@anyrig/source scripts/studio-pictures.ts [name …]
 *
 * Needs the third-party files (`ANYRIG_ASSETS`) and Chromium. All files that are shown are CC0 or MIT.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBytes } from 'anyrig/files';
import { concatParts, serializeGltf } from 'anyrig/gltf';
import { type Browser, chromium, type Page } from 'playwright-core';
import { STUDIO_PAGE } from '../src/cli/studio-page.ts';
import type { GltfFile } from '../src/files/open-file.ts';
import { startServer } from '../src/studio-server/start-server.ts';
import { CHROMIUM } from '../test/external/browser/chromium.ts';
import { asset } from '../test/support/assets.ts';

const FLAGS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const OUT = fileURLToPath(new URL('../docs/images', import.meta.url));
const PATIENCE = 120_000;
const DESKTOP = { width: 1280, height: 720 };
/** Pictures are sharp on screens of twice the pixels. */
const RATIO = 2;
const PHONE = { width: 390, height: 844 };
const TABS = ['Motion', 'Bones', 'Pose', 'Export'] as const;
type Tab = (typeof TABS)[number];
type Theme = 'light' | 'dark';

const WALK = asset('assets', 'fbx/m2m_CMU_91_48.fbx');
const JACKS = asset('assets', 'bvh/AD_cmu1_jumping_jacks.bvh');
const KNIGHT = asset('assets', 'glb/KayKit_Knight.glb');
const WOMAN = asset('assets', 'glb/m2m_human-female.glb');

if (CHROMIUM === null) throw new Error('Chromium is missing. Install it, or set ANYRIG_CHROMIUM to its path.');

/** Writes the woman with a neck that has the name of the head, and a head with one that says little. */
async function misnamedWoman(): Promise<string> {
  const { document } = (await openBytes(readFileSync(WOMAN), { name: 'woman.glb' })) as GltfFile;
  const names: Readonly<Record<string, string>> = { head: 'skull', neck_01: 'head' };
  for (const node of document.json['nodes'] as { name?: string }[]) {
    if (node.name !== undefined) node.name = names[node.name] ?? node.name;
  }
  const path = join(scratch, 'woman.glb');
  writeFileSync(path, concatParts(serializeGltf(document, { binName: 'unused.bin' }).parts));
  return path;
}

async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(500);
  // On a phone the line is not shown.
  await page.getByText('Ready', { exact: true }).waitFor({ state: 'attached' });
}

/** Takes a picture once the stage draws at the highest quality, which it does when nothing moves. */
async function shoot(page: Page): Promise<Buffer> {
  await page.waitForTimeout(2500);
  return page.screenshot({ type: 'jpeg', quality: 76 });
}

/** Waits until the first view is complete: five characters. */
async function showReady(page: Page): Promise<void> {
  await page.waitForFunction(() => (document.querySelector('anyrig-stage')?.figures.length ?? 0) === 5);
  await settle(page);
}

/** Opens files as a new user does, and stops at a moment. */
async function open(
  browser: Browser,
  url: string,
  files: readonly string[],
  view: { readonly seconds: number; readonly theme?: Theme; readonly size?: typeof DESKTOP },
): Promise<Page> {
  const context = await browser.newContext({
    viewport: view.size ?? DESKTOP,
    locale: 'en-US',
    colorScheme: view.theme ?? 'light',
    deviceScaleFactor: RATIO,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(url);
  await showReady(page);
  await page.locator('input[type=file][multiple]').first().setInputFiles(files);
  await settle(page);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('slider', { name: 'Time' }).fill(`${view.seconds}`);
  return page;
}

/** Shows a panel as a user would who works with it. */
async function showPanel(page: Page, tab: Tab): Promise<void> {
  await page.getByRole('tab', { name: tab }).click();
  await settle(page);
  if (tab === 'Bones') {
    await page.locator('.body-diagram circle', { has: page.locator('title', { hasText: /^leftUpperArm$/ }) }).click();
  }
}

/** Puts pictures side by side. */
async function sheet(browser: Browser, pictures: readonly Buffer[], columns: number, width: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height: 100 }, deviceScaleFactor: RATIO });
  const images = pictures.map((one) => `<img src="data:image/jpeg;base64,${one.toString('base64')}">`).join('');
  await page.setContent(
    `<style>body{margin:0;background:#888;display:grid;gap:4px;grid-template-columns:repeat(${columns},1fr)}img{width:100%;display:block}</style>${images}`,
  );
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const picture = await page.screenshot({ type: 'jpeg', quality: 70, fullPage: true });
  await page.close();
  return picture;
}

/** Takes every panel once. */
async function panels(page: Page): Promise<Map<Tab, Buffer>> {
  const taken = new Map<Tab, Buffer>();
  for (const tab of TABS) {
    await showPanel(page, tab);
    taken.set(tab, await shoot(page));
  }
  return taken;
}

const scratch = mkdtempSync(join(tmpdir(), 'anyrig-pictures-'));
const wanted = process.argv.slice(2);
const server = await startServer(STUDIO_PAGE, { list: [], served: new Map() }, 0);
const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

function save(name: string, picture: Buffer): void {
  writeFileSync(join(OUT, `studio-${name}.jpg`), picture);
  console.log(name, Math.round(picture.length / 1000), 'kB');
}

/** Scenes by name: the actions of docs/studio.md, and every panel in both themes on both devices. */
const scenes: Readonly<Record<string, () => Promise<void>>> = {
  show: async () => {
    const page = await browser.newPage({
      viewport: { width: 1440, height: 900 },
      locale: 'en-US',
      deviceScaleFactor: RATIO,
    });
    page.setDefaultTimeout(PATIENCE);
    await page.goto(server.url);
    await showReady(page);
    await page.evaluate(() => {
      const stage = document.querySelector('anyrig-stage');
      stage?.pause();
      if (stage !== null) stage.currentTime = 3.1;
    });
    save('show', await shoot(page));
    await page.close();
  },
  three: async () => {
    const page = await open(browser, server.url, [JACKS, KNIGHT], { seconds: 1 });
    save('three-1', await shoot(page));
    await page.getByRole('tab', { name: 'Export', exact: true }).click();
    await page.getByRole('button', { name: /^Export [^.]/ }).hover();
    save('three-2', await shoot(page));
    await page.context().close();
  },
  five: async () => {
    const page = await open(browser, server.url, [WALK, await misnamedWoman()], { seconds: 0.1 });
    await page.getByRole('tab', { name: 'Bones' }).click();
    await page.locator('.body-diagram circle', { has: page.locator('title', { hasText: /^head$/ }) }).click();
    await settle(page);
    save('five-3', await shoot(page));
    await page.getByLabel('Type the joint of head').fill('skull');
    await settle(page);
    save('five-4', await shoot(page));
    await page.context().close();
  },
  light: async () => {
    const page = await open(browser, server.url, [JACKS, KNIGHT, WOMAN], { seconds: 1 });
    for (const [tab, picture] of await panels(page)) save(tab.toLowerCase().replace(' ', '-'), picture);
    await page.context().close();
  },
  dark: async () => {
    const page = await open(browser, server.url, [JACKS, KNIGHT, WOMAN], { seconds: 1, theme: 'dark' });
    save('dark', await sheet(browser, [...(await panels(page)).values()], 2, 1120));
    await page.context().close();
  },
  phone: async () => {
    for (const theme of ['light', 'dark'] as const) {
      const taken: Buffer[] = [];
      const page = await open(browser, server.url, [JACKS, KNIGHT], { seconds: 1, theme, size: PHONE });
      taken.push(await shoot(page));
      for (const tab of TABS) {
        await page.getByRole('tab', { name: tab }).click();
        await settle(page);
        await page.locator('.tabs').evaluate((tabs) => tabs.scrollIntoView());
        taken.push(await shoot(page));
      }
      await page.context().close();
      save(theme === 'light' ? 'phone' : 'phone-dark', await sheet(browser, taken, 5, 1160));
    }
  },
};
for (const [name, take] of Object.entries(scenes)) if (wanted.length === 0 || wanted.includes(name)) await take();
await browser.close();
await server.close();
rmSync(scratch, { recursive: true });
