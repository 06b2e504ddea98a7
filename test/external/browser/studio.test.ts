/** The studio in a real browser, with the files that are part of it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openBytes, retargetMotions } from 'anyrig/files';
import { concatParts } from 'anyrig/gltf';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DANCE, DEMO_CHARACTERS, DEMO_MOTIONS } from '../../../src/demo/index.ts';
import { SHOWN_OPTIONS, type ShownOption } from '../../../studio/src/app/motion-options.ts';
import { ENGLISH } from '../../../studio/src/app/strings.ts';
import { CHROMIUM, VIEWPORT } from './chromium.ts';
import {
  downloaded,
  openFiles,
  PATIENCE,
  removeFiles,
  type StudioBrowser,
  settle,
  startStudio,
  takeAway,
} from './studio-page.ts';

/** Takes back all options, from the panel that the page starts with. */
async function undoAll(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Motion' }).click();
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  while (await undo.isEnabled()) {
    await undo.click();
    await settle(page);
  }
}

/** A finding of axe-core. */
interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

describe.skipIf(CHROMIUM === null)('studio', () => {
  let studio: StudioBrowser;
  // One page, which goes on as for a person: a visit takes longer than most of what is done.
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    studio = (await startStudio()) as StudioBrowser;
    ({ page, complaints } = await studio.visit());
  }, 4 * PATIENCE);
  afterEach(async () => {
    await undoAll(page);
    await removeFiles(page);
    complaints.length = 0;
  }, PATIENCE);
  afterAll(() => studio?.close());

  it(
    'five characters dance before the library is loaded, and without it',
    async () => {
      const { page: first, milliseconds } = await studio.firstView();
      console.log(`first view: moves after ${milliseconds.toFixed(0)} ms`);
      await first.waitForFunction(() => document.querySelector('anyrig-stage')?.figures.length === 5);
      const time = () => first.evaluate(() => document.querySelector('anyrig-stage')?.currentTime ?? 0);
      const before = await time();
      await first.waitForFunction((past) => document.querySelector('anyrig-stage')?.currentTime !== past, before);
      await first.context().close();
    },
    PATIENCE,
  );

  it(
    'shows built-in files with a result at once, and takes away the bytes of the library, trimmed and mirrored',
    async () => {
      expect(await page.locator('nav .item').count()).toBe([DANCE, ...DEMO_MOTIONS].length);
      await page.getByText('Pose kept').waitFor();
      const [walk, child] = [DEMO_MOTIONS[0].bytes(), DEMO_CHARACTERS[2].bytes()];
      // Of the files, not of the page: procedural files differ in the last bits too.
      await openFiles(page, { name: 'mine.glb', bytes: walk }, { name: 'child.vrm', bytes: child });
      // Contacts differ in the last bits between Chromium and Node, whose Math functions differ.
      await page.getByLabel('Feet').selectOption('off');
      await page.getByLabel('Mirror').check();
      await page.getByLabel('End of the trim').fill('0.6');
      await settle(page);
      await page.getByRole('tab', { name: 'Export', exact: true }).click();
      const [{ name, bytes }] = await takeAway(page);
      const [motion, character] = [
        await openBytes(walk, { name: 'mine.glb' }),
        await openBytes(child, { name: 'child.vrm' }),
      ];
      const { outputs } = await retargetMotions([motion], character, {
        output: name,
        contacts: 'off',
        edits: { mirror: true, trim: { from: 0, to: 0.6 } },
      });
      expect(Buffer.compare(bytes, concatParts(outputs[0].parts))).toBe(0);
      expect(await page.locator('code.command').textContent()).toContain('--trim 0:0.6 --mirror');
      expect(complaints).toEqual([]);
    },
    PATIENCE,
  );

  it(
    'everything is done once by keyboard alone: motion, character, views, trim, option, bone, pose, take away',
    async () => {
      const focus = async (name: RegExp | string, role: 'button' | 'tab' = 'button') => {
        await page.getByRole(role, { name }).first().focus();
      };
      await focus(/^Wave/);
      await page.keyboard.press('Enter');
      await focus(/^Giant/);
      await page.keyboard.press('Enter');
      await settle(page);
      const isPressed = (name: string) => page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed');
      for (const [key, name] of [
        ['f', 'Front'],
        ['s', 'Side'],
        ['t', 'Top'],
        ['o', 'Orbit'],
      ] as const) {
        await page.keyboard.press(key);
        expect([name, await isPressed(name)]).toEqual([name, 'true']);
      }
      const isFollowing = () => page.getByLabel('Follow', { exact: true }).isChecked();
      await page.keyboard.press('c');
      expect(await isFollowing()).toBe(false);
      await page.keyboard.press('c');
      expect(await isFollowing()).toBe(true);
      // Space plays where a button for files has the focus, as after its dialog.
      const isPaused = () => page.evaluate(() => document.querySelector('anyrig-stage')?.paused);
      const wasPaused = await isPaused();
      let choosers = 0;
      page.on('filechooser', () => choosers++);
      await focus(/^Open files/);
      await page.keyboard.press('Space');
      expect([await isPaused(), choosers]).toEqual([!wasPaused, 0]);
      await page.keyboard.press('Space');
      // The menu with it is closed by Escape, which gives back the focus, and by a press elsewhere.
      const menu = page.locator('.stage-tools summary');
      const isOpen = () => page.getByLabel('Follow', { exact: true }).isVisible();
      await menu.focus();
      await page.keyboard.press('Enter');
      expect(await isOpen()).toBe(true);
      await page.getByLabel('Follow', { exact: true }).focus();
      await page.keyboard.press('Escape');
      expect([await isOpen(), await menu.evaluate((one) => one === document.activeElement)]).toEqual([false, true]);
      await menu.click();
      await page.mouse.click(4, 4);
      expect(await isOpen()).toBe(false);
      // It closes where the focus leaves it, and by Escape where nothing has the focus.
      await menu.click();
      await focus(/^Open files/);
      expect(await isOpen()).toBe(false);
      await menu.click();
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.keyboard.press('Escape');
      expect(await isOpen()).toBe(false);
      const start = page.getByLabel('Trim handle: start');
      await start.focus();
      for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight');
      await page.getByLabel('Trim handle: end').focus();
      for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowLeft');
      await settle(page);
      const kept = [await start.inputValue(), await page.getByLabel('Trim handle: end').inputValue()].map(Number);
      expect(kept[0]).toBeCloseTo(0.1, 2);
      expect(Number(await page.getByLabel('End of the trim').inputValue())).toBeCloseTo(kept[1], 2);
      // The end of the trim goes to the current time.
      await page.getByRole('slider', { name: 'Time', exact: true }).focus();
      await page.keyboard.press('Home');
      for (let step = 0; step < 5; step++) await page.keyboard.press('PageUp');
      await page.keyboard.press(']');
      await settle(page);
      const end = Number(await page.getByLabel('End of the trim').inputValue());
      expect(end).toBeLessThan(kept[1]);
      expect(end).toBeGreaterThan(kept[0]);
      await page.keyboard.press('1');
      await page.getByLabel('Mirror').focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('2');
      await page.getByText('All bones').focus();
      await page.keyboard.press('Enter');
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
      expect(command).toContain(`--trim 0.1:${end} --mirror --target-map giant.map.json --target-pose bind`);
      const waiting = page.waitForEvent('download');
      await focus(/^Export [^.]/);
      await page.keyboard.press('Enter');
      // With the bone map.
      expect((await waiting).suggestedFilename()).toBe('giant-wave.zip');
    },
    PATIENCE,
  );

  it(
    'a file that is broken is named with its reason, a bone map that is broken or does not fit is reported, and the page goes on',
    async () => {
      await openFiles(page, { name: 'broken.bvh', bytes: new TextEncoder().encode('HIERARCHY\nROOT hips {') });
      await page.getByText(/^The text ends/).waitFor();
      await page.getByRole('button', { name: /^Giant/ }).click();
      await settle(page);
      await page.getByText('Pose kept').waitFor();
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
      await page.getByText('Pose kept').waitFor();
    },
    PATIENCE,
  );

  it(
    'cards are dragged to the stage, all pairs are watched before they are written, and options have controls and pictures',
    async () => {
      const wave = page.locator('nav .choose').filter({ hasText: 'Wave' });
      const stage = page.locator('.stage-place');
      const figures = () => page.evaluate(() => document.querySelector('anyrig-stage')?.figures.length);
      const before = (await figures()) ?? 0;
      await wave.dragTo(stage);
      expect(await wave.getAttribute('aria-pressed')).toBe('true');
      await page.locator('aside .item[data-chosen=false] .choose').first().dragTo(stage);
      await page.waitForFunction(
        (count) => document.querySelector('anyrig-stage')?.figures.length === count,
        before + 1,
      );

      // The trim is in the bar of the timeline.
      const label = (name: ShownOption) => page.getByLabel(ENGLISH[name], { exact: true });
      for (const name of SHOWN_OPTIONS) if (name !== 'trim') expect(await label(name).count(), name).toBe(1);

      // A picture of an option is loaded when its line is opened.
      expect(await page.locator('.help img').count()).toBe(0);
      await page.locator('.help summary').first().click();
      await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.help img')?.naturalWidth === 256);

      const own = (name: string, bytes: Uint8Array) => ({ name, bytes });
      const motion = DEMO_MOTIONS[1].bytes();
      const [first, , second] = DEMO_CHARACTERS.map(({ bytes }) => bytes());
      await openFiles(page, own('my-wave.vrma', motion), own('adult.glb', first), own('child.vrm', second));
      await page.getByRole('tab', { name: 'Export', exact: true }).click();
      await page.getByRole('button', { name: /^Watch all/ }).click();
      const dialog = page.getByRole('dialog', { name: 'All motions on all characters' });
      expect(await dialog.locator('thead th').allInnerTexts()).toEqual(['adult.glb\n.glb', 'child.vrm\n.vrma']);
      for (const name of ['adult.glb', 'child.vrm']) {
        await dialog.getByRole('button', { name: new RegExp(`^my-wave.vrma on ${name}: .*(?:Feet|Pose)`) }).waitFor();
      }
      expect(await dialog.locator('td img').count()).toBe(2);
      // One of them goes on stage, or one motion with all characters.
      await dialog.getByRole('button', { name: /on adult.glb/ }).click();
      await page.waitForFunction(() => document.querySelector('anyrig-stage')?.figures.length === 1);
      await page.getByRole('button', { name: /^Watch all/ }).click();
      await dialog.getByRole('button', { name: 'my-wave.vrma', exact: true }).click();
      await page.waitForFunction(() => document.querySelector('anyrig-stage')?.figures.length === 2);
      expect(complaints).toEqual([]);
    },
    3 * PATIENCE,
  );

  it(
    'videos of every offered kind, and an archive of all pairs, which can be canceled',
    async () => {
      const child = DEMO_CHARACTERS[2].bytes();
      const motions = DEMO_MOTIONS.slice(0, 2).map(({ name, bytes }) => ({ name: `my-${name}`, bytes: bytes() }));
      await openFiles(page, ...motions, { name: 'child.vrm', bytes: child });
      await page.getByRole('tab', { name: 'Export', exact: true }).click();
      // The box `ftyp`, and the header of EBML.
      const SIGNATURES: Readonly<Record<string, RegExp>> = { MP4: /^.{8}66747970/, WebM: /^1a45dfa3/ };
      const videos = await page.getByRole('button', { name: /^Video/ }).allTextContents();
      expect(videos).toContain('Video (WebM)');
      for (const name of videos) {
        const [{ bytes }] = await downloaded(page, () => page.getByRole('button', { name }).click());
        expect(Buffer.from(bytes.subarray(0, 8)).toString('hex')).toMatch(SIGNATURES[name.slice(7, -1)]);
        expect(bytes.length).toBeGreaterThan(10_000);
      }
      const all = page.getByRole('button', { name: /^All motions/ });
      // In the page, as soon as the button is there: on a busy machine all pairs can be done before the next frame.
      const isCanceled = await all.evaluate((button, patience) => {
        const canceled = new Promise<boolean>((resolve) => {
          setTimeout(() => resolve(false), patience);
          new MutationObserver((_, observer) => {
            const cancel = document.querySelector<HTMLButtonElement>('.zip-progress button');
            if (cancel === null) return;
            observer.disconnect();
            cancel.click();
            resolve(true);
          }).observe(document.body, { childList: true, subtree: true });
        });
        (button as HTMLButtonElement).click();
        return canceled;
      }, PATIENCE / 2);
      expect(isCanceled).toBe(true);
      await all.waitFor();
      const files = await downloaded(page, () => all.click());
      // A motion with a mesh is a character, too.
      const own = files.filter(({ name }) => name.startsWith('child/'));
      expect(own.map(({ name }) => name)).toEqual(['child/child-my-walk.vrma', 'child/child-my-wave.vrma']);
      for (const { name, bytes } of own) {
        const { asset } = await openBytes(bytes, { name });
        expect(asset.clips).toHaveLength(1);
      }
      expect(complaints).toEqual([]);
    },
    3 * PATIENCE,
  );

  it(
    'axe-core finds no serious issue on any panel, light or dark, desktop or phone',
    async () => {
      // Colors on their way from one theme to the other would be measured.
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      await page.evaluate(source);
      const found: string[] = [];
      const look = async (where: string): Promise<void> => {
        // Another theme changes only colors.
        const rules = where.includes('dark') ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {};
        const violations = await page.evaluate(
          async (only) => {
            const { axe } = window as unknown as {
              axe: { run(options: object): Promise<{ violations: Violation[] }> };
            };
            return (await axe.run(only)).violations;
          },
          { resultTypes: ['violations'], ...rules },
        );
        for (const { id, impact, nodes } of violations) {
          if (impact === 'serious' || impact === 'critical') found.push(`${where}: ${id} ${nodes[0].html}`);
        }
      };
      // A press elsewhere closes the menu again.
      const choose = async (theme: string): Promise<void> => {
        await page.getByLabel('Settings').click();
        await page.getByLabel('Theme').selectOption(theme);
      };
      for (const size of [{ width: 390, height: 844 }, VIEWPORT]) {
        const { width } = size;
        await page.setViewportSize(size);
        for (const color of ['light', 'dark']) {
          await choose(color);
          await look(`${width} ${color} menu`);
          for (const tab of ['Motion', 'Bones', 'Pose', 'Export']) {
            await page.getByRole('tab', { name: tab }).click();
            await settle(page);
            await look(`${width} ${color} ${tab}`);
          }
        }
        // In the panel Export, which is open. Behind the dialog no control can be used: the colors are those of the system.
        await choose('system');
        await page.getByRole('button', { name: /^Watch all/ }).click();
        await page.locator('dialog.watch td button').first().waitFor();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
          await look(`${width} ${colorScheme} all pairs`);
        }
        await page.locator('dialog.watch').getByRole('button', { name: 'Close' }).click();
      }
      await page.emulateMedia({ colorScheme: 'light' });
      expect(found).toEqual([]);
    },
    3 * PATIENCE,
  );

  it(
    'nothing scrolls sideways on phones, in English and Japanese',
    async () => {
      const wide: string[] = [];
      await page.getByLabel('Settings').click();
      for (const language of ['en', 'ja']) {
        await page.locator('select:has(option[value="ja"])').selectOption(language);
        await page.locator(`html[lang=${language}]`).waitFor();
        for (const width of [390, 375, 360]) {
          await page.setViewportSize({ width, height: 740 });
          const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
          if (scrollWidth > width) wide.push(`${language}, ${width}: ${scrollWidth}`);
        }
      }
      await page.locator('select:has(option[value="ja"])').selectOption('en');
      await page.getByLabel('Settings').click();
      await page.setViewportSize(VIEWPORT);
      expect(wide).toEqual([]);
    },
    PATIENCE,
  );

  it(
    'undo by keyboard takes an option back, and a reload restores the session',
    async () => {
      await page.getByLabel('Mirror').check();
      await page.keyboard.press('Control+z');
      expect(await page.getByLabel('Mirror').isChecked()).toBe(false);
      await page.keyboard.press('Control+y');
      await openFiles(page, { name: 'mine.vrm', bytes: DEMO_CHARACTERS[2].bytes() });
      await page.waitForTimeout(800);
      await page.reload();
      await page.getByRole('button', { name: /^mine\.vrm/ }).waitFor();
      expect(await page.getByLabel('Mirror').isChecked()).toBe(true);
    },
    PATIENCE,
  );
});

describe.skipIf(CHROMIUM === null)('studio in a browser without WebGL', () => {
  it(
    'says so, and takes a motion and a character to the exported file all the same',
    async () => {
      const studio = (await startStudio(['--disable-3d-apis'])) as StudioBrowser;
      try {
        const { page, complaints } = await studio.visit();
        await page.getByText('Files can still be opened').waitFor();
        const [walk, child] = [DEMO_MOTIONS[0].bytes(), DEMO_CHARACTERS[2].bytes()];
        await openFiles(page, { name: 'mine.glb', bytes: walk }, { name: 'child.vrm', bytes: child });
        await page.getByText('Pose kept').waitFor();
        await page.getByRole('tab', { name: 'Export', exact: true }).click();
        expect((await takeAway(page)).map(({ name }) => name)).toEqual(['child-mine.vrma']);
        expect(complaints).toEqual([]);
      } finally {
        await studio.close();
      }
    },
    4 * PATIENCE,
  );
});
