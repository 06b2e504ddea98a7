import type { Clip } from '../../animation/clip.ts';
import { sampleClip } from '../../animation/sample.ts';
import { OFFSET_STRIDE } from '../../deform/skin-points.ts';
import { type CharacterFrames, timeOf } from '../frames/character-frames.ts';
import { clipOfNodes, nodesOfLegs, poseNodes } from '../frames/pose-nodes.ts';
import {
  footClearance,
  type Leg,
  type PosedCharacter,
  pelvisClearance,
  trunkClearance,
} from '../frames/posed-character.ts';
import { applyChanges, type Changes } from './apply-changes.ts';
import type { ContactPlan } from './contact-plan.ts';
import type { Foot } from './foot.ts';
import { aboveFloor } from './foot-heights.ts';
import type { HeightWish } from './hips-goals.ts';

/** Weight of other nodes from which on a point of a foot does not move with the foot alone. */
const NOTICEABLE_WEIGHT = 0.01;

/** Tells whether points of a sole move with the shin too: these move when the leg bends, although the foot keeps its rotation. */
function isSoleElastic({ humanoid, surface: { points } }: PosedCharacter, { foot, sole }: Leg): boolean {
  const { parents } = humanoid.skeleton;
  const isOfFoot = (node: number): boolean => {
    for (let at = node; at >= foot; at = parents[at]) if (at === foot) return true;
    return false;
  };
  for (let i = points.starts[sole.from]; i < points.starts[sole.to]; i++) {
    if (points.offsets[OFFSET_STRIDE * i + 3] > NOTICEABLE_WEIGHT && !isOfFoot(points.nodes[i])) return true;
  }
  return false;
}

/**
 * Computes how far a trunk on the ground must be raised. `source`: height of the lowest point of the trunk of the source above the ground, meters.
 * Returns meters; negative for one that must be lowered.
 */
export function wantedRaise({ mode, retarget }: ContactPlan, source: number, target: number): number {
  return mode === 'ground' ? Math.max(0, -target) : aboveFloor(retarget.hipsScale * source - target, target);
}

/**
 * Poses the changed target. What is missing of the wanted height of a trunk on the ground is added to its wish, and the clearances of feet whose
 * soles move with the shin too are corrected. `feet`: the feet in the order of `changes.feet`; clearances are changed in place. `trunk`: wish of
 * the trunk; changed in place.
 */
export function correctHeights(
  plan: ContactPlan,
  { clearance: wanted, floors, seated, grid }: CharacterFrames,
  { clip, posed }: { readonly clip: Clip; readonly posed: PosedCharacter },
  changes: Changes,
  feet: readonly Foot[],
  trunk: HeightWish,
): number {
  const elastic = feet.map(({ to }) => isSoleElastic(posed, to.leg));
  const isElastic = elastic.includes(true);
  const isAnyDetached = plan.retarget.detachedJoints.length > 0;
  const nodes = isAnyDetached
    ? Int32Array.from(posed.humanoid.skeleton.parents.keys())
    : nodesOfLegs(
        posed,
        'all',
        feet.some(({ to }) => to.leg.isArm),
      );
  const sampled = clipOfNodes(clip, nodes);
  const cursors = new Int32Array(sampled.tracks.length);
  let largest = 0;
  for (let frame = 0; frame < wanted.length; frame++) {
    const isOnGround = trunk.weights[frame] > 0;
    if (!isOnGround && !isElastic) continue;
    posed.local.set(plan.target.skeleton.rest);
    sampleClip(sampled, timeOf(grid, frame), posed.local, cursors);
    applyChanges(posed.local, plan, changes, frame);
    poseNodes(posed, nodes);
    if (isOnGround) {
      const lowest = seated[frame] === 1 ? pelvisClearance(posed) : trunkClearance(posed);
      const height = lowest - plan.retarget.hipsScale * floors[frame];
      const missing = wantedRaise(plan, wanted[frame], height);
      largest = Math.max(largest, Math.abs(missing) * trunk.weights[frame]);
      trunk.heights[frame] += missing;
    }
    for (const [k, { to, clearance }] of feet.entries()) {
      if (!elastic[k]) continue;
      const height = footClearance(posed, to.leg) + posed.surface.floor - to.floors[frame];
      const corrected = height - changes.feet[k].offsets[3 * frame + 1];
      largest = Math.max(largest, Math.abs(corrected - clearance[frame]));
      clearance[frame] = corrected;
    }
  }
  return largest;
}
