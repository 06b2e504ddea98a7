/** Which side of a body is the left: told by everything that is in front. */
import type { BodyFit } from './body-fit.ts';
import { place } from './body-tree.ts';
import { across, clamp01, cross, distance, dot, middle, minus, norm, plus, times, unit, type Vec } from './points.ts';

/** A sign of where the front is. */
export interface FrontSign {
  /** Plain words: `toes`, `knees`. */
  readonly what: string;
  /** How much it says that the front is where it must be so that the first side is the left; negative: the second is. */
  readonly says: number;
}

/** How much each sign counts when it is as clear as can be. */
const WEIGHTS = { toes: 3, knees: 1.5, thumbs: 1.5, elbows: 1, face: 1 } as const;
/** A direction that is off the sideways plane by this (its sine) is as clear as can be. */
const CLEAR = 0.35;
/** A hinge that bows out by this share of its limb is as clear as can be: a bend of 23°. Less than a tenth of it, 2°, says nothing. */
const FULL_BOW = 0.1;
const LEAST_BOW = 0.1;
/** Toes that are this share of the leg in front of the ankle are all that a foot can say; less than a fiftieth of it says nothing. */
const FULL_FOOT = 0.15;
const LEAST_FOOT = 0.02;

/** What hangs on the head says nothing when it is less than this in front of or behind it, by the length of the trunk … */
const FACE_AHEAD = 0.03;
/** … or further to the side than this: ears and hair. */
const FACE_ASIDE = 0.2;

/** How much a direction points to the front, −1…1; nothing when it hardly does. */
function forward(direction: Vec, front: Vec, scale: number): number {
  const part = scale > 0 ? dot(direction, front) / scale : 0;
  return Math.sign(part) * clamp01(Math.abs(part) / CLEAR);
}

/** How far a hinge is off the line between the joints before and behind it. */
function bow(body: BodyFit['body'], [a, b, c]: readonly [number, number, number]): Vec {
  const [from, at, to] = [place(body, a), place(body, b), place(body, c)];
  const line = unit(minus(to, from));
  return across(minus(at, from), line);
}

/**
 * The signs of the front, each 0 where it says nothing. `fingers`: thumb root, wrist and knuckles are looked at where a hand
 * has a thumb.
 */
export function frontSigns(fit: BodyFit, thumbs: readonly (Vec | null)[]): FrontSign[] {
  const { body, legs, arms, up, side, toes, head, trunk } = fit;
  const front = unit(cross(side, up));
  const signs: FrontSign[] = [];
  const add = (what: keyof typeof WEIGHTS, says: readonly number[]): void => {
    if (says.length === 0) return;
    const mean = says.reduce((sum, value) => sum + value, 0) / says.length;
    signs.push({ what, says: WEIGHTS[what] * mean });
  };
  add(
    'toes',
    legs.flatMap((leg, k) => toeSign(fit, leg[2], toes[k], front)),
  );
  // A knee bows to the front, an elbow to the back.
  add(
    'knees',
    legs.map((leg) => hinge(bow(body, leg), front, FULL_BOW * (fit.legFit.upper + fit.legFit.lower))),
  );
  add(
    'elbows',
    arms.map((arm) => -hinge(bow(body, arm), front, FULL_BOW * (fit.armFit.upper + fit.armFit.lower))),
  );
  add(
    'thumbs',
    thumbs.flatMap((thumb) => (thumb === null ? [] : [forward(thumb, front, norm(thumb))])),
  );
  add('face', faceSign(fit, head.head, front, trunk));
  return signs;
}

function hinge(offset: Vec, front: Vec, full: number): number {
  const part = dot(offset, front) / full;
  return Math.abs(part) < LEAST_BOW ? 0 : Math.max(-1, Math.min(1, part));
}

/** Where the foot points: to its toes, else to what else hangs on it. */
function toeSign({ body, legFit }: BodyFit, foot: number, toes: number, front: Vec): number[] {
  const below = toes >= 0 ? [toes] : [...body.joints[foot], ...body.ends[foot]];
  const full = FULL_FOOT * (legFit.upper + legFit.lower);
  let furthest = 0;
  for (const node of below) {
    const along = dot(minus(place(body, node), place(body, foot)), front);
    if (Math.abs(along) > Math.abs(furthest)) furthest = along;
  }
  return Math.abs(furthest) < LEAST_FOOT * full ? [] : [forward(times(front, furthest), front, full)];
}

/** Whether what hangs on the head on both sides of it (eyes) or in the middle (jaw, nose) is in front of it. */
function faceSign({ body, side }: BodyFit, head: number, front: Vec, trunk: number): number[] {
  const from = place(body, head);
  let says = 0;
  let count = 0;
  for (const node of body.joints[head]) {
    const offset = minus(place(body, node), from);
    if (Math.abs(dot(offset, side)) > FACE_ASIDE * trunk) continue;
    const along = dot(offset, front) / trunk;
    if (Math.abs(along) < FACE_AHEAD) continue;
    says += Math.sign(along);
    count++;
  }
  return count === 0 ? [] : [says / count];
}

/** From the wrist to the thumb, across the hand: where thumbs point tells the front. */
export function thumbLine(wrist: Vec, thumb: Vec, knuckles: readonly Vec[]): Vec | null {
  if (knuckles.length === 0 || distance(wrist, thumb) === 0) return null;
  const center = times(knuckles.reduce(plus), 1 / knuckles.length);
  const axis = unit(minus(center, wrist));
  return across(minus(middle(wrist, thumb), wrist), axis);
}
