/** How much deeper the skin of forearms and hands is inside the rest of the character than after plain retargeting. */

import { skinPoint } from '../../deform/skin-points.ts';
import { BONE } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE_STRIDE, FRAME_STRIDE } from '../self-collision/bone-frames.ts';
import type { Arm, LimbPoint } from '../self-collision/limb-points.ts';
import { createPartDepth, findPartDepth } from '../self-collision/part-depth.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import type { BoneRadii } from '../surface/radius-map.ts';
import { referenceMatrices } from '../surface/reference-matrices.ts';
import { pointAt } from './find-touches.ts';
import { handBones } from './touch-parts.ts';

/** Vertices of an arm and how deep they are inside the parts after plain retargeting. */
export interface ArmSkin {
  /** The vertices of forearm, hand and fingers that are the furthest in some direction: points without thickness. */
  readonly points: readonly LimbPoint[];
  /** Depth per frame and point, meters; 0 outside. */
  readonly plain: Float64Array;
}

const part = createPartDepth();
const position = new Float64Array(3);

/** Returns how deep a point is inside the deepest part, meters; 0 outside. */
function depthOf(point: LimbPoint, parts: readonly (readonly BoneRadii[])[], bones: Float64Array, b: number): number {
  let deepest = 0;
  pointAt(position, 0, point, bones, b);
  for (const solid of parts) {
    if (solid.length === 0) continue;
    findPartDepth(part, solid, bones, b, point, position, bones, b + BONE_STRIDE * point.bone, deepest);
    deepest = part.depth;
  }
  return deepest;
}

/** Collects the vertices of an arm and how deep they are. */
export function findArmSkin(
  arm: Arm,
  humanoid: Humanoid,
  { points, bones: bonesOfPoints, trunkEnd, armsEnd }: ContactSurface,
  parts: readonly (readonly BoneRadii[])[],
  bones: Float64Array,
): ArmSkin {
  const own = new Set([arm.bones[1], ...handBones(arm.side).map((name) => BONE[name])]);
  const matrices = referenceMatrices(humanoid);
  const found: LimbPoint[] = [];
  for (let k = trunkEnd; k < armsEnd; k++) {
    const bone = bonesOfPoints[k];
    if (!own.has(bone)) continue;
    const offset = new Float64Array(3);
    skinPoint(offset, 0, points, k, matrices);
    vec3.subtract(offset, 0, offset, 0, humanoid.reference.positions, 3 * bone);
    found.push({ bone, offset, radii: null, along: 0, thickness: 0, thickest: 0, isUpper: false });
  }
  const plain = new Float64Array((found.length * bones.length) / FRAME_STRIDE);
  for (let k = 0; k < plain.length; k++) {
    const b = FRAME_STRIDE * Math.floor(k / found.length);
    plain[k] = depthOf(found[k % found.length], parts, bones, b);
  }
  return { points: found, plain };
}

/**
 * Computes by how much the vertices of an arm are deeper than after plain retargeting.
 *
 * @returns The largest difference, meters; 0 where no vertex is deeper.
 */
export function skinExcess(
  { points, plain }: ArmSkin,
  parts: readonly (readonly BoneRadii[])[],
  moved: Float64Array,
  frame: number,
): number {
  let excess = 0;
  for (const [k, point] of points.entries()) {
    excess = Math.max(excess, depthOf(point, parts, moved, 0) - plain[frame * points.length + k]);
  }
  return excess;
}
