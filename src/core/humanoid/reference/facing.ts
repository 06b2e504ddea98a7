/** What of a body shows where its front is: feet, face, knees, thumbs. */
import type { Floats } from '../../math/floats.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE, type BoneName } from '../bones.ts';
import { DEGREES } from './turned-body.ts';

/** A part of the body that points to the front. */
export interface FrontSign {
  readonly part: 'feet' | 'face' | 'knees' | 'thumbs';
  /** Direction from the back to the front, file axes; long as it is sure: 1 is as clear as it gets. */
  readonly direction: Float64Array;
}

/** How much is given on each sign when they speak against each other: thumbs go wherever the hand goes. */
const WEIGHTS: Readonly<Record<FrontSign['part'], number>> = { feet: 1, face: 1, knees: 0.7, thumbs: 0.3 };
/** A sign says something when it is at least this long. */
const LEAST = 0.15;
/** A knee shows the front when it is bent by this, radians. */
const BENT = 5 / DEGREES;

interface Posed {
  readonly positions: Floats;
  readonly nodes: Int32Array;
}

function between({ positions, nodes }: Posed, from: BoneName, to: BoneName): Float64Array | null {
  const a = nodes[BONE[from]];
  const b = nodes[BONE[to]];
  if (a < 0 || b < 0) return null;
  const way = new Float64Array(3);
  vec3.subtract(way, 0, positions, 3 * b, positions, 3 * a);
  return vec3.normalize(way, 0, way, 0) > 0 ? way : null;
}

/** Where the knee lies in front of the line from hip to ankle. */
function kneeSign(posed: Posed, side: 'left' | 'right'): Float64Array | null {
  const thigh = between(posed, `${side}UpperLeg`, `${side}LowerLeg`);
  const shin = between(posed, `${side}LowerLeg`, `${side}Foot`);
  if (thigh === null || shin === null || vec3.angleBetween(thigh, 0, shin, 0) < BENT) return null;
  vec3.subtract(thigh, 0, thigh, 0, shin, 0);
  vec3.normalize(thigh, 0, thigh, 0);
  return thigh;
}

/** Where the thumb lies beside the hand. */
function thumbSign(posed: Posed, side: 'left' | 'right'): Float64Array | null {
  const thumb =
    between(posed, `${side}Hand`, `${side}ThumbProximal`) ?? between(posed, `${side}Hand`, `${side}ThumbMetacarpal`);
  const arm = between(posed, `${side}LowerArm`, `${side}Hand`);
  if (thumb === null || arm === null) return null;
  vec3.addScaled(thumb, 0, thumb, 0, arm, 0, -vec3.dot(thumb, 0, arm, 0));
  return thumb;
}

/** All signs of the front that a pose has. `positions` of the nodes in model space, `nodes` the bone table. */
export function frontSigns(positions: Floats, nodes: Int32Array): FrontSign[] {
  const posed = { positions, nodes };
  const found: Record<FrontSign['part'], (Float64Array | null)[]> = {
    feet: [between(posed, 'leftFoot', 'leftToes'), between(posed, 'rightFoot', 'rightToes')],
    face: [between(posed, 'head', 'leftEye'), between(posed, 'head', 'rightEye'), between(posed, 'head', 'jaw')],
    knees: [kneeSign(posed, 'left'), kneeSign(posed, 'right')],
    thumbs: [thumbSign(posed, 'left'), thumbSign(posed, 'right')],
  };
  const signs: FrontSign[] = [];
  for (const part of Object.keys(found) as FrontSign['part'][]) {
    const ways = found[part].filter((way) => way !== null);
    if (ways.length === 0) continue;
    const direction = new Float64Array(3);
    for (const way of ways) vec3.addScaled(direction, 0, direction, 0, way, 0, 1 / ways.length);
    signs.push({ part, direction });
  }
  return signs;
}

/** What signs say about a front. */
export interface FrontVote {
  /** Weighed sum; negative: they point backward. */
  readonly votes: number;
  /** Parts that point forward, and those that point backward. */
  readonly forward: readonly FrontSign['part'][];
  readonly backward: readonly FrontSign['part'][];
}

/** Puts a front (unit vector, file axes) to the vote. */
export function voteFront(signs: readonly FrontSign[], front: Floats): FrontVote {
  let votes = 0;
  const forward: FrontSign['part'][] = [];
  const backward: FrontSign['part'][] = [];
  for (const { part, direction } of signs) {
    const along = vec3.dot(direction, 0, front, 0);
    if (Math.abs(along) < LEAST) continue;
    votes += WEIGHTS[part] * along;
    (along > 0 ? forward : backward).push(part);
  }
  return { votes, forward, backward };
}
