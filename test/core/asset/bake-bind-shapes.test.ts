import { describe, expect, it } from 'vitest';
import { bakeBindShapes } from '../../../src/core/asset/bake-bind-shapes.ts';
import type { Geometry } from '../../../src/core/asset/geometry.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { between, makeRandom, type Random, randomRotation } from '../../../src/demo/random.ts';
import { law } from '../../laws/law.ts';
import { randomGeometry } from '../../support/make/random-geometry.ts';
import { expectNear } from '../../support/near.ts';
import { matrixOf } from '../../support/reference/skinning.ts';
import { worldMatrices, worldVertices } from '../../support/reference/world-vertices.ts';
import { STORED_VERTICES } from '../../support/tolerances.ts';
import { seenError } from './seen.ts';

/** A geometry whose skins are bound in the rest pose, each with one bind shape for all its joints. */
function boundAtRest(random: Random, factorOf: () => ArrayLike<number>): Geometry {
  const geometry = randomGeometry(random);
  const worlds = worldMatrices(geometry.nodes.parents, geometry.nodes.rest);
  const skins = geometry.skins.map((skin) => {
    const factor = factorOf();
    const inverseBindMatrices = new Float64Array(16 * skin.joints.length);
    skin.joints.forEach((joint, j) => {
      mat4.invertAffine(inverseBindMatrices, 16 * j, worlds[joint], 0);
      mat4.multiply(inverseBindMatrices, 16 * j, inverseBindMatrices, 16 * j, factor, 0);
    });
    return { ...skin, inverseBindMatrices };
  });
  return { ...geometry, skins };
}

function anyFactor(random: Random): readonly number[] {
  const s = between(random, 0.01, 100);
  const stretch = [s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, 0, 0, 0, 1];
  const translation = [1, 2, 3].map(() => between(random, -3, 3));
  return matrixOf({ rotation: randomRotation(random), translation, stretch });
}

describe('bakeBindShapes', () => {
  law(
    'does not change the rendered result in any pose',
    STORED_VERTICES,
    (random) => {
      const geometry = boundAtRest(random, () => anyFactor(random));
      const pose = randomGeometry(random).nodes.rest;
      return seenError(geometry, bakeBindShapes(geometry), null, [pose, pose]);
    },
    300,
  );

  law(
    'stores skinned vertices where they are rendered in the rest pose',
    STORED_VERTICES,
    (random) => {
      const baked = bakeBindShapes(boundAtRest(random, () => anyFactor(random)));
      const [seen] = worldVertices({
        ...baked,
        instances: [{ ...baked.instances[0], morphWeights: [0, 0, 0] as never }],
      });
      const { positions } = baked.meshes[baked.instances[0].mesh].primitives[0];
      const size = Math.max(...positions.map(Math.abs));
      return Math.max(...positions.map((x, c) => Math.abs(x - seen.positions[c]) / size));
    },
    100,
  );

  it('uses explicit bind matrices instead of the rest pose', () => {
    const random = makeRandom(9);
    const bound = boundAtRest(random, () => anyFactor(random));
    const bindMatrices = Float64Array.from(worldMatrices(bound.nodes.parents, bound.nodes.rest).flat());
    const unlike = { ...bound, nodes: { ...bound.nodes, rest: randomGeometry(random).nodes.rest } };
    const baked = bakeBindShapes(unlike, bindMatrices);
    expect(seenError(unlike, baked)).toBeLessThan(STORED_VERTICES);
    // In the bind pose, vertices are rendered where they are stored.
    const wanted = bakeBindShapes(bound).meshes[0].primitives[0].positions;
    expectNear(baked.meshes[0].primitives[0].positions, wanted, STORED_VERTICES * Math.max(...wanted.map(Math.abs)));
  });

  it('returns the same object where nothing changes', () => {
    const geometry = boundAtRest(makeRandom(3), () => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    expect(bakeBindShapes(geometry)).toBe(geometry);
  });

  it('keeps skins whose bind shape shears, mirrors or scales nonuniformly', () => {
    const odd = [
      [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
      [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
      [1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      [Number.NaN, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    ];
    for (const factor of odd) {
      const geometry = boundAtRest(makeRandom(3), () => factor);
      expect(bakeBindShapes(geometry)).toBe(geometry);
    }
  });

  it('creates one mesh per bind shape', () => {
    const random = makeRandom(8);
    const geometry = boundAtRest(random, () => anyFactor(random));
    const instances = [-1, 0, 1, 0].map((skin) => ({ node: 6, mesh: 0, skin, morphWeights: null }));
    const baked = bakeBindShapes({ ...geometry, instances });
    expect(baked.instances.map(({ mesh }) => mesh)).toEqual([0, 3, 4, 3]);
  });
});
