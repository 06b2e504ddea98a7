/** Local axes of the joints of a rig, which differ widely between authoring tools. */
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { makeRandom, randomRotation } from '../random.ts';

/**
 * Convention of the local joint axes.
 *
 * - `identity`: no joint is rotated relative to its parent in the bind pose (BVH, VRM 0.x, MMD).
 * - `world`: the axes of the file in the T-pose.
 * - `bone-y`: +Y along the bone (Blender).
 * - `bone-x`: +X along the bone, −X on the right side (Unreal).
 * - a seed: random axes for each joint.
 */
export type Axes = 'identity' | 'world' | 'bone-y' | 'bone-x' | { readonly seed: number };

const X = Float64Array.of(1, 0, 0);
const MINUS_X = Float64Array.of(-1, 0, 0);
const Y = Float64Array.of(0, 1, 0);
const Z = Float64Array.of(0, 0, 1);

/** Inputs that the axes depend on: values per joint in the T-pose, canonical frame. */
interface AxesInput {
  /** Joint positions, xyz, meters. */
  readonly joints: Float64Array;
  /** Far ends of the bones, xyz, meters. */
  readonly tails: Float64Array;
  readonly rightSide: readonly boolean[];
  /** World deltas of the bind pose, xyzw. */
  readonly bindDeltas: Float64Array;
  /** Rotation from the canonical frame into the axes of the file, xyzw. */
  readonly toFile: Float64Array;
  /** World rotation of the parent node of all joints, xyzw, axes of the file. */
  readonly base: Float64Array;
}

/** Computes the world rotation of every joint in the T-pose. Returns quaternions xyzw, 4 floats per joint, canonical frame. */
export function jointAxes(axes: Axes, input: AxesInput): Float64Array {
  const { joints, tails, rightSide, bindDeltas, toFile, base } = input;
  const count = rightSide.length;
  const out = new Float64Array(count * 4);
  const direction = new Float64Array(3);
  const fromFile = quat.conjugated(toFile);
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
