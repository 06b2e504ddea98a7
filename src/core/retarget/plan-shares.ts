/**
 * Deciding which nodes between and beside the bones take a share of the turn of a bone, and how the bones below make up for it, so
 * that no bone of the target stands otherwise than the law says.
 *
 * Below a bone a, node n stands at `W(n) = W(a) · Δᶠ · rel(n)`: Δ the turn of a driving bone from its reference along the axes of a (all of it,
 * or its twist about the limb), f the share of n, rel(n) the rest rotations from a to n. Hence its local rotation is
 * `rel(p)⁻¹ · Δ^(f(n) − f(p)) · rel(n)` with p its parent, and a bone c below it gets `rel(p)⁻¹ · Δ^(−f(p)) · rel(p)` in front of its own.
 */
import { BONE, BONES, presentParent } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { bonesOfNodes } from '../humanoid/node-bones.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import type { HelperNames } from './helper-names.ts';
import { referenceParentRotation } from './reference-nodes.ts';
import type { SharePlan } from './retarget-plan.ts';
import { isBoneBelow, nodesBetween, type Place, type Region, shareRegions } from './share-region.ts';

/** The next bone of a limb, whose twist the joints of the segment share. */
const LIMB_NEXT: ReadonlyMap<number, number> = new Map(
  (['left', 'right'] as const).flatMap((side): [number, number][] => [
    [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`]],
    [BONE[`${side}LowerArm`], BONE[`${side}Hand`]],
    [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`]],
    [BONE[`${side}LowerLeg`], BONE[`${side}Foot`]],
  ]),
);
/** Where a limb leaves the trunk, joints beside the bone turn less than it, the less the further up. */
const LIMB_ROOTS: ReadonlySet<number> = new Set([
  BONE.leftUpperArm,
  BONE.rightUpperArm,
  BONE.leftUpperLeg,
  BONE.rightUpperLeg,
]);
/** Bones whose turn the joints above them may share. */
const SPREADING = /^(?:spine|chest|upperChest|neck|head)$|(?:ThumbProximal|Intermediate|Distal)$/;
/** A palm is rigid: what hangs below a hand shares nothing. */
const HANDS: ReadonlySet<number> = new Set([BONE.leftHand, BONE.rightHand]);

/** Joints as near as this to another one, relative to the length of the segment, are at the same place. */
const SAME_PLACE = 0.01;
/** Joints further than this beside the line of a segment, relative to its length, are not on it. */
const BESIDE = 0.15;

/** Joints whose way to the next bone is so little off the line of the segment, radians, are on it: noise of float32 files. */
const ON_LINE = 1e-5;
/** A part of a limb begins at least so far down it; before that a joint of the same name is a copy of the bone. */
const LEAST_PART = 0.05;

/** What turns nodes of a region. */
interface Driver {
  readonly bone: number;
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly axis: Float64Array | null;
}

/** How far a node of a region turns with a driver, and how many nodes down to it turn. */
interface Share {
  readonly driver: Driver | null;
  readonly share: number;
  readonly depth: number;
}
const STILL: Share = { driver: null, share: 0, depth: 0 };

/** What deciding about a region asks. */
interface Body {
  readonly target: Humanoid;
  readonly boneOfNode: Int16Array;
  readonly names: HelperNames;
  /** Nodes that vertices may hang on: joints of skins; all where there is no skin. */
  readonly isUsable: (node: number) => boolean;
}

function conjugated(q: Float64Array): Float64Array {
  const out = new Float64Array(4);
  quat.conjugate(out, 0, q, 0);
  return out;
}

function placeOf({ places }: Region, node: number): Place {
  return places.get(node) as Place;
}

/** The turn of a bone below, along the axes of the bone of the region; only its twist about `axis` where there is one. */
function driverBelow({ target }: Body, region: Region, bone: number, axis: Float64Array | null): Driver {
  const { rotations } = target.reference;
  const after = new Float64Array(4);
  quat.conjugate(after, 0, rotations, 4 * bone);
  quat.multiply(after, 0, after, 0, rotations, 4 * region.bone);
  const { rotation } = placeOf(region, target.skeleton.parents[target.map.nodes[bone]]);
  return { bone, before: rotation, after, axis };
}

/** The twist of the bone of the region itself, against the bone above it, along its own axes. */
function ownDriver({ target, boneOfNode }: Body, { bone, boneNode }: Region, axis: Float64Array): Driver {
  const before = new Float64Array(4);
  referenceParentRotation(before, target, boneOfNode, boneNode);
  quat.conjugate(before, 0, before, 0);
  quat.multiply(before, 0, before, 0, target.reference.rotations, 4 * bone);
  return { bone, before: conjugated(before), after: Float64Array.of(0, 0, 0, 1), axis };
}

/** Shares of the joints between the bone of a region and `next`: even steps from place to place, 0 at the bone and 1 at `next`. */
function evenShares(body: Body, region: Region, next: number): Map<number, number> {
  const node = body.target.map.nodes[next];
  const path = nodesBetween(region, body.target.skeleton.parents, node).filter(body.isUsable);
  const end = placeOf(region, node).position;
  const near = SAME_PLACE * vec3.length(end, 0);
  const steps = new Map<number, number>();
  let last = placeOf(region, region.boneNode).position;
  let step = 0;
  for (const joint of path) {
    const { position } = placeOf(region, joint);
    if (vec3.distance(position, 0, last, 0) > near) step++;
    last = position;
    steps.set(joint, step);
  }
  const count = vec3.distance(last, 0, end, 0) > near ? step + 1 : step;
  return new Map([...steps].map(([joint, steps]) => [joint, count > 0 ? steps / count : 0]));
}

/** Where a node is along a segment, 0…1; null beside it. */
function alongSegment(position: Float64Array, end: Float64Array): number | null {
  const squared = vec3.dot(end, 0, end, 0);
  if (!(squared > 0)) return null;
  const along = vec3.dot(position, 0, end, 0) / squared;
  const foot = Float64Array.from(end, (x) => x * along);
  if (along < -SAME_PLACE || along > 1 + BESIDE) return null;
  if (vec3.distance(position, 0, foot, 0) > BESIDE * Math.sqrt(squared)) return null;
  return Math.min(1, Math.max(0, along));
}

/**
 * The axis about which a joint between two bones turns without moving the lower one: from itself to that bone. Null on the line between
 * them, where that is the axis of all.
 */
function axisBesideLine(position: Float64Array, end: Float64Array): Float64Array | null {
  const axis = new Float64Array(3);
  vec3.subtract(axis, 0, end, 0, position, 0);
  const length = vec3.length(end, 0);
  if (vec3.normalize(axis, 0, axis, 0) <= SAME_PLACE * length) return null;
  return vec3.angleBetween(axis, 0, end, 0) <= ON_LINE ? null : axis;
}

/**
 * The bone below the bone of a region at whose very place a node is, when the node is another copy of it: bones of that bone hang below
 * the node, or it is named alike. −1 without.
 */
function copyOf({ target, names }: Body, region: Region, node: number, bonesBelow: readonly number[]): number {
  const { nodes } = target.map;
  const { position } = placeOf(region, node);
  for (const bone of region.below) {
    const other = placeOf(region, nodes[bone]).position;
    if (!(vec3.distance(position, 0, other, 0) <= SAME_PLACE * vec3.length(other, 0))) continue;
    if (!(vec3.length(other, 0) > 0) || presentParent(bone, nodes) !== region.bone) continue;
    const belong = bonesBelow.length > 0 ? bonesBelow.every((below) => isBoneBelow(below, bone)) : null;
    if (belong ?? (names.areAlike(node, nodes[bone]) && !names.isTwist(node))) return bone;
  }
  return -1;
}

/** Whether a node beside the limb is there for its twist: by its name, or as a numbered part of the limb some way down it. */
function isTwistJoint({ target, names }: Body, { boneNode }: Region, node: number, along: number): boolean {
  if (names.isTwist(node)) return true;
  return target.skeleton.joints[node] === 1 && along > LEAST_PART && names.areAlike(node, boneNode);
}

/** The shares of the nodes of a region that turn. */
function decide(body: Body, region: Region, twist: boolean, distribute: boolean): Map<number, Share> {
  const { target, isUsable } = body;
  const { parents } = target.skeleton;
  const { nodes } = target.map;
  const isBelow = (bone: number | undefined): bone is number => bone !== undefined && region.below.includes(bone);
  const pathTo = (bone: number): number[] => nodesBetween(region, parents, nodes[bone]);
  const paths = new Map(region.below.map((bone) => [bone, new Set(pathTo(bone))]));
  const bonesBelow = (node: number): number[] => region.below.filter((bone) => paths.get(bone)?.has(node));

  const limbNext = LIMB_NEXT.get(region.bone);
  const limb = twist && isBelow(limbNext) ? limbNext : null;
  const end = limb === null ? null : placeOf(region, nodes[limb]).position;
  const axis = new Float64Array(3);
  const hasAxis = end !== null && vec3.normalize(axis, 0, end, 0) > 0;
  const spreads = distribute && !HANDS.has(region.bone);
  const next = region.below.find(
    (bone) => spreads && SPREADING.test(BONES[bone]) && presentParent(bone, nodes) === region.bone,
  );
  const even = next === undefined ? null : evenShares(body, region, next);
  const spreading = next === undefined ? null : driverBelow(body, region, next, null);
  const twisting = limb !== null && hasAxis ? driverBelow(body, region, limb, axis) : null;
  const boneAbove = presentParent(region.bone, nodes);
  const isRoot = twisting !== null && LIMB_ROOTS.has(region.bone) && boneAbove >= 0;
  const untwisting = isRoot ? ownDriver(body, region, axis) : null;

  const shares = new Map<number, Share>();
  for (const node of region.nodes) {
    const above = shares.get(parents[node]) ?? STILL;
    const turned = (driver: Driver, share: number): Share => {
      if (above.driver !== null && above.driver !== driver) return above;
      return share === above.share ? above : { driver, share, depth: above.depth + 1 };
    };
    const decideNode = (): Share => {
      if (!isUsable(node)) return above;
      const evenly = even?.get(node);
      if (evenly !== undefined && spreading !== null) return turned(spreading, evenly);
      const below = bonesBelow(node);
      if (limb === null || !below.includes(limb)) {
        const copied = copyOf(body, region, node, below);
        if (copied >= 0) return turned(driverBelow(body, region, copied, null), 1);
      }
      if (twisting === null || limb === null || end === null) return above;
      const along = alongSegment(placeOf(region, node).position, end);
      if (along === null) return above;
      if (below.includes(limb)) {
        const axis = axisBesideLine(placeOf(region, node).position, end);
        const driver = axis === null ? twisting : driverBelow(body, region, limb, axis);
        return turned(driver, Math.max(above.share, along));
      }
      if (below.length > 0 || !isTwistJoint(body, region, node, along)) return above;
      return untwisting === null ? turned(twisting, along) : turned(untwisting, along - 1);
    };
    const share = decideNode();
    if (share !== STILL) shares.set(node, share);
  }
  return shares;
}

/** The share plans of a region: of its nodes, and of the bones below them. `listed`: the places of bones in the plan. */
function planRegion(
  body: Body,
  region: Region,
  shares: ReadonlyMap<number, Share>,
  listed: ReadonlyMap<number, number>,
): { onNodes: SharePlan[]; onBones: SharePlan[] } {
  const { parents } = body.target.skeleton;
  const onNodes: SharePlan[] = [];
  const onBones: SharePlan[] = [];
  const plan = (
    node: number,
    bone: number,
    { driver, depth }: Share,
    share: number,
    right: Float64Array,
  ): SharePlan => {
    const { before, after, axis } = driver as Driver;
    const left = conjugated(placeOf(region, parents[node]).rotation);
    const driverPlace = listed.get((driver as Driver).bone) as number;
    return { targetNode: node, driver: driverPlace, bone, before, after, axis, share, left, right, depth };
  };
  for (const node of region.nodes) {
    const share = shares.get(node);
    const above = shares.get(parents[node]) ?? STILL;
    if (share === undefined || share === above) continue;
    onNodes.push(plan(node, -1, share, share.share - above.share, placeOf(region, node).rotation));
  }
  for (const bone of region.below) {
    const node = body.target.map.nodes[bone];
    const above = shares.get(parents[node]);
    if (above === undefined || above.share === 0) continue;
    const one = plan(node, listed.get(bone) as number, above, -above.share, placeOf(region, parents[node]).rotation);
    onBones.push(one);
  }
  // The turn of a driver is read from its own rotation: it must be the last that is changed.
  onBones.sort((a, b) => Number(a.driver === a.bone) - Number(b.driver === b.bone));
  return { onNodes, onBones };
}

/**
 * Plans the shares of a character whose rest is what a player shows. `bones` is the list of bones of the plan.
 * Nodes come before bones, and bones that drive others after these.
 */
export function planShares(
  target: Humanoid,
  bones: ArrayLike<number>,
  names: HelperNames,
  { twist, distribute }: { readonly twist: boolean; readonly distribute: boolean },
): SharePlan[] {
  const { skeleton, map } = target;
  const boneOfNode = bonesOfNodes(map.nodes, skeleton.parents.length);
  const regions = shareRegions(target, boneOfNode);
  if (regions.length === 0) return [];
  const hasSkin = skeleton.joints.includes(1);
  const isUsable = (node: number): boolean => !hasSkin || skeleton.joints[node] === 1;
  const body: Body = { target, boneOfNode, names, isUsable };
  const listed = new Map(Array.from(bones, (bone, k) => [bone, k] as const));
  const planned = regions.map((region) => planRegion(body, region, decide(body, region, twist, distribute), listed));
  return [...planned.flatMap(({ onNodes }) => onNodes), ...planned.flatMap(({ onBones }) => onBones)];
}
