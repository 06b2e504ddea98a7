/** A composed stage as nodes and skeletons. */

import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { planOrderMap } from '../../../core/skeleton/order-map.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { nameOfPath } from '../layer/paths.ts';
import type { BindingOptions, SkelBinding } from '../skel/bindings.ts';
import { tellBlendShapes } from '../skel/blend-shapes.ts';
import type { BoundPrim } from '../skel/bound-prim.ts';
import { distinctIssues } from '../skel/instance-issues.ts';
import { isImageable } from '../skel/prim-types.ts';
import { readSkelAnimation } from '../skel/skel-animation.ts';
import { readSkeleton, type SkeletonDefinition } from '../skel/skeleton-definition.ts';
import { readTokens } from '../skel/stage-reading.ts';
import { isUsable, primAndAncestors, primAt, prototypePath, type Stage } from '../stage/stage.ts';
import { localTransform } from '../stage/xform-ops.ts';
import { displayName } from './display-name.ts';
import { jointRest, mendIssues, type RestPose, restTime, setRest } from './rest-transforms.ts';
import type { SceneSkeleton, UsdScene } from './scene.ts';
import { sceneSkeletons } from './scene-skeletons.ts';

/** Nodes that a scene may have: crowds of some thousands; skeletons in instances could ask for any number. */
const MAX_NODES = 1_000_000;

/** A node before it is counted. */
interface SceneNode {
  readonly name: string;
  readonly parent: number;
  readonly prim: string;
  /** −1 for prims. */
  readonly joint: number;
  /** Whether it is a joint that a bound prim may hang on. */
  readonly isOfSkin: boolean;
  /** Local matrix at rest. */
  readonly matrix: Float64Array;
  /** Where it begins in `matrix`. */
  readonly at: number;
}

/** A skeleton with its definition and how its joints rest. */
interface PlacedSkeleton extends SkelBinding {
  readonly definition: SkeletonDefinition;
  readonly rest: Float64Array;
  readonly names: readonly string[];
}

/**
 * The nodes and skeletons of a stage.
 *
 * Nodes are the prims that are there to be used and that can be seen or have a place: Xform, SkelRoot, Scope, Skeleton, Camera, lights, all gprims, and
 * prims without type; no Scopes and prims without type below which there is nothing of this, no materials, animations, blend shapes and subsets.
 * Rest is their transform at the default time, or at the first sample where there is nothing else. A prim that resets the stack of transforms is a root.
 * Their names are `displayName`, else the names of the prims.
 *
 * Joints hang below the node of their Skeleton, at rest as `restTransforms` has them; without these as in the bind pose. Their names are `jointNames`, else
 * the last elements of their paths. Every pair of a skeleton and an animation has nodes of its own, and so has every instance.
 *
 * FormatError USD_LIMIT for more than a million nodes; what is odd goes to `issues`, those of the stage first.
 */
export function readUsdScene(stage: Stage, options: BindingOptions = {}): UsdScene {
  const issues: Issue[] = [...stage.issues];
  const placed = placedPrims(stage);
  const ofType = (path: string): boolean => primAt(stage, path)?.typeName === 'Skeleton';
  const bindings = sceneSkeletons(stage, [...placed].filter(ofType), options, issues);
  // What is bound may itself be out of sight, as a skeleton below a class.
  for (const { skeleton, prims } of bindings) {
    for (const bound of [skeleton, ...prims.map(({ prim }) => prim)]) {
      for (const { path } of primAndAncestors(stage, bound)) placed.add(path);
    }
  }
  tellShapes(stage, bindings, issues);
  const skeletonsByPrim = defineSkeletons(stage, bindings, issues);
  const nodes: SceneNode[] = [];
  const skeletons = new Map<PlacedSkeleton, SceneSkeleton>();
  const nodeOfPrim = new Map<string, number>();
  for (const { path, name, parent } of stage.prims) {
    if (!placed.has(path)) continue;
    const { matrix, resetsStack } = localTransform(stage, path, restTime(stage, path));
    const node: SceneNode = {
      name: displayName(stage, path) ?? name,
      parent: resetsStack ? -1 : (nodeOfPrim.get(parent) ?? -1),
      prim: path,
      joint: -1,
      isOfSkin: false,
      matrix,
      at: 0,
    };
    nodeOfPrim.set(path, nodes.length);
    const stands = skeletonsByPrim.get(path) ?? [];
    if (stands.length === 0) addNode(nodes, node);
    for (const skeleton of stands) skeletons.set(skeleton, addSkeleton(stage, nodes, node, skeleton));
  }
  const pose: RestPose = { rest: new Float64Array(nodes.length * POSE_STRIDE), sheared: [], broken: [] };
  for (const [n, { prim, joint, name, matrix, at }] of nodes.entries()) {
    setRest(pose, n, matrix, at, joint < 0 ? prim : `${prim}, joint ${name},`);
  }
  issues.push(...mendIssues(pose));
  return {
    stage,
    nodes: {
      name: nameOfPath(stage.metrics.defaultPrim ?? '') || 'scene',
      names: nodes.map(({ name }) => name),
      parents: Int32Array.from(nodes, ({ parent }) => parent),
      rest: pose.rest,
      bind: null,
      joints: Uint8Array.from(nodes, ({ isOfSkin }) => (isOfSkin ? 1 : 0)),
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

/** Paths of the prims that are nodes by themselves. */
function placedPrims(stage: Stage): Set<string> {
  const reached = new Set<string>(['/']);
  const seen: string[] = [];
  for (const prim of stage.prims) {
    const { path, parent, typeName } = prim;
    if (!reached.has(parent) || !isUsable(prim) || !(typeName === '' || isImageable(typeName))) continue;
    reached.add(path);
    if (typeName !== '' && typeName !== 'Scope') seen.push(path);
  }
  const placed = new Set<string>();
  for (const path of seen) {
    for (let at = primAt(stage, path); at !== null && !placed.has(at.path); at = primAt(stage, at.parent)) {
      placed.add(at.path);
    }
  }
  return placed;
}

/** Tells of blend shapes that do not count: here, so that neither clips nor meshes tell again. */
function tellShapes(stage: Stage, bindings: readonly SkelBinding[], issues: Issue[]): void {
  for (const bound of bindings.flatMap(({ prims }) => prims)) tellBlendShapes(stage, bound, issues);
}

/** The bindings whose skeleton is valid, by its prim. Instances of a Skeleton share its definition. */
function defineSkeletons(
  stage: Stage,
  bindings: readonly SkelBinding[],
  issues: Issue[],
): Map<string, PlacedSkeleton[]> {
  const known = new Map<string, Omit<PlacedSkeleton, keyof SkelBinding> | null>();
  const byPrim = new Map<string, PlacedSkeleton[]>();
  for (const binding of bindings) {
    const { skeleton } = binding;
    const source = prototypePath(stage, skeleton);
    let read = known.get(source);
    if (read === undefined) {
      const definition = readSkeleton(stage, source, issues);
      read =
        definition === null
          ? null
          : {
              definition,
              rest: jointRest(source, definition, issues),
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
    const message = `Skeleton ${skeleton} has ${authored.length} jointNames for ${joints.length} joints; the names in their paths were taken. Give one for each.`;
    issues.push(issue('USD_SKELETON_INVALID', message, { pointer: skeleton }));
  }
  return last;
}

function addNode(nodes: SceneNode[], node: SceneNode): void {
  if (nodes.length >= MAX_NODES) {
    const message = `The scene has more than ${MAX_NODES} prims and joints; split it`;
    throw new FormatError('USD_LIMIT', message, { pointer: node.prim });
  }
  nodes.push(node);
}

/**
 * Joints that are in the joint order of a prim; null for all of them: where a prim has no order of its own, and where joints move no prim.
 */
function jointsOfSkins(prims: readonly BoundPrim[]): ReadonlySet<string> | null {
  const used = new Set<string>();
  // Prims that inherit an order have one list.
  const orders = new Set(prims.flatMap(({ influences, joints }) => (influences.hasInfluences ? [joints] : [])));
  for (const order of orders) {
    if (order === null) return null;
    for (const joint of order) used.add(joint);
  }
  return used.size === 0 ? null : used;
}

/** Adds the node of a Skeleton prim and its joints. */
function addSkeleton(stage: Stage, nodes: SceneNode[], own: SceneNode, placed: PlacedSkeleton): SceneSkeleton {
  const { skeleton, animation: animationPrim, definition, rest, names, prims } = placed;
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
      isOfSkin: used === null || used.has(definition.joints[joint]),
      matrix: rest,
      at: joint * MATRIX_STRIDE,
    });
  }
  const animation = animationPrim === null ? null : readSkelAnimation(stage, animationPrim);
  const map = animation === null ? null : planOrderMap(animation.joints, definition.joints);
  return {
    animated: { prim: skeleton, definition, animation, map },
    node,
    jointNodes: Int32Array.from(definition.parents, (_, joint) => first + joint),
    bound: prims,
  };
}
