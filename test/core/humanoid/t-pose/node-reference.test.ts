import { describe, expect, it } from 'vitest';
import { computeNodeReference } from '../../../../src/core/humanoid/t-pose/node-reference.ts';
import { makeRandom } from '../../../../src/demo/random.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { randomRig } from '../../../support/make/random-rig.ts';
import { tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { angle, apart, product, read, rotated, times, worldPose } from '../../../support/reference/plain.ts';
import { EXACT_CHAIN, LAW_F64 } from '../../../support/tolerances.ts';

describe('computeNodeReference', () => {
  it('returns the reference pose for bones, including bones with another parent in the node tree', () => {
    for (let seed = 1; seed <= lawRuns(30); seed++) {
      const { humanoid } = randomRig(makeRandom(seed), { detached: seed % 2 === 0 });
      const { rotations, positions } = computeNodeReference(humanoid);
      for (const [bone, node] of humanoid.map.nodes.entries()) {
        if (node < 0) continue;
        const { reference } = humanoid;
        expect(apart(read(positions, 3 * node, 3), read(reference.positions, 3 * bone, 3))).toBeLessThan(EXACT_CHAIN);
        expect(angle(read(rotations, 4 * node, 4), read(reference.rotations, 4 * bone, 4))).toBeLessThan(EXACT_CHAIN);
      }
    }
  });

  it('rotates non-bone nodes with the bone above and keeps nodes above all bones', () => {
    const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
    const body = tPoseHumanoid(
      {},
      { name: 'sleeve', parent: 'leftUpperArm', at: [0.1, 0, 0], turn: quarter },
      { name: 'stage', at: [3, 0, 0], turn: quarter },
    );
    const node = (name: string): number => body.skeleton.names.indexOf(name);
    const [arm, sleeve, stage] = [node('leftUpperArm'), node('sleeve'), node('stage')];
    const turns = body.reference.rotations.slice();
    turns.set(quarter, 4 * body.map.nodes.indexOf(arm));
    const { rotations, positions } = computeNodeReference({
      ...body,
      reference: { ...body.reference, rotations: turns },
    });
    expect(angle(read(rotations, 4 * sleeve, 4), product(quarter, quarter))).toBeLessThan(EXACT_CHAIN);
    const way = read(positions, 3 * sleeve, 3).map((value, c) => value - positions[3 * arm + c]);
    expect(apart(way, rotated(quarter, [0.1, 0, 0]))).toBeLessThan(EXACT_CHAIN);
    expect(apart(read(positions, 3 * stage, 3), [3, 0, 0])).toBeLessThan(EXACT_CHAIN);
    expect(angle(read(rotations, 4 * stage, 4), quarter)).toBeLessThan(EXACT_CHAIN);
  });

  it('returns the rest pose in the canonical frame when it is the reference pose', () => {
    for (let seed = 1; seed <= lawRuns(30); seed++) {
      const { humanoid } = randomRig(makeRandom(seed), { restIsReference: true, detached: false });
      const { skeleton, frame, metersPerUnit, map } = humanoid;
      const world = worldPose(skeleton.parents, skeleton.rest);
      const { rotations, positions } = computeNodeReference(humanoid);
      const hips = map.nodes[0];
      const lift = read(positions, 3 * hips, 3).map(
        (value, c) => value - times(rotated([...frame], world.positions[hips]), metersPerUnit)[c],
      );
      for (let node = hips; node < skeleton.parents.length; node++) {
        if (skeleton.parents[node] < hips) continue;
        expect(angle(read(rotations, 4 * node, 4), product([...frame], world.rotations[node]))).toBeLessThan(LAW_F64);
        const place = times(rotated([...frame], world.positions[node]), metersPerUnit).map(
          (value, c) => value + lift[c],
        );
        expect(apart(read(positions, 3 * node, 3), place)).toBeLessThan(1e-6);
      }
    }
  });
});
