import { dot, minus } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import type { HumanoidFit } from './humanoid-fit.ts';
import { positionOf } from './posed-rig.ts';

/** Eyes and jaw of one interpretation. */
export interface FaceFit {
  /** Nodes of the eyes, in the order of the sides of the fit; −1 where they are absent or ambiguous. */
  readonly eyes: readonly [number, number];
  /** Node of the jaw, −1 where it is absent or ambiguous. */
  readonly jaw: number;
}

/** Maximum sideways offset of a joint in the middle, in trunk lengths. */
const MIDDLE = 0.01;
/** Bounds of the sideways offset of eyes, in trunk lengths: ears and hair are further out. */
const EYES: readonly [number, number] = [0.02, 0.25];
/** Maximum asymmetry of two eyes, as a fraction of their sideways offset. */
const UNLIKE = 0.2;
/** An eye has at most this many joints, with its end; longer chains are hair. */
const EYE_JOINTS = 2;
/** Maximum number of joints between the head and an eye. */
const STEPS = 3;

/** A jaw is at least this far in front of the head joint, in trunk lengths, and further to the front than up or down. */
const AHEAD = 0.02;

/** A head, and the size and directions of its humanoid. */
type Headed = Pick<HumanoidFit, 'rig' | 'head' | 'side' | 'up' | 'trunk'>;

interface Feature {
  readonly node: number;
  /** Offset from the head: towards the first side, up and to the front, in trunk lengths. */
  readonly at: Vec3;
}

/** Lists the joints below the head up to the first branch of each chain. */
function features({ rig, head, side, up, trunk }: Headed, front: Vec3): Feature[] {
  const from = positionOf(rig, head.head);
  return rig.joints[head.head].flatMap((first) => {
    const found: Feature[] = [];
    for (let node = first, k = 0; k < STEPS; k++) {
      const offset = minus(positionOf(rig, node), from);
      found.push({ node, at: [dot(offset, side) / trunk, dot(offset, up) / trunk, dot(offset, front) / trunk] });
      if (rig.joints[node].length !== 1) break;
      [node] = rig.joints[node];
    }
    return found;
  });
}

/**
 * Finds eyes and jaw: the only pair of joints in front of the head, and the only joint in front of its middle. `front`: unit direction that the
 * humanoid faces, model space.
 */
export function findFace(fit: Headed, front: Vec3): FaceFit {
  const all = features(fit, front);
  const pairs: [number, number][] = [];
  const isEye = ({ node, at }: Feature): boolean => at[2] > 0 && fit.rig.sizes[node] <= EYE_JOINTS;
  for (const a of all.filter(isEye)) {
    if (a.at[0] < EYES[0] || a.at[0] > EYES[1]) continue;
    for (const b of all.filter(isEye)) {
      const off = Math.hypot(a.at[0] + b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]);
      if (b.at[0] < 0 && off < UNLIKE * a.at[0]) pairs.push([a.node, b.node]);
    }
  }
  // An eye is preferred to its end marker.
  const { parents } = fit.rig.tree;
  const eyes = pairs.filter(([a]) => !pairs.some(([other]) => other === parents[a]));
  const jaws = all.filter(({ at }) => Math.abs(at[0]) < MIDDLE && at[2] > Math.max(AHEAD, Math.abs(at[1])));
  return { eyes: eyes.length === 1 ? eyes[0] : [-1, -1], jaw: jaws.length === 1 ? jaws[0].node : -1 };
}
