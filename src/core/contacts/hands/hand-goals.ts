/** Where the points of the hands of the target have to be so that they touch as those of the source do. */
import { SIDES } from '../../humanoid/bones.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import type { Timing } from '../paths/timing.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET } from '../self-collision/bone-frames.ts';
import { findArms, type LimbPoint } from '../self-collision/limb-points.ts';
import { createPartDepth, findPartDepth, pointAt } from '../self-collision/part-depth.ts';
import type { SurfacedHumanoid } from '../surface/contact-surface.ts';
import { type BoneRadii, depthInside, radiusToward } from '../surface/radius-map.ts';
import { findTouches, type HandContact, type TouchedHand } from './find-touches.ts';
import { findHandSkin } from './hand-skin.ts';
import { findHandPairs, handPoints, mapLocation, touchParts } from './touch-parts.ts';

export interface HandGoal {
  /** The contact of the source that it belongs to. */
  readonly contact: HandContact;
  /** Whether the contact lasts in the frame; otherwise it is blended in or out. */
  readonly isDuring: boolean;
  readonly side: number;
  readonly point: LimbPoint;
  readonly part: readonly BoneRadii[];
  /** How much it touches, 0…1. */
  readonly weight: number;
  /** Distance between the two surfaces, meters of the target; 0 where those of the source overlap. */
  readonly gap: number;
  /** How much the surfaces overlap, relative to their radii. */
  readonly overlap: number;
  /** Depth of the skin of the source minus that of its points with their thickness, meters of the target. */
  readonly beyond: number;
  /** Bone of the part that has the location. */
  readonly radii: BoneRadii;
  /**
   * Offset of the location from the axis of the bone, and of the axis from the joint: where the surface of the part is; xyz, axes of the reference
   * pose.
   */
  readonly location: Float64Array;
  /** Direction out of the part there, xyz, unit, axes of the reference pose. */
  readonly direction: Float64Array;
}

const depth = createPartDepth();
const position = new Float64Array(3);
const relative = new Float64Array(3);
const inverse = new Float64Array(4);
const surfacePoint = new Float64Array(4);

/** Converts the touch of a point of the source, in `depth`, to the target. */
function makeGoal(
  source: SurfacedHumanoid,
  part: readonly BoneRadii[],
  target: SurfacedHumanoid,
  targetPart: readonly BoneRadii[],
  bones: Float64Array,
  b: number,
): Pick<HandGoal, 'radii' | 'location' | 'direction' | 'gap' | 'overlap'> {
  const radii = part.find(({ bone }) => bone === depth.bone)!;
  const at = b + BONE_STRIDE * radii.bone;
  quat.conjugate(inverse, 0, bones, at);
  vec3.subtract(relative, 0, position, 0, bones, at + POSITION_OFFSET);
  vec3.rotate(relative, 0, inverse, 0, relative, 0);
  vec3.subtract(relative, 0, relative, 0, radii.center, 0);
  const along = Math.min(radii.to, Math.max(radii.from, vec3.dot(relative, 0, radii.axes, 0)));
  const direction = new Float64Array(3);
  vec3.rotate(direction, 0, inverse, 0, depth.outward, 0);
  const to = mapLocation({ radii, along }, part, source.humanoid, targetPart, target.humanoid);
  const location = new Float64Array(3);
  vec3.addScaled(location, 0, to.radii.center, 0, to.radii.axes, 0, to.along);
  // The surface is looked up one radius away from the axis, where directions of the rounded ends are as they are on the surface.
  vec3.addScaled(relative, 0, location, 0, direction, 0, radiusToward(to.radii, to.along, direction, 0));
  depthInside(surfacePoint, 0, to.radii, relative, 0);
  vec3.addScaled(location, 0, location, 0, direction, 0, surfacePoint[3]);
  const scale = heightRatio(source, target);
  return {
    radii: to.radii,
    location,
    direction,
    gap: Math.max(0, -depth.depth) * scale,
    overlap: depth.size > 0 ? Math.max(0, depth.depth / depth.size) : 0,
  };
}

/** Returns how much taller one character is than another: by the tops of their heads, or by their highest joints where one has no mesh. */
export function heightRatio(source: SurfacedHumanoid, target: SurfacedHumanoid): number {
  const haveSkin = source.surface.from === 'skin' && target.surface.from === 'skin';
  return haveSkin ? target.surface.height / source.surface.height : target.humanoid.height / source.humanoid.height;
}

export function findHandTouches(
  { humanoid, surface }: SurfacedHumanoid,
  bones: Float64Array,
  timing: Timing,
): readonly TouchedHand[] {
  const { from } = surface;
  return findArms(humanoid, surface).map((arm) => {
    const points = handPoints(arm).filter((point) => point !== null);
    const skin = from === 'skin' ? findHandSkin(arm, surface) : [];
    const parts = points.length === 0 ? [] : touchParts(arm.side, humanoid, surface);
    return findTouches({ side: SIDES.indexOf(arm.side), points, skin, parts, from }, bones, timing, surface.height);
  });
}

/** Finds the goals of all hands in all frames. `hands`: what the hands of the source touch. */
export function findHandGoals(
  source: SurfacedHumanoid,
  target: SurfacedHumanoid,
  hands: readonly TouchedHand[],
  bones: Float64Array,
): { readonly frames: readonly (readonly HandGoal[])[]; readonly contacts: readonly HandContact[] } {
  const count = bones.length / FRAME_STRIDE;
  const scale = heightRatio(source, target);
  const frames: HandGoal[][] = Array.from({ length: count }, () => []);
  const contacts: HandContact[] = [];
  for (const { side, source: arm, points, targetPoints } of findHandPairs(source, target)) {
    const hand = hands.find((one) => one.side === side)!;
    const [parts, targetParts] = [
      touchParts(arm.side, source.humanoid, source.surface),
      touchParts(arm.side, target.humanoid, target.surface),
    ];
    contacts.push(...hand.contacts.filter(({ part }) => targetParts[part].length > 0));
    for (const { contact, frame, isDuring, weights, beyond } of hand.touches) {
      if (targetParts[contact.part].length === 0) continue;
      const b = FRAME_STRIDE * frame;
      const part = parts[contact.part];
      const targetPart = targetParts[contact.part];
      for (const [k, own] of points.entries()) {
        if (!(weights[k] > 0)) continue;
        pointAt(position, 0, own, bones, b);
        const limb = b + BONE_STRIDE * own.bone;
        findPartDepth(depth, part, bones, b, own, position, bones, limb, Number.NEGATIVE_INFINITY);
        const goal = makeGoal(source, part, target, targetPart, bones, b);
        const point = targetPoints[k];
        frames[frame].push({
          contact,
          isDuring,
          side,
          point,
          part: targetPart,
          weight: weights[k],
          beyond: scale * beyond,
          ...goal,
        });
      }
    }
  }
  return { frames, contacts };
}

/**
 * Computes where the location of a goal is: on the surface of the part, beyond it by the thickness of the hand. `out` receives xyz: where the point
 * of the hand touches. `outward` receives the direction out of the part, xyz.
 */
export function locationOf(
  out: Float64Array,
  outward: Float64Array,
  { point, radii, location, direction }: HandGoal,
  bones: Float64Array,
  b: number,
): void {
  const at = b + BONE_STRIDE * radii.bone;
  vec3.rotate(out, 0, bones, at, location, 0);
  vec3.add(out, 0, out, 0, bones, at + POSITION_OFFSET);
  vec3.rotate(outward, 0, bones, at, direction, 0);
  let thickness = 0;
  if (point.radii !== null) {
    quat.conjugate(inverse, 0, bones, b + BONE_STRIDE * point.bone);
    vec3.scale(relative, 0, outward, 0, -1);
    vec3.rotate(relative, 0, inverse, 0, relative, 0);
    thickness = point.thickness * Math.min(point.thickest, radiusToward(point.radii, point.along, relative, 0));
  }
  vec3.addScaled(out, 0, out, 0, outward, 0, thickness);
}
