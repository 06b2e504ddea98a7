import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { extractClip, planExtract } from '../../../src/core/retarget/extract-clip.ts';
import { clipOf, tBody, track } from '../../make/tiny-humanoid.ts';
import { aboutAxis } from '../../reference/plain.ts';

const body = tBody({});
const turns = [aboutAxis([0, 0, 1], 0), aboutAxis([0, 0, 1], 0.4), aboutAxis([1, 0, 0], 0.4)];

describe('planExtract', () => {
  it('makes a body of the bones that the source has, as high as it', () => {
    const { humanoid, plan, body: portable } = planExtract(body);
    expect(humanoid.map.nodes.map((node) => Number(node >= 0))).toEqual(
      body.map.nodes.map((node) => Number(node >= 0)),
    );
    expect(humanoid.hipsHeight).toBeCloseTo(body.hipsHeight, 12);
    expect([plan.hipsScale, portable.declared.format]).toEqual([1, 'ext']);
    expect(plan.issues).toEqual([]);
  });

  it('knows no height of hips that are not above the ground', () => {
    const sunk = { ...body, hipsHeight: 0 };
    expect(
      extractClip(planExtract(sunk), clipOf(track(body, 'spine', 'rotation', 'STEP', [0], [turns[1]]))).restHipsHeight,
    ).toBeNull();
  });

  it('refuses a source without hips', () => {
    const nodes = body.map.nodes.slice();
    nodes[BONE.hips] = -1;
    expect(() => planExtract({ ...body, map: { ...body.map, nodes } })).toThrow(RangeError);
  });
});

describe('extractClip', () => {
  it.each(['STEP', 'LINEAR'] as const)('keeps the keys of a %s track', (interpolation) => {
    const clip = clipOf(track(body, 'leftUpperArm', 'rotation', interpolation, [0, 1, 2.5], turns));
    const { tracks, duration } = extractClip(planExtract(body), clip);
    expect(duration).toBe(2.5);
    expect(tracks).toHaveLength(1);
    expect(tracks[0]).toMatchObject({ target: BONE.leftUpperArm, path: 'rotation', interpolation });
    expect(Array.from(tracks[0].times)).toEqual([0, 1, 2.5]);
  });
});
