import type { Skeleton } from '../../../skeleton/skeleton.ts';
import { createNodeTree, jointsAndAncestors, type NodeTree } from '../node-tree.ts';
import { isAnatomyWord } from './lexicon.ts';
import { type RigNames, rigNames } from './node-names.ts';
import { type NameReading, readNames } from './read-names.ts';

export interface NamedRig {
  readonly skeleton: Skeleton;
  readonly tree: NodeTree;
  readonly names: RigNames;
  readonly readings: readonly NameReading[];
  /**
   * How well each node suits as a bone, apart from its name; 0 is normal. Negative for nodes that are not joints and
   * have no joints below them (meshes, props), for layers of a control rig, and for helpers that duplicate a bone.
   */
  readonly quality: Float32Array;
  /** Whether any node is a joint of a skin. */
  readonly hasJoints: boolean;
}

/** Tests whether a node is a joint; in a skeleton without skins, all nodes are. */
export function isJointLike({ skeleton, hasJoints }: NamedRig, node: number): boolean {
  return skeleton.joints[node] === 1 || !hasJoints;
}

/** Tests whether a node is a group above another one: no joint, and with its name and a word (`Null_Spine`, `Spine_grp`). */
export function isGroupOf(rig: NamedRig, node: number, below: number): boolean {
  const { keys } = rig.names;
  return !isJointLike(rig, node) && keys[below] !== '' && keys[node].includes(keys[below]);
}

/** Quality of a node in a skinned rig that is not a joint and has no joints below it. */
const NO_JOINT = -0.6;

/** Quality of a joint: of two nodes with one name, the joint is the bone and the other one its group. */
const JOINT = 0.02;

/** Quality of a node with the name of another one behind underscores. */
const STUB = -0.2;

/** Matches the names of bones that deform the body in Rigify's rigs. */
export const DEFORMING_LAYER = /^(?:.*[:|])?def[-_]/i;

const LAYERS: readonly (readonly [RegExp, number])[] = [
  [DEFORMING_LAYER, 0.05],
  [/^(?:.*[:|])?org[-_]/i, -0.3],
  [/^(?:.*[:|])?mch[-_]/i, -0.5],
  [/\$AssimpFbx\$/, -0.5],
  [/^_/, -0.2],
];

export function createNamedRig(skeleton: Skeleton): NamedRig {
  const names = rigNames(skeleton.names, isAnatomyWord, skeleton.joints);
  // In old MakeHuman rigs, `__Index1_L` is a stub before `Index1_L`, also behind a prefix.
  const plain = names.clean.map((name) => name.replace(/(^|_)_+/g, '$1'));
  const plainNames = new Set(names.clean);
  const isStub = (node: number): boolean => plain[node] !== names.clean[node] && plainNames.has(plain[node]);
  const readings = readNames(skeleton.names, names.words).map((reading, node) =>
    isStub(node) ? { ...reading, helper: true } : reading,
  );
  const touched = jointsAndAncestors(skeleton);
  const quality = Float32Array.from(skeleton.names, (raw, node) => {
    let value = skeleton.joints[node] === 1 ? JOINT : touched[node] === 1 ? 0 : NO_JOINT;
    if (isStub(node)) value += STUB;
    for (const [layer, weight] of LAYERS) if (layer.test(raw)) value += weight;
    return value;
  });
  const hasJoints = skeleton.joints.includes(1);
  return { skeleton, tree: createNodeTree(skeleton.parents), names, readings, quality, hasJoints };
}
