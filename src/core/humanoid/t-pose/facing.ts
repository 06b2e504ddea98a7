/** Finds cues for the front of a character: feet, face, knees, thumbs. */
import { DEGREES_PER_RADIAN } from '../../math/euler.ts';
import type { Floats } from '../../math/floats.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE, type BoneName } from '../bones.ts';

/** A body part that points to the front. */
export interface FrontCue {
  readonly part: 'feet' | 'face' | 'knees' | 'thumbs';
  /** Direction from back to front, axes of the file. Its length is its confidence: 1 is unambiguous. */
  readonly direction: Float64Array;
}

/** Weight of each cue when they contradict each other. Thumbs weigh little: they follow the hand. */
const WEIGHTS: Readonly<Record<FrontCue['part'], number>> = { feet: 1, face: 1, knees: 0.7, thumbs: 0.3 };
/** Minimum length of a cue that counts. */
const MIN_CUE = 0.15;
/** A knee shows the front when it is bent by this, radians. */
const BENT = 5 / DEGREES_PER_RADIAN;

interface Posed {
  readonly positions: Floats;
  readonly nodes: Int32Array;
}

/** Unit direction between two bones; null when one is absent or both coincide. */
function between({ positions, nodes }: Posed, from: BoneName, to: BoneName): Float64Array | null {
  const a = nodes[BONE[from]];
  const b = nodes[BONE[to]];
  if (a < 0 || b < 0) return null;
  const direction = new Float64Array(3);
  vec3.subtract(direction, 0, positions, 3 * b, positions, 3 * a);
  return vec3.normalize(direction, 0, direction, 0) > 0 ? direction : null;
}

/** The direction in which the knee is off the line from hip to ankle. */
function kneeCue(posed: Posed, side: 'left' | 'right'): Float64Array | null {
  const thigh = between(posed, `${side}UpperLeg`, `${side}LowerLeg`);
  const shin = between(posed, `${side}LowerLeg`, `${side}Foot`);
  if (thigh === null || shin === null || vec3.angleBetween(thigh, 0, shin, 0) < BENT) return null;
  vec3.subtract(thigh, 0, thigh, 0, shin, 0);
  vec3.normalize(thigh, 0, thigh, 0);
  return thigh;
}

/** The direction of the thumb, perpendicular to the forearm. */
function thumbCue(posed: Posed, side: 'left' | 'right'): Float64Array | null {
  const thumb =
    between(posed, `${side}Hand`, `${side}ThumbProximal`) ?? between(posed, `${side}Hand`, `${side}ThumbMetacarpal`);
  const arm = between(posed, `${side}LowerArm`, `${side}Hand`);
  if (thumb === null || arm === null) return null;
  vec3.addScaled(thumb, 0, thumb, 0, arm, 0, -vec3.dot(thumb, 0, arm, 0));
  return thumb;
}

/** Finds all cues for the front in a pose. `positions`: position per node, xyz, model space. */
export function findFrontCues(positions: Floats, nodes: Int32Array): FrontCue[] {
  const posed = { positions, nodes };
  const found: Record<FrontCue['part'], (Float64Array | null)[]> = {
    feet: [between(posed, 'leftFoot', 'leftToes'), between(posed, 'rightFoot', 'rightToes')],
    face: [between(posed, 'head', 'leftEye'), between(posed, 'head', 'rightEye'), between(posed, 'head', 'jaw')],
    knees: [kneeCue(posed, 'left'), kneeCue(posed, 'right')],
    thumbs: [thumbCue(posed, 'left'), thumbCue(posed, 'right')],
  };
  const cues: FrontCue[] = [];
  for (const part of Object.keys(found) as FrontCue['part'][]) {
    const directions = found[part].filter((one) => one !== null);
    if (directions.length === 0) continue;
    const direction = new Float64Array(3);
    for (const one of directions) vec3.addScaled(direction, 0, direction, 0, one, 0, 1 / directions.length);
    cues.push({ part, direction });
  }
  return cues;
}

/** How far cues support an assumed front. */
export interface FrontVote {
  /** Weighted sum; negative when the cues point backward. */
  readonly votes: number;
  readonly forward: readonly FrontCue['part'][];
  readonly backward: readonly FrontCue['part'][];
}

/** Weighs the cues for and against an assumed front. `front`: assumed front: unit vector xyz, axes of the file. */
export function voteFront(cues: readonly FrontCue[], front: Floats): FrontVote {
  let votes = 0;
  const forward: FrontCue['part'][] = [];
  const backward: FrontCue['part'][] = [];
  for (const { part, direction } of cues) {
    const along = vec3.dot(direction, 0, front, 0);
    if (Math.abs(along) < MIN_CUE) continue;
    votes += WEIGHTS[part] * along;
    (along > 0 ? forward : backward).push(part);
  }
  return { votes, forward, backward };
}
