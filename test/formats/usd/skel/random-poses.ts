/** Random joint matrices, and the attributes that UsdSkelAnimation::SetTransforms makes of them. */
import fc from 'fast-check';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import { rotation, vector } from '../../../support/arbitraries.ts';

/** Matrices of a rotation and a translation of up to 5, as the tests of OpenUSD have them. */
export function randomMatrices(count: number, seed: number): Float64Array[] {
  return fc.sample(fc.tuple(vector(5), rotation()), { seed, numRuns: count }).map(([translation, turn]) => {
    const matrix = new Float64Array(16);
    mat4.compose(matrix, 0, [...translation, ...turn, 1, 1, 1], 0);
    return matrix;
  });
}

/** `count` matrices for each of `frames` frames. */
export function randomFrames(frames: number, count: number, seed: number): Float64Array[][] {
  return Array.from({ length: frames }, (_, frame) => randomMatrices(count, seed + frame));
}

/** A matrix as USD text has it. */
export function matrixText(matrix: ArrayLike<number>): string {
  return `(${[0, 4, 8, 12].map((at) => `(${Array.from(matrix).slice(at, at + 4)})`)})`;
}

/** Numbers of which every `width` are a tuple, as an array of USD text. */
function tuples(numbers: readonly number[], width: number): string {
  const starts = Array.from({ length: numbers.length / width }, (_, i) => i * width);
  return `[${starts.map((at) => `(${numbers.slice(at, at + width)})`)}]`;
}

/** Matrices of each frame taken apart: `translations`, `rotations` and `scales` with a sample a frame. */
export function componentsText(frames: readonly (readonly Float64Array[])[]): string {
  const parts = frames.map((matrices) =>
    matrices.map((matrix) => {
      const trs = new Float64Array(10);
      if (!mat4.decompose(trs, 0, matrix, 0)) throw new Error('a random matrix has shear');
      const [tx, ty, tz, x, y, z, w, ...scale] = trs;
      return { translation: [tx, ty, tz], rotation: [w, x, y, z], scale };
    }),
  );
  const samples = (name: 'translation' | 'rotation' | 'scale', width: number): string => {
    const texts = parts.map(
      (joints, frame) =>
        `${frame}: ${tuples(
          joints.flatMap((joint) => joint[name]),
          width,
        )}`,
    );
    return `.timeSamples = { ${texts.join(', ')} }`;
  };
  return `
    float3[] translations${samples('translation', 3)}
    quatf[] rotations${samples('rotation', 4)}
    half3[] scales${samples('scale', 3)}`;
}
