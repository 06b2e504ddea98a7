/**
 * The vectors of HumanML3D: 263 numbers per frame, from which the positions of 22 joints follow.
 *
 * @see Guo et al., Generating Diverse and Natural 3D Human Motions from Text, CVPR 2022
 */
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { type NumpyArray, readNumbers } from '../container/numpy-array.ts';

export const VECTOR_WIDTH = 263;
/** Columns: turn and speed of the root over the ground, its height, the other joints relative to it, and contacts of the feet at the end. */
const HEIGHT = 3;
const JOINTS = 4;
const CONTACTS = 259;
const OTHER_JOINTS = 21;

/** Heights of the hips that are those of people, meters. */
const LEAST_HEIGHT = 0.1;
const MOST_HEIGHT = 3;

/** Tells whether an array has vectors as they are, and not normalized: contacts are 0 or 1, and hips are as high as those of people. */
export function isVectors(array: NumpyArray): boolean {
  const { shape } = array;
  if (shape.length !== 2 || shape[1] !== VECTOR_WIDTH || shape[0] === 0) return false;
  const numbers = readNumbers(array);
  let height = 0;
  for (let at = 0; at < numbers.length; at += VECTOR_WIDTH) {
    height += numbers[at + HEIGHT];
    for (let column = CONTACTS; column < VECTOR_WIDTH; column++) {
      const contact = numbers[at + column];
      if (!(contact > -0.5 && contact < 1.5)) return false;
    }
  }
  height /= shape[0];
  return height > LEAST_HEIGHT && height < MOST_HEIGHT;
}

/** Computes the positions of 22 joints, xyz per joint and frame. */
export function positionsOfVectors(array: NumpyArray): Float64Array {
  const vectors = readNumbers(array);
  const [frames] = array.shape;
  const count = OTHER_JOINTS + 1;
  const out = new Float64Array(3 * count * frames);
  const turn = Float64Array.of(0, 0, 0, 1);
  const step = new Float64Array(3);
  const place = new Float64Array(3);
  let angle = 0;
  for (let frame = 0; frame < frames; frame++) {
    const at = frame * VECTOR_WIDTH;
    if (frame > 0) {
      // A frame has the turn and the speed to the next; the speed is in the axes of that one.
      const before = at - VECTOR_WIDTH;
      angle += vectors[before];
      quat.set(turn, 0, 0, -Math.sin(angle), 0, Math.cos(angle));
      vec3.set(step, 0, vectors[before + 1], 0, vectors[before + 2]);
      vec3.rotate(step, 0, turn, 0, step, 0);
      vec3.add(place, 0, place, 0, step, 0);
    }
    const o = 3 * count * frame;
    vec3.set(out, o, place[0], vectors[at + HEIGHT], place[2]);
    for (let joint = 0; joint < OTHER_JOINTS; joint++) {
      const to = o + 3 * (joint + 1);
      vec3.rotate(out, to, turn, 0, vectors, at + JOINTS + 3 * joint);
      out[to] += place[0];
      out[to + 2] += place[2];
    }
  }
  return out;
}
