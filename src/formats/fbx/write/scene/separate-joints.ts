/**
 * Keeps joints that move along apart from the tail of their parent. Blender's importer puts the tail of a bone at the distance of its children along +Y, connects a
 * child whose head is there to 1e-6, and then ignores keys of its location: hips above a root bone stood still.
 */
import * as mat4 from '../../../../core/math/mat4.ts';
import { localToModelMatrices } from '../../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import type { JointPlan } from './plan-joints.ts';
import type { PlannedMesh } from './plan-meshes.ts';

/** How far joints are moved aside, relative to the largest coordinate: four times what Blender takes for the same place, 7 µm on an adult. */
const SEPARATION = 4e-6;
/** Distance from the +Y axis of the parent, relative to that from the parent, up to which a joint may be at the tail: a hundred times what Blender takes. */
const AT_TAIL = 1e-4;
/** Part of the distance from the parent by which a joint may move that nobody sees. */
export const STAYS = 1e-5;

/**
 * Moves joints aside in the pose that Blender takes for rest: that of their clusters, else the rest pose.
 *
 * @param moving Joints whose translation clips change.
 */
export function separateJoints(
  { joints }: JointPlan,
  meshes: readonly PlannedMesh[],
  moving: ReadonlySet<number>,
): void {
  const frames = new Float64Array(MATRIX_STRIDE * joints.length);
  localToModelMatrices(
    frames,
    Int32Array.from(joints, ({ parent }) => parent),
    Float64Array.from(joints.flatMap(({ rest }) => Array.from(rest))),
  );
  const links = joints.map((): Float64Array[] => []);
  for (const { skin } of meshes) {
    for (const [k, joint] of skin?.joints.entries() ?? [])
      links[joint].push((skin as NonNullable<typeof skin>).links.subarray(MATRIX_STRIDE * k, MATRIX_STRIDE * (k + 1)));
  }
  for (const [joint, [link]] of links.entries()) if (link !== undefined) frames.set(link, MATRIX_STRIDE * joint);
  let size = 0;
  for (let at = 12; at < frames.length; at += MATRIX_STRIDE)
    size = Math.max(size, Math.abs(frames[at]), Math.abs(frames[at + 1]), Math.abs(frames[at + 2]));
  const local = new Float64Array(MATRIX_STRIDE);
  for (const [joint, { parent, rest }] of joints.entries()) {
    if (parent < 0 || !mat4.invertAffine(local, 0, frames, MATRIX_STRIDE * parent)) continue;
    mat4.multiply(local, 0, local, 0, frames, MATRIX_STRIDE * joint);
    const [x, y, z] = local.subarray(12);
    if (y <= 0 || Math.hypot(x, z) > AT_TAIL * y) continue;
    const isBoundElsewhere = Math.hypot(x - rest[0], y - rest[1], z - rest[2]) > STAYS * y;
    if (!moving.has(joint) && !isBoundElsewhere) continue;
    if (links[joint].length === 0) rest[0] += SEPARATION * size;
    for (const link of links[joint])
      for (let c = 0; c < 3; c++) link[12 + c] += SEPARATION * size * frames[MATRIX_STRIDE * parent + c];
  }
}
