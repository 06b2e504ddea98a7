import { measureRootMotion, ROOT_MOTION_STRIDE, type RootMotion } from '../root-motion/root-motion.ts';
import type { PlayerAction } from './action.ts';

const HEADING = 3;

const measured = new Float64Array(ROOT_MOTION_STRIDE);
/** Of the current layer: sum of the weighted motions, and of the weights (one for the translation, one for the heading). */
const sum = new Float64Array(ROOT_MOTION_STRIDE);
const weights = new Float64Array(2);

/** Returns the root motion of the first action that has one; null without. */
function firstRootMotion(actions: readonly PlayerAction[]): RootMotion | null {
  for (let k = 0; k < actions.length; k++) {
    const { clip, motionWeight } = actions[k];
    if (motionWeight > 0 && !clip.isAdditive && clip.rootMotion !== null) return clip.rootMotion;
  }
  return null;
}

/** Returns the topmost of the hips and the nodes above them that are among `nodes`, which are ascending; −1 without one. */
function topmostOf(nodes: Int32Array, hips: number, parents: Int32Array): number {
  let top = -1;
  for (let node = hips; node >= 0; node = parents[node]) {
    // Hips and the nodes above them come first: a few steps, where `includes` would read the whole list.
    let k = 0;
    while (k < nodes.length && nodes[k] < node) k++;
    if (nodes[k] === node) top = node;
  }
  return top;
}

/** Adds the motion of an action to its layer, by the weight that its pose has at the node that carries the motion. */
function addMotion({ clip, input, motionWeight, span }: PlayerAction, hips: number, parents: Int32Array): void {
  const { mask } = input;
  measured.fill(0);
  if (clip.rootMotion !== null) measureRootMotion(measured, clip.rootMotion, span);
  for (let k = 0; k < weights.length; k++) {
    const node = topmostOf(k === 0 ? clip.nodes.translation : clip.nodes.rotation, hips, parents);
    if (node < 0) continue;
    const own = mask === null ? motionWeight : motionWeight * mask[node];
    if (!(own > 0)) continue;
    weights[k] += own;
    if (k === 1) sum[HEADING] += own * measured[HEADING];
    else for (let c = 0; c < HEADING; c++) sum[c] += own * measured[c];
  }
}

/** Puts the layer on top of the layers below it, and clears it for the next one. */
function finishLayer(out: Float64Array): void {
  for (let c = 0; c < ROOT_MOTION_STRIDE; c++) {
    const weight = weights[c === HEADING ? 1 : 0];
    out[c] = weight < 1 ? out[c] * (1 - weight) + sum[c] : sum[c] / weight;
  }
  sum.fill(0);
  weights.fill(0);
}

/**
 * Blends the root motion of the last update of actions, which are by ascending layer. Translation and heading have the weights that the translation
 * and the rotation of the hips, or of the animated nodes above them, have in the pose: a clip that does not move the hips, or is masked there, does
 * not slow the character down. Returns the vertical of the motion; null if no action has root motion.
 */
export function blendRootMotion(
  out: Float64Array,
  actions: readonly PlayerAction[],
  parents: Int32Array,
): Float64Array | null {
  out.fill(0);
  const first = firstRootMotion(actions);
  if (first === null) return null;
  for (let k = 0; k < actions.length; k++) {
    if (k > 0 && actions[k].layer !== actions[k - 1].layer) finishLayer(out);
    if (actions[k].motionWeight > 0 && !actions[k].clip.isAdditive) addMotion(actions[k], first.hips, parents);
  }
  finishLayer(out);
  return first.up;
}
