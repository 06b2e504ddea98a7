import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DEMO_CHARACTERS } from '../../src/demo/index.ts';
import { IS_FULL_RUN } from '../law-runs.ts';
import { demoBytes } from '../make/demo-files.ts';
import { CHROMIUM, runInChromium } from './chromium.ts';
import type { CrowdResult } from './crowd-page.ts';

const PAGE = fileURLToPath(new URL('crowd-page.ts', import.meta.url));

describe.skipIf(CHROMIUM === null || !IS_FULL_RUN)('examples/crowd in Chromium', () => {
  it('shows 1,000 walking characters of all demo models', async () => {
    const names = ['walk.glb', ...DEMO_CHARACTERS.map(({ name }) => name)];
    const files = Object.fromEntries(names.map((name) => [name, demoBytes(name)]));
    const result = (await runInChromium(PAGE, files)) as CrowdResult;
    expect(result.characters).toBe(1000 + result.models);
    expect(result.models).toBe(DEMO_CHARACTERS.length);
    expect(result.drawn).toBeGreaterThan(0.15);
    expect(result.moved).toBeGreaterThan(0.02);
  }, 180_000);
});
