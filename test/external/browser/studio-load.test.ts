/** The studio with large files and many files, on real characters. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, IS_RELEASE_RUN } from '../../support/law-runs.ts';
import { enlargeGlb } from '../../support/make/enlarge-glb.ts';
import { PAGE_MEMORY } from '../../support/tolerances.ts';
import { CHROMIUM } from './chromium.ts';
import { type NamedFile, openFiles, PATIENCE, type StudioBrowser, settle, startStudio } from './studio-page.ts';

const LARGE = 30e6;
/** As many as a file that is not released adds more than the tolerance with: 1 MB each, of about 42 MB. */
const FILES = IS_RELEASE_RUN ? 50 : 9;
/** Files before the first measurement: code that is compiled when it has run often, shaders and tables that are loaded once are in it. */
const WARM_UP = 15;
/** Rounds of garbage collection, about a second each. */
const LEAST_ROUNDS = 4;
const MOST_ROUNDS = 40;

function read(path: string): NamedFile {
  return { name: path.slice(path.indexOf('/') + 1), bytes: readFileSync(asset('assets', path)) };
}

/**
 * Bytes of the page and its workers after garbage collection: the least of some rounds. What workers and stage still do of the last file ends within seconds,
 * on a busy machine within many, so that rounds go on until no more than `enough` is held. Canvases are left out: Chromium keeps three or four buffers of one
 * canvas, 6 MB each, as frames happen to come.
 */
async function memoryOf(page: Page, enough = Infinity): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < LEAST_ROUNDS || (round < MOST_ROUNDS && least > enough); round++) {
    await page.evaluate('gc()');
    for (const worker of page.workers()) await worker.evaluate('gc()');
    await page.waitForTimeout(500);
    const bytes = await page.evaluate(async () => {
      type Memory = { breakdown: { bytes: number; types: string[] }[] };
      const measure = performance as unknown as { measureUserAgentSpecificMemory(): Promise<Memory> };
      const { breakdown } = await measure.measureUserAgentSpecificMemory();
      return breakdown.reduce((sum, part) => (part.types.includes('Canvas') ? sum : sum + part.bytes), 0);
    });
    least = Math.min(least, bytes);
  }
  return least;
}

describe.skipIf(CHROMIUM === null || !HAS_ASSETS || !IS_FULL_RUN)('studio under load', () => {
  let studio: StudioBrowser;
  // One page, which goes on as for a person.
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    studio = (await startStudio([
      '--enable-blink-features=ForceEagerMeasureMemory',
      '--js-flags=--expose-gc',
    ])) as StudioBrowser;
    ({ page, complaints } = await studio.visit());
  }, 4 * PATIENCE);
  afterAll(() => studio?.close());

  it(
    `memory returns after ${FILES} files were opened, shown and closed`,
    async () => {
      const characters = ['glb/m2m_human-male.glb', 'vrm/Godette_vrm_v4.vrm', 'glb/m2m_human-zombie.glb'].map(read);
      const measured: number[] = [];
      for (let k = 0; k < WARM_UP + FILES; k++) {
        if (k === WARM_UP) measured.push(await memoryOf(page));
        const { name, bytes } = characters[k % characters.length];
        await openFiles(page, { name: `${k}-${name}`, bytes });
        await page.waitForFunction((label) => {
          const stage = document.querySelector('anyrig-stage')?.shadowRoot;
          return [...(stage?.querySelectorAll('.label') ?? [])].some(({ textContent }) => textContent === label);
        }, `${k}-${name}`);
        await page
          .getByRole('button', { name: `Remove ${k}-${name}` })
          .first()
          .click();
        await settle(page);
      }
      measured.push(await memoryOf(page, (1 + PAGE_MEMORY) * measured[0]));
      const [before, after] = measured;
      console.log(`memory: ${(before / 1e6).toFixed(1)} MB, after ${FILES} files ${(after / 1e6).toFixed(1)} MB`);
      expect(after / before).toBeLessThan(1 + PAGE_MEMORY);
    },
    8 * PATIENCE,
  );

  it(
    'a GLB of 30 MB opens, is shown and retargeted',
    async () => {
      const bytes = enlargeGlb(readFileSync(asset('assets', 'glb/Xbot.glb')), LARGE);
      expect(bytes.length).toBeGreaterThan(LARGE);
      await openFiles(page, read('fbx/mixamo_Walking.fbx'), { name: 'large.glb', bytes });
      await page.waitForFunction(() => {
        const stage = document.querySelector('anyrig-stage') as unknown as { figures: string[]; duration: number };
        return stage.figures.length === 1 && stage.duration > 0;
      });
      await page.getByText('Pose kept').waitFor();
      expect(complaints).toEqual([]);
    },
    4 * PATIENCE,
  );
});
