import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { createCanonicalRig } from '../../../src/core/humanoid/canonical-rig.ts';
import { fromHumanoidClip, type HumanoidClip, toHumanoidClip } from '../../../src/core/humanoid/humanoid-clip.ts';
import { expectNear } from '../../support/near.ts';
import { aboutAxis, plus, product, read, rotated } from '../../support/reference/plain.ts';
import { EXACT } from '../../support/tolerances.ts';

const body = createCanonicalRig([BONE.spine, BONE.leftUpperArm], 0.9);
const { rest } = body.skeleton;
const arm = body.declared.nodes[BONE.leftUpperArm];
const A = aboutAxis([1, 2, 3], 0.7);
const B = aboutAxis([0, 1, 1], -0.4);

function track(bone: number, path: Track['path'], interpolation: Track['interpolation'], values: number[]): Track {
  const width = path === 'rotation' ? 4 : 3;
  const keys = values.length / width / (interpolation === 'CUBICSPLINE' ? 3 : 1);
  const times = Float64Array.from({ length: keys }, (_, k) => k);
  return { target: bone, path, interpolation, times, values: Float64Array.from(values) };
}

function clipOf(...tracks: Track[]): HumanoidClip {
  return { name: 'one', duration: 1, tracks, restHipsHeight: 0.9 };
}

describe('fromHumanoidClip', () => {
  it('applies the rest transform of the bone first: q = bind · r, t = at + bind · t', () => {
    const clip = clipOf(
      track(BONE.leftUpperArm, 'rotation', 'LINEAR', [...A, ...B]),
      track(BONE.leftUpperArm, 'translation', 'STEP', [0.1, 0.2, 0.3]),
      track(BONE.leftUpperArm, 'scale', 'STEP', [1, 2, 3]),
    );
    const [rotation, translation, scale] = fromHumanoidClip(body, clip).tracks;
    const bind = read(rest, 10 * arm + 3, 4);
    expect([rotation.target, translation.target, scale.target]).toEqual([arm, arm, arm]);
    expectNear(rotation.values, [...product(bind, A), ...product(bind, B)], EXACT);
    expectNear(translation.values, plus(read(rest, 10 * arm, 3), rotated(bind, [0.1, 0.2, 0.3])), EXACT);
    expectNear(scale.values, [1, 2, 3], EXACT);
  });

  it('rotates tangents like values and offsets values only', () => {
    const spline = clipOf(
      track(BONE.leftUpperArm, 'rotation', 'CUBICSPLINE', [...A, ...B, ...A]),
      track(BONE.hips, 'translation', 'CUBICSPLINE', [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    );
    const [rotation, translation] = fromHumanoidClip(body, spline).tracks;
    const bind = read(rest, 10 * arm + 3, 4);
    expectNear(rotation.values, [...product(bind, A), ...product(bind, B), ...product(bind, A)], EXACT);
    expectNear(translation.values, [1, 2, 3, 4, 5.9, 6, 7, 8, 9], EXACT);
  });

  it('leaves out bones that the rig lacks', () => {
    expect(fromHumanoidClip(body, clipOf(track(BONE.jaw, 'rotation', 'STEP', [...A]))).tracks).toEqual([]);
  });
});

describe('toHumanoidClip', () => {
  it('inverts fromHumanoidClip and returns the hips height', () => {
    const clip = clipOf(
      track(BONE.hips, 'translation', 'CUBICSPLINE', [1, 2, 3, 4, 5, 6, 7, 8, 9]),
      track(BONE.leftUpperArm, 'rotation', 'LINEAR', [...A, ...B]),
      track(BONE.leftUpperArm, 'translation', 'LINEAR', [1, 2, 3, 4, 5, 6]),
      track(BONE.spine, 'scale', 'STEP', [1, 2, 3]),
    );
    const back = toHumanoidClip(body, fromHumanoidClip(body, clip));
    expect([back.name, back.duration, back.restHipsHeight]).toEqual(['one', 1, 0.9]);
    back.tracks.forEach(({ values, ...track }, k) => {
      const { values: expected, ...same } = clip.tracks[k];
      expect(track).toEqual(same);
      expectNear(values, expected, EXACT);
    });
  });

  it('returns no hips height for a rig without one', () => {
    const without = createCanonicalRig([], null);
    expect(toHumanoidClip(without, { name: '', duration: 0, tracks: [] }).restHipsHeight).toBeNull();
  });
});
