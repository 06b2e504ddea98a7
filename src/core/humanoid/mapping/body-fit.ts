/**
 * Reads two pairs of limbs as the legs and the arms of one body: hips where both meet, the spine between, the head above,
 * and how well all that fits the shape of people.
 */
import { findHead, type HeadFit, isNeckOfArms, type Shoulders } from './body-head.ts';
import { endsOfLegs, mid, scoreBody, standsOnFour } from './body-score.ts';
import { type BodyTree, place } from './body-tree.ts';
import type { LimbFit } from './limb-joints.ts';
import type { LimbPair } from './limb-pairs.ts';
import { isWithin, lowestAbove } from './node-tree.ts';
import { cosine, distance, dot, minus, norm, plus, times, unit, type Vec } from './points.ts';

/** The three joints of a limb. */
export type Joints = readonly [number, number, number];

/** One reading of a rig as a body. */
export interface BodyFit {
  readonly body: BodyTree;
  /** Thigh, shin, foot of both sides; the first is on the side that `side` points to. */
  readonly legs: readonly [Joints, Joints];
  /** Upper arm, fore-arm, hand of both sides; the first is on the same side as the first leg. */
  readonly arms: readonly [Joints, Joints];
  readonly legFit: LimbFit;
  readonly armFit: LimbFit;
  /** Joints before the upper arms: −1 where they hang on the trunk. */
  readonly shoulders: readonly [number, number];
  /** Joints behind the feet; −1 without, or where there are several toes. */
  readonly toes: readonly [number, number];
  readonly hips: number;
  /** The nodes from above the hips to the one that the arms hang on. */
  readonly path: readonly number[];
  /** The bones of the spine from the hips upwards, without them. */
  readonly spine: readonly number[];
  readonly head: HeadFit;
  /** Unit directions: hips to shoulders, and from the second side to the first. */
  readonly up: Vec;
  readonly side: Vec;
  /** From the hip joints to the shoulder joints. */
  readonly trunk: number;
  /** Whether it stands on its arms as well as on its legs, its trunk across both. */
  readonly onFour: boolean;
  /** 0…1: how human it is. */
  readonly score: number;
}

/** A reading that was not judged yet. */
export type Draft = Omit<BodyFit, 'score' | 'onFour'>;

/** The node where legs and spine meet is the hips, unless one above it is this much nearer to the hip joints (Biped). */
const NEARER = 0.5;
/** … and it is further off than this, by the length of the trunk. */
const FAR = 0.05;
/** A node of the spine lies no lower than this below the hip joints, by the length of the trunk: a pelvis does. */
const BELOW_HIPS = -0.01;
/** Joints in the same place, by the length of the trunk. */
const SAME = 0.005;

/** From the second side to the first, by the joints of a limb; what coincides counts nothing. */
function sideLine(body: BodyTree, [a, b]: readonly [Joints, Joints]): Vec {
  let line: Vec = [0, 0, 0];
  for (const k of [0, 1] as const) line = plus(line, minus(place(body, a[k]), place(body, b[k])));
  return line;
}

/** Whether one of the pairs hangs on the other. */
function areTangled(body: BodyTree, a: LimbPair, b: LimbPair): boolean {
  const on = (top: LimbPair, node: number): boolean => top.sides.some(([first]) => isWithin(body.tree, node, first));
  return on(a, b.parent) || on(b, a.parent) || a.sides[0][0] === b.sides[0][0] || a.sides[1][0] === b.sides[1][0];
}

/** The reading of two fits as legs and arms; null where that makes no body. */
export function fitBody(body: BodyTree, legFit: LimbFit, armFit: LimbFit): BodyFit | null {
  if (areTangled(body, legFit.pair, armFit.pair)) return null;
  const legs = legFit.sides;
  const top = armFit.pair.parent;
  const meeting = lowestAbove(body.tree, [legFit.pair.parent, top]);
  if (meeting < 0 || body.usable[meeting] === 0) return null;
  const legLine = sideLine(body, legs);
  const armLine = sideLine(body, armFit.sides);
  const isCrossed = dot(legLine, armLine) < 0;
  const arms: BodyFit['arms'] = isCrossed ? [armFit.sides[1], armFit.sides[0]] : armFit.sides;
  const hipMiddle = mid(body, legs, 0);
  const shoulderMiddle = mid(body, arms, 0);
  const rise = minus(shoulderMiddle, hipMiddle);
  const trunk = norm(rise);
  if (!(trunk > 0)) return null;
  const up = unit(rise);
  const side = unit(plus(legLine, times(armLine, isCrossed ? -1 : 1)));
  const { hips, path } = hipsAndPath(body, meeting, top, hipMiddle, up, trunk);
  const shoulders: Shoulders = { middle: shoulderMiddle, up, side, trunk };
  const taken = new Set([...path, ...legFit.pair.sides.flat(), ...armFit.pair.sides.flat()]);
  const from = [top, ...path.slice(0, -1).reverse(), hips];
  const head = findHead(body, from, (node) => taken.has(node), shoulders, endsOfLegs(legFit));
  if (head === null) return null;
  const isNeck = path.length > 1 && isNeckOfArms(body, top, head, shoulders);
  const spine = [...(isNeck ? path.slice(0, -1) : path), ...head.below];
  const draft = {
    body,
    path,
    legs,
    arms,
    legFit,
    armFit,
    shoulders: isCrossed ? swap(shouldersOf(armFit)) : shouldersOf(armFit),
    toes: toesOf(body, legFit),
    hips,
    spine: withoutCopies(
      body,
      spine.filter((node) => dot(minus(place(body, node), hipMiddle), up) > BELOW_HIPS * trunk),
      trunk,
    ),
    head: isNeck ? { ...head, neck: top } : head,
    up,
    side,
    trunk,
  };
  const onFour = standsOnFour(draft);
  const score = scoreBody(draft, cosine(legLine, armLine), onFour);
  return { ...draft, onFour, score };
}

function swap<T>([a, b]: readonly [T, T]): readonly [T, T] {
  return [b, a];
}

/** The hips, and the nodes from above them to the one that the arms hang on. */
function hipsAndPath(
  body: BodyTree,
  meeting: number,
  top: number,
  hipMiddle: Vec,
  up: Vec,
  trunk: number,
): { hips: number; path: number[] } {
  const { parents } = body.tree;
  const path: number[] = [];
  for (let node = top; node !== meeting; node = parents[node]) path.unshift(node);
  const far = distance(place(body, meeting), hipMiddle);
  const isAbove = dot(minus(place(body, meeting), hipMiddle), up) > FAR * trunk;
  let hips = meeting;
  if (isAbove) {
    for (let node = parents[meeting]; node >= 0 && body.usable[node] === 1; node = parents[node]) {
      if (distance(place(body, node), hipMiddle) > NEARER * far) break;
      hips = node;
    }
  }
  // Biped: the thighs hang on the first spine bone.
  return { hips, path: hips === meeting ? path : [meeting, ...path] };
}

/** Of joints in one place the last, whose rotation holds those of all. */
function withoutCopies(body: BodyTree, spine: readonly number[], trunk: number): number[] {
  return spine.filter((node, k) => {
    const next = spine[k + 1];
    return next === undefined || distance(place(body, node), place(body, next)) > SAME * trunk;
  });
}

function toesOf(body: BodyTree, { pair, end, sides }: LimbFit): readonly [number, number] {
  if (end >= pair.sides[0].length) return [-1, -1];
  // More than two chains behind the foot are single toes.
  if (sides.some(([, , foot]) => body.joints[foot].length > 2)) return [-1, -1];
  return [pair.sides[0][end + 1] ?? -1, pair.sides[1][end + 1] ?? -1];
}

function shouldersOf({ pair, start }: LimbFit): readonly [number, number] {
  return [pair.sides[0][start - 1] ?? -1, pair.sides[1][start - 1] ?? -1];
}
