import type { Clip } from '../../../animation/clip.ts';
import type { Skeleton } from '../../../skeleton/skeleton.ts';
import { type PossibleBones, possibleBones } from '../possible-bones.ts';
import { fitHumanoid } from './fit.ts';
import type { HumanoidFit } from './humanoid-fit.ts';
import { weighLimbs } from './limb-evidence.ts';
import { type LimbFit, limbFits } from './limb-joints.ts';
import { endsOfPairs, type LimbPair, limbPairs } from './limb-pairs.ts';
import { createPosedRigs, type PosedRig } from './posed-rig.ts';
import { QUADRUPED_COST } from './score.ts';

/** Number of interpretations of each pair of chains that are tried in every pose. */
const READINGS = 2;
/** Interpretations that cannot reach this fraction of the best score are skipped. */
const MIN_RELATIVE_SCORE = 0.5;
/**
 * A quadruped has at least this fraction of the best score, the cost of four legs left out: animals in hair, wings or
 * skirts have 0.2 and more, most humanoids 0.01.
 */
const MIN_QUADRUPED = 0.15;
/** Logarithms of scores that differ by less than this are equal: the rounding of stored positions decides nothing. */
const EQUAL_SCORES = 2e-3;

/** Pairs interpretations of legs and arms. The score of a humanoid with these limbs does not exceed `bound`. */
function choicesOfLimbs(
  rig: PosedRig,
  pairs: readonly LimbPair[],
): { readonly leg: LimbFit; readonly arm: LimbFit; readonly bound: number }[] {
  const read = (isArm: boolean): LimbFit[][] => pairs.map((pair) => limbFits(rig, pair, isArm, READINGS));
  const { legs, arms } = weighLimbs(rig, read(false), read(true));
  const all = legs.flatMap((ofPair, l) =>
    ofPair.flatMap((leg) =>
      arms.flatMap((others, a) => (a === l ? [] : others.map((arm) => ({ leg, arm, bound: leg.score * arm.score })))),
    ),
  );
  return all.sort((a, b) => b.bound - a.bound);
}

/**
 * Lists all interpretations of a rig in all poses. Returns them as `fits`, best first; `isQuadruped` tells whether the rig is a quadruped in its bind
 * pose, or in its rest pose without one.
 */
export function allFits(
  skeleton: Skeleton,
  motion: Clip | null,
  bones: PossibleBones = possibleBones(skeleton),
): { fits: readonly HumanoidFit[]; isQuadruped: boolean } {
  const fits: HumanoidFit[] = [];
  let best = 0;
  let onFourLegs = 0;
  for (const [pose, rig] of createPosedRigs(skeleton, motion, bones).entries()) {
    const pairs = limbPairs(rig);
    const ends = endsOfPairs(pairs);
    for (const { leg, arm, bound } of choicesOfLimbs(rig, pairs)) {
      if (bound < MIN_RELATIVE_SCORE * best) break;
      const fit = fitHumanoid(rig, leg, arm, ends);
      if (fit === null || !(fit.score > 0)) continue;
      fits.push(fit);
      best = Math.max(best, fit.score);
      if (fit.isQuadruped && pose === 0) onFourLegs = Math.max(onFourLegs, fit.score / QUADRUPED_COST);
    }
  }
  return { fits: sortByScore(fits), isQuadruped: onFourLegs > MIN_QUADRUPED * best };
}

/** Sorts interpretations by score; of nearly equal ones, the one that was found first comes first. */
function sortByScore(fits: readonly HumanoidFit[]): HumanoidFit[] {
  const rank = fits.map(({ score }) => Math.round(Math.log(score) / EQUAL_SCORES));
  return fits
    .map((fit, k) => ({ fit, k }))
    .sort((a, b) => rank[b.k] - rank[a.k] || a.k - b.k)
    .map(({ fit }) => fit);
}

/** An interpretation with other joints of the same chains is preferred down to this fraction of the best score. */
const SAME_CHAINS = 0.5;
/** … where its limbs fit better by this factor. */
const CLEARLY = 1.05;

/**
 * Chooses among interpretations of the same chains the one whose joints fit limbs best: the proportions of trunk and head tell chains from each
 * other, but not a hip joint from the joint before it. `first`: the best interpretation; undefined without any. Returns the choice; undefined
 * without any.
 */
export function bestReading(first: HumanoidFit | undefined, others: readonly HumanoidFit[]): HumanoidFit | undefined {
  let best = first;
  for (const fit of others) {
    if (first === undefined || best === undefined || fit.score < SAME_CHAINS * first.score) break;
    if (fit.legFit.pair !== first.legFit.pair || fit.armFit.pair !== first.armFit.pair) continue;
    if (limbScore(fit) > CLEARLY * limbScore(best)) best = fit;
  }
  return best;
}

const limbScore = ({ legFit, armFit }: HumanoidFit): number => legFit.score * armFit.score;
