import { describe, expect, it } from 'vitest';
import { bakeBindShapes } from '../../../src/core/asset/bake-bind-shapes.ts';
import type { Geometry } from '../../../src/core/asset/geometry.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { between, makeRandom, type Random, randomRotation } from '../../../src/demo/random.ts';
import { law } from '../../laws/law.ts';
import { randomGeometry } from '../../make/random-geometry.ts';
import { expectNear } from '../../near.ts';
import { matrixOf } from '../../reference/skinning.ts';
import { worldVertices, worldMatrices } from '../../reference/world-vertices.ts';
import { STORED_VERTICES } from '../../tolerances.ts';
import { seenError } from './seen.ts';

/** A geometry whose skins are bound as they rest, each with one factor for all its joints. */
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
    'changes nothing that is seen, in any pose',
    STORED_VERTICES,
    (random) => {
      const geometry = boundAtRest(random, () => anyFactor(random));
      const pose = randomGeometry(random).nodes.rest;
      return seenError(geometry, bakeBindShapes(geometry), null, [pose, pose]);
    },
    300,
  );

  law(
    'stores what skins move where it is seen at rest',
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

  it('takes the pose of the bind where it is given, whatever the rest', () => {
    const random = makeRandom(9);
    const bound = boundAtRest(random, () => anyFactor(random));
    const bindMatrices = Float64Array.from(worldMatrices(bound.nodes.parents, bound.nodes.rest).flat());
    const unlike = { ...bound, nodes: { ...bound.nodes, rest: randomGeometry(random).nodes.rest } };
    const baked = bakeBindShapes(unlike, bindMatrices);
    expect(seenError(unlike, baked)).toBeLessThan(STORED_VERTICES);
    // In the pose of the bind everything is where it is stored, as it is without another rest.
    const wanted = bakeBindShapes(bound).meshes[0].primitives[0].positions;
    expectNear(baked.meshes[0].primitives[0].positions, wanted, STORED_VERTICES * Math.max(...wanted.map(Math.abs)));
  });

  it('gives back the very geometry where nothing is to be done', () => {
    const geometry = boundAtRest(makeRandom(3), () => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    expect(bakeBindShapes(geometry)).toBe(geometry);
  });

  it('leaves skins whose factor shears, mirrors or scales by axes', () => {
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

  it('makes a mesh for every factor that it is shown with', () => {
    const random = makeRandom(8);
    const geometry = boundAtRest(random, () => anyFactor(random));
    const instances = [-1, 0, 1, 0].map((skin) => ({ node: 6, mesh: 0, skin, morphWeights: null }));
    const baked = bakeBindShapes({ ...geometry, instances });
    expect(baked.instances.map(({ mesh }) => mesh)).toEqual([0, 3, 4, 3]);
  });
});
