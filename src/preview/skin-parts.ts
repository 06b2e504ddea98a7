/** The skin of a character in one pose, bone by bone: drawn as outlines behind the lines of a figure. */

import type { ContactSurface } from '../core/contacts/surface/contact-surface.ts';
import { convexHull } from '../core/contacts/surface/convex-hull.ts';
import { referenceMatrices } from '../core/contacts/surface/reference-matrices.ts';
import { isFootBone } from '../core/contacts/surface/surface-bones.ts';
import { skinPoint } from '../core/deform/skin-points.ts';
import { BONES } from '../core/humanoid/bones.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import * as vec3 from '../core/math/vec3.ts';
import { modelMatrices } from '../core/skeleton/pose.ts';

/** The outermost points of the skin of one bone, those that can touch the ground, in one pose. */
export interface SkinPart {
  /** Side of a foot or its toes; cloth over the body; null for all other bones. */
  readonly kind: 'left' | 'right' | 'cloth' | null;
  /** xyz per point, canonical frame, meters. */
  readonly points: Float64Array;
  /** Radius of the skin around every point, meters; 0 for vertices. */
  readonly radii: Float64Array;
}

/** Corners of a circle around a point with a radius. */
const CIRCLE = 12;

/** Collects the points of every bone; `matrices` are those of all nodes in the canonical frame, meters. */
function partsOf(surface: ContactSurface, matrices: Float64Array): SkinPart[] {
  return [...boneParts(surface, false, matrices), ...boneParts(surface.cloth, true, matrices)];
}

function boneParts(
  { points, bones }: Pick<ContactSurface, 'points' | 'bones'>,
  isCloth: boolean,
  matrices: Float64Array,
): SkinPart[] {
  const byBone = new Map<number, number[]>();
  for (const [point, bone] of bones.entries()) {
    const known = byBone.get(bone);
    if (known === undefined) byBone.set(bone, [point]);
    else known.push(point);
  }
  return Array.from(byBone, ([bone, own]): SkinPart => {
    const posed = new Float64Array(3 * own.length);
    for (const [k, point] of own.entries()) skinPoint(posed, 3 * k, points, point, matrices);
    const side = BONES[bone].startsWith('left') ? 'left' : 'right';
    const radii = Float64Array.from(own, (point) => points.radii[point]);
    const kind = isCloth ? 'cloth' : isFootBone(bone) ? side : null;
    return { kind, points: posed, radii };
  });
}

export function skinInReference(humanoid: Humanoid, surface: ContactSurface): SkinPart[] {
  return partsOf(surface, referenceMatrices(humanoid));
}

/** Computes the skin of a character in a pose. `local`: local pose, 10 floats per node. */
export function skinInPose(humanoid: Humanoid, surface: ContactSurface, local: Float64Array): SkinPart[] {
  const { skeleton, frame, metersPerUnit } = humanoid;
  const matrices = modelMatrices(skeleton.parents, local);
  const parts = partsOf(surface, matrices);
  for (const { points } of parts) {
    for (let at = 0; at < points.length; at += 3) {
      vec3.scale(points, at, points, at, metersPerUnit);
      vec3.rotate(points, at, frame, 0, points, at);
    }
  }
  return parts;
}

/** Finds the outline of a part on the screen. `toScreen`: projects a point to x and y in pixels. */
export function outlineOf(
  { points, radii }: SkinPart,
  toScreen: (point: readonly [number, number, number]) => readonly [number, number],
  scale: number,
): number[] {
  const corners: (readonly [number, number])[] = [];
  for (const [k, radius] of radii.entries()) {
    const [x, y] = toScreen([points[3 * k], points[3 * k + 1], points[3 * k + 2]]);
    if (radius === 0) corners.push([x, y]);
    else {
      for (let c = 0; c < CIRCLE; c++) {
        const angle = (2 * Math.PI * c) / CIRCLE;
        corners.push([x + radius * scale * Math.cos(angle), y + radius * scale * Math.sin(angle)]);
      }
    }
  }
  return convexHull(corners);
}
