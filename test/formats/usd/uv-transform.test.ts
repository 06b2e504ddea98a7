import fc from 'fast-check';
import { Matrix3, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { type UsdTransform2d, usdTransform, uvTransform } from '../../../src/formats/usd/uv-transform.ts';
import { real } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { LAW_F64 } from '../../support/tolerances.ts';

const pair = fc.tuple(real(3), real(3));
const transforms = fc.record({ offset: pair, rotation: real(4), scale: pair });

/** Applies a UsdTransform2d: scale, rotation (counter-clockwise), translation, with v up. */
function transformInUsd([u, v]: readonly number[], { scale, rotation, translation }: UsdTransform2d): number[] {
  const radians = (rotation * Math.PI) / 180;
  const [x, y] = [u * scale[0], v * scale[1]];
  return [
    x * Math.cos(radians) - y * Math.sin(radians) + translation[0],
    x * Math.sin(radians) + y * Math.cos(radians) + translation[1],
  ];
}

it('usdTransform: samples the same image position in USD as glTF in three.js', () => {
  fc.assert(
    // three.js scales after the rotation, glTF before: they agree if both scales are equal.
    fc.property(transforms, pair, ({ offset, rotation, scale: [factor] }, [u, v]) => {
      const scale = [factor, factor] as [number, number];
      const matrix = new Matrix3().setUvTransform(offset[0], offset[1], factor, factor, rotation, 0, 0);
      const seen = new Vector3(u, v, 1).applyMatrix3(matrix);
      const inUsd = transformInUsd([u, 1 - v], usdTransform({ offset, rotation, scale }));
      expectNear([inUsd[0], 1 - inUsd[1]], [seen.x, seen.y], LAW_F64);
    }),
    { seed: 1, numRuns: lawRuns(100) },
  );
});

it('usdTransform: applies non-uniform scales before the rotation', () => {
  const moved = usdTransform({ offset: [0, 0], rotation: Math.PI / 2, scale: [2, 3] });
  // A rotation by 90° counter-clockwise, with v down: u′ = 3 v, v′ = −2 u.
  const [u, v] = transformInUsd([0.25, 1 - 0.5], moved);
  expectNear([u, 1 - v], [1.5, -0.5], LAW_F64);
});

it('uvTransform: inverts usdTransform', () => {
  fc.assert(
    fc.property(transforms, (transform) => {
      const back = uvTransform(usdTransform(transform));
      expectNear(
        [...back.offset, back.rotation, ...back.scale],
        [...transform.offset, transform.rotation, ...transform.scale],
        LAW_F64,
      );
    }),
    { seed: 1, numRuns: lawRuns(100) },
  );
  expect(uvTransform({ scale: [1, 1], rotation: 0, translation: [0, 0] })).toEqual({
    offset: [0, 0],
    rotation: 0,
    scale: [1, 1],
  });
});
