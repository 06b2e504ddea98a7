/** Finds up and ground of clips whose file has others than its rest pose: BVH files rest with the hips at the origin, and some are lying in the axes of the file. */
import { BONE, SIDES } from '../humanoid/bones.ts';
import { DEGREES_PER_RADIAN } from '../math/euler.ts';
import * as vec3 from '../math/vec3.ts';
import { footBone, type MeasuredBody, standingHeight } from './body.ts';
import { FRAME_STRIDE, type JointFrames, type MeasuredMotion, pelvisAt, sampleJoints } from './joint-frames.ts';
import { spreadOf } from './spread.ts';

/** Angle between the mean directions of two trunks from which on one of the files has another up axis than its rest pose, degrees. */
const OTHER_UP = 60;

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

/** Heights of pelvis and head of a body that stands on its ground in the clip only. */
function standingHeights({ body, positions, times }: JointFrames): Pick<MeasuredBody, 'pelvisHeight' | 'height'> {
  const ankles = SIDES.map((side) => BONE[`${side}Foot`]).filter((bone) => body.nodes[bone] >= 0);
  const lowest = Float64Array.from(times, (_, frame) =>
    Math.min(...ankles.map((bone) => positions[FRAME_STRIDE * frame + 3 * bone + 1])),
  );
  const pelvisHeight = body.legLength + Math.max(0, spreadOf(lowest).p5);
  return { pelvisHeight, height: body.height - body.pelvisHeight + pelvisHeight };
}

/** Puts a clip on its ground: that of its rest pose if that stands, or the origin where its feet are closer to that. */
export function groundFrames(frames: JointFrames, isSource = false): JointFrames {
  const { body, positions, times } = frames;
  const feet = SIDES.map((side) => footBone(body.nodes, side)).filter((bone) => body.nodes[bone] >= 0);
  const isKnown = body.isStanding || !isSource;
  if ((body.ground === 0 && isKnown) || feet.length === 0) return frames;
  const lowest = Float64Array.from(times, (_, frame) =>
    Math.min(...feet.map((bone) => positions[FRAME_STRIDE * frame + 3 * bone + 1])),
  );
  const standing = isKnown ? Math.min(...feet.map((bone) => standingHeight(body, bone))) : 0;
  // The lowest of a few samples may be a fault of the capture.
  const low = spreadOf(lowest).p5 - standing + body.ground;
  const isNear = (ground: number): boolean => Math.abs(low - ground) < OFF_GROUND * body.height;
  if (isKnown && isNear(body.ground)) return frames;
  if (isKnown && isNear(0)) return onGround(frames, 0);
  if (!isSource) return frames;
  const grounded = onGround(frames, low);
  return body.isStanding ? grounded : { ...grounded, body: { ...grounded.body, ...standingHeights(grounded) } };
}

/** Most degrees between a thigh or shin and the trunk in a frame that stands. */
const STRAIGHT = 40;

/** Direction in which the trunk of a clip points while its legs are straight below it, in the axes of the frames; null where that is never so. */
function standingUp({ positions, body, times }: JointFrames): Float64Array | null {
  const legs = SIDES.map((side) => [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`], BONE[`${side}Foot`]] as const);
  const needed = [...legs.flat(), BONE.head];
  if (needed.some((bone) => body.nodes[bone] < 0)) return null;
  const sum = new Float64Array(3);
  const [trunk, segment] = [new Float64Array(3), new Float64Array(3)];
  for (let frame = 0; frame < times.length; frame++) {
    const at = (bone: number): number => FRAME_STRIDE * frame + 3 * bone;
    const [left, right] = legs.map(([hip]) => at(hip));
    for (let c = 0; c < 3; c++)
      trunk[c] = positions[at(BONE.head) + c] - (positions[left + c] + positions[right + c]) / 2;
    const isStraight = legs.every((leg) =>
      leg.slice(1).every((bone, k) => {
        vec3.subtract(segment, 0, positions, at(leg[k]), positions, at(bone));
        return vec3.angleBetween(segment, 0, trunk, 0) * DEGREES_PER_RADIAN < STRAIGHT;
      }),
    );
    if (isStraight) vec3.addScaled(sum, 0, sum, 0, trunk, 0, 1 / vec3.length(trunk, 0));
  }
  return vec3.length(sum, 0) > 0 ? sum : null;
}

const AXES_OF_FILE = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** Axes of a file, left, up and front, whose up axis is the one nearest to a direction. */
function axesWithUp(direction: ArrayLike<number>): Float64Array {
  let most = 0;
  for (const c of [1, 2]) if (Math.abs(direction[c]) > Math.abs(direction[most])) most = c;
  const sign = Math.sign(direction[most]);
  const [up, left, front] = [0, 1, 2].map(() => new Float64Array(3));
  up[most] = sign;
  left[(most + 2) % 3] = 1;
  vec3.cross(front, 0, left, 0, up, 0);
  return Float64Array.of(...left, ...up, ...front);
}

/**
 * Samples the joints of a source with the up axis and the ground of its clip. Where the rest pose does not stand, up is the axis of the file that the trunk follows in
 * the frames that do, or +Y. Where the rest pose is lying in the axes of the file and the clip is not, +Y is up if that brings the trunk to that of the result. Which way
 * such a file faces is unknown.
 */
export function sampleSource(source: MeasuredMotion, times: Float64Array, result: JointFrames): JointFrames {
  const isUp = (axes: Float64Array, ground: number): JointFrames =>
    sampleJoints({ body: { ...source.body, axes, ground, isStanding: false }, clip: source.clip }, times);
  if (!source.body.isStanding) {
    const inFile = isUp(AXES_OF_FILE, 0);
    const up = standingUp(inFile);
    return groundFrames(up === null ? inFile : isUp(axesWithUp(up), 0), true);
  }
  const frames = groundFrames(sampleJoints(source, times), true);
  const { axes } = source.body;
  if (axes[4] > 0.9) return frames;
  const expected = meanTrunk(result);
  const own = meanTrunk(frames);
  const isSteady = vec3.length(own, 0) > STEADY && vec3.length(expected, 0) > STEADY;
  if (!isSteady || vec3.angleBetween(own, 0, expected, 0) * DEGREES_PER_RADIAN < OTHER_UP) return frames;
  const other = isUp(AXES_OF_FILE, 0);
  return vec3.angleBetween(meanTrunk(other), 0, expected, 0) * DEGREES_PER_RADIAN < OTHER_UP ? other : frames;
}
