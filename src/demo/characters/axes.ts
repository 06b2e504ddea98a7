/** The local axes that a rig gives its joints: what differs most between tools. */
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { makeRandom, randomRotation } from '../random.ts';

/**
 * `identity`: no joint is rotated against its parent in the bind pose (BVH, VRM 0.x, MMD). `world`: those of the file in
 * the T-pose. `bone-y`: +Y along the bone (Blender). `bone-x`: +X along the bone, −X on the right side (Unreal). With a
 * seed: every joint has axes of its own, at random.
 */
export type Axes = 'identity' | 'world' | 'bone-y' | 'bone-x' | { readonly seed: number };

const X = Float64Array.of(1, 0, 0);
const MINUS_X = Float64Array.of(-1, 0, 0);
const Y = Float64Array.of(0, 1, 0);
const Z = Float64Array.of(0, 0, 1);

/** What axes depend on, per joint in the T-pose; canonical frame. */
export interface AxesInput {
  readonly joints: Float64Array;
  readonly tails: Float64Array;
  readonly rightSide: readonly boolean[];
  /** D of the bind pose. */
  readonly bindDeltas: Float64Array;
  /** The canonical frame in the axes of the file: its inverse is what `world` gives. */
  readonly toFile: Float64Array;
  /** World rotation, axes of the file, of the node that the joints hang below. */
  readonly base: Float64Array;
}

/** World rotation in the T-pose of every joint, xyzw, canonical frame. */
export function jointAxes(axes: Axes, input: AxesInput): Float64Array {
  const { joints, tails, rightSide, bindDeltas, toFile, base } = input;
  const count = rightSide.length;
  const out = new Float64Array(count * 4);
  const direction = new Float64Array(3);
  const fromFile = new Float64Array(4);
  quat.conjugate(fromFile, 0, toFile, 0);
  const random = typeof axes === 'object' ? makeRandom(axes.seed) : null;
  for (let node = 0; node < count; node++) {
    const o = node * 4;
    vec3.subtract(direction, 0, tails, node * 3, joints, node * 3);
    if (random !== null) out.set(randomRotation(random), o);
    else if (axes === 'bone-y') quat.fromTo(out, o, Y, 0, direction, 0, Z, 0);
    else if (axes === 'bone-x') quat.fromTo(out, o, rightSide[node] ? MINUS_X : X, 0, direction, 0, Y, 0);
    else if (axes === 'world') quat.copy(out, o, fromFile, 0);
    else {
      quat.conjugate(out, o, bindDeltas, o);
      quat.multiply(out, o, out, o, fromFile, 0);
      quat.multiply(out, o, out, o, base, 0);
    }
  }
  return out;
}
