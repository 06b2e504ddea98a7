/** Finds rigid meshes that are no surface of their bone: axes of joints and other helpers that a file draws beside its bones. */
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { castRays, copyTriangles } from './axis-rays.ts';
import { boneAxes } from './bone-axes.ts';
import { groupTriangles } from './measure-radii.ts';
import { COLUMNS, END_ROWS, MIDDLE_ROWS } from './radius-map.ts';
import { referenceMatrices } from './reference-matrices.ts';
import { type SkinPoints, skinPoint } from './skin-points.ts';

/** Part of the rays from the axis of a bone that hit its mesh where it is its surface: three sticks along the axes of a joint are hit by a fifth. */
const SURROUNDED = 0.5;

/** Axes of bones without radii: feet, shoulders, and parts of the face. */
const UPRIGHT = Float64Array.of(0, 1, 0, 1, 0, 0, 0, 0, 1);

/**
 * Finds the bones whose rigid meshes do not surround them: most rays from the axis through the middle of such a mesh miss it. Skinned meshes are cut at the
 * borders of their bones and cannot be judged like that.
 *
 * @param humanoid The character.
 * @param points All its points.
 * @param bones Bone of every point, −1 without.
 * @returns The bones.
 */
export function findHelperMeshes(humanoid: Humanoid, points: SkinPoints, bones: Int16Array): ReadonlySet<number> {
  const helpers = new Set<number>();
  if (!points.rigid.includes(1)) return helpers;
  const matrices = referenceMatrices(humanoid);
  const positions = new Float64Array(3 * bones.length);
  const owners = bones.map((bone, point) => (points.rigid[point] === 1 ? bone : -1));
  for (const [point, bone] of owners.entries()) if (bone >= 0) skinPoint(positions, 3 * point, points, point, matrices);
  for (const [bone, group] of groupTriangles(owners, points.triangles).entries()) {
    const axes = boneAxes(bone) ?? UPRIGHT;
    const joint = humanoid.reference.positions.subarray(3 * bone, 3 * bone + 3);
    const hits = castRays(copyTriangles(group, points.triangles, positions, joint, axes), axes);
    if (hits === null) continue;
    const around = hits.distances.subarray(COLUMNS * END_ROWS, COLUMNS * (END_ROWS + MIDDLE_ROWS));
    if (around.filter((distance) => distance >= 0).length < SURROUNDED * around.length) helpers.add(bone);
  }
  return helpers;
}
