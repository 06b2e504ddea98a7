/** Relates the nodes of an instance of a model to its rig, for mixers of any engine. */
import type { RootMotionNode } from '../../../core/animation/loop-clip.ts';
import type { Humanoid } from '../../../core/humanoid/humanoid.ts';
import { findRootMotionNode } from '../../../core/humanoid/root-motion-node.ts';
import { type BoneWeights, maskNodes } from '../../../playback/blend/bone-mask.ts';
import type { PlayerClip } from '../../../playback/player/player-clip.ts';
import type { SceneGraph } from '../scene-graph.ts';
import type { Rig } from './rig.ts';

/** Nodes of an engine with their index in the rig: those of the model, or of an instance of it. */
interface Indexed<Node> {
  readonly indexOf: ReadonlyMap<Node, number>;
}

/** What is said of a humanoid whose nodes are neither in the model nor in the instance. */
const FOREIGN = 'Pass createHumanoid(root) of the model that the rig was created from, or of this character.';

export function isInstance({ parents }: Pick<SceneGraph<unknown>, 'parents'>, skinCount: number, rig: Rig): boolean {
  const { skeleton, slots } = rig;
  return (
    parents.length === skeleton.parents.length &&
    parents.every((parent, node) => parent === skeleton.parents[node]) &&
    skinCount === slots.length
  );
}

/**
 * Creates a mask, one weight per node of a rig, from weights of bones. `nodes` are the engine's nodes of a humanoid of the model or of the
 * instance, `scenes` these two. Throws a RangeError for a humanoid of another model.
 */
export function instanceMask<Node>(
  humanoid: Humanoid,
  nodes: readonly Node[],
  scenes: readonly [Indexed<Node>, Indexed<Node>],
  rig: Rig,
  weights: BoneWeights,
): Float32Array {
  const boneNodes = Int32Array.from(humanoid.map.nodes, (node) => indexIn(scenes, nodes[node]) ?? -1);
  if (boneNodes.every((node) => node < 0)) {
    throw new RangeError(`createBoneMask: the bones of the humanoid are not in this character. ${FOREIGN}`);
  }
  return maskNodes({ boneNodes, parents: rig.skeleton.parents }, weights);
}

function indexIn<Node>(scenes: readonly Indexed<Node>[], node: Node): number | undefined {
  for (const { indexOf } of scenes) {
    const index = indexOf.get(node);
    if (index !== undefined) return index;
  }
  return undefined;
}

/**
 * Finds the hips of a humanoid of the model, or of an instance of it, among the nodes of the rig. Throws a RangeError for a humanoid of another
 * model.
 */
export function instanceHips<Node>(
  humanoid: Humanoid,
  nodes: readonly Node[],
  scenes: readonly [Indexed<Node>, Indexed<Node>],
): RootMotionNode {
  const node = findRootMotionNode(humanoid);
  const hips = indexIn(scenes, nodes[node.hips]);
  if (hips !== undefined) return { ...node, hips };
  throw new RangeError(`The hips of the option rootMotion are not in this character. ${FOREIGN}`);
}

/** Lists the nodes that a clip animates and that are not joints: the engine poses them itself. */
export function plainNodes({ skeleton }: Rig, { nodes }: PlayerClip): number[] {
  const animated = new Set(Object.values(nodes).flatMap((list: Int32Array) => [...list]));
  return [...animated].filter((node) => skeleton.joints[node] === 0);
}
