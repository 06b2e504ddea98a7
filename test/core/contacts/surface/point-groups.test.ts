import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupPoints, lowestOfGroups } from '../../../../src/core/contacts/surface/point-groups.ts';
import { lowestHeight, type SkinPoints } from '../../../../src/core/deform/skin-points.ts';
import * as mat4 from '../../../../src/core/math/mat4.ts';

const NODES = 4;
const number = fc.double({ min: -1, max: 1, noNaN: true });
const influence = fc.record({
  node: fc.nat(NODES - 1),
  position: fc.tuple(number, number, number),
  weight: fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 1, noNaN: true })),
});
const point = fc.record({
  bone: fc.nat(2),
  radius: fc.double({ min: 0, max: 0.2, noNaN: true }),
  influences: fc.array(influence, { minLength: 1, maxLength: 3 }).filter((all) => all.some(({ weight }) => weight > 0)),
});
const matrix = fc.tuple(fc.tuple(number, number, number), fc.tuple(number, number, number, fc.constant(2)), number);

test('lowestOfGroups: equals the height of the lowest of all points in any pose', () => {
  fc.assert(
    fc.property(
      fc.array(point, { maxLength: 20 }).map((all) => all.sort((a, b) => a.bone - b.bone)),
      fc.array(matrix, { minLength: NODES, maxLength: NODES }),
      fc.tuple(number, number, number),
      (all, poses, up) => {
        const starts = [0];
        const nodes: number[] = [];
        const offsets: number[] = [];
        for (const { influences } of all) {
          const total = influences.reduce((sum, { weight }) => sum + weight, 0);
          for (const { node, position, weight } of influences) {
            nodes.push(node);
            for (const value of [...position, 1]) offsets.push((value * weight) / total);
          }
          starts.push(nodes.length);
        }
        const points: SkinPoints = {
          starts: Int32Array.from(starts),
          nodes: Int32Array.from(nodes),
          offsets: Float64Array.from(offsets),
          rigid: new Uint8Array(all.length),
          radii: Float64Array.from(all, ({ radius }) => radius),
          triangles: new Int32Array(0),
        };
        const matrices = new Float64Array(16 * NODES);
        for (const [node, [translation, rotation, scale]] of poses.entries()) {
          const length = Math.hypot(...rotation);
          const trs = [...translation, ...rotation.map((one) => one / length), 1 + scale / 2, 1, 1 - scale / 2];
          mat4.compose(matrices, 16 * node, trs, 0);
        }
        const bones = all.map(({ bone }) => bone);
        const groups = groupPoints(points, bones, all.length);
        expect(lowestOfGroups(groups, points, up, matrices)).toBe(lowestHeight(points, 0, all.length, up, matrices));
      },
    ),
  );
});
