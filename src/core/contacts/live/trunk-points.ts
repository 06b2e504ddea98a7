/** The points of a trunk for live contacts: on bones only, in groups that are skipped while they are far from the ground. */

import { skinPoint } from '../../deform/skin-points.ts';
import { BONE, BONES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as mat4 from '../../math/mat4.ts';
import { MATRIX_STRIDE } from '../../skeleton/skeleton.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import { referenceMatrices } from '../surface/reference-matrices.ts';
import type { PartialPose } from './partial-pose.ts';
import { ROWS_STRIDE } from './partial-pose.ts';
import { rebindPoint } from './rebind-point.ts';
import { reducePoints } from './reduce-points.ts';

/** Height that may be missed, relative to the leg, and greatest number of points of a bone. Where the trunk bends, others become the lowest. */
const TOLERANCE = 0.002;
const MOST_POINTS = 80;
/** How much larger a sphere is than its points: their other influences may move them out of it. */
const SPHERE_MARGIN = 1.5;

/** Points of trunk, head, thighs and knees, in groups of one bone each. */
export interface TrunkPoints {
  /** First influence of every point, then the number of influences. */
  readonly starts: Int32Array;
  /** Entry of every influence in the partial pose. */
  readonly entries: Int32Array;
  /** Per influence `w·x, w·y, w·z, w`, in the space of its entry. */
  readonly offsets: Float64Array;
  /** Radius of the surface around every point, meters. */
  readonly radii: Float64Array;
  /** First point of every group, then the number of points. */
  readonly groups: Int32Array;
  /** Entry of the bone of every group. */
  readonly bones: Int32Array;
  /** 1 for groups of the spine and the head, 0 for hips and legs. */
  readonly isUpper: Uint8Array;
  /** A sphere around every group: center in the space of its bone, and radius in meters. */
  readonly spheres: Float64Array;
  /** Distance of the furthest point of spine and head from the hips in the reference pose, meters. */
  readonly upperReach: number;
}

const isLegBone = (bone: number): boolean => /Leg$/.test(BONES[bone]);

function sphereAround(positions: Float64Array, radii: Float64Array, matrices: Float64Array, m: number): number[] {
  const center = new Float64Array(3);
  const count = radii.length;
  for (let k = 0; k < 3 * count; k++) center[k % 3] += positions[k] / count;
  const distance = (k: number): number =>
    Math.hypot(positions[3 * k] - center[0], positions[3 * k + 1] - center[1], positions[3 * k + 2] - center[2]);
  const radius = Array.from(radii, (around, k) => distance(k) + around).reduce((a, b) => Math.max(a, b), 0);
  const inverse = new Float64Array(MATRIX_STRIDE);
  mat4.invertAffine(inverse, 0, matrices, m);
  mat4.transformPoint(center, 0, inverse, 0, center, 0);
  return [...center, SPHERE_MARGIN * radius];
}

/** Selects points of a trunk. `legLength`: length of its longer leg, meters. */
export function createTrunkPoints(
  humanoid: Humanoid,
  { points, bones, trunkEnd }: ContactSurface,
  pose: PartialPose,
  legLength: number,
): TrunkPoints {
  const { nodes } = humanoid.map;
  const matrices = referenceMatrices(humanoid);
  const posedNodes = new Set(pose.nodes.subarray(1));
  const entryOf = (node: number): number => pose.nodes.indexOf(node);
  const hips = humanoid.reference.positions.subarray(3 * BONE.hips, 3 * BONE.hips + 3);
  const starts: number[] = [0];
  const entries: number[] = [];
  const offsets: number[] = [];
  const radii: number[] = [];
  const groups: number[] = [0];
  const spheres: number[] = [];
  const used = [...new Set(bones.subarray(0, trunkEnd))];
  let upperReach = 0;
  for (const bone of used) {
    const first = bones.indexOf(bone);
    const end = bones.lastIndexOf(bone) + 1;
    const posed = new Float64Array(3 * (end - first));
    for (let point = first; point < end; point++) skinPoint(posed, 3 * (point - first), points, point, matrices);
    const tolerance = TOLERANCE * legLength;
    for (const k of reducePoints(posed, tolerance, tolerance, MOST_POINTS)) {
      for (const [node, offset] of rebindPoint(humanoid, points, first + k, posedNodes, nodes[bone], matrices)) {
        entries.push(entryOf(node));
        offsets.push(...offset);
      }
      starts.push(entries.length);
      radii.push(points.radii[first + k]);
      const distance = Math.hypot(...[0, 1, 2].map((c) => posed[3 * k + c] - hips[c]));
      if (bone !== BONE.hips && !isLegBone(bone)) upperReach = Math.max(upperReach, distance + points.radii[first + k]);
    }
    groups.push(radii.length);
    spheres.push(...sphereAround(posed, points.radii.subarray(first, end), matrices, MATRIX_STRIDE * nodes[bone]));
  }
  return {
    starts: Int32Array.from(starts),
    entries: Int32Array.from(entries),
    offsets: Float64Array.from(offsets),
    radii: Float64Array.from(radii),
    groups: Int32Array.from(groups),
    bones: Int32Array.from(used, (bone) => entryOf(nodes[bone])),
    isUpper: Uint8Array.from(used, (bone) => (bone === BONE.hips || isLegBone(bone) ? 0 : 1)),
    spheres: Float64Array.from(spheres),
    upperReach,
  };
}

/**
 * Computes the height of the lowest point of a trunk. Groups that are above a limit are skipped. `out` receives the height, canonical frame,
 * meters; anything above the limit where no point is below it.
 */
export function lowestOfTrunk(
  out: Float64Array,
  { starts, entries, offsets, radii, groups, bones, isUpper, spheres }: TrunkPoints,
  matrices: Float64Array,
  limit: Float64Array,
  isUpperPosed: boolean,
): void {
  let lowest = Number.POSITIVE_INFINITY;
  for (let group = 0; group < bones.length; group++) {
    if (isUpper[group] === 1 && !isUpperPosed) continue;
    const m = ROWS_STRIDE * bones[group] + 4;
    const at = 4 * group;
    const center =
      matrices[m] * spheres[at] +
      matrices[m + 1] * spheres[at + 1] +
      matrices[m + 2] * spheres[at + 2] +
      matrices[m + 3];
    const bound = center - spheres[at + 3];
    if (bound > limit[0] || bound > lowest) continue;
    for (let point = groups[group]; point < groups[group + 1]; point++) {
      let height = -radii[point];
      for (let i = starts[point]; i < starts[point + 1]; i++) {
        const row = ROWS_STRIDE * entries[i] + 4;
        const offset = 4 * i;
        height +=
          matrices[row] * offsets[offset] +
          matrices[row + 1] * offsets[offset + 1] +
          matrices[row + 2] * offsets[offset + 2] +
          matrices[row + 3] * offsets[offset + 3];
      }
      if (height < lowest) lowest = height;
    }
  }
  out[0] = lowest;
}
