/** Which bone forms which part of the surface of a character. */
import { BONE, BONE_COUNT, BONES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../../humanoid/node-bones.ts';
import { helperNames } from '../../retarget/helper-names.ts';
import { countPoints, mainNode, type SkinPoints, skinPoint } from './skin-points.ts';

/** Tells whether a bone is a foot or its toes. */
export const isFootBone = (bone: number): boolean => /(Foot|Toes)$/.test(BONES[bone]);
const HAND = /Hand|Thumb|Index|Middle|Ring|Little/;
/** Tells whether a bone belongs to an arm. */
export const isArmBone = (bone: number): boolean => /Arm$/.test(BONES[bone]) || HAND.test(BONES[bone]);

/** Assigns every node the bone whose surface it forms; −1 for hair, skirts, weapons and other parts outside the bones. */
function surfaceBones({ skeleton, map }: Humanoid): Int16Array {
  const { parents } = skeleton;
  const bones = mapNodesToBones(map.nodes, parents.length);
  const names = helperNames(skeleton);
  const hasBoneBelow = new Uint8Array(parents.length);
  for (let node = parents.length - 1; node >= 0; node--) {
    if ((bones[node] >= 0 || hasBoneBelow[node] === 1) && parents[node] >= 0) hasBoneBelow[parents[node]] = 1;
  }
  return Int16Array.from(bones, (bone, node) => {
    if (bone >= 0) return bone;
    const above = boneAtOrAbove(parents, bones, node);
    if (above < 0 || hasBoneBelow[node] === 1) return above;
    return isFootBone(above) || HAND.test(BONES[above]) || names.isTwist(node) ? above : -1;
  });
}

/** Tells whether a point of a shin is in its lower half, which is always close to the ground: the foot touches it first. */
function isBelowCalf({ map, reference: { positions } }: Humanoid, bone: number, height: number): boolean {
  if (!/LowerLeg$/.test(BONES[bone])) return false;
  const foot = BONE[BONES[bone].startsWith('left') ? 'leftFoot' : 'rightFoot'];
  return map.nodes[foot] >= 0 && height < (positions[3 * bone + 1] + positions[3 * foot + 1]) / 2;
}

/**
 * Groups the points of a character by the bone whose surface they form. Hair, skirts, weapons and lower shins are left out.
 *
 * @param humanoid The character.
 * @param points All its points.
 * @param matrices Matrices of all nodes in the reference pose, canonical frame.
 * @returns Indices of points per humanoid bone.
 */
export function groupByBone(humanoid: Humanoid, points: SkinPoints, matrices: Float64Array): readonly number[][] {
  const { parents } = humanoid.skeleton;
  const surface = surfaceBones(humanoid);
  const bonesOfNodes = mapNodesToBones(humanoid.map.nodes, parents.length);
  const skinned: number[][] = Array.from({ length: BONE_COUNT }, () => []);
  const rigid: number[][] = Array.from({ length: BONE_COUNT }, () => []);
  const position = new Float64Array(3);
  for (let point = 0; point < countPoints(points); point++) {
    const node = mainNode(points, point);
    const isRigid = points.rigid[point] === 1;
    const bone = isRigid ? boneAtOrAbove(parents, bonesOfNodes, node) : surface[node];
    if (bone < 0) continue;
    skinPoint(position, 0, points, point, matrices);
    if (!isBelowCalf(humanoid, bone, position[1])) (isRigid ? rigid : skinned)[bone].push(point);
  }
  // A rigid mesh at a bone with skinned vertices is a weapon or another accessory; at a bone without, it is the surface itself.
  return skinned.map((group, bone) => (group.length > 0 ? group : rigid[bone]));
}
