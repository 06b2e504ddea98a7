import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { IS_FULL_RUN } from '../law-runs.ts';
import { demoBytes } from '../make/demo-files.ts';
import { RUNTIME_VERTICES } from '../tolerances.ts';
import { bundle, CHROMIUM, runInChromium } from './chromium.ts';
import type { RuntimeResult } from './runtime-page.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

describe.skipIf(CHROMIUM === null || !IS_FULL_RUN)('anyrig/runtime and anyrig/kernels in Chromium', () => {
  let result: RuntimeResult;
  beforeAll(async () => {
    result = (await runInChromium(path('runtime-page.ts'), {
      'worker.js': new TextEncoder().encode(await bundle(path('runtime-worker.ts'))),
      'walk.glb': demoBytes('walk.glb'),
      'mixamo.glb': demoBytes('mixamo.glb'),
    })) as RuntimeResult;
  }, 180_000);

  it('CROWD_GLSL skins vertices as the processor does', () => {
    expect(result.spread).toBeGreaterThan(0.1);
    expect(result.webgl).toBeLessThan(RUNTIME_VERTICES);
  });

  it('CROWD_WGSL skins vertices as the processor does', (context) => {
    // Not every machine has an adapter.
    if (result.webgpu === null) return context.skip();
    expect(result.webgpu).toBeLessThan(RUNTIME_VERTICES);
  });

  it('serveThread plays in workers of the page: the matrices of one thread', () => {
    expect(result.threads).toBe(0);
  });
});
