/** Finds up and ground of clips whose file has others than its rest pose: BVH files rest with the hips at the origin, and some are lying in the axes of the file. */
import { BONE, SIDES } from '../humanoid/bones.ts';
import * as vec3 from '../math/vec3.ts';
import { footBone, standingHeight } from './body.ts';
import { FRAME_STRIDE, type JointFrames, type MeasuredMotion, pelvisAt, sampleJoints } from './joint-frames.ts';
import { spreadOf } from './spread.ts';

/** Angle between the mean directions of two trunks from which on one of the files has another up axis than its rest pose, degrees. */
const OTHER_UP = 60;
const DEGREES = 180 / Math.PI;

/** Least length of the mean direction of a trunk, relative to its own length, that says where up is. */
const STEADY = 0.7;

/** Mean direction from pelvis to shoulders, relative to their distance. */
function meanTrunk(frames: JointFrames): Float64Array {
  const { positions, body, times } = frames;
  const joints = SIDES.map((side) => BONE[`${side}UpperArm`]).filter((bone) => body.nodes[bone] >= 0);
  const top = joints.length === 2 ? joints : [BONE.head];
  const sum = new Float64Array(3);
  let length = 0;
  const pelvis = new Float64Array(3);
  for (let frame = 0; frame < times.length; frame++) {
    pelvisAt(pelvis, 0, frames, frame);
    for (const bone of top) {
      const at = FRAME_STRIDE * frame + 3 * bone;
      length += vec3.distance(positions, at, pelvis, 0);
      for (let c = 0; c < 3; c++) sum[c] += positions[at + c] - pelvis[c];
    }
  }
  return sum.map((value) => value / (length || 1));
}

/** Height of the feet of a clip above its ground, relative to the height of the character, from which on the ground of the rest pose is not that of the clip. */
const OFF_GROUND = 0.12;

/** Moves the ground of all frames. */
function onGround(frames: JointFrames, ground: number): JointFrames {
  const lift = frames.body.ground - ground;
  if (lift === 0) return frames;
  const raised = (heights: Float64Array | null): Float64Array | null => heights?.map((height) => height + lift) ?? null;
  return {
    ...frames,
    body: { ...frames.body, ground },
    positions: frames.positions.map((value, k) => (k % 3 === 1 ? value + lift : value)),
    soles: { left: raised(frames.soles.left), right: raised(frames.soles.right) },
    rest: raised(frames.rest),
  };
}

/**
 * Puts a clip on its ground: that of its rest pose, or the origin where its feet are closer to that.
 *
 * @param frames Joints of the clip.
 * @returns The joints, with heights above the ground.
 */
export function groundFrames(frames: JointFrames): JointFrames {
  const { body, positions, times } = frames;
  const feet = SIDES.map((side) => footBone(body.nodes, side)).filter((bone) => body.nodes[bone] >= 0);
  if (body.ground === 0 || feet.length === 0) return frames;
  const lowest = Float64Array.from(times, (_, frame) =>
    Math.min(...feet.map((bone) => positions[FRAME_STRIDE * frame + 3 * bone + 1])),
  );
  // The lowest of a few samples may be a fault of the capture.
  const low = spreadOf(lowest).p5 - Math.min(...feet.map((bone) => standingHeight(body, bone)));
  if (Math.abs(low) < OFF_GROUND * body.height) return frames;
  const fromOrigin = low + body.ground;
  return onGround(frames, Math.abs(fromOrigin) < OFF_GROUND * body.height ? 0 : body.ground);
}

/**
 * Samples the joints of a source with the up axis and the ground of its clip. Where the rest pose is lying in the axes of the file and the clip is not, +Y is up if
 * that brings the trunk to that of the result; which way such a file faces is unknown.
 *
 * @param source The source.
 * @param times Seconds.
 * @param result Joints of the result.
 * @returns The joints.
 */
export function sampleSource(source: MeasuredMotion, times: Float64Array, result: JointFrames): JointFrames {
  const frames = groundFrames(sampleJoints(source, times));
  const { axes } = source.body;
  if (axes[4] > 0.9) return frames;
  const expected = meanTrunk(result);
  const own = meanTrunk(frames);
  const isSteady = vec3.length(own, 0) > STEADY && vec3.length(expected, 0) > STEADY;
  if (!isSteady || vec3.angleBetween(own, 0, expected, 0) * DEGREES < OTHER_UP) return frames;
  const body = { ...source.body, axes: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), ground: 0, isStanding: false };
  const other = sampleJoints({ body, clip: source.clip }, times);
  return vec3.angleBetween(meanTrunk(other), 0, expected, 0) * DEGREES < OTHER_UP ? other : frames;
}
