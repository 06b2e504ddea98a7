/**
 * Blends poses of one skeleton, as the AnimationMixer of three.js does: per node and path, so that clips that animate different nodes do
 * not affect each other. Weights that add up to less than 1 leave the rest to the pose below; above 1 they are relative. Additive poses are
 * applied on top. The pose below is the base pose; {@link beginLayer} puts the poses after it on top of those before it. Create a
 * {@link PoseBlend} once; the functions that run per frame neither allocate nor throw.
 */
import type { TrackPath } from '../../core/animation/clip.ts';
import type { Floats } from '../../core/math/floats.ts';
import * as quat from '../../core/math/quat.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';

/** Cosine above which slerp uses lerp: at an angle of 3e-4 between the quaternions the two differ by less than a float32 rounding. */
const COS_LERP = 1 - 5e-8;

/**
 * Interpolates rotations spherically along the shorter arc, as `quat.slerp`: `out := slerp(out, b, mixes)`. Both have `stride` floats per node with
 * a quaternion at `offset`; `mixes` has one position per node, and nodes whose mix is 0 stay.
 */
export function mixRotations(out: Floats, b: Floats, stride: number, offset: number, mixes: Float64Array): void {
  for (let node = 0, i = offset; node < mixes.length; node++, i += stride) {
    const t = mixes[node];
    if (t === 0) continue;
    const ax = out[i];
    const ay = out[i + 1];
    const az = out[i + 2];
    const aw = out[i + 3];
    const bx = b[i];
    const by = b[i + 1];
    const bz = b[i + 2];
    const bw = b[i + 3];
    const dot = ax * bx + ay * by + az * bz + aw * bw;
    const cos = Math.min(Math.abs(dot), 1);
    let aWeight = 1 - t;
    let bWeight = t;
    if (cos < COS_LERP) {
      const sin = Math.sqrt((1 - cos) * (1 + cos));
      const angle = Math.atan2(sin, cos);
      aWeight = Math.sin(angle * (1 - t)) / sin;
      bWeight = Math.sin(angle * t) / sin;
    }
    if (dot < 0) bWeight = -bWeight;
    const x = aWeight * ax + bWeight * bx;
    const y = aWeight * ay + bWeight * by;
    const z = aWeight * az + bWeight * bz;
    const w = aWeight * aw + bWeight * bw;
    const factor = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    out[i] = x * factor;
    out[i + 1] = y * factor;
    out[i + 2] = z * factor;
    out[i + 3] = w * factor;
  }
}

const { translation: TRANSLATION, rotation: ROTATION, scale: SCALE } = PATH_OFFSET;
const WEIGHTS = 3;
/** Index of each path in the weights of a node. */
const SLOT = { translation: 0, rotation: 1, scale: 2 } as const;

/** The nodes that a clip animates, per path, ascending. */
export type AnimatedNodes = Readonly<Record<TrackPath, Int32Array>>;

/** How a pose takes part in a blend. */
export interface PoseInput {
  /** The nodes and paths that the pose animates; others are ignored. */
  readonly nodes: AnimatedNodes;
  /** Weight of the pose, at least 0. */
  weight: number;
  /** Factor of the weight per node, 0…1; null for all nodes. */
  mask: Floats | null;
}

/** Buffers of a blend. */
export interface PoseBlend {
  /** The pose where nothing is blended: 10 floats per node, local space. */
  readonly base: Float32Array;
  /** The pose below the current layer: the base pose, or what the layers before it give. */
  readonly below: Float32Array;
  /** Receives the blended pose: 10 floats per node, local space. */
  readonly pose: Float32Array;
  /** Sum of the weights of the current layer so far: 3 per node, for translation, rotation and scale. */
  readonly weights: Float64Array;
  /** Sum of the additive poses of the current layer so far: 10 floats per node, differences from a reference pose. */
  readonly additive: Float32Array;
  /** Whether the current layer has additive poses. */
  isAdditive: boolean;
  /** Mix of each rotation in one step. */
  readonly mixes: Float64Array;
  /** Products of rotations in one step: 10 floats per node. */
  readonly products: Float32Array;
}

/**
 * Creates the buffers of a blend.
 *
 * @param base The pose where nothing is blended, usually the rest pose: 10 floats per node, local space. It is copied.
 * @returns The buffers; `pose` is the base pose.
 */
export function createPoseBlend(base: Floats): PoseBlend {
  return {
    base: Float32Array.from(base),
    below: Float32Array.from(base),
    pose: Float32Array.from(base),
    weights: new Float64Array((WEIGHTS * base.length) / POSE_STRIDE),
    additive: new Float32Array(base.length),
    isAdditive: false,
    mixes: new Float64Array(base.length / POSE_STRIDE),
    products: new Float32Array(base.length),
  };
}

/**
 * Starts a blend: resets the pose to the base pose.
 *
 * @param blend From {@link createPoseBlend}.
 */
export function beginBlend(blend: PoseBlend): void {
  blend.pose.set(blend.base);
  startLayer(blend);
}

/**
 * Starts a layer on top of what is blended so far: with full weight, its poses replace it; with less, they leave the rest of it.
 *
 * @param blend Between {@link beginBlend} and {@link finishBlend}.
 */
export function beginLayer(blend: PoseBlend): void {
  finishBlend(blend);
  startLayer(blend);
}

function startLayer(blend: PoseBlend): void {
  blend.below.set(blend.pose);
  blend.weights.fill(0);
  blend.isAdditive = false;
}

/** Mixes translations or scales into the blend. */
function blendVectors(blend: PoseBlend, pose: Floats, input: PoseInput, path: 'translation' | 'scale'): void {
  const { pose: out, weights } = blend;
  const { weight, mask } = input;
  const nodes = path === 'scale' ? input.nodes.scale : input.nodes.translation;
  const slot = path === 'scale' ? SLOT.scale : SLOT.translation;
  const offset = path === 'scale' ? SCALE : TRANSLATION;
  for (let k = 0; k < nodes.length; k++) {
    const node = nodes[k];
    const own = mask === null ? weight : weight * mask[node];
    if (!(own > 0)) continue;
    const sum = weights[WEIGHTS * node + slot] + own;
    weights[WEIGHTS * node + slot] = sum;
    const mix = own / sum;
    const o = POSE_STRIDE * node + offset;
    for (let c = o; c < o + 3; c++) out[c] = mix === 1 ? pose[c] : out[c] * (1 - mix) + pose[c] * mix;
  }
}

/**
 * Mixes a pose into a blend: `blend := slerp(blend, pose, weight / sum of the weights)`, for each node and path that the input animates.
 *
 * @param blend Between {@link beginBlend} and {@link finishBlend}.
 * @param pose The pose: 10 floats per node, local space.
 * @param input Its nodes, weight and mask.
 */
export function blendPose(blend: PoseBlend, pose: Floats, input: PoseInput): void {
  const { weights, mixes } = blend;
  const { weight, mask } = input;
  const { rotation } = input.nodes;
  mixes.fill(0);
  for (let k = 0; k < rotation.length; k++) {
    const node = rotation[k];
    const own = mask === null ? weight : weight * mask[node];
    if (!(own > 0)) continue;
    const sum = weights[WEIGHTS * node + SLOT.rotation] + own;
    weights[WEIGHTS * node + SLOT.rotation] = sum;
    mixes[node] = own / sum;
  }
  mixRotations(blend.pose, pose, POSE_STRIDE, ROTATION, mixes);
  blendVectors(blend, pose, input, 'translation');
  blendVectors(blend, pose, input, 'scale');
}

/** Resets the sum of the additive poses to no difference. */
function clearAdditive(additive: Float32Array): void {
  additive.fill(0);
  for (let w = ROTATION + 3; w < additive.length; w += POSE_STRIDE) additive[w] = 1;
}

/** Adds translations or scales to the additive sum. */
function addVectors(blend: PoseBlend, pose: Floats, input: PoseInput, path: 'translation' | 'scale'): void {
  const { additive } = blend;
  const { weight, mask } = input;
  const nodes = path === 'scale' ? input.nodes.scale : input.nodes.translation;
  const offset = path === 'scale' ? SCALE : TRANSLATION;
  for (let k = 0; k < nodes.length; k++) {
    const node = nodes[k];
    const own = mask === null ? weight : weight * mask[node];
    const o = POSE_STRIDE * node + offset;
    for (let c = o; c < o + 3; c++) additive[c] += own * pose[c];
  }
}

/**
 * Adds an additive pose to a blend, in proportion to its weight.
 *
 * @param blend Between {@link beginBlend} and {@link finishBlend}.
 * @param pose Differences, 10 floats per node: a sample of an additive clip.
 * @param input Its nodes, weight and mask.
 */
export function addPose(blend: PoseBlend, pose: Floats, input: PoseInput): void {
  const { additive, mixes, products } = blend;
  if (!blend.isAdditive) clearAdditive(additive);
  blend.isAdditive = true;
  const { weight, mask } = input;
  const { rotation } = input.nodes;
  mixes.fill(0);
  for (let k = 0; k < rotation.length; k++) {
    const node = rotation[k];
    const o = POSE_STRIDE * node + ROTATION;
    quat.multiply(products, o, additive, o, pose, o);
    mixes[node] = mask === null ? weight : weight * mask[node];
  }
  mixRotations(additive, products, POSE_STRIDE, ROTATION, mixes);
  addVectors(blend, pose, input, 'translation');
  addVectors(blend, pose, input, 'scale');
}

/**
 * Finishes a blend: where the weights add up to less than 1, the pose below takes the rest; then the additive poses are applied.
 *
 * @param blend From {@link createPoseBlend}; its `pose` is the result.
 */
export function finishBlend(blend: PoseBlend): void {
  const { pose, below, weights, mixes, isAdditive } = blend;
  for (let node = 0, o = 0; o < pose.length; node++, o += POSE_STRIDE) {
    // Where nothing is blended, the pose is the pose below already.
    const rotation = weights[WEIGHTS * node + SLOT.rotation];
    mixes[node] = rotation > 0 && rotation < 1 ? 1 - rotation : 0;
    const translation = weights[WEIGHTS * node + SLOT.translation];
    if (translation > 0 && translation < 1) {
      for (let c = o; c < o + 3; c++) pose[c] += (below[c] - pose[c]) * (1 - translation);
    }
    const scale = weights[WEIGHTS * node + SLOT.scale];
    if (scale > 0 && scale < 1) {
      for (let c = o + SCALE; c < o + POSE_STRIDE; c++) pose[c] += (below[c] - pose[c]) * (1 - scale);
    }
  }
  mixRotations(pose, below, POSE_STRIDE, ROTATION, mixes);
  if (isAdditive) applyAdditive(blend);
}

function applyAdditive({ pose, additive }: PoseBlend): void {
  for (let o = 0; o < pose.length; o += POSE_STRIDE) {
    for (let c = 0; c < 3; c++) {
      pose[o + TRANSLATION + c] += additive[o + TRANSLATION + c];
      pose[o + SCALE + c] += additive[o + SCALE + c];
    }
    quat.multiply(pose, o + ROTATION, pose, o + ROTATION, additive, o + ROTATION);
  }
}
