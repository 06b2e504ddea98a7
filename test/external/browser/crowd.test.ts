import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO_CHARACTERS } from '../../../src/demo/index.ts';
import { IS_FULL_RUN, IS_RELEASE_RUN } from '../../support/law-runs.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { CHROMIUM, runInChromium } from './chromium.ts';
import type { CrowdDrawing, CrowdResult } from './crowd-page.ts';

/** Characters beside one of each model. Drawn in software: the 1,000 of the example take minutes. */
const COUNT = IS_RELEASE_RUN ? 1000 : 250;
const PAGE = fileURLToPath(new URL('crowd-page.ts', import.meta.url));

describe.skipIf(CHROMIUM === null || !IS_FULL_RUN)('examples/crowd in Chromium', () => {
  let result: CrowdResult;
  beforeAll(async () => {
    const names = ['walk.glb', ...DEMO_CHARACTERS.map(({ name }) => name)];
    const files: Record<string, Uint8Array> = Object.fromEntries(names.map((name) => [name, demoBytes(name)]));
    files['count.txt'] = Buffer.from(`${COUNT}`);
    result = (await runInChromium(PAGE, files)) as CrowdResult;
  }, 300_000);

  /** Expects a crowd that moves on much of the picture. */
  function expectCrowd(drawing: CrowdDrawing): void {
    expect(drawing.characters).toBe(COUNT + drawing.models);
    expect(drawing.models).toBe(DEMO_CHARACTERS.length);
    expect(drawing.drawn).toBeGreaterThan(0.15);
    expect(drawing.moved).toBeGreaterThan(0.02);
  }

  it(`shows ${COUNT} walking characters of all demo models with WebGL2`, () => {
    expectCrowd(result.webgl);
  });

  it(`shows ${COUNT} walking characters of all demo models with WebGPU`, (context) => {
    if (result.webgpu === null) return context.skip();
    expectCrowd(result.webgpu);
  });

  it('looks the same with WebGPU and WebGL2', (context) => {
    if (result.differing === null) return context.skip();
    // Edges are smoothed differently: 0.07. One of the eight models missing would be 0.15 of the pixels or more.
    expect(result.differing).toBeLessThan(0.1);
  });
});
