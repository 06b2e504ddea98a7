/** Finds which rigid meshes have no thickness: helpers beside the bones, axes of joints and other sticks that a file draws. */

import type { SkinPoints } from '../../deform/skin-points.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { castRays, createLocalPoints, localTriangles } from './axis-rays.ts';
import { boneAxes } from './bone-axes.ts';
import { groupTriangles } from './measure-radii.ts';
import { COLUMNS, END_ROWS, MIDDLE_ROWS } from './radius-map.ts';

/** Part of the rays from the axis of a bone that hit a mesh around it: three sticks along the axes of a joint are hit by a fifth. */
const SURROUNDED = 0.5;

/** Axes of bones without radii: feet, shoulders, and parts of the face. */
const UPRIGHT = Float64Array.of(0, 1, 0, 1, 0, 0, 0, 0, 1);

/**
 * Leaves out rigid meshes that do not surround their bone: most rays from the axis through the middle of such a mesh miss it. It touches the ground, but nothing can
 * be inside of it. Skinned meshes are cut at the borders of their bones and cannot be judged like that.
 *
 * @param positions Position of every point in the reference pose, canonical frame: xyz.
 */
export function leaveOutHelpers(
  { reference }: Humanoid,
  points: SkinPoints,
  bones: Int16Array,
  positions: Float64Array,
): Int16Array {
  if (!points.rigid.includes(1)) return bones;
  const local = createLocalPoints(bones.length);
  const owners = bones.map((bone, point) => (points.rigid[point] === 1 ? bone : -1));
  const isHelper = groupTriangles(owners, points.triangles).map((group, bone) => {
    const axes = boneAxes(bone) ?? UPRIGHT;
    const joint = reference.positions.subarray(3 * bone, 3 * bone + 3);
    const hits = castRays(localTriangles(group, points.triangles, positions, joint, axes, local), axes);
    if (hits === null) return false;
    const around = hits.distances.subarray(COLUMNS * END_ROWS, COLUMNS * (END_ROWS + MIDDLE_ROWS));
    return around.filter((distance) => distance >= 0).length < SURROUNDED * around.length;
  });
  return bones.map((bone) => (bone >= 0 && isHelper[bone] ? -1 : bone));
}
