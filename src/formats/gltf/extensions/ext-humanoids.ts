/** EXT_skeleton_humanoid: the characters that a file defines, with their reference pose. */
import { BONE_COUNT, BONES, presentParent } from '../../../core/humanoid/bones.ts';
import type { DeclaredHumanoid } from '../../../core/humanoid/humanoid.ts';
import { boneAtOrAbove, bonesOfNodes } from '../../../core/humanoid/node-bones.ts';
import { metricFrame } from '../../../core/humanoid/reference/metric-frame.ts';
import { type ModelPose, modelPose } from '../../../core/humanoid/reference/model-pose.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { bindPose } from '../../../core/skeleton/pose.ts';
import { POSE_STRIDE, type Skeleton } from '../../../core/skeleton/skeleton.ts';
import { isAncestor } from '../../../core/skeleton/topology.ts';
import type { GltfDocument } from '../document.ts';
import type { NodeForest } from '../read-nodes.ts';
import { bonesOfDefinition, readSkeletonDefinitions, skeletonDefinitionPointer } from './ext-skeleton-humanoid.ts';
import type { FileHumanoid } from './human-bones.ts';

/** A measured facing this near to that of a space is the facing of that space, radians. */
const FACING_LIMIT = Math.PI / 4;
/** Spaces whose facing fits equally well, radians: the one of the root node goes first. */
const FACING_TIE = Math.PI / 180;
/** Bones that turn by more than this between bind and rest are reported, radians. */
const BIND_LIMIT = (0.1 * Math.PI) / 180;
/** Bones that are named in a message at most. */
const LISTED = 5;

/** Whether a place is at or above all bones. */
function isRootOf({ parents, places }: NodeForest, root: number, nodes: Int32Array): boolean {
  const top = places[root];
  return nodes.every((node) => node < 0 || places[node] === top || isAncestor(parents, top, places[node]));
}

/** Bones whose nearest bone above in the node tree is not their parent in the tree of bones. */
function misplacedBones({ parents, places }: NodeForest, nodes: Int32Array): string[] {
  const boneOfPlace = bonesOfNodes(
    nodes.map((node) => (node < 0 ? -1 : places[node])),
    parents.length,
  );
  return BONES.filter((_, bone) => {
    if (nodes[bone] < 0) return false;
    return boneAtOrAbove(parents, boneOfPlace, parents[places[nodes[bone]]]) !== presentParent(bone, nodes);
  });
}

/**
 * The humanoids that a file defines, one a definition that has any bone. Reports as EXT_SKELETON what a definition has that cannot be used, a
 * root that is not above all bones, bones in another order than the tree of bones has them, and bones that are no joints.
 */
export function readExtHumanoids(
  doc: GltfDocument,
  forest: NodeForest,
  joints: ReadonlySet<number>,
  issues: Issue[],
): FileHumanoid[] {
  return readSkeletonDefinitions(doc, issues).flatMap((definition, index): FileHumanoid[] => {
    const nodes = bonesOfDefinition(definition);
    if (nodes.every((node) => node < 0)) return [];
    const pointer = skeletonDefinitionPointer(doc, index);
    const report = (message: string, member: string): void => {
      issues.push(issue('EXT_SKELETON', message, { pointer: `${pointer}/${member}` }));
    };
    const isRoot = definition.rootNode >= 0 && isRootOf(forest, definition.rootNode, nodes);
    if (definition.rootNode >= 0 && !isRoot) {
      report(`Node ${definition.rootNode} is the root, but not all bones hang below it; it was left out`, 'rootNode');
    }
    const misplaced = misplacedBones(forest, nodes);
    if (misplaced.length > 0) {
      report(
        `Bones that do not hang below their parent bone, with no other bone between: ${misplaced.join(', ')}`,
        'humanoidBones',
      );
    }
    const loose = BONES.filter((_, bone) => nodes[bone] >= 0 && !joints.has(nodes[bone]));
    if (loose.length > 0) report(`Bones must be joints of a skin, these are not: ${loose.join(', ')}`, 'humanoidBones');
    return [{ format: 'ext', facing: '+Z', title: '', nodes, rootNode: isRoot ? definition.rootNode : -1, pointer }];
  });
}

/** A space that the character may face +Z in: that of a node, −1 for the file's. */
interface Space {
  readonly node: number;
  /** Turns the axes of the file into those of the node. */
  readonly turn: Float64Array;
}

function spaceOf(node: number, pose: ModelPose): Space {
  const turn = new Float64Array([0, 0, 0, 1]);
  if (node >= 0) quat.conjugate(turn, 0, pose.rotations, 4 * node);
  return { node, turn };
}

/** The spaces of the root node, of its parent (an armature may well turn its children), of the file. A bone has axes of its own. */
function spacesOf({ parents }: Skeleton, pose: ModelPose, root: number, nodes: Int32Array): Space[] {
  const spaces: Space[] = [];
  for (const node of root < 0 ? [] : [root, parents[root]]) {
    if (node >= 0 && !nodes.includes(node)) spaces.push(spaceOf(node, pose));
  }
  return [...spaces, spaceOf(-1, pose)];
}

/** The space that a character faces +Z in, by how it stands; null when it does in none of them. */
function facedSpace(spaces: readonly Space[], facing: Float64Array): Space | null {
  const angles = spaces.map(({ turn }) => quat.angleBetween(turn, 0, facing, 0));
  const least = Math.min(...angles);
  return least > FACING_LIMIT ? null : spaces[angles.findIndex((angle) => angle <= least + FACING_TIE)];
}

/** Height of the origin of a space, in its axes. */
function originHeight({ node, turn }: Space, { positions }: ModelPose): number {
  if (node < 0) return 0;
  const origin = new Float64Array(3);
  vec3.rotate(origin, 0, turn, 0, positions, 3 * node);
  return origin[1];
}

/** Bones that stand otherwise at rest than bound, largest angle first. */
function reportBind(skeleton: Skeleton, bind: Float64Array, nodes: Int32Array, pointer: string, issues: Issue[]): void {
  const turned: { bone: number; angle: number }[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const at = POSE_STRIDE * nodes[bone] + 3;
    const angle = nodes[bone] < 0 ? 0 : quat.angleBetween(bind, at, skeleton.rest, at);
    if (angle > BIND_LIMIT) turned.push({ bone, angle });
  }
  if (turned.length === 0) return;
  turned.sort((a, b) => b.angle - a.angle);
  const listed = turned
    .slice(0, LISTED)
    .map(({ bone, angle }) => `${BONES[bone]} ${((angle * 180) / Math.PI).toFixed(1)}°`);
  if (turned.length > LISTED) listed.push(`and ${turned.length - LISTED} more`);
  const message = `Bones rest otherwise than they are bound, which is the reference pose: ${listed.join(', ')}`;
  issues.push(issue('EXT_BIND_NOT_REST', message, { pointer }));
}

/**
 * What a definition says about its skeleton. The reference pose is the bind pose, relative to the actual parent nodes; without inverse bind matrices
 * the rest pose. The character faces +Z in the space of its root node, in which y = 0 is the ground; where that does not fit how it stands, in
 * that of the root's parent or of the file; else it has its own facing, and EXT_FACING is reported.
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
  const pose = modelPose('ext', skeleton.parents, bind ?? Float64Array.from(skeleton.rest));
  const spaces = spacesOf(skeleton, pose, root, nodes);
  const facing = metricFrame(pose.positions, nodes);
  const found = facing === null ? spaces[0] : facedSpace(spaces, facing.rotation);
  if (found === null) {
    const message =
      'The character does not face +Z with +Y up, neither in the space of its root nor in that of the file; its own facing is taken';
    issues.push(issue('EXT_FACING', message, { pointer }));
  }
  const space = found ?? { node: -1, turn: (facing as NonNullable<typeof facing>).rotation };
  return {
    format: 'ext',
    nodes,
    facing: '+Z',
    ...(bind === null ? {} : { pose: bind }),
    turn: space.turn,
    ground: originHeight(space, pose),
  };
}
