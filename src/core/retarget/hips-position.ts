/**
 * Where the hips of the source are: the position that the hips of the target follow.
 *
 * Usually that is the position of the hips node. Some rigs move their legs against the hips: control rigs with nodes between hips and
 * thighs, hip joints that slide. A character whose legs are fixed to the hips keeps its feet on the ground only if its hips follow the
 * legs: the midpoint of both hip joints minus its offset from the hips in the reference pose, rotated as the hips are.
 */
import { BONE } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import type { HipsLegs, HipsPlan } from './plan-types.ts';
import { applyLinear, toParentSpace } from './transform-point.ts';

/** The legs may be this far from where the hips have them without an effect, in hips heights: noise of bind poses. */
const STILL = 1e-3;

/** Lists the nodes from a node up to `top`, without `top`; null if `top` is not above it. */
function chainTo(parents: Int32Array, node: number, top: number): Int32Array | null {
  const chain: number[] = [];
  let at = node;
  for (; at >= 0 && at !== top; at = parents[at]) chain.push(at);
  return at === top && chain.length > 0 ? Int32Array.from(chain) : null;
}

/**
 * Plans how the legs of a source move its hips.
 *
 * @param source The humanoid that moves.
 * @param height Height of its hips, meters.
 * @returns Null if not both legs are below the hips.
 */
export function planHipsLegs(source: Humanoid, height: number): HipsLegs | null {
  const { map, skeleton, reference, metersPerUnit } = source;
  const bones = [BONE.leftUpperLeg, BONE.rightUpperLeg];
  const [left, right] = bones.map((bone) => chainTo(skeleton.parents, map.nodes[bone], map.nodes[BONE.hips]));
  if (left === null || right === null) return null;
  const offset = new Float64Array(3);
  const toHips = new Float64Array(4);
  for (const bone of bones) vec3.add(offset, 0, offset, 0, reference.positions, 3 * bone);
  vec3.scale(offset, 0, offset, 0, 0.5);
  vec3.subtract(offset, 0, offset, 0, reference.positions, 0);
  vec3.scale(offset, 0, offset, 0, 1 / metersPerUnit);
  quat.conjugate(toHips, 0, reference.rotations, 0);
  vec3.rotate(offset, 0, toHips, 0, offset, 0);
  return { left, right, offset, still: STILL * height };
}

const middle = new Float64Array(3);
const point = new Float64Array(3);
const rotation = new Float64Array(4);

/** Adds the position of the start of a leg, in the space of the hips, to `middle`. */
function addLeg(chain: Int32Array, sourceLocal: Floats): void {
  vec3.copy(point, 0, sourceLocal, POSE_STRIDE * chain[0]);
  for (let k = 1; k < chain.length; k++) toParentSpace(point, sourceLocal, POSE_STRIDE * chain[k]);
  vec3.add(middle, 0, middle, 0, point, 0);
}

/**
 * Computes how far the legs are from where the hips of the reference pose would have them, less the distance without an effect.
 *
 * @param out Receives xyz at 0: canonical frame, meters.
 * @param hips From {@link planHips}.
 * @param sourceLocal Local pose of the source, 10 floats per node.
 */
export function legsOffset(out: Float64Array, hips: HipsPlan, sourceLocal: Floats): void {
  const { legs, sourceNode, sourceAncestors } = hips;
  vec3.set(out, 0, 0, 0, 0);
  if (legs === null) return;
  vec3.set(middle, 0, 0, 0, 0);
  addLeg(legs.left, sourceLocal);
  addLeg(legs.right, sourceLocal);
  vec3.scale(middle, 0, middle, 0, 0.5);
  // Both ends of the vector from the hips to the middle of the legs: its start is the same with and without the offset.
  vec3.copy(out, 0, sourceLocal, POSE_STRIDE * sourceNode);
  toParentSpace(middle, sourceLocal, POSE_STRIDE * sourceNode);
  quat.copy(rotation, 0, sourceLocal, POSE_STRIDE * sourceNode + PATH_OFFSET.rotation);
  for (let k = 0; k < sourceAncestors.length; k++) {
    const at = POSE_STRIDE * sourceAncestors[k];
    toParentSpace(middle, sourceLocal, at);
    toParentSpace(out, sourceLocal, at);
    quat.multiply(rotation, 0, sourceLocal, at + PATH_OFFSET.rotation, rotation, 0);
  }
  quat.normalize(rotation, 0, rotation, 0);
  vec3.rotate(point, 0, rotation, 0, legs.offset, 0);
  vec3.subtract(out, 0, middle, 0, out, 0);
  vec3.subtract(out, 0, out, 0, point, 0);
  applyLinear(out, 0, hips.sourceLinear, out, 0);
  // No call of vec3.length: its result would be boxed.
  const distance = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  const factor = distance > legs.still ? 1 - legs.still / distance : 0;
  for (let axis = 0; axis < 3; axis++) out[axis] *= factor;
}

const offset = new Float64Array(3);

/**
 * Computes the position of the source hips.
 *
 * @param out Receives xyz at 0: canonical frame, meters.
 * @param hips From {@link planHips}.
 * @param sourceLocal Local pose of the source, 10 floats per node.
 */
export function sourceHipsPosition(out: Float64Array, hips: HipsPlan, sourceLocal: Floats): void {
  legsOffset(offset, hips, sourceLocal);
  vec3.copy(out, 0, sourceLocal, POSE_STRIDE * hips.sourceNode);
  for (let k = 0; k < hips.sourceAncestors.length; k++) {
    toParentSpace(out, sourceLocal, POSE_STRIDE * hips.sourceAncestors[k]);
  }
  applyLinear(out, 0, hips.sourceLinear, out, 0);
  vec3.add(out, 0, out, 0, offset, 0);
}

/**
 * Lists the source nodes whose local transforms decide where the hips are, besides the hips themselves.
 *
 * @param hips From {@link planHips}.
 * @returns Nodes above the hips, and nodes from the hips to the legs.
 */
export function nodesAroundHips({ sourceAncestors, legs }: HipsPlan): number[] {
  return [...sourceAncestors, ...(legs === null ? [] : [...legs.left, ...legs.right])];
}
