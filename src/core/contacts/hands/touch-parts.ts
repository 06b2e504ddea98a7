import { BONE, BONES, type BoneName, FINGERS, SIDES, type Side, THUMB_SEGMENTS } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as vec3 from '../../math/vec3.ts';
import { type Arm, findArms, type LimbPoint } from '../self-collision/limb-points.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import type { BoneRadii } from '../surface/radius-map.ts';

/** Kinds of parts that a hand can be on, in the order of {@link touchParts}. `leg` is the leg of the same side. */
export const TOUCH_PARTS = ['trunk', 'head', 'leg', 'otherLeg', 'otherHand', 'otherArm'] as const;

export function handBones(side: Side): BoneName[] {
  const fingers = FINGERS.flatMap((finger) => {
    return (['Proximal', 'Intermediate', 'Distal'] as const).map((segment): BoneName => `${side}${finger}${segment}`);
  });
  return [`${side}Hand`, ...fingers, ...THUMB_SEGMENTS.map((segment): BoneName => `${side}Thumb${segment}`)];
}

export function touchParts(side: Side, humanoid: Humanoid, surface: ContactSurface): readonly (readonly BoneRadii[])[] {
  const { radii } = surface;
  const other: Side = side === 'left' ? 'right' : 'left';
  const names: Readonly<Record<Exclude<(typeof TOUCH_PARTS)[number], 'otherHand'>, readonly BoneName[]>> = {
    trunk: ['hips', 'spine', 'chest', 'upperChest'],
    head: ['neck', 'head'],
    leg: [`${side}UpperLeg`, `${side}LowerLeg`],
    otherLeg: [`${other}UpperLeg`, `${other}LowerLeg`],
    otherArm: [`${other}UpperArm`, `${other}LowerArm`],
  };
  const arm = findArms(humanoid, surface).find((one) => one.side === other);
  return TOUCH_PARTS.map((kind) => {
    return kind === 'otherHand' ? (arm?.hand ?? []) : names[kind].flatMap((name) => radii[BONE[name]] ?? []);
  });
}

/** A hand of the source, and the same hand of the target. */
interface HandPair {
  readonly side: number;
  readonly source: Arm;
  readonly points: readonly LimbPoint[];
  /** The points of the target that correspond to them. */
  readonly targetPoints: readonly LimbPoint[];
}

/** Lists the points of a hand: middle and end of the palm, then the tips of its fingers; null for those that it lacks. Only hands without any lack the palm. */
export function handPoints({ points, bones }: Arm): readonly (LimbPoint | null)[] {
  const first = points.findIndex((point) => point !== null && point.bone === bones[2]);
  return first < 0 ? [] : points.slice(first);
}

/** Index of the end of the palm and of the tip of the middle finger among the points of a hand. */
const PALM_END = 1;
const MIDDLE_TIP = 4;

/** Finds the hands that both characters have. A hand without fingers is as long as one with fingers: the end of its palm is the tip of the middle finger. */
export function findHandPairs(
  source: { readonly humanoid: Humanoid; readonly surface: ContactSurface },
  target: { readonly humanoid: Humanoid; readonly surface: ContactSurface },
): readonly HandPair[] {
  const [from, to] = [source, target].map(({ humanoid, surface }) => findArms(humanoid, surface));
  return SIDES.flatMap((name, side): HandPair[] => {
    const [sourceArm, targetArm] = [from, to].map((arms) => arms.find((arm) => arm.side === name));
    if (sourceArm === undefined || targetArm === undefined) return [];
    const [own, others] = [handPoints(sourceArm), handPoints(targetArm)];
    const [hasFingers, targetHasFingers] = [source, target].map(({ humanoid }) => {
      return BONES.some((bone, k) => bone.startsWith(`${name}Middle`) && humanoid.map.nodes[k] >= 0);
    });
    const pairs = own.flatMap((point, k): [LimbPoint, LimbPoint][] => {
      const isMitten = !hasFingers && targetHasFingers && k <= PALM_END;
      const same = isMitten ? (others[k === PALM_END ? MIDDLE_TIP : PALM_END] ?? others[k]) : others[k];
      const counterpart = same ?? others[PALM_END];
      return point === null || counterpart === null || counterpart === undefined ? [] : [[point, counterpart]];
    });
    if (pairs.length === 0) return [];
    const [points, targetPoints] = [pairs.map(([point]) => point), pairs.map(([, point]) => point)];
    return [{ side, source: sourceArm, points, targetPoints }];
  });
}

/** A location on a part: a bone, and a position along its axis, meters. */
interface AxisLocation {
  readonly radii: BoneRadii;
  /** Position along the axis from its center. */
  readonly along: number;
}

/** Position along the axis of the first bone of a part, in the reference pose. */
function coordinate(part: readonly BoneRadii[], { reference }: Humanoid, { radii, along }: AxisLocation): number {
  const axis = part[0].axes;
  return vec3.dot(reference.positions, 3 * radii.bone, axis, 0) + along * vec3.dot(radii.axes, 0, axis, 0);
}

function extent(part: readonly BoneRadii[], humanoid: Humanoid): [number, number] {
  const ends = part.flatMap((radii) =>
    [radii.from, radii.to].map((along) => coordinate(part, humanoid, { radii, along })),
  );
  return [Math.min(...ends), Math.max(...ends)];
}

/**
 * Finds the location on the target that corresponds to one on the source: on the same bone, or at the same fraction of the length of the part if one of them
 * lacks some of its bones.
 */
export function mapLocation(
  { radii, along }: AxisLocation,
  part: readonly BoneRadii[],
  source: Humanoid,
  targetPart: readonly BoneRadii[],
  target: Humanoid,
): AxisLocation {
  const { bone, from, to } = radii;
  const same = targetPart.find((one) => one.bone === bone);
  const hasSameBones = part.length === targetPart.length && part.every((one, k) => one.bone === targetPart[k].bone);
  const fraction = to > from ? (along - from) / (to - from) : 0.5;
  if (same !== undefined && hasSameBones) return { radii: same, along: same.from + fraction * (same.to - same.from) };
  const [[low, high], [targetLow, targetHigh]] = [extent(part, source), extent(targetPart, target)];
  const ratio = high > low ? (coordinate(part, source, { radii, along }) - low) / (high - low) : 0.5;
  const wanted = targetLow + ratio * (targetHigh - targetLow);
  const distance = (one: BoneRadii): number => {
    const [start, end] = [one.from, one.to].map((at) => coordinate(targetPart, target, { radii: one, along: at }));
    return Math.max(start - wanted, wanted - end, 0);
  };
  const nearest = targetPart.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  const start = coordinate(targetPart, target, { radii: nearest, along: nearest.from });
  return { radii: nearest, along: Math.min(nearest.to, Math.max(nearest.from, nearest.from + wanted - start)) };
}
