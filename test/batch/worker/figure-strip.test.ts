import { expect, it } from 'vitest';
import {
  STRIP_BONES,
  STRIP_FRAMES,
  STRIP_OFFSET,
  STRIP_SCALE,
  STRIP_VIEWS,
} from '../../../src/batch/report/strip-format.ts';
import { figureStrip } from '../../../src/batch/worker/figure-strip.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { motionOf } from '../../contacts/ruler-of.ts';
import { openDemo } from '../../support/make/demo-files.ts';

it('figureStrip: has the hips of every figure in the middle, and the head above them', async () => {
  const file = await openDemo('walk.glb');
  const { found } = chooseHumanoid(file, 'source', {});
  if (found === null) throw new Error('walk.glb is not humanoid');
  const bytes = new Int8Array(
    Buffer.from(
      figureStrip(motionOf({ humanoid: found.humanoid, clip: file.asset.clips[0].clips[found.index] })),
      'base64',
    ),
  );
  const head = Math.ceil(STRIP_BONES.length / 8);
  expect(bytes.length).toBe(head + 2 * STRIP_BONES.length * STRIP_FRAMES * STRIP_VIEWS);
  const point = (frame: number, bone: string): number[] => {
    const k = STRIP_BONES.findIndex(([name]) => name === bone);
    const o = head + 2 * (frame * STRIP_BONES.length + k);
    return [bytes[o], bytes[o + 1] + STRIP_OFFSET];
  };
  for (let frame = 0; frame < STRIP_FRAMES * STRIP_VIEWS; frame++) {
    const [x, y] = point(frame, 'hips');
    expect(x).toBe(0);
    expect(y / STRIP_SCALE).toBeGreaterThan(0.4);
    expect(y / STRIP_SCALE).toBeLessThan(0.65);
    expect(point(frame, 'head')[1]).toBeGreaterThan(y + 0.25 * STRIP_SCALE);
  }
});
