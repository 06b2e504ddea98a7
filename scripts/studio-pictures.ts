/**
 * Takes the pictures of docs/studio.md: opens the built studio in Chromium with real files, and saves what it shows.
 *
 *     npm run build && npx tsx scripts/studio-pictures.ts
 *
 * Needs the third-party files (`ANYRIG_ASSETS`) and Chromium.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { STUDIO_PAGE } from '../src/cli/studio-page.ts';
import { startServer } from '../src/studio-server/start-server.ts';
import { asset } from '../test/assets.ts';
import { CHROMIUM } from '../test/browser/chromium.ts';

const FLAGS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const FILES = ['fbx/m2m_CMU_91_48.fbx', 'glb/KayKit_Knight.glb', 'glb/m2m_human-female.glb'];
const OUT = fileURLToPath(new URL('../docs/images', import.meta.url));
const PATIENCE = 120_000;

if (CHROMIUM === null) throw new Error('Chromium is missing. Install it, or set ANYRIG_CHROMIUM to its path.');

async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(500);
  await page.getByText('Ready', { exact: true }).waitFor();
}

async function save(page: Page, name: string): Promise<void> {
  // The stage draws at the highest quality once nothing moves.
  await page.waitForTimeout(2500);
  await page.screenshot({ path: join(OUT, `studio-${name}.jpg`), type: 'jpeg', quality: 82 });
}

async function goTo(page: Page, seconds: number): Promise<void> {
  await page.getByRole('slider', { name: 'Time' }).fill(`${seconds}`);
}

const server = await startServer(STUDIO_PAGE, { list: [], served: new Map() }, 0);
const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
const context = await browser.newContext({
  viewport: { width: 1280, height: 720 },
  locale: 'en-US',
  colorScheme: 'light',
});
const page = await context.newPage();
page.setDefaultTimeout(PATIENCE);
await page.goto(server.url);
await page.locator('aside .item').nth(8).waitFor();
await page
  .locator('input[type=file][multiple]')
  .first()
  .setInputFiles(FILES.map((path) => asset('assets', path)));
await settle(page);
await page.getByRole('button', { name: /^Show m2m_human-female/ }).click();
await settle(page);
await page.getByRole('button', { name: 'Pause' }).click();
await goTo(page, 1.2);
await save(page, 'motion');
await page.getByRole('tab', { name: 'Bones' }).click();
await page.getByRole('button', { name: 'Skeleton' }).click();
await page.getByLabel('leftUpperArm', { exact: true }).focus();
await save(page, 'bones');
await page.getByLabel('Theme').selectOption('dark');
await page.getByRole('tab', { name: 'Pose' }).click();
await page.getByRole('button', { name: 'T-pose', exact: true }).click();
await page.getByRole('button', { name: 'Front' }).click();
await save(page, 'pose');
await page.getByRole('tab', { name: 'Take away' }).click();
await page.getByRole('button', { name: 'T-pose', exact: true }).click();
await page.getByRole('button', { name: 'Skeleton' }).click();
await page.getByRole('button', { name: 'Overlaid' }).click();
await save(page, 'take-away');
await page.setViewportSize({ width: 390, height: 844 });
await page.getByRole('button', { name: 'Side by side' }).click();
await save(page, 'phone');
await browser.close();
await server.close();
