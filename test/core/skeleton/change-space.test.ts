import { describe, expect, it } from 'vitest';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { changeSpace, type SpaceChange } from '../../../src/core/skeleton/change-space.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { between, type Random, randomRotation } from '../../../src/demo/random.ts';
import { largest, law } from '../../laws/law.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { LAW_F64 } from '../../support/tolerances.ts';

function modelMatrices({ parents, rest }: Skeleton): Float64Array {
  const out = new Float64Array(16 * parents.length);
  localToModelMatrices(out, parents, rest);
  return out;
}

/** Returns the error of matrices against `M · W · S`: M is the change, S undoes its scale, so that node scales stay. */
function missed(before: Float64Array, after: ArrayLike<number>, { rotation, scale }: SpaceChange): number {
  const change = new Float64Array(16);
  const back = new Float64Array(16);
  mat4.compose(change, 0, [0, 0, 0, ...Array.from(rotation), scale, scale, scale], 0);
  mat4.compose(back, 0, [0, 0, 0, 0, 0, 0, 1, 1 / scale, 1 / scale, 1 / scale], 0);
  const wanted = new Float64Array(16);
  let error = 0;
  for (let at = 0; at < before.length; at += 16) {
    mat4.multiply(wanted, 0, change, 0, before, at);
    mat4.multiply(wanted, 0, wanted, 0, back, 0);
    const size = 1 + Math.max(...wanted.map(Math.abs));
    error = largest(error, ...wanted.map((x, c) => Math.abs(x - after[at + c]) / size));
  }
  return error;
}

/** Returns a skeleton with a different scale on each axis of each node, and a bind pose other than the rest pose. */
function anySkeleton(random: Random): Skeleton {
  const { skeleton } = randomRig(random).humanoid;
  const rest = skeleton.rest.map((x, k) => (k % 10 < 7 ? x : x * between(random, 0.5, 2)));
  const bind = modelMatrices({ ...skeleton, rest: skeleton.rest.map((x, k) => (k % 10 < 3 ? 1.5 * x : x)) });
  return { ...skeleton, rest, bind };
}

function anyChange(random: Random): SpaceChange {
  return { rotation: randomRotation(random), scale: between(random, 0.01, 3) };
}

const ROOT_AND_CHILD: Skeleton = {
  name: 'z up',
  names: ['root', 'child'],
  parents: Int32Array.of(-1, 0),
  rest: Float64Array.of(1, 2, 100, 0, 0, 0, 1, 2, 2, 2, 0, 0, 50, 0, 0, 0, 1, 1, 1, 1),
  bind: null,
  joints: Uint8Array.of(0, 1),
};
const Z_UP_CM: SpaceChange = { rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], scale: 0.01 };

describe('changeSpace', () => {
  it('rotates the roots and scales all translations', () => {
    const { rest } = changeSpace(ROOT_AND_CHILD, Z_UP_CM);
    const expected = [0.01, 1, -0.02, -Math.SQRT1_2, 0, 0, Math.SQRT1_2, 2, 2, 2, 0, 0, 0.5, 0, 0, 0, 1, 1, 1, 1];
    expect(rest.length).toBe(20);
    rest.forEach((x, k) => {
      expect(x).toBeCloseTo(expected[k], 14);
    });
    expect(ROOT_AND_CHILD.rest[2]).toBe(100);
  });

  law('puts every node where the change puts its place, turned alike', LAW_F64, (random) => {
    const skeleton = anySkeleton(random);
    const change = anyChange(random);
    const changed = changeSpace(skeleton, change);
    return largest(
      missed(modelMatrices(skeleton), modelMatrices(changed), change),
      missed(Float64Array.from(skeleton.bind!), changed.bind!, change),
    );
  });

  law('is undone by the change back', LAW_F64, (random) => {
    const skeleton = anySkeleton(random);
    const { rotation, scale } = anyChange(random);
    const [x, y, z, w] = Array.from(rotation);
    const back = changeSpace(changeSpace(skeleton, { rotation, scale }), {
      rotation: [-x, -y, -z, w],
      scale: 1 / scale,
    });
    const size = 1 + Math.max(...skeleton.rest.map(Math.abs));
    return largest(...Array.from(back.rest, (value, k) => Math.abs(value - skeleton.rest[k]) / size));
  });

  it('throws for an invalid scale or rotation', () => {
    const wrong: SpaceChange[] = [
      { rotation: [0, 0, 0, 1], scale: 0 },
      { rotation: [0, 0, 0, 1], scale: -1 },
      { rotation: [0, 0, 0, 1], scale: Number.POSITIVE_INFINITY },
      { rotation: [0, 0, 0, 2], scale: 1 },
      { rotation: [Number.NaN, 0, 0, 1], scale: 1 },
      { rotation: [0, 0, 1], scale: 1 },
    ];
    for (const change of wrong) expect(() => changeSpace(ROOT_AND_CHILD, change)).toThrow(RangeError);
  });
});
