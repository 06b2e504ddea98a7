import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { createJointMapper } from '../../../core/skeleton/joint-mapper.ts';
import { limitRest } from '../../../core/skeleton/limit-rest.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { nameOfPath } from '../layer/paths.ts';
import type { BindingOptions, SkelBinding } from '../skel/bindings.ts';
import type { BoundPrim } from '../skel/bound-prim.ts';
import { blendShapeIssues } from '../skel/deform/apply-blend-shapes.ts';
import { distinctIssues } from '../skel/distinct-issues.ts';
import { isImageable } from '../skel/prim-types.ts';
import { readSkelAnimation } from '../skel/skel-animation.ts';
import { readSkeleton, type SkeletonDefinition } from '../skel/skeleton-definition.ts';
import { readTokens } from '../skel/typed-values.ts';
import { isUsable, primAndAncestors, primAt, prototypePath, type Stage } from '../stage/stage.ts';
import { localTransform } from '../stage/xform-ops.ts';
import { displayName } from './display-name.ts';
import { jointRest, type RestPose, repairIssues, restTime, setRest } from './rest-transforms.ts';
import type { SceneSkeleton, UsdScene } from './scene.ts';
import { sceneSkeletons } from './skeletons/scene-skeletons.ts';

/** Maximum number of nodes: enough for some thousand characters. Instanced skeletons could multiply without bound. */
const MAX_NODES = 1_000_000;

interface SceneNode {
  readonly name: string;
  readonly parent: number;
  readonly prim: string;
  /** Joint index; −1 for prims. */
  readonly joint: number;
  /** Whether it is a joint that skinned prims use. */
  readonly isSkinJoint: boolean;
  /** Contains the local rest matrix, at `at`. */
  readonly matrix: Float64Array;
  /** Offset of the rest matrix in `matrix`. */
  readonly at: number;
}

/** A binding with the definition, rest matrices and joint names of its skeleton. */
interface DefinedSkeleton extends SkelBinding {
  readonly definition: SkeletonDefinition;
  readonly rest: Float64Array;
  readonly names: readonly string[];
}

/**
 * Reads the nodes and skeletons of a stage.
 *
 * Prim nodes:
 * - Active, defined, non-abstract prims that are imageable: Xform, SkelRoot, Scope, Skeleton, Camera, lights, all gprims, and typeless prims. Scopes
 *   and typeless prims without such descendants are omitted, as are materials, animations, blend shapes and subsets.
 * - The rest transform is the one at the default time, or at the first time sample if there is no default value. A prim with `!resetXformStack!` is a
 *   root.
 * - The name is `displayName`, else the prim name.
 *
 * Joint nodes:
 * - Root joints are children of the node of their Skeleton prim. The rest pose is `restTransforms`, else the bind pose.
 * - The name is that of `jointNames`, else the last element of the joint path.
 * - Each pair of a skeleton and an animation has nodes of its own, and so has each instance.
 *
 * @param stage The composed stage.
 * @param options Rules for finding the animation of a skeleton.
 * @returns The scene. Its issues are those of the stage, followed by those of its skeletons, bindings and transforms.
 * @throws FormatError USD_LIMIT if the scene has more than a million nodes.
 * @example
 * const scene = readUsdScene(openStage(parseUsda(text)));
 * const asset = readUsdAsset(scene);
 */
export function readUsdScene(stage: Stage, options: BindingOptions = {}): UsdScene {
  const issues: Issue[] = [...stage.issues];
  const nodePaths = imageablePrims(stage);
  const isSkeleton = (path: string): boolean => primAt(stage, path)?.typeName === 'Skeleton';
  const bindings = sceneSkeletons(stage, [...nodePaths].filter(isSkeleton), options, issues);
  // Bound prims are nodes even if they are not imageable themselves, such as a skeleton below a class.
  for (const { skeleton, prims } of bindings) {
    for (const bound of [skeleton, ...prims.map(({ prim }) => prim)]) {
      for (const { path } of primAndAncestors(stage, bound)) nodePaths.add(path);
    }
  }
  // Invalid blend shapes are reported here, so that clips and meshes do not report them again.
  for (const bound of bindings.flatMap(({ prims }) => prims)) issues.push(...blendShapeIssues(stage, bound));
  const skeletonsByPrim = defineSkeletons(stage, bindings, issues);
  const nodes: SceneNode[] = [];
  const skeletons = new Map<DefinedSkeleton, SceneSkeleton>();
  const nodeOfPrim = new Map<string, number>();
  for (const { path, name, parent } of stage.prims) {
    if (!nodePaths.has(path)) continue;
    const { matrix, resetsStack } = localTransform(stage, path, restTime(stage, path));
    const node: SceneNode = {
      name: displayName(stage, path) ?? name,
      parent: resetsStack ? -1 : (nodeOfPrim.get(parent) ?? -1),
      prim: path,
      joint: -1,
      isSkinJoint: false,
      matrix,
      at: 0,
    };
    nodeOfPrim.set(path, nodes.length);
    const defined = skeletonsByPrim.get(path) ?? [];
    if (defined.length === 0) addNode(nodes, node);
    for (const skeleton of defined) skeletons.set(skeleton, addSkeletonNodes(stage, nodes, node, skeleton));
  }
  const pose: RestPose = { rest: new Float64Array(nodes.length * POSE_STRIDE), sheared: [], broken: [] };
  for (const [n, { prim, joint, name, matrix, at }] of nodes.entries()) {
    setRest(pose, n, matrix, at, joint < 0 ? prim : `${prim}, joint ${name},`);
  }
  const parents = Int32Array.from(nodes, ({ parent }) => parent);
  const names = nodes.map(({ name }) => name);
  issues.push(...repairIssues(pose), ...limitRest(parents, pose.rest, names));
  return {
    stage,
    nodes: {
      name: nameOfPath(stage.metrics.defaultPrim ?? '') || 'scene',
      names,
      parents,
      rest: pose.rest,
      bind: null,
      joints: Uint8Array.from(nodes, ({ isSkinJoint }) => (isSkinJoint ? 1 : 0)),
    },
    prims: nodes.map(({ prim }) => prim),
    joints: Int32Array.from(nodes, ({ joint }) => joint),
    skeletons: bindings.flatMap((binding) => {
      const found = skeletonsByPrim.get(binding.skeleton)?.find(({ animation }) => animation === binding.animation);
      return (found && skeletons.get(found)) ?? [];
    }),
    issues: distinctIssues(stage, issues),
  };
}

/** Lists the paths of imageable prims and their ancestors, without Scopes and typeless prims that contain none. */
function imageablePrims(stage: Stage): Set<string> {
  const reached = new Set<string>(['/']);
  const imageable: string[] = [];
  for (const prim of stage.prims) {
    const { path, parent, typeName } = prim;
    if (!reached.has(parent) || !isUsable(prim) || !(typeName === '' || isImageable(typeName))) continue;
    reached.add(path);
    if (typeName !== '' && typeName !== 'Scope') imageable.push(path);
  }
  const paths = new Set<string>();
  for (const path of imageable) {
    for (let at = primAt(stage, path); at !== null && !paths.has(at.path); at = primAt(stage, at.parent)) {
      paths.add(at.path);
    }
  }
  return paths;
}

/** Reads the skeletons of bindings, keyed by Skeleton prim; invalid ones are omitted. Instances of a Skeleton share its definition. */
function defineSkeletons(
  stage: Stage,
  bindings: readonly SkelBinding[],
  issues: Issue[],
): Map<string, DefinedSkeleton[]> {
  const known = new Map<string, Omit<DefinedSkeleton, keyof SkelBinding> | null>();
  const byPrim = new Map<string, DefinedSkeleton[]>();
  for (const binding of bindings) {
    const { skeleton } = binding;
    const source = prototypePath(stage, skeleton);
    let read = known.get(source);
    if (read === undefined) {
      const { definition, issues: found } = readSkeleton(stage, source);
      issues.push(...found);
      read =
        definition === null
          ? null
          : {
              definition,
              rest: jointRest(stage, source, definition, issues),
              names: jointNames(stage, source, definition.joints, issues),
            };
      known.set(source, read);
    }
    if (read !== null) byPrim.set(skeleton, [...(byPrim.get(skeleton) ?? []), { ...binding, ...read }]);
  }
  return byPrim;
}

function jointNames(stage: Stage, skeleton: string, joints: readonly string[], issues: Issue[]): readonly string[] {
  const authored = readTokens(stage, skeleton, 'jointNames') ?? [];
  const last = joints.map(nameOfPath);
  if (authored.length === joints.length) return authored.map((name, joint) => name || last[joint]);
  if (authored.length > 0) {
    const message =
      `Skeleton ${skeleton} has ${authored.length} jointNames for ${joints.length} joints. ` +
      'The names in the joint paths are used instead. Author one name per joint.';
    issues.push(issue('USD_SKELETON_INVALID', message, { pointer: skeleton }));
  }
  return last;
}

function addNode(nodes: SceneNode[], node: SceneNode): void {
  if (nodes.length >= MAX_NODES) {
    const message = `The scene has more than ${MAX_NODES} prims and joints, the limit. Split the file.`;
    throw new FormatError('USD_LIMIT', message, { pointer: node.prim });
  }
  nodes.push(node);
}

/** Collects the joints in the joint orders of skinned prims. Null for all joints: if a prim has no joint order, and if no prim is skinned. */
function jointsOfSkins(prims: readonly BoundPrim[]): ReadonlySet<string> | null {
  const used = new Set<string>();
  // Prims that inherit a joint order share one array.
  const orders = new Set(prims.flatMap(({ influences, joints }) => (influences.hasInfluences ? [joints] : [])));
  for (const order of orders) {
    if (order === null) return null;
    for (const joint of order) used.add(joint);
  }
  return used.size === 0 ? null : used;
}

function addSkeletonNodes(stage: Stage, nodes: SceneNode[], own: SceneNode, defined: DefinedSkeleton): SceneSkeleton {
  const { skeleton, animation: animationPrim, definition, rest, names, prims } = defined;
  const node = nodes.length;
  addNode(nodes, own);
  const first = nodes.length;
  const used = jointsOfSkins(prims);
  for (const [joint, parent] of definition.parents.entries()) {
    addNode(nodes, {
      name: names[joint],
      parent: parent < 0 ? node : first + parent,
      prim: own.prim,
      joint,
      isSkinJoint: used === null || used.has(definition.joints[joint]),
      matrix: rest,
      at: joint * MATRIX_STRIDE,
    });
  }
  const animation = animationPrim === null ? null : readSkelAnimation(stage, animationPrim);
  const map = animation === null ? null : createJointMapper(animation.joints, definition.joints);
  return {
    animated: { prim: skeleton, definition, animation, map },
    node,
    jointNodes: Int32Array.from(definition.parents, (_, joint) => first + joint),
    bound: prims,
  };
}
