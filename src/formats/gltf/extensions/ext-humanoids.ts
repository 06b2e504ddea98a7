import { BONE_COUNT, BONES, presentParent } from '../../../core/humanoid/bones.ts';
import type { DeclaredHumanoid } from '../../../core/humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../../../core/humanoid/node-bones.ts';
import { estimateFrame } from '../../../core/humanoid/t-pose/estimate-frame.ts';
import { type ModelPose, toModelPose } from '../../../core/humanoid/t-pose/model-pose.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { bindPose } from '../../../core/skeleton/pose.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../../core/skeleton/skeleton.ts';
import { isAncestor } from '../../../core/skeleton/topology.ts';
import type { GltfDocument } from '../document/document.ts';
import type { NodeForest } from '../read/read-nodes.ts';
import { bonesOfDefinition, readSkeletonDefinitions, skeletonDefinitionPointer } from './ext-skeleton-humanoid.ts';
import type { FileHumanoid } from './human-bones.ts';

/** A measured facing counts as that of a space when it is within this angle, radians. */
const FACING_LIMIT = Math.PI / 4;
/** Spaces whose facing differs by less than this are equally good, radians; the first one, that of the root node, wins. */
const FACING_TIE = Math.PI / 180;
/** Bones that rotate by more than this between bind and rest pose are reported, radians. */
const BIND_LIMIT = (0.1 * Math.PI) / 180;
/** Maximum number of bones listed in a message. */
const LISTED = 5;

/** Whether a node is an ancestor of all bones, or is itself the topmost bone. */
function isRootOf({ parents, nodesBySource }: NodeForest, root: number, nodes: Int32Array): boolean {
  const top = nodesBySource[root];
  return nodes.every(
    (node) => node < 0 || nodesBySource[node] === top || isAncestor(parents, top, nodesBySource[node]),
  );
}

/** Bones whose nearest bone ancestor in the node tree is not their parent bone. */
function misplacedBones({ parents, nodesBySource }: NodeForest, nodes: Int32Array): string[] {
  const boneOfNode = mapNodesToBones(
    nodes.map((node) => (node < 0 ? -1 : nodesBySource[node])),
    parents.length,
  );
  return BONES.filter((_, bone) => {
    if (nodes[bone] < 0) return false;
    return boneAtOrAbove(parents, boneOfNode, parents[nodesBySource[nodes[bone]]]) !== presentParent(bone, nodes);
  });
}

/**
 * Reads the humanoids that a file defines, one per definition that has at least one bone. `issues` receives EXT_SKELETON for unusable definitions,
 * a root that is not an ancestor of all bones, bones in a wrong hierarchy, and bones that are not joints.
 */
export function readExtHumanoids(
  doc: GltfDocument,
  forest: NodeForest,
  joints: ReadonlySet<number>,
  issues: Issue[],
): FileHumanoid[] {
  const read = readSkeletonDefinitions(doc);
  issues.push(...read.issues);
  return read.definitions.flatMap((definition, index): FileHumanoid[] => {
    const nodes = bonesOfDefinition(definition);
    if (nodes.every((node) => node < 0)) return [];
    const pointer = skeletonDefinitionPointer(doc, index);
    const report = (message: string, member: string): void => {
      issues.push(issue('EXT_SKELETON', message, { pointer: `${pointer}/${member}` }));
    };
    const isRoot = definition.rootNode >= 0 && isRootOf(forest, definition.rootNode, nodes);
    if (definition.rootNode >= 0 && !isRoot) {
      report(`rootNode ${definition.rootNode} is not an ancestor of all bones. It was ignored.`, 'rootNode');
    }
    const misplaced = misplacedBones(forest, nodes);
    if (misplaced.length > 0) {
      report(
        `The nearest bone above each of these bones is not its parent bone: ${misplaced.join(', ')}. Correct humanoidBones or the node tree.`,
        'humanoidBones',
      );
    }
    const loose = BONES.filter((_, bone) => nodes[bone] >= 0 && !joints.has(nodes[bone]));
    if (loose.length > 0)
      report(
        `These bones are not joints of a skin: ${loose.join(', ')}. EXT_skeleton_humanoid requires joints; add them to a skin.`,
        'humanoidBones',
      );
    return [{ format: 'ext', facing: '+Z', title: '', nodes, rootNode: isRoot ? definition.rootNode : -1, pointer }];
  });
}

/** A coordinate space in which the character may face +Z. */
interface Space {
  /** Index of the node in the skeleton; −1 for the space of the file. */
  readonly node: number;
  /** Rotates vectors from model space into this space, xyzw. */
  readonly rotation: Float64Array;
}

function spaceOf(node: number, pose: ModelPose): Space {
  const rotation = new Float64Array([0, 0, 0, 1]);
  if (node >= 0) quat.conjugate(rotation, 0, pose.rotations, 4 * node);
  return { node, rotation };
}

/**
 * The spaces of the root node, of its parent (an armature may rotate its children), and of the file. Bones have axes of
 * their own and are skipped.
 */
function spacesOf({ parents }: Skeleton, pose: ModelPose, root: number, nodes: Int32Array): Space[] {
  const spaces: Space[] = [];
  for (const node of root < 0 ? [] : [root, parents[root]]) {
    if (node >= 0 && !nodes.includes(node)) spaces.push(spaceOf(node, pose));
  }
  return [...spaces, spaceOf(-1, pose)];
}

/** The space in which the character faces +Z, by its measured facing; null where it fits no space. */
function facedSpace(spaces: readonly Space[], facing: Float64Array): Space | null {
  const angles = spaces.map(({ rotation }) => quat.angleBetween(rotation, 0, facing, 0));
  const least = Math.min(...angles);
  return least > FACING_LIMIT ? null : spaces[angles.findIndex((angle) => angle <= least + FACING_TIE)];
}

/** Height of the origin of a space, in the axes of that space. */
function originHeight({ node, rotation }: Space, { positions }: ModelPose): number {
  if (node < 0) return 0;
  const origin = new Float64Array(3);
  vec3.rotate(origin, 0, rotation, 0, positions, 3 * node);
  return origin[1];
}

/** Reports bones whose rest pose differs from their bind pose, largest angle first. */
function reportBind(skeleton: Skeleton, bind: Float64Array, nodes: Int32Array, pointer: string, issues: Issue[]): void {
  const rotated: { bone: number; angle: number }[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const at = POSE_STRIDE * nodes[bone] + PATH_OFFSET.rotation;
    const angle = nodes[bone] < 0 ? 0 : quat.angleBetween(bind, at, skeleton.rest, at);
    if (angle > BIND_LIMIT) rotated.push({ bone, angle });
  }
  if (rotated.length === 0) return;
  rotated.sort((a, b) => b.angle - a.angle);
  const listed = rotated
    .slice(0, LISTED)
    .map(({ bone, angle }) => `${BONES[bone]} ${((angle * 180) / Math.PI).toFixed(1)}°`);
  if (rotated.length > LISTED) listed.push(`and ${rotated.length - LISTED} more`);
  const message = `The rest pose differs from the bind pose, which is the reference pose: ${listed.join(', ')}. The bind pose was used.`;
  issues.push(issue('EXT_BIND_NOT_REST', message, { pointer }));
}

/**
 * Derives the declared humanoid of a definition. The reference pose is the bind pose relative to the actual parent nodes, or the rest pose where no
 * inverse bind matrices exist. The character faces +Z in the space of its root node, and y = 0 is the ground there. Where the measured facing
 * contradicts that, the space of the root's parent, then that of the file is used; otherwise the measured facing itself. `issues` receives
 * EXT_BIND_NOT_REST for bones whose rest and bind pose differ, EXT_FACING for a character that does not face +Z.
 */
export function declareExtHumanoid(
  skeleton: Skeleton,
  nodes: Int32Array,
  root: number,
  pointer: string,
  issues: Issue[],
): DeclaredHumanoid {
  const bind = bindPose(skeleton);
  if (bind !== null) reportBind(skeleton, bind, nodes, pointer, issues);
  const pose = toModelPose('ext', skeleton.parents, bind ?? Float64Array.from(skeleton.rest));
  const spaces = spacesOf(skeleton, pose, root, nodes);
  const facing = estimateFrame(pose.positions, nodes);
  const found = facing === null ? spaces[0] : facedSpace(spaces, facing.rotation);
  if (found === null) {
    const message =
      'The character does not face +Z with +Y up, neither in the space of its root node nor in that of the file. Its measured facing was used.';
    issues.push(issue('EXT_FACING', message, { pointer }));
  }
  const space = found ?? { node: -1, rotation: (facing as NonNullable<typeof facing>).rotation };
  return {
    format: 'ext',
    nodes,
    facing: '+Z',
    ...(bind === null ? {} : { pose: bind }),
    axesRotation: space.rotation,
    ground: originHeight(space, pose),
  };
}
