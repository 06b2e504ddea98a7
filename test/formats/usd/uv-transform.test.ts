import fc from 'fast-check';
import { Matrix3, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { type UsdTransform2d, usdTransform, uvTransform } from '../../../src/formats/usd/uv-transform.ts';
import { real } from '../../arbitraries.ts';
import { expectNear } from '../../near.ts';
import { LAW_F64 } from '../../tolerances.ts';

const pair = fc.tuple(real(3), real(3));
const transforms = fc.record({ offset: pair, rotation: real(4), scale: pair });

/** What UsdTransform2d says: scale, then turn counter-clockwise, then move, v upwards. */
function movedInUsd([u, v]: readonly number[], { scale, rotation, translation }: UsdTransform2d): number[] {
  const radians = (rotation * Math.PI) / 180;
  const [x, y] = [u * scale[0], v * scale[1]];
  return [
    x * Math.cos(radians) - y * Math.sin(radians) + translation[0],
    x * Math.sin(radians) + y * Math.cos(radians) + translation[1],
  ];
}

it('the same place of the image is seen in USD as in glTF, as three.js shows it', () => {
  fc.assert(
    // three.js scales behind the turn, glTF before: the same where both scales are one.
    fc.property(transforms, pair, ({ offset, rotation, scale: [factor] }, [u, v]) => {
      const scale = [factor, factor] as [number, number];
      const matrix = new Matrix3().setUvTransform(offset[0], offset[1], factor, factor, rotation, 0, 0);
      const seen = new Vector3(u, v, 1).applyMatrix3(matrix);
      const inUsd = movedInUsd([u, 1 - v], usdTransform({ offset, rotation, scale }));
      expectNear([inUsd[0], 1 - inUsd[1]], [seen.x, seen.y], LAW_F64);
    }),
    { seed: 1, numRuns: 100 },
  );
});

it('uneven scales come before the turn in both', () => {
  const moved = usdTransform({ offset: [0, 0], rotation: Math.PI / 2, scale: [2, 3] });
  // A quarter turn counter-clockwise of the image that v runs down: u′ = 3 v, v′ = −2 u.
  const [u, v] = movedInUsd([0.25, 1 - 0.5], moved);
  expectNear([u, 1 - v], [1.5, -0.5], LAW_F64);
});

it('goes there and back', () => {
  fc.assert(
    fc.property(transforms, (transform) => {
      const back = uvTransform(usdTransform(transform));
      expectNear(
        [...back.offset, back.rotation, ...back.scale],
        [...transform.offset, transform.rotation, ...transform.scale],
        LAW_F64,
      );
    }),
    { seed: 1, numRuns: 100 },
  );
  expect(uvTransform({ scale: [1, 1], rotation: 0, translation: [0, 0] })).toEqual({
    offset: [0, 0],
    rotation: 0,
    scale: [1, 1],
  });
});
