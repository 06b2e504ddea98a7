import { describe, expect, it } from 'vitest';
import { worldPose } from '../../../src/demo/characters/character-pose.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { BVH_RIG, FIGHTER_RIG, MIXAMO_RIG } from '../../../src/demo/characters/rigs.ts';
import { makePose } from '../../../src/demo/figure/pose.ts';
import { bvhText } from '../../../src/demo/files/bvh.ts';
import { encodeMotion } from '../../../src/demo/files/encode.ts';
import { makePivot } from '../../../src/demo/motions/pivot.ts';
import { readBvh } from '../../../src/formats/bvh/index.ts';
import { threePoses } from '../../formats/bvh/poses.ts';
import { expectNear } from '../../support/near.ts';
import { rotated, times } from '../../support/reference/plain.ts';
import { BVH_TEXT } from '../../support/tolerances.ts';

describe('bvhText', () => {
  const rigs = [
    ['ZXY', BVH_RIG],
    ['YZX', { ...FIGHTER_RIG, facing: 0, metersPerUnit: 0.01 }],
    ['XYZ', { ...BVH_RIG, up: '+Z', extras: [] }],
  ] as const;

  it.each(rigs)('writes a motion that three.js and anyrig read back, channels %s', (order, rig) => {
    const body = makeCharacter(rig);
    const motion = makePivot(body.figure);
    const text = bvhText(body, encodeMotion(body, motion), order);
    const three = threePoses(text);
    const named = three.bones.map((bone, k) => [bone.name, k] as const).filter(([name]) => name !== 'ENDSITE');
    const pose = makePose(motion.figure);
    const frame = Array.from(body.frame);
    for (const key of [0, 60, 100]) {
      motion.pose(pose, key / 30);
      const { positions } = worldPose(body, pose);
      const played = three.poseBetweenKeys(key, 0).positions;
      for (const [name, k] of named) {
        const node = body.skeleton.names.indexOf(name);
        const canonical = times(rotated(frame, [...played.subarray(k * 3, k * 3 + 3)]), body.metersPerUnit);
        expectNear(canonical, positions.subarray(node * 3, node * 3 + 3), 10 * BVH_TEXT);
      }
    }
    const asset = readBvh(text);
    expect(asset.issues).toEqual([]);
    expect(asset.clips[0].duration).toBeCloseTo(motion.duration, 4);
  });

  it('throws for characters and clips that BVH cannot represent', () => {
    const mixamo = makeCharacter(MIXAMO_RIG);
    expect(() => bvhText(mixamo, encodeMotion(mixamo, makePivot(mixamo.figure)))).toThrow(/rest rotations/);
    const body = makeCharacter(BVH_RIG);
    const clip = encodeMotion(body, makePivot(body.figure));
    const [first, ...rest] = clip.tracks;
    const torn = { ...clip, tracks: [{ ...first, times: first.times.slice() }, ...rest] };
    expect(() => bvhText(body, torn)).toThrow(TypeError);
  });
});
