/** Eyes and jaw by shape: the only pair in front of the head, and the only joint in front of it in the middle. */
import type { BodyFit } from './body-fit.ts';
import { place } from './body-tree.ts';
import { dot, minus, type Vec } from './points.ts';

/** Eyes in the order of the sides of a body, and jaw; −1 where they are not there or not alone. */
export interface FaceFit {
  readonly eyes: readonly [number, number];
  readonly jaw: number;
}

/** What is no further to the side than this, by the length of the trunk, is in the middle. */
const MIDDLE = 0.01;
/** Eyes are within these bounds to the side, by the length of the trunk: ears and hair are further. */
const EYES: readonly [number, number] = [0.02, 0.25];
/** Two eyes are mirrored but for this share of their distance. */
const UNLIKE = 0.2;
/** An eye is a joint and perhaps an end; chains are hair. */
const EYE_JOINTS = 2;
/** Joints between the head and an eye at most. */
const STEPS = 3;

/** A jaw is this far in front of the head joint, by the length of the trunk, and further than above or below it. */
const AHEAD = 0.02;

interface Feature {
  readonly node: number;
  /** To the first side, up, to the front; by the length of the trunk. */
  readonly at: Vec;
}

/** Joints on the head, or behind one another on it, that come before anything branches. */
function features({ body, head, side, up, trunk }: BodyFit, front: Vec): Feature[] {
  const from = place(body, head.head);
  return body.joints[head.head].flatMap((first) => {
    const found: Feature[] = [];
    for (let node = first, k = 0; k < STEPS; k++) {
      const offset = minus(place(body, node), from);
      found.push({ node, at: [dot(offset, side) / trunk, dot(offset, up) / trunk, dot(offset, front) / trunk] });
      if (body.joints[node].length !== 1) break;
      [node] = body.joints[node];
    }
    return found;
  });
}

/** Eyes and jaw of a body that faces `front`, a unit direction. */
export function findFace(fit: BodyFit, front: Vec): FaceFit {
  const all = features(fit, front);
  const pairs: [number, number][] = [];
  const isEye = ({ node, at }: Feature): boolean => at[2] > 0 && fit.body.sizes[node] <= EYE_JOINTS;
  for (const a of all.filter(isEye)) {
    if (a.at[0] < EYES[0] || a.at[0] > EYES[1]) continue;
    for (const b of all.filter(isEye)) {
      const off = Math.hypot(a.at[0] + b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]);
      if (b.at[0] < 0 && off < UNLIKE * a.at[0]) pairs.push([a.node, b.node]);
    }
  }
  // Of an eye and its end marker the eye.
  const { parents } = fit.body.tree;
  const eyes = pairs.filter(([a]) => !pairs.some(([other]) => other === parents[a]));
  const jaws = all.filter(({ at }) => Math.abs(at[0]) < MIDDLE && at[2] > Math.max(AHEAD, Math.abs(at[1])));
  return { eyes: eyes.length === 1 ? eyes[0] : [-1, -1], jaw: jaws.length === 1 ? jaws[0].node : -1 };
}
