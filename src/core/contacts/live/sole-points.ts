/** The points of a foot for live contacts: few, on foot, toes and lower leg only. */

import { skinPoint } from '../../deform/skin-points.ts';
import { BONE } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import type { Leg } from '../frames/posed-character.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import { referenceMatrices } from '../surface/reference-matrices.ts';
import type { PartialPose } from './partial-pose.ts';
import { ROWS_STRIDE } from './partial-pose.ts';
import { rebindPoint } from './rebind-point.ts';
import { reducePoints } from './reduce-points.ts';

/** Height of a sole that may be missed, relative to the leg: on the underside, and on the upper side, which is hardly ever on the ground. */
const TOLERANCE = 0.0025;
const UPPER_TOLERANCE = 0.02;
const MOST_POINTS = 14;

/** Floats per point in {@link SolePoints.rigid} and in {@link SolePoints.blended}. */
const RIGID_STRIDE = 4;
const BLENDED_STRIDE = 13;

export interface SolePoints {
  /** Entry of the foot in the partial pose. */
  readonly foot: number;
  /** Entry of the toes; that of the foot without toes. */
  readonly toes: number;
  /** Entry of the lower leg. */
  readonly shin: number;
  /** Points that move with the foot alone, then those that move with the toes alone: the position in the space of that node, and the radius of the surface around it, meters. */
  readonly rigid: Float64Array;
  /** Number of floats of those that move with the foot alone. */
  readonly footEnd: number;
  /** Other points: the weighted positions in the space of foot, toes and lower leg, with their weights: `w·x, w·y, w·z, w` three times; then the radius. */
  readonly blended: Float64Array;
}

/** Selects points of a foot, or of the palm of a hand, whose fingers are not posed. */
export function createSolePoints(
  humanoid: Humanoid,
  { points, bones }: ContactSurface,
  { side, isArm, shin, foot, sole: { from, to }, length: legLength }: Leg,
  pose: PartialPose,
): SolePoints {
  const { nodes } = humanoid.map;
  const matrices = referenceMatrices(humanoid);
  const toes = isArm ? -1 : nodes[BONE[`${side}Toes`]];
  const allowed = new Set([foot, toes, shin].filter((node) => node >= 0));
  const ofFoot: number[] = [];
  const ofToes: number[] = [];
  const blended: number[] = [];
  const parts = new Set(bones.subarray(from, to));
  const palm = BONE[`${side}Hand`];
  for (const bone of isArm && parts.has(palm) ? [palm] : parts) {
    const group = Array.from({ length: to - from }, (_, k) => from + k).filter((point) => bones[point] === bone);
    const posed = new Float64Array(3 * group.length);
    for (const [k, point] of group.entries()) skinPoint(posed, 3 * k, points, point, matrices);
    for (const k of reducePoints(posed, TOLERANCE * legLength, UPPER_TOLERANCE * legLength, MOST_POINTS)) {
      const bound = rebindPoint(humanoid, points, group[k], allowed, foot, matrices);
      const radius = points.radii[group[k]];
      const [first] = bound.keys();
      const list = bound.size > 1 || first === shin ? blended : first === foot ? ofFoot : ofToes;
      if (list === blended) list.push(...[foot, toes, shin].flatMap((node) => bound.get(node) ?? [0, 0, 0, 0]), radius);
      else list.push(...bound.get(first)!.slice(0, 3), radius);
    }
  }
  const entryOf = (node: number): number => pose.nodes.indexOf(node);
  return {
    foot: entryOf(foot),
    toes: toes >= 0 ? entryOf(toes) : entryOf(foot),
    shin: entryOf(shin),
    rigid: Float64Array.of(...ofFoot, ...ofToes),
    footEnd: ofFoot.length,
    blended: Float64Array.from(blended),
  };
}

/** Computes the height of the lowest point of a foot. `out` receives the height, canonical frame, meters; Infinity without points. */
export function lowestOfSole(
  out: Float64Array,
  { foot, toes, shin, rigid, footEnd, blended }: SolePoints,
  matrices: Float64Array,
): void {
  const f = ROWS_STRIDE * foot + 4;
  const fx = matrices[f];
  const fy = matrices[f + 1];
  const fz = matrices[f + 2];
  const fw = matrices[f + 3];
  let lowest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < footEnd; at += RIGID_STRIDE) {
    const height = fx * rigid[at] + fy * rigid[at + 1] + fz * rigid[at + 2] - rigid[at + 3];
    if (height < lowest) lowest = height;
  }
  lowest += fw;
  const t = ROWS_STRIDE * toes + 4;
  const tx = matrices[t];
  const ty = matrices[t + 1];
  const tz = matrices[t + 2];
  const tw = matrices[t + 3];
  for (let at = footEnd; at < rigid.length; at += RIGID_STRIDE) {
    const height = tx * rigid[at] + ty * rigid[at + 1] + tz * rigid[at + 2] + tw - rigid[at + 3];
    if (height < lowest) lowest = height;
  }
  const s = ROWS_STRIDE * shin + 4;
  const sx = matrices[s];
  const sy = matrices[s + 1];
  const sz = matrices[s + 2];
  const sw = matrices[s + 3];
  for (let at = 0; at < blended.length; at += BLENDED_STRIDE) {
    const height =
      fx * blended[at] +
      fy * blended[at + 1] +
      fz * blended[at + 2] +
      fw * blended[at + 3] +
      (tx * blended[at + 4] + ty * blended[at + 5] + tz * blended[at + 6] + tw * blended[at + 7]) +
      (sx * blended[at + 8] + sy * blended[at + 9] + sz * blended[at + 10] + sw * blended[at + 11]) -
      blended[at + 12];
    if (height < lowest) lowest = height;
  }
  out[0] = lowest;
}
