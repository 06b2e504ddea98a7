import { expect, it } from 'vitest';
import {
  STRIP_BONES,
  STRIP_FRAMES,
  STRIP_OFFSET,
  STRIP_SCALE,
  STRIP_VIEWS,
} from '../../../src/batch/report/strip-format.ts';
import { motionStrip, resultStrip } from '../../../src/batch/worker/figure-strip.ts';
import type { MeasuredMotion } from '../../../src/core/measure/joint-frames.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { motionOf } from '../../contacts/ruler-of.ts';
import { openDemo } from '../../support/make/demo-files.ts';

async function motionIn(name: string): Promise<MeasuredMotion> {
  const file = await openDemo(name);
  const { found } = chooseHumanoid(file, 'source', {});
  if (found === null) throw new Error(`${name} is not humanoid`);
  return motionOf({ humanoid: found.humanoid, clip: file.asset.clips[0].clips[found.index] });
}

/** Expects figures that stand on the ground with the hips in the middle, and the head above them. */
function expectStanding(strip: string): void {
  const bytes = new Int8Array(Buffer.from(strip, 'base64'));
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
}

it('resultStrip: has the hips of every figure in the middle, and the head above them', async () => {
  expectStanding(resultStrip(await motionIn('walk.glb')));
});

it('motionStrip: puts a BVH that rests with its hips at the origin on the ground of its motion', async () => {
  expectStanding(motionStrip(await motionIn('turn.bvh'), await motionIn('walk.glb')));
});
