/** Finds out which side of a fit is the left by everything that shows the front: toes, knees, elbows, thumbs and face. */

import { clamp01 } from '../../../math/floats.ts';
import { cross, dot, minus, norm, perpendicular, times, unit } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import type { HumanoidFit } from './humanoid-fit.ts';
import { positionOf } from './posed-rig.ts';

export interface SideCue {
  /** `toes`, `knees`, `elbows`, `thumbs` or `face`. */
  readonly name: string;
  /** Weighted vote. Positive: the first side of the fit is the left. Negative: the second side is. 0: no vote. */
  readonly vote: number;
}

/** Weight of each cue when it is as clear as possible. */
const WEIGHTS = { toes: 3, knees: 1.5, thumbs: 1.5, elbows: 1, face: 0.45 } as const;
/** Sine of the angle out of the sideways plane from which a direction is as clear as possible. */
const CLEAR = 0.35;
/** A hinge is as clear as possible from this offset, in limb lengths (a bend of 23°). Below a tenth of it (2°) it does not vote. */
const FULL_BOW = 0.1;
const MIN_BOW = 0.1;
/** Toes are as clear as possible at this distance in front of the ankle, in leg lengths. Below a fiftieth of it they do not vote. */
const FULL_FOOT = 0.15;
const MIN_FOOT = 0.02;

/** Children of the head do not vote when they are less than this in front of it or behind it, in trunk lengths … */
const FACE_AHEAD = 0.03;
/** … or further to the side than this: ears and hair. */
const FACE_ASIDE = 0.2;

/** Returns how much a direction points to the front, −1…1; 0 when it hardly does. */
function forward(direction: Vec3, front: Vec3, scale: number): number {
  const part = scale > 0 ? dot(direction, front) / scale : 0;
  return Math.sign(part) * clamp01(Math.abs(part) / CLEAR);
}

/** Returns the offset of a hinge from the line between its neighbors. */
function bow(rig: HumanoidFit['rig'], [a, b, c]: readonly [number, number, number]): Vec3 {
  const [from, at, to] = [positionOf(rig, a), positionOf(rig, b), positionOf(rig, c)];
  const line = unit(minus(to, from));
  return perpendicular(minus(at, from), line);
}

/** Collects the votes of all cues. `thumbs`: direction from each wrist to the thumb, across the hand; null for a hand without a thumb. */
export function findSideCues(fit: HumanoidFit, thumbs: readonly (Vec3 | null)[]): SideCue[] {
  const { rig, legs, arms, up, side, toes, head, trunk } = fit;
  const front = unit(cross(side, up));
  const cues: SideCue[] = [];
  const add = (name: keyof typeof WEIGHTS, votes: readonly number[]): void => {
    if (votes.length === 0) return;
    const mean = votes.reduce((sum, value) => sum + value, 0) / votes.length;
    cues.push({ name, vote: WEIGHTS[name] * mean });
  };
  add(
    'toes',
    legs.flatMap((leg, k) => toeCue(fit, leg[2], toes[k], front)),
  );
  // Knees bend to the front, elbows to the back.
  add(
    'knees',
    legs.map((leg) => hinge(bow(rig, leg), front, FULL_BOW * (fit.legFit.upper + fit.legFit.lower))),
  );
  add(
    'elbows',
    arms.map((arm) => -hinge(bow(rig, arm), front, FULL_BOW * (fit.armFit.upper + fit.armFit.lower))),
  );
  add(
    'thumbs',
    thumbs.flatMap((thumb) => (thumb === null ? [] : [forward(thumb, front, norm(thumb))])),
  );
  add('face', faceCue(fit, head.head, front, trunk));
  return cues;
}

/** Returns the vote of a hinge, −1…1; 0 when it is nearly straight. */
function hinge(offset: Vec3, front: Vec3, full: number): number {
  const part = dot(offset, front) / full;
  return Math.abs(part) < MIN_BOW ? 0 : Math.max(-1, Math.min(1, part));
}

/** Returns the vote of a foot: by its toes, else by its other children. */
function toeCue({ rig, legFit }: HumanoidFit, foot: number, toes: number, front: Vec3): number[] {
  const below = toes >= 0 ? [toes] : [...rig.joints[foot], ...rig.ends[foot]];
  const full = FULL_FOOT * (legFit.upper + legFit.lower);
  let furthest = 0;
  for (const node of below) {
    const along = dot(minus(positionOf(rig, node), positionOf(rig, foot)), front);
    if (Math.abs(along) > Math.abs(furthest)) furthest = along;
  }
  return Math.abs(furthest) < MIN_FOOT * full ? [] : [forward(times(front, furthest), front, full)];
}

/** Returns the vote of the face: whether children of the head at its sides (eyes) or in its middle (jaw, nose) are in front of it. */
function faceCue({ rig, side }: HumanoidFit, head: number, front: Vec3, trunk: number): number[] {
  const from = positionOf(rig, head);
  let votes = 0;
  let count = 0;
  for (const node of rig.joints[head]) {
    const offset = minus(positionOf(rig, node), from);
    if (Math.abs(dot(offset, side)) > FACE_ASIDE * trunk) continue;
    const along = dot(offset, front) / trunk;
    if (Math.abs(along) < FACE_AHEAD) continue;
    votes += Math.sign(along);
    count++;
  }
  return count === 0 ? [] : [votes / count];
}
