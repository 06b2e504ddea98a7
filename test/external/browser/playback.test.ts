import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { PLAYBACK_VERTICES } from '../../support/tolerances.ts';
import { CHROMIUM, runInChromium } from './chromium.ts';
import type { PlaybackResult } from './playback-page.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

describe.skipIf(CHROMIUM === null || !IS_FULL_RUN)('anyrig/playback in Chromium', () => {
  let result: PlaybackResult;
  beforeAll(async () => {
    result = (await runInChromium(path('playback-page.ts'), {
      'walk.glb': demoBytes('walk.glb'),
      'mixamo.glb': demoBytes('mixamo.glb'),
    })) as PlaybackResult;
  }, 180_000);

  it('CROWD_GLSL skins vertices as the processor does', () => {
    expect(result.spread).toBeGreaterThan(0.1);
    expect(result.webgl).toBeLessThan(PLAYBACK_VERTICES);
  });

  it('CROWD_WGSL skins vertices as the processor does', (context) => {
    // Not every machine has an adapter.
    if (result.webgpu === null) return context.skip();
    expect(result.webgpu).toBeLessThan(PLAYBACK_VERTICES);
  });
});
