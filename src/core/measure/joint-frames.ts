/** Joints of a character over time, by plain forward kinematics: the only thing that all measures of the ruler look at. */
import type { Clip } from '../animation/clip.ts';
import { sampleClip } from '../animation/sample.ts';
import { polarRotation } from '../deform/polar.ts';
import { countPoints, lowestHeight, type SkinPoints, selectPoints } from '../deform/skin-points.ts';
import { BONE, BONE_COUNT, BONES, SIDES, type Side } from '../humanoid/bones.ts';
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import { localToModelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { type MeasuredBody, toAxes } from './body.ts';

/** A character and one of its clips. */
export interface MeasuredMotion {
  /** The character. */
  readonly body: MeasuredBody;
  /** A clip on its skeleton. */
  readonly clip: Clip;
}

export const FRAME_STRIDE: number = 3 * BONE_COUNT;

/** Bones whose rotation is measured, because no next joint shows it. */
const ROTATED_BONES: readonly number[] = (
  ['hips', 'spine', 'chest', 'upperChest', 'head', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot'] as const
).map((name) => BONE[name]);

/** Joints over time, in the axes of the body. Lengths in units of the file; heights are above the ground. */
export interface JointFrames {
  readonly body: MeasuredBody;
  /** Seconds. */
  readonly times: Float64Array;
  /** Position of every bone in every frame: xyz; undefined for absent bones. */
  readonly positions: Float64Array;
  /** Rotation of hips, spine, head, hands and feet from the standing pose: per bone xyzw per frame. */
  readonly rotations: ReadonlyMap<number, Float64Array>;
  /** Height of the lowest point of the skin of each foot; null without a skin. */
  readonly soles: Readonly<Record<Side, Float64Array | null>>;
  /** The same for all of the skin but the feet and shins; null without a skin. */
  readonly rest: Float64Array | null;
}

export function frameTimes(duration: number, fps: number): Float64Array {
  const count = Math.max(2, Math.floor(duration * fps + 1e-6) + 1);
  return Float64Array.from({ length: count }, (_, frame) => Math.min(frame / fps, duration));
}

/** Computes the model matrices of all nodes at some times. */
export function visitFrames(
  { body: { skeleton }, clip }: MeasuredMotion,
  times: ArrayLike<number>,
  visit: (frame: number, matrices: Float64Array) => void,
): void {
  const count = skeleton.parents.length;
  const local = new Float64Array(POSE_STRIDE * count);
  const matrices = new Float64Array(MATRIX_STRIDE * count);
  const cursors = new Int32Array(clip.tracks.length);
  for (let frame = 0; frame < times.length; frame++) {
    local.set(skeleton.rest);
    sampleClip(clip, times[frame], local, cursors);
    localToModelMatrices(matrices, skeleton.parents, local);
    visit(frame, matrices);
  }
}

const inverse = new Float64Array(MATRIX_STRIDE);
const delta = new Float64Array(MATRIX_STRIDE);
const column = new Float64Array(3);

/**
 * Writes how far a node has rotated from the standing pose, in the axes of the body. The linear parts of matrices are used, so that a constant reflection
 * cancels.
 */
function rotationOf(out: Floats, o: number, { rest, axes }: MeasuredBody, node: number, matrices: Float64Array): void {
  const m = MATRIX_STRIDE * node;
  if (!mat4.invertAffine(inverse, 0, rest, m)) {
    quat.identity(out, o);
    return;
  }
  mat4.multiply(delta, 0, matrices, m, inverse, 0);
  // A · D · Aᵀ with A the axes: columns first, then rows.
  for (let c = 0; c < 3; c++) {
    toAxes(column, 0, axes, delta, 4 * c);
    for (let r = 0; r < 3; r++) delta[4 * c + r] = column[r];
  }
  for (let r = 0; r < 3; r++) {
    toAxes(column, 0, axes, [delta[r], delta[4 + r], delta[8 + r]], 0);
    for (let c = 0; c < 3; c++) delta[4 * c + r] = column[c];
  }
  polarRotation(out, o, delta, 0);
}

function writePositions(
  out: Float64Array,
  { nodes, axes, ground }: MeasuredBody,
  bones: readonly number[],
  frame: number,
  matrices: Float64Array,
): void {
  for (const bone of bones) {
    const at = FRAME_STRIDE * frame + 3 * bone;
    toAxes(out, at, axes, matrices, MATRIX_STRIDE * nodes[bone] + 12);
    out[at + 1] -= ground;
  }
}

const OF_A_FOOT: Readonly<Record<Side, RegExp>> = { left: /^left(?:Foot|Toes)$/, right: /^right(?:Foot|Toes)$/ };
/** Shins are always close to the ground: the foot touches it first. */
const ABOVE_FEET = /^(?!.*(?:Foot|Toes|LowerLeg)$)/;

export function sampleJoints(motion: MeasuredMotion, times: Float64Array): JointFrames {
  const { body } = motion;
  const { nodes, axes, ground, skin, outlines } = body;
  const positions = new Float64Array(FRAME_STRIDE * times.length);
  const present = BONES.map((_, bone) => bone).filter((bone) => nodes[bone] >= 0);
  const rotated = ROTATED_BONES.filter((bone) => nodes[bone] >= 0);
  const rotations = new Map(rotated.map((bone) => [bone, new Float64Array(4 * times.length)]));
  const up = axes.subarray(3, 6);
  const lowest: { readonly heights: Float64Array; readonly points: SkinPoints }[] = [];
  const pointsOf = (names: RegExp): Float64Array | null => {
    const chosen = outlines.filter(({ bone }) => names.test(BONES[bone])).flatMap(({ points }) => [...points]);
    if (skin === null || chosen.length === 0) return null;
    const heights = new Float64Array(times.length);
    lowest.push({ heights, points: selectPoints(skin, chosen) });
    return heights;
  };
  const soles = { left: pointsOf(OF_A_FOOT.left), right: pointsOf(OF_A_FOOT.right) };
  const rest = pointsOf(ABOVE_FEET);
  visitFrames(motion, times, (frame, matrices) => {
    writePositions(positions, body, present, frame, matrices);
    for (const [bone, out] of rotations) rotationOf(out, 4 * frame, body, nodes[bone], matrices);
    for (const { heights, points } of lowest)
      heights[frame] = lowestHeight(points, 0, countPoints(points), up, matrices) - ground;
  });
  return { body, times, positions, rotations, soles, rest };
}

/** Writes the middle of both hip joints, or the hips where one is missing. `out` receives xyz at `o`. */
export function pelvisAt(out: Float64Array, o: number, { body, positions }: JointFrames, frame: number): void {
  const joints = SIDES.map((side) => BONE[`${side}UpperLeg`]);
  const found = joints.every((bone) => body.nodes[bone] >= 0) ? joints : [BONE.hips];
  for (let c = 0; c < 3; c++) {
    out[o + c] = found.reduce((sum, bone) => sum + positions[FRAME_STRIDE * frame + 3 * bone + c], 0) / found.length;
  }
}
