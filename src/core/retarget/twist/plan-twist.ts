/**
 * Plans how nodes between and beside the bones take a fraction of the rotation of a bone, and how the bones below cancel it, so that
 * every mapped bone keeps the world rotation that retargeting asks for.
 *
 * Below a bone a, node n gets the world rotation `W(n) = W(a) · Δᶠ · rel(n)`: Δ is the rotation of the driving bone from its reference in
 * the axes of a (the whole rotation, or its twist about the limb), f the fraction of n, and rel(n) the product of the rest rotations from
 * a to n. Hence the local rotation of n is `rel(p)⁻¹ · Δ^(f(n) − f(p)) · rel(n)` with p its parent, and a bone below it gets
 * `rel(p)⁻¹ · Δ^(−f(p)) · rel(p)` in front of its own rotation.
 */
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { mapNodesToBones } from '../../humanoid/node-bones.ts';
import * as quat from '../../math/quat.ts';
import type { HelperNames } from '../helper-names.ts';
import type { TwistPlan } from '../plan-types.ts';
import { assignTwists, NO_TWIST, type NodeTwist } from './assign-twists.ts';
import type { TwistCharacter, TwistDriver } from './twist-drivers.ts';
import { findTwistRegions, type TwistRegion, transformIn } from './twist-region.ts';

/** Plans the twists of the nodes of a region and of the bones below them. `listed`: index of each bone in the list of the plan. */
function planRegion(
  character: TwistCharacter,
  region: TwistRegion,
  twists: ReadonlyMap<number, NodeTwist>,
  listed: ReadonlyMap<number, number>,
): { onNodes: TwistPlan[]; onBones: TwistPlan[] } {
  const { parents } = character.target.skeleton;
  const onNodes: TwistPlan[] = [];
  const onBones: TwistPlan[] = [];
  const plan = (node: number, bone: number, twist: NodeTwist, fraction: number, right: Float64Array): TwistPlan => {
    const source = twist.driver as TwistDriver;
    const { before, after, axis } = source;
    const left = quat.conjugated(transformIn(region, parents[node]).rotation);
    const driver = listed.get(source.bone) as number;
    return { targetNode: node, driver, bone, before, after, axis, fraction, left, right, depth: twist.depth };
  };
  for (const node of region.nodes) {
    const twist = twists.get(node);
    const above = twists.get(parents[node]) ?? NO_TWIST;
    if (twist === undefined || twist === above) continue;
    onNodes.push(plan(node, -1, twist, twist.fraction - above.fraction, transformIn(region, node).rotation));
  }
  for (const bone of region.childBones) {
    const node = character.target.map.nodes[bone];
    const above = twists.get(parents[node]);
    if (above === undefined || above.fraction === 0) continue;
    const right = transformIn(region, parents[node]).rotation;
    onBones.push(plan(node, listed.get(bone) as number, above, -above.fraction, right));
  }
  // Twists read the driver's own rotation, so the driver itself must change last.
  onBones.sort((a, b) => Number(a.driver === a.bone) - Number(b.driver === b.bone));
  return { onNodes, onBones };
}

export function planTwists(
  target: Humanoid,
  bones: ArrayLike<number>,
  names: HelperNames,
  options: { readonly twist: boolean; readonly distribute: boolean },
): TwistPlan[] {
  const { twist, distribute } = options;
  const { skeleton, map } = target;
  const boneOfNode = mapNodesToBones(map.nodes, skeleton.parents.length);
  const regions = findTwistRegions(target, boneOfNode);
  if (regions.length === 0) return [];
  const hasSkin = skeleton.joints.includes(1);
  const isUsable = (node: number): boolean => !hasSkin || skeleton.joints[node] === 1;
  const character: TwistCharacter = { target, boneOfNode, names, isUsable };
  const listed = new Map(Array.from(bones, (bone, k) => [bone, k] as const));
  const planned = regions.map((region) =>
    planRegion(character, region, assignTwists(character, region, twist, distribute), listed),
  );
  return [...planned.flatMap(({ onNodes }) => onNodes), ...planned.flatMap(({ onBones }) => onBones)];
}
