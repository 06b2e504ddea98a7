import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { extractClip, planExtract } from '../../../src/core/retarget/extract-clip.ts';
import { clipOf, tPoseHumanoid, track } from '../../support/make/tiny-humanoid.ts';
import { aboutAxis } from '../../support/reference/plain.ts';

const source = tPoseHumanoid({});
const rotations = [aboutAxis([0, 0, 1], 0), aboutAxis([0, 0, 1], 0.4), aboutAxis([1, 0, 0], 0.4)];

describe('planExtract', () => {
  it('creates a rig with the bones and the hips height of the source', () => {
    const { humanoid, plan, rig } = planExtract(source);
    expect(humanoid.map.nodes.map((node) => Number(node >= 0))).toEqual(
      source.map.nodes.map((node) => Number(node >= 0)),
    );
    expect(humanoid.hipsHeight).toBeCloseTo(source.hipsHeight, 12);
    expect([plan.hipsScale, rig.declared.format]).toEqual([1, 'ext']);
    expect(plan.issues).toEqual([]);
  });

  it('stores no hips height if the hips are not above the ground', () => {
    const sunk = { ...source, hipsHeight: 0 };
    expect(
      extractClip(planExtract(sunk), clipOf(track(source, 'spine', 'rotation', 'STEP', [0], [rotations[1]])))
        .restHipsHeight,
    ).toBeNull();
  });

  it('throws for a source without hips', () => {
    const nodes = source.map.nodes.slice();
    nodes[BONE.hips] = -1;
    expect(() => planExtract({ ...source, map: { ...source.map, nodes } })).toThrow(RangeError);
  });
});

describe('extractClip', () => {
  it.each(['STEP', 'LINEAR'] as const)('keeps the keys of a %s track', (interpolation) => {
    const clip = clipOf(track(source, 'leftUpperArm', 'rotation', interpolation, [0, 1, 2.5], rotations));
    const { tracks, duration } = extractClip(planExtract(source), clip);
    expect(duration).toBe(2.5);
    expect(tracks).toHaveLength(1);
    expect(tracks[0]).toMatchObject({ target: BONE.leftUpperArm, path: 'rotation', interpolation });
    expect(Array.from(tracks[0].times)).toEqual([0, 1, 2.5]);
  });
});
