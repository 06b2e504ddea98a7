/** The points of a foot for live contacts: few, on foot, toes and lower leg only. */
import { BONE, type Side } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import type { Sole } from '../surface/find-sole.ts';
import { referenceMatrices } from '../surface/reference-matrices.ts';
import { skinPoint } from '../surface/skin-points.ts';
import { type PartialPose, ROWS_STRIDE } from './partial-pose.ts';
import { rebindPoint } from './rebind-point.ts';
import { reducePoints } from './reduce-points.ts';

/** Height of a sole that may be missed, relative to the leg: on the underside, and on the upper side, which is hardly ever on the ground. */
const TOLERANCE = 0.0025;
const UPPER_TOLERANCE = 0.02;
/** Greatest number of points of foot or toes. */
const MOST_POINTS = 14;

/** Floats per point in {@link SolePoints.offsets}. */
const STRIDE = 12;

/** Points of a foot. */
export interface SolePoints {
  /** Entry of the foot in the partial pose. */
  readonly foot: number;
  /** Entry of its toes; that of the foot without toes. */
  readonly toes: number;
  /** Entry of the lower leg. */
  readonly shin: number;
  /** The points from this one on move with the lower leg, too. */
  readonly firstOfShin: number;
  /** Per point the weighted positions in the space of foot, toes and lower leg, with their weights: `w·x, w·y, w·z, w` three times. */
  readonly offsets: Float64Array;
  /** Radius of the surface around every point, meters. */
  readonly radii: Float64Array;
}

/**
 * Selects points of a foot.
 *
 * @param humanoid The character.
 * @param surface Its surface.
 * @param side Side of the foot.
 * @param sole Its sole.
 * @param pose The posed part of its skeleton.
 * @param legLength Length of its leg, meters.
 * @returns The points.
 */
export function createSolePoints(
  humanoid: Humanoid,
  { points, bones }: ContactSurface,
  side: Side,
  { from, to }: Sole,
  pose: PartialPose,
  legLength: number,
): SolePoints {
  const { nodes } = humanoid.map;
  const matrices = referenceMatrices(humanoid);
  const foot = nodes[BONE[`${side}Foot`]];
  const toes = nodes[BONE[`${side}Toes`]];
  const shin = nodes[BONE[`${side}LowerLeg`]];
  const allowed = new Set([foot, toes, shin].filter((node) => node >= 0));
  const chosen: { readonly offsets: readonly number[]; readonly radius: number; readonly isOfShin: boolean }[] = [];
  for (const bone of new Set(bones.subarray(from, to))) {
    const group = Array.from({ length: to - from }, (_, k) => from + k).filter((point) => bones[point] === bone);
    const posed = new Float64Array(3 * group.length);
    for (const [k, point] of group.entries()) skinPoint(posed, 3 * k, points, point, matrices);
    for (const k of reducePoints(posed, TOLERANCE * legLength, UPPER_TOLERANCE * legLength, MOST_POINTS)) {
      const bound = rebindPoint(humanoid, points, group[k], allowed, foot, matrices);
      const offsets = [foot, toes, shin].flatMap((node) => bound.get(node) ?? [0, 0, 0, 0]);
      chosen.push({ offsets, radius: points.radii[group[k]], isOfShin: bound.has(shin) });
    }
  }
  chosen.sort((a, b) => Number(a.isOfShin) - Number(b.isOfShin));
  const entryOf = (node: number): number => pose.nodes.indexOf(node);
  return {
    foot: entryOf(foot),
    toes: toes >= 0 ? entryOf(toes) : entryOf(foot),
    shin: entryOf(shin),
    firstOfShin: chosen.filter(({ isOfShin }) => !isOfShin).length,
    offsets: Float64Array.from(chosen.flatMap(({ offsets }) => offsets)),
    radii: Float64Array.from(chosen, ({ radius }) => radius),
  };
}

/**
 * Computes the height of the lowest point of a foot.
 *
 * @param out Receives the height at `o`, canonical frame, meters; Infinity without points.
 * @param o Offset in `out`.
 * @param points The points.
 * @param matrices Of the posed entries.
 */
export function lowestOfSole(
  out: Float64Array,
  o: number,
  { foot, toes, shin, firstOfShin, offsets, radii }: SolePoints,
  matrices: Float64Array,
): void {
  const f = ROWS_STRIDE * foot + 4;
  const t = ROWS_STRIDE * toes + 4;
  const s = ROWS_STRIDE * shin + 4;
  const fx = matrices[f];
  const fy = matrices[f + 1];
  const fz = matrices[f + 2];
  const fw = matrices[f + 3];
  const tx = matrices[t];
  const ty = matrices[t + 1];
  const tz = matrices[t + 2];
  const tw = matrices[t + 3];
  let lowest = Number.POSITIVE_INFINITY;
  for (let point = 0, at = 0; point < radii.length; point++, at += STRIDE) {
    let height =
      fx * offsets[at] +
      fy * offsets[at + 1] +
      fz * offsets[at + 2] +
      fw * offsets[at + 3] +
      tx * offsets[at + 4] +
      ty * offsets[at + 5] +
      tz * offsets[at + 6] +
      tw * offsets[at + 7] -
      radii[point];
    if (point >= firstOfShin) {
      height +=
        matrices[s] * offsets[at + 8] +
        matrices[s + 1] * offsets[at + 9] +
        matrices[s + 2] * offsets[at + 10] +
        matrices[s + 3] * offsets[at + 11];
    }
    if (height < lowest) lowest = height;
  }
  out[o] = lowest;
}
