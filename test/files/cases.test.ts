import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chooseHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { openBytes } from '../../src/files/open.ts';
import { asset, HAS_ASSETS } from '../support/assets.ts';

describe.skipIf(!HAS_ASSETS)('files of public reports', () => {
  it('has the whole motion of a SkelAnimation without scales, with an issue that names them', async () => {
    const { asset: found } = await openBytes(readFileSync(asset('cases', '07-usd-without-scales', 'noscales.usda')));
    expect(found.clips[0].duration).toBeCloseTo(2.2, 6);
    expect(found.clips[0].clips[0].tracks.length).toBeGreaterThan(50);
    expect(found.issues.map(({ code, message }) => `${code} ${message}`)).toContainEqual(
      expect.stringMatching(/^USD_ANIMATION_INVALID .* has no `scales`/),
    );
  });

  it('finds the unit of a BVH in feet', async () => {
    const file = await openBytes(readFileSync(asset('cases', '17-feet', 'feet.bvh')));
    const { humanoid } = chooseHumanoid(file, 'only', {}).found!;
    expect(humanoid.metersPerUnit).toBeCloseTo(0.3048, 12);
    expect(humanoid.height).toBeGreaterThan(1.4);
    expect(humanoid.height).toBeLessThan(1.8);
  });
});
