/** How far the limbs of a character are kept apart by its thickness: angles at which lowered arms and legs just touch. */
import { BONE, type BoneName, SIDES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { findArms } from '../self-collision/limb-points.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import { type BoneRadii, COLUMNS, ROWS, radiusToward } from '../surface/radius-map.ts';

/** Fractions of the thigh at which both thighs may touch. */
const THIGH_FRACTIONS = [0.4, 0.6, 0.8, 1];

/** Outermost position of a bone at a height of the T-pose, to one side; null where the bone does not reach. */
function outerEdge(humanoid: Humanoid, bone: BoneRadii, height: number, side: number): number | null {
  const { positions } = humanoid.reference;
  const joint = 3 * bone.bone;
  const along = (height - positions[joint + 1]) * Math.sign(bone.axes[1]);
  const [low, high] = [bone.from - bone.radii[0], bone.to + bone.radii[ROWS * COLUMNS - 1]];
  if (along < low || along > high) return null;
  return side * (positions[joint] + bone.center[0]) + radiusToward(bone, along, [side, 0, 0], 0);
}

function armAngle(humanoid: Humanoid, surface: ContactSurface): number {
  const { positions } = humanoid.reference;
  const angles = findArms(humanoid, surface).flatMap(({ side, bones: [shoulder], points }) => {
    const sign = side === 'left' ? 1 : -1;
    const obstacles = (['hips', 'spine', 'chest', 'upperChest', `${side}UpperLeg`] as const).flatMap(
      (name) => surface.radii[BONE[name]] ?? [],
    );
    const [x, y] = [sign * positions[3 * shoulder], positions[3 * shoulder + 1]];
    return points.flatMap((point) => {
      if (point === null || point.isUpper) return [];
      const distance = sign * (positions[3 * point.bone] + point.offset[0]) - x;
      if (!(distance > 0)) return [];
      // The arm is lowered: its palm side is on the inside.
      const thickness =
        point.radii === null
          ? 0
          : point.thickness * Math.min(point.thickest, radiusToward(point.radii, point.along, [0, -1, 0], 0));
      return obstacles.flatMap((bone) => {
        const edge = outerEdge(humanoid, bone, y - distance, sign);
        return edge === null ? [] : [Math.asin(Math.min(1, Math.max(-1, (edge + thickness - x) / distance)))];
      });
    });
  });
  return angles.length === 0 ? 0 : Math.max(...angles);
}

function legAngle({ map, reference: { positions } }: Humanoid, { radii }: ContactSurface): number {
  const angles = SIDES.flatMap((side) => {
    const sign = side === 'left' ? 1 : -1;
    const [thigh, shin] = [BONE[`${side}UpperLeg` as BoneName], BONE[`${side}LowerLeg` as BoneName]];
    const bone = radii[thigh];
    if (bone === null || map.nodes[shin] < 0) return [];
    const length = positions[3 * thigh + 1] - positions[3 * shin + 1];
    const middle = sign * (positions[3 * thigh] + bone.center[0]);
    // Some rigs have both hip joints in the middle.
    if (!(middle > 0)) return [];
    return THIGH_FRACTIONS.flatMap((fraction) => {
      const distance = fraction * length;
      if (!(distance > 0)) return [];
      const inner = radiusToward(bone, distance, [-sign, 0, 0], 0) - middle;
      return [Math.asin(Math.min(1, Math.max(-1, inner / distance)))];
    });
  });
  return angles.length === 0 ? 0 : Math.max(...angles);
}

/**
 * Measures how far the thickness of a character keeps its limbs apart. Returns angles from the vertical, outward, radians; negative where limbs are free:
 * `arm`, at which a stretched arm touches trunk, hips or thigh, and `leg`, at which both thighs touch.
 */
export function measureTouchAngles(
  humanoid: Humanoid,
  surface: ContactSurface,
): { readonly arm: number; readonly leg: number } {
  return { arm: armAngle(humanoid, surface), leg: legAngle(humanoid, surface) };
}
