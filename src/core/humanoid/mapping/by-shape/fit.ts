/**
 * Interprets two pairs of limbs as legs and arms of one humanoid: finds the hips where both meet, the spine between
 * them and the head above, and scores the result.
 */

import { cosine, distance, dot, minus, norm, plus, times, unit } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import { isInSubtree, lowestCommonAncestor } from '../node-tree.ts';
import { findHead, isNeckBetweenArms } from './head.ts';
import { endsOfLegs, type HumanoidFit, jointMidpoint, type LimbJoints } from './humanoid-fit.ts';
import type { LimbFit } from './limb-joints.ts';
import type { LimbPair } from './limb-pairs.ts';
import type { Shoulders } from './neck.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';
import { hasQuadrupedStance } from './quadruped.ts';
import { scoreHumanoid } from './score.ts';

/** The hips are the node where legs and spine meet, or an ancestor that is nearer to the hip joints by this factor (Biped) … */
const NEARER = 0.5;
/** … when the meeting node is at least this far above the hip joints, in trunk lengths. */
const FAR = 0.05;
/** Spine nodes are not lower than this relative to the hip joints, in trunk lengths, or not lower than the hips; a pelvis is. */
const BELOW_HIPS = -0.01;
/** Maximum distance of coincident joints, in trunk lengths. */
const SAME = 0.005;

/** Adds up the directions from the second side to the first over the first two joints of a limb; coincident joints add nothing. */
function sideLine(rig: PosedRig, [a, b]: readonly [LimbJoints, LimbJoints]): Vec3 {
  let line: Vec3 = [0, 0, 0];
  for (const k of [0, 1] as const) line = plus(line, minus(positionOf(rig, a[k]), positionOf(rig, b[k])));
  return line;
}

/** Tests whether one pair of limbs starts on the other, or both share a chain. */
function overlap(rig: PosedRig, a: LimbPair, b: LimbPair): boolean {
  const on = (top: LimbPair, node: number): boolean => top.sides.some(([first]) => isInSubtree(rig.tree, node, first));
  return on(a, b.parent) || on(b, a.parent) || a.sides[0][0] === b.sides[0][0] || a.sides[1][0] === b.sides[1][0];
}

/** Interprets two pairs of limbs as legs and arms. Returns the interpretation; null when the two pairs do not belong to one humanoid. */
export function fitHumanoid(
  rig: PosedRig,
  legFit: LimbFit,
  armFit: LimbFit,
  ends: readonly number[],
): HumanoidFit | null {
  if (overlap(rig, legFit.pair, armFit.pair)) return null;
  const legs = legFit.sides;
  const top = armFit.pair.parent;
  const meeting = lowestCommonAncestor(rig.tree, [legFit.pair.parent, top]);
  if (meeting < 0 || rig.usable[meeting] === 0) return null;
  const legLine = sideLine(rig, legs);
  const armLine = sideLine(rig, armFit.sides);
  const isCrossed = dot(legLine, armLine) < 0;
  const arms: HumanoidFit['arms'] = isCrossed ? [armFit.sides[1], armFit.sides[0]] : armFit.sides;
  const hipMiddle = jointMidpoint(rig, legs, 0);
  const shoulderMiddle = jointMidpoint(rig, arms, 0);
  const rise = minus(shoulderMiddle, hipMiddle);
  const trunk = norm(rise);
  if (!(trunk > 0)) return null;
  const up = unit(rise);
  const side = unit(plus(legLine, times(armLine, isCrossed ? -1 : 1)));
  const { hips, path } = hipsAndPath(rig, meeting, top, hipMiddle, up, trunk);
  const shoulders: Shoulders = { middle: shoulderMiddle, up, side, trunk };
  const taken = new Set([...path, ...legFit.pair.sides.flat(), ...armFit.pair.sides.flat()]);
  const from = [top, ...path.slice(0, -1).reverse(), hips];
  const head = findHead(rig, from, (node) => taken.has(node), shoulders, endsOfLegs(rig, legFit));
  if (head === null) return null;
  const isNeck = path.length > 1 && isNeckBetweenArms(rig, top, head, shoulders);
  const spine = [...(isNeck ? path.slice(0, -1) : path), ...head.below];
  const heightOf = (node: number): number => dot(minus(positionOf(rig, node), hipMiddle), up);
  const draft = {
    rig,
    path,
    hasPelvis: legFit.pair.parent !== meeting && legFit.pair.parent !== hips,
    legs,
    arms,
    legFit,
    armFit,
    shoulders: isCrossed ? swap(shouldersOf(armFit)) : shouldersOf(armFit),
    toes: toesOf(rig, legFit),
    hips,
    spine: dropCoincident(
      rig,
      spine.filter((node) => heightOf(node) > Math.min(BELOW_HIPS * trunk, heightOf(hips))),
      trunk,
    ),
    head: isNeck ? { ...head, neck: top } : head,
    up,
    side,
    trunk,
  };
  const isQuadruped = hasQuadrupedStance(rig, legFit, armFit);
  const score = scoreHumanoid(draft, cosine(legLine, armLine), isQuadruped, ends);
  return { ...draft, isQuadruped, score };
}

function swap<T>([a, b]: readonly [T, T]): readonly [T, T] {
  return [b, a];
}

/** Finds the hips, and the nodes from above them to the one that the arms branch off from. */
function hipsAndPath(
  rig: PosedRig,
  meeting: number,
  top: number,
  hipMiddle: Vec3,
  up: Vec3,
  trunk: number,
): { hips: number; path: number[] } {
  const { parents } = rig.tree;
  const path: number[] = [];
  for (let node = top; node !== meeting; node = parents[node]) path.unshift(node);
  const far = distance(positionOf(rig, meeting), hipMiddle);
  const isAbove = dot(minus(positionOf(rig, meeting), hipMiddle), up) > FAR * trunk;
  let hips = meeting;
  if (isAbove) {
    for (let node = parents[meeting]; node >= 0 && rig.usable[node] === 1; node = parents[node]) {
      if (distance(positionOf(rig, node), hipMiddle) > NEARER * far) break;
      hips = node;
    }
  }
  // Biped rigs have the thighs below the first spine bone.
  return { hips, path: hips === meeting ? path : [meeting, ...path] };
}

/** Keeps the last of coincident joints: its rotation includes those of the others. */
function dropCoincident(rig: PosedRig, spine: readonly number[], trunk: number): number[] {
  return spine.filter((node, k) => {
    const next = spine[k + 1];
    return next === undefined || distance(positionOf(rig, node), positionOf(rig, next)) > SAME * trunk;
  });
}

function toesOf(rig: PosedRig, { pair, end, sides }: LimbFit): readonly [number, number] {
  if (end >= pair.sides[0].length) return [-1, -1];
  // More than two chains after the foot are single toes.
  if (sides.some(([, , foot]) => rig.joints[foot].length > 2)) return [-1, -1];
  return [pair.sides[0][end + 1] ?? -1, pair.sides[1][end + 1] ?? -1];
}

function shouldersOf({ pair, start }: LimbFit): readonly [number, number] {
  return [pair.sides[0][start - 1] ?? -1, pair.sides[1][start - 1] ?? -1];
}
