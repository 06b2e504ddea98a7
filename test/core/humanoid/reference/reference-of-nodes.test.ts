import { describe, expect, it } from 'vitest';
import { referenceOfNodes } from '../../../../src/core/humanoid/reference/reference-of-nodes.ts';
import { makeRandom } from '../../../../src/demo/random.ts';
import { randomRig } from '../../../make/random-rig.ts';
import { tBody } from '../../../make/tiny-humanoid.ts';
import { angle, apart, product, read, times, turned, worldPose } from '../../../reference/plain.ts';
import { EXACT_CHAIN, LAW_F64 } from '../../../tolerances.ts';

describe('referenceOfNodes', () => {
  it('has the bones as the reference pose has them, also those that hang elsewhere in the tree', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { humanoid } = randomRig(makeRandom(seed), { tangled: seed % 2 === 0 });
      const { rotations, positions } = referenceOfNodes(humanoid);
      for (const [bone, node] of humanoid.map.nodes.entries()) {
        if (node < 0) continue;
        const { reference } = humanoid;
        expect(apart(read(positions, 3 * node, 3), read(reference.positions, 3 * bone, 3))).toBeLessThan(EXACT_CHAIN);
        expect(angle(read(rotations, 4 * node, 4), read(reference.rotations, 4 * bone, 4))).toBeLessThan(EXACT_CHAIN);
      }
    }
  });

  it('turns nodes below and between bones with the bone above, and leaves those above all bones as they are', () => {
    const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
    const body = tBody(
      {},
      { name: 'sleeve', parent: 'leftUpperArm', at: [0.1, 0, 0], turn: quarter },
      { name: 'stage', at: [3, 0, 0], turn: quarter },
    );
    const node = (name: string): number => body.skeleton.names.indexOf(name);
    const [arm, sleeve, stage] = [node('leftUpperArm'), node('sleeve'), node('stage')];
    const turns = body.reference.rotations.slice();
    turns.set(quarter, 4 * body.map.nodes.indexOf(arm));
    const { rotations, positions } = referenceOfNodes({ ...body, reference: { ...body.reference, rotations: turns } });
    expect(angle(read(rotations, 4 * sleeve, 4), product(quarter, quarter))).toBeLessThan(EXACT_CHAIN);
    const way = read(positions, 3 * sleeve, 3).map((value, c) => value - positions[3 * arm + c]);
    expect(apart(way, turned(quarter, [0.1, 0, 0]))).toBeLessThan(EXACT_CHAIN);
    expect(apart(read(positions, 3 * stage, 3), [3, 0, 0])).toBeLessThan(EXACT_CHAIN);
    expect(angle(read(rotations, 4 * stage, 4), quarter)).toBeLessThan(EXACT_CHAIN);
  });

  it('is the rest pose in the canonical frame where bones rest in their reference pose', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { humanoid } = randomRig(makeRandom(seed), { restIsReference: true, tangled: false });
      const { skeleton, frame, metersPerUnit, map } = humanoid;
      const world = worldPose(skeleton.parents, skeleton.rest);
      const { rotations, positions } = referenceOfNodes(humanoid);
      const hips = map.nodes[0];
      const lift = read(positions, 3 * hips, 3).map(
        (value, c) => value - times(turned([...frame], world.positions[hips]), metersPerUnit)[c],
      );
      for (let node = hips; node < skeleton.parents.length; node++) {
        if (skeleton.parents[node] < hips) continue;
        expect(angle(read(rotations, 4 * node, 4), product([...frame], world.rotations[node]))).toBeLessThan(LAW_F64);
        const place = times(turned([...frame], world.positions[node]), metersPerUnit).map(
          (value, c) => value + lift[c],
        );
        expect(apart(read(positions, 3 * node, 3), place)).toBeLessThan(1e-6);
      }
    }
  });
});
