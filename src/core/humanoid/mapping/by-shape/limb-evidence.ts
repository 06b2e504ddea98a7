/**
 * Weighs limbs against the other chains of the rig: hands, feet, rotation by the motion, and the number of similar chains
 * beside them tell arms and legs from hair, skirts, capes and wings.
 */
import { clamp01 } from '../../../math/floats.ts';
import { cosine, distance, minus, pointOf } from '../../../math/triples.ts';
import type { LimbFit } from './limb-joints.ts';
import type { LimbPair } from './limb-pairs.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';

/** Factor for arms without a fan of fingers, and for legs with one, where other chains of the rig have one. */
const NO_FINGERS = 0.4;
/** A hand has at least this many chains of two joints. */
const FINGERS = 2;
/** Factor for legs without a foot where other chains of the rig have one. */
const NO_FOOT = 0.6;
/** A foot points forward: the cosine between shin and foot is within these bounds, −1 for a foot that points back. */
const FOOT: readonly [number, number] = [-0.6, 0.8];
/** Minimum length of a foot, in lengths of the shin. */
const FOOT_LENGTH = 0.12;
/** Factor for each similar chain beside a pair: panels of a skirt, legs of a spider. */
const ONE_OF_MANY = 0.8;
const FEWEST = 0.25;
/** Similar chains have as many joints, and their first segments differ in length by at most this fraction. */
const SIMILAR = 0.25;
const SEGMENTS = 3;
/** Factor for a limb that the motion never rotates. */
const STILL = 0.35;

/** Maximum distance of coincident joints, in lengths of the lower bone. */
const COINCIDENT = 0.02;

/** Counts the chains of two joints or more that start at a node, at a palm below it, or at a coincident palm. */
function fingersAt(rig: PosedRig, node: number, lower: number): number {
  const long = (at: number): number[] => rig.joints[at].filter((child) => rig.sizes[child] > 1);
  const here = positionOf(rig, node);
  const palms = rig.joints[rig.tree.parents[node]].filter(
    (other) => other !== node && distance(positionOf(rig, other), here) < COINCIDENT * lower,
  );
  let count = 0;
  for (const child of [node, ...palms].flatMap(long)) count += Math.max(1, long(child).length);
  return count;
}

/** Tests whether a limb ends in a fan of fingers on both sides. */
export function hasFingers(rig: PosedRig, { sides, lower }: LimbFit): boolean {
  return sides.every(([, , end]) => fingersAt(rig, end, lower) >= FINGERS);
}

/** Tests whether the chain after the end of a limb points forward like a foot, on both sides, in any pose. */
export function hasFoot(rig: PosedRig, { pair, end, sides, lower }: LimbFit): boolean {
  // A foot that is parented to another node is at the end marker of the leg.
  if (end >= pair.sides[0].length) return true;
  return sides.every(([, middle, foot], side) => {
    const next = pair.sides[side][end + 1] ?? pair.tips?.[side] ?? rig.joints[foot][0] ?? rig.ends[foot][0];
    if (next === undefined || next === foot || rig.lengths[next] < FOOT_LENGTH * lower) return false;
    return rig.poses.some(({ positions }) => {
      const ankle = pointOf(positions, foot);
      const bend = cosine(minus(ankle, pointOf(positions, middle)), minus(pointOf(positions, next), ankle));
      return bend > FOOT[0] && bend < FOOT[1];
    });
  });
}

/** Lists the lengths between the joints of the longest chain below a node. */
function segments(rig: PosedRig, node: number): number[] {
  const found: number[] = [];
  for (let at = node; rig.joints[at].length > 0 && found.length < SEGMENTS; ) {
    const far = (child: number): number => rig.lengths[child] + rig.reach[child];
    at = rig.joints[at].reduce((best, child) => (far(child) > far(best) ? child : best));
    found.push(rig.lengths[at]);
  }
  return found;
}

/** Counts the chains beside a pair with as many joints and similar lengths between them. */
function similarBeside(rig: PosedRig, { parent, sides }: LimbPair): number {
  const [a, b] = [sides[0][0], sides[1][0]];
  const own = segments(rig, a);
  return rig.joints[parent].filter((node) => {
    if (node === a || node === b || rig.sizes[node] !== rig.sizes[a]) return false;
    const others = segments(rig, node);
    return own.every((length, k) => Math.abs(length - others[k]) <= SIMILAR * Math.max(length, others[k]));
  }).length;
}

/** Returns the fraction of the upper and middle joints of both sides that the motion rotates. */
function rotatedPart({ rotated }: PosedRig, { sides }: LimbFit): number {
  if (rotated === null) return 1;
  return sides.reduce((sum, [upper, middle]) => sum + rotated[upper] + rotated[middle], 0) / 4;
}

/** Weighs the interpretations of pairs of chains as legs and as arms against each other. */
export function weighLimbs(
  rig: PosedRig,
  legs: readonly (readonly LimbFit[])[],
  arms: readonly (readonly LimbFit[])[],
): { legs: LimbFit[][]; arms: LimbFit[][] } {
  const anyHand = arms.some((fits) => fits.some((fit) => hasFingers(rig, fit)));
  const anyFoot = legs.some((fits) => fits.some((fit) => hasFoot(rig, fit)));
  const mostRotated = Math.max(0, ...[...legs, ...arms].flat().map((fit) => rotatedPart(rig, fit)));
  const common = (fit: LimbFit): number => {
    const still = mostRotated > 0.5 ? STILL + (1 - STILL) * clamp01(rotatedPart(rig, fit) / mostRotated) : 1;
    return still * Math.max(FEWEST, ONE_OF_MANY ** similarBeside(rig, fit.pair));
  };
  const weigh = (fit: LimbFit, factor: number): LimbFit => ({ ...fit, score: fit.score * factor * common(fit) });
  return {
    legs: legs.map((fits) => fits.map((fit) => weigh(fit, anyFoot && !hasFoot(rig, fit) ? NO_FOOT : 1))),
    arms: arms.map((fits) => fits.map((fit) => weigh(fit, anyHand && !hasFingers(rig, fit) ? NO_FINGERS : 1))),
  };
}
