/** Moves arms as a whole by their shoulder bones: directions of upper arm, forearm and hand stay. */
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { smooth } from '../paths/smooth.ts';
import type { CutTiming } from '../paths/timing.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET } from './bone-frames.ts';
import type { Arm } from './limb-points.ts';

/**
 * Greatest rotation of a shoulder bone, radians: natural by eye on realistic adults and Xbot. On the 53 pairs of docs/contacts.md, it keeps 79.6 % of the touching frames,
 * 69.8 % clean; 0° 78.0 and 67.8, 12° 79.8 and 69.5.
 */
const MOST_ROTATION = (10 * Math.PI) / 180;
/** Standard deviation over which offsets are smoothed, seconds. With half of it as many contacts were kept. */
const SMOOTHING = 0.08;

const before = new Float64Array(3);
const after = new Float64Array(3);
const axis = new Float64Array(3);
const rotation = new Float64Array(4);

/** Returns where the joints of a shoulder and of its upper arm are in a frame. */
function jointsOf(
  { bones: [upper] }: Arm,
  shoulder: number,
  frame: number,
): readonly [shoulder: number, upper: number] {
  const at = FRAME_STRIDE * frame + POSITION_OFFSET;
  return [at + BONE_STRIDE * shoulder, at + BONE_STRIDE * upper];
}

/** Computes the rotation of a shoulder bone that moves its upper arm. `out` receives xyzw, canonical frame. `offset`: xyz at `o`, meters. */
export function rotateShoulder(
  out: Float64Array,
  arm: Arm,
  shoulder: number,
  bones: Float64Array,
  frame: number,
  offset: Float64Array,
  o: number,
): void {
  const [from, to] = jointsOf(arm, shoulder, frame);
  vec3.subtract(before, 0, bones, to, bones, from);
  vec3.add(after, 0, before, 0, offset, o);
  quat.fromTo(out, 0, before, 0, after, 0);
}

/** Limits offsets of an upper arm, xyz per frame, in place: each becomes what a rotation of the shoulder bone by at most {@link MOST_ROTATION} brings about. */
function limitOffsets(arm: Arm, shoulder: number, bones: Float64Array, offsets: Float64Array): void {
  for (let frame = 0, o = 0; o < offsets.length; frame++, o += 3) {
    const [from, to] = jointsOf(arm, shoulder, frame);
    vec3.subtract(before, 0, bones, to, bones, from);
    vec3.add(after, 0, before, 0, offsets, o);
    vec3.cross(axis, 0, before, 0, after, 0);
    vec3.normalize(axis, 0, axis, 0);
    quat.fromAxisAngle(rotation, 0, axis, 0, Math.min(MOST_ROTATION, vec3.angleBetween(before, 0, after, 0)));
    vec3.rotate(after, 0, rotation, 0, before, 0);
    vec3.subtract(offsets, o, after, 0, before, 0);
  }
}

/** Rotates offsets, xyz per frame, in place: from world axes to those of the trunk, or back. */
function rotateOffsets(
  rotate: typeof vec3.rotate,
  trunkBone: number,
  bones: Float64Array,
  offsets: Float64Array,
): void {
  for (let frame = 0, o = 0; o < offsets.length; frame++, o += 3) {
    rotate(offsets, o, bones, FRAME_STRIDE * frame + BONE_STRIDE * trunkBone, offsets, o);
  }
}

/** Smooths values between cuts. */
function smoothBetweenCuts(values: Float64Array, { step, loops, cuts }: CutTiming): void {
  const starts = [0, ...[...cuts.keys()].filter((frame) => frame > 0 && cuts[frame] === 1)];
  for (const [k, from] of starts.entries()) {
    const to = starts[k + 1] ?? values.length;
    values.set(smooth(values.subarray(from, to), SMOOTHING, step, loops && starts.length === 1), from);
  }
}

/**
 * Makes offsets of an upper arm, xyz per frame, smooth ones that its shoulder bone can bring about, in place: smooth in the axes of the trunk, so that a
 * character that turns moves its shoulders as one that stands. `bones`: after plain retargeting.
 */
export function easeShoulder(
  arm: Arm,
  shoulder: number,
  trunkBone: number,
  bones: Float64Array,
  offsets: Float64Array,
  timing: CutTiming,
): void {
  limitOffsets(arm, shoulder, bones, offsets);
  rotateOffsets(vec3.rotateBack, trunkBone, bones, offsets);
  for (let c = 0; c < 3; c++) {
    const path = offsets.filter((_, k) => k % 3 === c);
    smoothBetweenCuts(path, timing);
    for (const [frame, value] of path.entries()) offsets[3 * frame + c] = value;
  }
  rotateOffsets(vec3.rotate, trunkBone, bones, offsets);
  limitOffsets(arm, shoulder, bones, offsets);
}
