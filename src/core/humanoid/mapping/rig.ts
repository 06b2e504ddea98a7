/** All that mapping by names wants to know of a skeleton, gathered once. */
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { touchedBySkin } from './body-tree.ts';
import { type RigNames, rigNames } from './names.ts';
import { type NodeTree, nodeTree } from './node-tree.ts';
import { isBodyWord } from './word-list.ts';
import { type Reading, readNames } from './words.ts';

export interface Rig {
  readonly skeleton: Skeleton;
  readonly tree: NodeTree;
  readonly names: RigNames;
  readonly readings: readonly Reading[];
  /**
   * How well a node suits as a bone, beside its name; 0 is normal. Below 0: not a joint of a skin and none below it (a
   * mesh, a prop), a layer of a control rig, a helper that doubles a bone.
   */
  readonly quality: Float32Array;
}

/** Quality of a node in a skinned rig that no skin touches. */
const NO_JOINT = -0.6;

const LAYERS: readonly (readonly [RegExp, number])[] = [
  [/^(?:.*[:|])?def[-_]/i, 0.05],
  [/^(?:.*[:|])?org[-_]/i, -0.3],
  [/^(?:.*[:|])?mch[-_]/i, -0.5],
  [/\$AssimpFbx\$/, -0.5],
  [/^_/, -0.2],
];

/** Gathers names, their readings, the tree and the quality of every node. */
export function readRig(skeleton: Skeleton): Rig {
  const names = rigNames(skeleton.names, isBodyWord);
  const plainKeys = new Set(names.keys.filter((_, node) => !skeleton.names[node].startsWith('__')));
  const readings = readNames(skeleton.names, names.words).map((reading, node) => {
    const raw = skeleton.names[node];
    // Old MakeHuman rigs: `__Index1_L` is a stub before `Index1_L`.
    const isStub = raw.startsWith('__') && plainKeys.has(names.keys[node]);
    return isStub ? { ...reading, helper: true } : reading;
  });
  const touched = touchedBySkin(skeleton);
  const quality = Float32Array.from(skeleton.names, (raw, node) => {
    let value = touched[node] === 1 ? 0 : NO_JOINT;
    for (const [layer, worth] of LAYERS) if (layer.test(raw)) value += worth;
    return value;
  });
  return { skeleton, tree: nodeTree(skeleton.parents), names, readings, quality };
}
