import { countPoints, mainNode, OFFSET_STRIDE, type SkinPoints } from '../../deform/skin-points.ts';
import { BONE, BONE_COUNT, BONE_MIRRORS, BONES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../../humanoid/node-bones.ts';
import { findDetachedJoints } from '../../retarget/detached/find-detached-joints.ts';
import { helperNames } from '../../retarget/helper-names.ts';

const FEET = BONES.map((name) => /(Foot|Toes)$/.test(name));
const HANDS = BONES.map((name) => /Hand|Thumb|Index|Middle|Ring|Little/.test(name));
const ARMS = BONES.map((name, bone) => /Arm$/.test(name) || HANDS[bone]);
export const isFootBone = (bone: number): boolean => FEET[bone] === true;
export const isArmBone = (bone: number): boolean => ARMS[bone] === true;
export const isHandBone = (bone: number): boolean => HANDS[bone] === true;

/** Words for joints that form a part of the trunk, in names of joints without a bone below them; hair and clothes have others. */
const TRUNK_PART =
  /pelvis|hips?(?![a-z])|spine|chest|breast|torso|abdomen|belly|stomach|waist|butt|glute|clavicle|scapula/i;
/** Ends of names of joints that exporters add at the end of a chain. */
const CHAIN_END = /(?:leaf|end|nub|tip)\d*$/i;

/** Assigns every node the bone whose surface it forms; −1 for hair, skirts, weapons and other parts outside the bones. */
function surfaceBones(humanoid: Humanoid): Int16Array {
  const { skeleton, map } = humanoid;
  const { parents } = skeleton;
  const bones = mapNodesToBones(map.nodes, parents.length);
  const names = helperNames(skeleton);
  const hasBoneBelow = new Uint8Array(parents.length);
  for (let node = parents.length - 1; node >= 0; node--) {
    if ((bones[node] >= 0 || hasBoneBelow[node] === 1) && parents[node] >= 0) hasBoneBelow[parents[node]] = 1;
  }
  const detached = new Map(findDetachedJoints(humanoid, new Set(), names).map(({ node, bone }) => [node, bone]));
  return Int16Array.from(bones, (bone, node) => {
    if (bone >= 0) return bone;
    const above = boneAtOrAbove(parents, bones, node);
    if (above >= 0 && hasBoneBelow[node] === 1) return above;
    const known = detached.get(node);
    if (known !== undefined || above < 0) return known ?? -1;
    const isPart = isFootBone(above) || isHandBone(above) || names.isTwist(node);
    const isEnd = CHAIN_END.test(skeleton.names[node]) && bones[parents[node]] >= 0;
    return isPart || isEnd || TRUNK_PART.test(skeleton.names[node]) ? above : -1;
  });
}

/** Difference between the weights of both sides, relative to the larger one, up to which a point is in the middle between them: twice the rounding of weights of 8 bits that add up to 1. */
const EVEN = 0.02;

/** Returns the bone whose surface a skinned point forms; −1 where it moves with a bone as it does with that of the other side, as the middle of a skirt does with the thighs. */
function boneOfPoint({ starts, nodes, offsets }: SkinPoints, point: number, surface: Int16Array): number {
  let first = starts[point];
  let second = -1;
  for (let i = first + 1; i < starts[point + 1]; i++) {
    const weight = offsets[OFFSET_STRIDE * i + 3];
    if (weight > offsets[OFFSET_STRIDE * first + 3]) {
      second = first;
      first = i;
    } else if (second < 0 || weight > offsets[OFFSET_STRIDE * second + 3]) second = i;
  }
  const bone = surface[nodes[first]];
  if (second < 0 || bone < 0) return bone;
  const other = surface[nodes[second]];
  const isEven = offsets[OFFSET_STRIDE * second + 3] >= (1 - EVEN) * offsets[OFFSET_STRIDE * first + 3];
  return isEven && bone !== other && BONE_MIRRORS[bone] === other ? -1 : bone;
}

/** Finds the bone whose surface every point forms. Hair, skirts, weapons and what is in the middle between both sides form none. */
export function bonesOfPoints(humanoid: Humanoid, points: SkinPoints): Int16Array {
  const { parents } = humanoid.skeleton;
  const surface = surfaceBones(humanoid);
  const bonesOfNodes = mapNodesToBones(humanoid.map.nodes, parents.length);
  const isSkinned = new Uint8Array(BONE_COUNT);
  const bones = new Int16Array(countPoints(points));
  for (let point = 0; point < bones.length; point++) {
    const isRigid = points.rigid[point] === 1;
    bones[point] = isRigid
      ? boneAtOrAbove(parents, bonesOfNodes, mainNode(points, point))
      : boneOfPoint(points, point, surface);
    if (!isRigid && bones[point] >= 0) isSkinned[bones[point]] = 1;
  }
  if (!points.rigid.includes(1)) return bones;
  // A rigid mesh at a bone with skinned vertices is a weapon or another accessory; at a bone without, it is the surface itself.
  return bones.map((bone, point) => (bone >= 0 && points.rigid[point] === 1 && isSkinned[bone] === 1 ? -1 : bone));
}

/** Height of the middle of a shin; −Infinity for other bones. Its lower half is always close to the ground: the foot touches it first. */
function middleOfShin({ map, reference: { positions } }: Humanoid, bone: number): number {
  if (!/LowerLeg$/.test(BONES[bone])) return Number.NEGATIVE_INFINITY;
  const foot = BONE[BONES[bone].startsWith('left') ? 'leftFoot' : 'rightFoot'];
  return map.nodes[foot] < 0 ? Number.NEGATIVE_INFINITY : (positions[3 * bone + 1] + positions[3 * foot + 1]) / 2;
}

/**
 * Groups the points of a character by the bone whose surface they form. Points without a bone and lower shins are left out. `positions`: position
 * of every point in the reference pose, canonical frame: xyz.
 */
export function groupByBone(humanoid: Humanoid, bones: Int16Array, positions: Float64Array): readonly number[][] {
  const groups: number[][] = Array.from({ length: BONE_COUNT }, () => []);
  const lowest = BONES.map((_, bone) => middleOfShin(humanoid, bone));
  for (let point = 0; point < bones.length; point++) {
    const bone = bones[point];
    if (bone >= 0 && !(positions[3 * point + 1] < lowest[bone])) groups[bone].push(point);
  }
  return groups;
}
