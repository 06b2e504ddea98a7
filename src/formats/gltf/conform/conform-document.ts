/**
 * Makes a humanoid of a document conform to EXT_skeleton_humanoid: its bones get other axes, its body another pose, its model another space, and a
 * definition says which node is which bone. Everything else keeps its place and its bytes; data that changes is appended.
 */
import { BONE_COUNT, BONES, type BoneName } from '../../../core/humanoid/bones.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { type AccessorPool, accessorPool } from '../accessor-pool.ts';
import type { GltfDocument } from '../document.ts';
import {
  addSkeletonDefinition,
  readSkeletonDefinitions,
  replaceSkeletonDefinition,
  type SkeletonDefinition,
} from '../extensions/ext-skeleton-humanoid.ts';
import { readNodes } from '../read-nodes.ts';
import { arrayAt } from '../schema.ts';
import { appendBonesSkin, type BoundBone } from './bones-skin.ts';
import { editNodes, makeRoot, makeWraps } from './edit-nodes.ts';
import { turnLocalVectors } from './local-vectors.ts';
import { nodeAnimations } from './node-channels.ts';
import { type Frames, newMatrix, planFrames, turnAxes, wrapMatrix } from './plan-frames.ts';
import { planRoot } from './plan-root.ts';
import { rebakeMeshes } from './rebake-meshes.ts';
import { rewriteChannels } from './rewrite-channels.ts';
import {
  atRest,
  isUnset,
  reexpressed,
  type SkinMatrices,
  skinMatrices,
  storeInverseBind,
  weightedJoints,
} from './rewrite-skins.ts';

/** What is to be done with a document. Nodes are those of the file; matrices have {@link MATRIX_STRIDE} floats. */
export interface ConformRequest {
  /** Node per bone in the order of BONES, −1 where absent. */
  readonly bones: Int32Array;
  /** Nodes of the skeleton that the bones are of. */
  readonly sourceNodes: Int32Array;
  /** Where they were bound, model space, a matrix each; where they rest when no skin binds them. */
  readonly bind: Float64Array;
  /** Nodes that other skeletons have as well. */
  readonly shared: ReadonlySet<number>;
  /** G per bone (`canonicalTurns`), xyzw; null: the axes stay. */
  readonly turns: Float64Array | null;
  /** Local pose of the nodes of the skeleton that becomes the rest and the bind pose, meshes re-baked; null: both stay. */
  readonly pose: Float64Array | null;
  /** X: from the space of the file to that of the new one; turn, one scale, shift. Null: it stays. */
  readonly space: Float64Array | null;
  /** Y: where the root node is to stand when that is not the space of the scene; null: it is. */
  readonly rootSpace: Float64Array | null;
  /** What the root node should stand in: with `isWhole` its matrix in the new file, else the turn of the model's space (facing +Z, +Y up) in the file. */
  readonly modelSpace: Float64Array;
  /** Whether the root node must stand in the space of the model, and is made where there is none. */
  readonly isWhole: boolean;
}

/** What was done. */
export interface ConformResult {
  readonly definition: SkeletonDefinition;
  /** Index in `humanoidSkeletons`. */
  readonly index: number;
  /** Bones that have a new node above their old one. */
  readonly wrapped: readonly BoneName[];
  /** Bones that became joints of a new skin; none without one. */
  readonly newJoints: readonly BoneName[];
  /** Whether a root node was made. */
  readonly hasNewRoot: boolean;
  /** Channels with other values, and channels that were added to hold the old rest pose. */
  readonly channels: { readonly rewritten: number; readonly held: number };
  /** Meshes with other vertices. */
  readonly meshes: number;
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** Name of the node and of the skin that are made where there is none. */
const ROOT_NAME = 'humanoid';
const SKIN_NAME = 'humanoid bones';

/**
 * Binds joints whose matrices were never set where they stand: turned, an identity would not be known as one any more, and would bind them at the origin. Only
 * joints that move no vertex.
 */
function bindUnset(
  doc: GltfDocument,
  frames: Frames,
  skin: SkinMatrices,
  matrices: Float64Array,
  request: ConformRequest,
  shape: Float64Array,
): void {
  const { joints, inverseBind } = skin;
  const unset = Array.from(joints.keys()).filter((joint) => isUnset(inverseBind, joint));
  if (unset.length < 2 || unset.length === joints.length) return;
  const weighted = weightedJoints(doc, skin);
  const matrix = new Float64Array(MATRIX_STRIDE);
  for (const joint of unset) {
    const node = frames.forest.sourceNodes[joints[joint]];
    if (weighted.has(joint) || !request.sourceNodes.includes(node) || frames.wraps.has(joints[joint])) continue;
    if (!mat4.invertAffine(matrix, 0, boundMatrix(frames, request, node, false), 0)) continue;
    mat4.multiply(matrices, MATRIX_STRIDE * joint, matrix, 0, shape, 0);
  }
}

/** Writes new inverse bind matrices, and with a new pose new meshes; gives the number of these. */
function editSkins(
  doc: GltfDocument,
  pool: AccessorPool,
  frames: Frames,
  skins: readonly SkinMatrices[],
  request: ConformRequest,
  shape: Float64Array,
  members: ReadonlySet<number>,
): number {
  const { pose, rootSpace } = request;
  if (pose === null) {
    for (const skin of skins) {
      const matrices = reexpressed(skin, frames);
      if (matrices === null) continue;
      bindUnset(doc, frames, skin, matrices, request, shape);
      storeInverseBind(pool, skin.json, matrices);
    }
    return 0;
  }
  const own = skins.filter(({ joints }) => joints.some((place) => members.has(frames.forest.sourceNodes[place])));
  const space = rootSpace ?? IDENTITY;
  const count = rebakeMeshes(doc, pool, frames, own, space);
  for (const skin of own) storeInverseBind(pool, skin.json, atRest(skin, frames, space));
  return count;
}

/** The bind-shape factor of the skin that has most bones: `bind(j) · IBM(j)` of one of its joints; the identity without a skin. */
function bindShape(
  skins: readonly SkinMatrices[],
  { forest }: Frames,
  { bones, bind, sourceNodes, pose, rootSpace }: ConformRequest,
): Float64Array {
  if (pose !== null) return rootSpace ?? IDENTITY;
  let shape = IDENTITY;
  let most = 0;
  const memberOf = new Map(Array.from(sourceNodes, (node, i) => [node, i]));
  for (const { joints, inverseBind } of skins) {
    const own = Array.from(joints.keys()).filter((joint) => {
      return bones.includes(forest.sourceNodes[joints[joint]]) && !isUnset(inverseBind, joint);
    });
    if (own.length <= most) continue;
    const member = memberOf.get(forest.sourceNodes[joints[own[0]]]);
    if (member === undefined) continue;
    most = own.length;
    shape = new Float64Array(MATRIX_STRIDE);
    mat4.multiply(shape, 0, bind, MATRIX_STRIDE * member, inverseBind, MATRIX_STRIDE * own[0]);
  }
  return shape;
}

/** Where a bone that is in no skin is bound, new axes. */
function boundMatrix(frames: Frames, request: ConformRequest, node: number, isWrapped: boolean): Float64Array {
  const { forest, changes } = frames;
  const place = forest.places[node];
  const out = new Float64Array(MATRIX_STRIDE);
  const memberOf = new Map(Array.from(request.sourceNodes, (source, i) => [source, i]));
  const member = memberOf.get(node);
  if (request.pose !== null || member === undefined) {
    if (isWrapped) wrapMatrix(out, frames, place);
    else newMatrix(out, 0, frames, place);
    return out;
  }
  mat4.copy(out, 0, request.bind, MATRIX_STRIDE * member);
  if (isWrapped) {
    const parent = memberOf.get(forest.sourceNodes[forest.parents[place]] ?? -1);
    removeScale(out, parent === undefined ? IDENTITY : request.bind.subarray(MATRIX_STRIDE * parent));
  }
  turnAxes(out, 0, changes[place].axes);
  return out;
}

/** Takes the scale that a bone has below its parent out of its matrix. */
function removeScale(matrix: Float64Array, parent: Float64Array): void {
  const local = new Float64Array(MATRIX_STRIDE);
  const trs = new Float64Array(POSE_STRIDE);
  if (!mat4.invertAffine(local, 0, parent, 0)) return;
  mat4.multiply(local, 0, local, 0, matrix, 0);
  mat4.decompose(trs, 0, local, 0);
  trs.fill(1, 7);
  mat4.compose(local, 0, trs, 0);
  mat4.multiply(matrix, 0, parent, 0, local, 0);
}

/** Puts bones that no skin has into one of their own; those that it got. */
function joinBones(
  pool: AccessorPool,
  frames: Frames,
  skins: readonly SkinMatrices[],
  request: ConformRequest,
  shape: Float64Array,
  newBones: Int32Array,
): BoneName[] {
  const { sourceNodes } = frames.forest;
  const joints = new Set(skins.flatMap((skin) => Array.from(skin.joints, (place) => sourceNodes[place])));
  const bound: BoundBone[] = [];
  const names: BoneName[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = newBones[bone];
    if (node < 0 || joints.has(node)) continue;
    const old = request.bones[bone];
    bound.push({ node, matrix: boundMatrix(frames, request, old, node !== old) });
    names.push(BONES[bone]);
  }
  if (bound.length > 0) appendBonesSkin(pool, bound, shape, SKIN_NAME);
  return names;
}

/** Adds the definition, in the place of an old one of the same hips. */
function define(doc: GltfDocument, definition: SkeletonDefinition, bones: Int32Array): number {
  const old = readSkeletonDefinitions(doc).findIndex((known) => {
    return Object.entries(known.bones).some(([name, node]) => node === bones[BONES.indexOf(name as BoneName)]);
  });
  if (old < 0) return addSkeletonDefinition(doc, definition);
  replaceSkeletonDefinition(doc, old, definition);
  return old;
}

function reportWraps({ wraps, forest }: Frames, issues: Issue[]): void {
  const reasons = new Map<string, BoneName[]>();
  for (const { bone, reason } of wraps.values()) reasons.set(reason, [...(reasons.get(reason) ?? []), bone]);
  for (const [reason, bones] of reasons) {
    const message = `Nodes that ${reason} keep their axes, each below a new node, which is the bone now: ${bones.join(', ')}`;
    const first = Array.from(wraps).find(([, { bone }]) => bone === bones[0]) as [number, unknown];
    issues.push(issue('DEFINE_BONE_WRAPPED', message, { pointer: `/nodes/${forest.sourceNodes[first[0]]}` }));
  }
}

/**
 * Edits the document. Buffers must have been loaded, decoders attached where something is compressed that has to be read: animations,
 * inverse bind matrices, with a new pose meshes. RangeError for a request without bones; FormatError as with `readAccessor`, before anything was changed
 * or not: a document that failed is of no use.
 */
export function conformDocument(doc: GltfDocument, request: ConformRequest, issues: Issue[]): ConformResult {
  const forest = readNodes(doc, []);
  const animations = nodeAnimations(doc);
  const animated = new Set(
    animations.flatMap(({ channels }) => channels.flatMap(({ node, path }) => (path === 'weights' ? [] : [node]))),
  );
  const nodeCount = arrayAt(doc.json, 'nodes', '').length;
  // The root is made last; how many bones are wrapped is known once it is planned, so it is planned twice.
  const draft = planRoot(forest, request, animated, nodeCount);
  const frames = planFrames(doc, forest, request, draft, animations, nodeCount);
  const root = draft.isNew ? { ...draft, node: nodeCount + frames.wraps.size } : draft;
  const members = new Set(request.sourceNodes);
  const skins = skinMatrices(doc, forest.places);
  const shape = bindShape(skins, frames, request);
  const pool = accessorPool(doc);

  const channels = rewriteChannels(doc, frames, animations, members, issues);
  const meshes = editSkins(doc, pool, frames, skins, request, shape, members);
  editNodes(doc, frames, animated);
  makeWraps(doc, frames);
  if (root.isNew) makeRoot(doc, frames, root, request.rootSpace ?? IDENTITY, ROOT_NAME);
  turnLocalVectors(doc, frames, issues);

  const wrapOf = new Map(Array.from(frames.wraps, ([place, { node }]) => [forest.sourceNodes[place], node]));
  const newBones = request.bones.map((node) => wrapOf.get(node) ?? node);
  const newJoints = joinBones(pool, frames, skins, request, shape, newBones);
  const bones: Partial<Record<BoneName, number>> = {};
  newBones.forEach((node, bone) => {
    if (node >= 0) bones[BONES[bone]] = node;
  });
  const definition = { rootNode: wrapOf.get(root.node) ?? root.node, bones };
  const index = define(doc, definition, request.bones);
  reportWraps(frames, issues);
  const wrapped = Array.from(frames.wraps.values(), ({ bone }) => bone);
  return { definition, index, wrapped, newJoints, hasNewRoot: root.isNew, channels, meshes };
}
