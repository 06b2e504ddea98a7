import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../../src/demo/random.ts';
import { zeroPose } from '../../../src/formats/bvh/zero-pose.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { rigOf } from '../../support/make/rig-text.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';
import { angle, apart, read, rotated, times, worldPose } from '../../support/reference/plain.ts';
import { EXACT_CHAIN, LAW_F64 } from '../../support/tolerances.ts';

describe('zeroPose', () => {
  it('has the bones of a humanoid in its reference pose, in centimeters above the ground', () => {
    for (let seed = 1; seed <= lawRuns(40); seed++) {
      const { humanoid } = randomRig(makeRandom(seed));
      const zero = zeroPose(humanoid);
      const { reference, map, ground } = humanoid;
      for (const [bone, node] of map.nodes.entries()) {
        if (node < 0) continue;
        expect(zero.bones[node]).toBe(bone);
        const [x, y, z] = read(reference.positions, 3 * bone, 3);
        expect(apart(read(zero.positions, 3 * node, 3), times([x!, y! - ground, z!], 100))).toBeLessThan(1e-7);
        expect(angle(read(zero.rotations, 4 * node, 4), read(reference.rotations, 4 * bone, 4))).toBeLessThan(LAW_F64);
      }
    }
  });

  it('rotates nodes between and below bones with the bone above them', () => {
    const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
    const humanoid = tPoseHumanoid({}, { name: 'sleeve', parent: 'leftUpperArm', at: [0.1, 0, 0] });
    const rotations = humanoid.reference.rotations.slice();
    const arm = humanoid.skeleton.names.indexOf('leftUpperArm');
    rotations.set(quarter, 4 * [...humanoid.map.nodes].indexOf(arm));
    const zero = zeroPose({ ...humanoid, reference: { ...humanoid.reference, rotations } });
    const sleeve = humanoid.skeleton.names.indexOf('sleeve');
    expect(angle(read(zero.rotations, 4 * sleeve, 4), [...quarter])).toBeLessThan(EXACT_CHAIN);
    const from = read(zero.positions, 3 * arm, 3);
    const expected = rotated([...quarter], [10, 0, 0]).map((value, axis) => value + from[axis]!);
    expect(apart(read(zero.positions, 3 * sleeve, 3), expected)).toBeLessThan(EXACT_CHAIN);
  });

  it('is the rest pose of a non-humanoid skeleton, with its axes, and with its unit if that is unknown', () => {
    const skeleton = rigOf('root > body > tail');
    const world = worldPose(skeleton.parents, skeleton.rest);
    for (const [metersPerUnit, scale] of [
      [null, 1],
      [1, 100],
      [0.01, 1],
    ] as const) {
      const zero = zeroPose({ skeleton, metersPerUnit });
      expect(zero.scale).toBeCloseTo(scale, 12);
      expect([...zero.bones]).toEqual([-1, -1, -1]);
      world.positions.forEach((position, node) => {
        expect(apart(read(zero.positions, 3 * node, 3), times(position, scale))).toBeLessThan(EXACT_CHAIN);
      });
    }
  });
});
