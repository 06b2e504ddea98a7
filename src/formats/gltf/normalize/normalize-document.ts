/**
 * Edits a document so that one humanoid conforms to EXT_skeleton_humanoid: new bone axes, a new pose, a new model
 * space, and a skeleton definition. All other data keeps its index and its bytes; changed data is appended.
 */
import { BONES, type BoneName } from '../../../core/humanoid/bones.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { createAccessorPool } from '../accessors/accessor-pool.ts';
import type { GltfDocument } from '../document/document.ts';
import { arrayAt } from '../document/json-access.ts';
import {
  addSkeletonDefinition,
  type HumanoidSkeletonDefinition,
  readSkeletonDefinitions,
  replaceSkeletonDefinition,
} from '../extensions/ext-skeleton-humanoid.ts';
import { readNodes } from '../read/read-nodes.ts';
import { createRoot, createWrappers, editNodes } from './edit-nodes.ts';
import { addBonesSkin, bindShape, editSkins } from './edit-skins.ts';
import type { Frames } from './frames.ts';
import { nodeAnimations } from './node-channels.ts';
import type { NormalizeRequest, NormalizeResult } from './normalize-request.ts';
import { planFrames } from './plan-frames.ts';
import { planRoot } from './plan-root.ts';
import { rewriteChannels } from './rewrite-channels.ts';
import { skinMatrices } from './rewrite-skins.ts';
import { rotateVrmVectors } from './rotate-vrm-vectors.ts';

const ROOT_NAME = 'humanoid';

/** Adds the definition, or replaces an existing one of the same bones. Returns its index. */
function define(doc: GltfDocument, definition: HumanoidSkeletonDefinition, bones: Int32Array): number {
  const old = readSkeletonDefinitions(doc).definitions.findIndex((known) => {
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
    const message = `Nodes that ${reason} kept their axes. Each became the child of a new node, which now is the bone: ${bones.join(', ')}.`;
    const first = Array.from(wraps).find(([, { bone }]) => bone === bones[0]) as [number, unknown];
    issues.push(issue('DEFINE_BONE_WRAPPED', message, { pointer: `/nodes/${forest.sourceNodes[first[0]]}` }));
  }
}

/**
 * Applies a normalize request to a document. Buffers must have been loaded, and decoders attached where animations, inverse bind matrices or (with
 * a new pose) meshes are compressed. Discard the document after an error: it may be edited in part. `issues` receives DEFINE_BONE_WRAPPED,
 * DEFINE_CONSTRAINT, GLTF_ANIMATION. Throws RangeError for a request without bones.
 */
export function normalizeDocument(doc: GltfDocument, request: NormalizeRequest, issues: Issue[]): NormalizeResult {
  const forest = readNodes(doc, []);
  const animations = nodeAnimations(doc);
  const animated = new Set(
    animations.flatMap(({ channels }) => channels.flatMap(({ node, path }) => (path === 'weights' ? [] : [node]))),
  );
  const nodeCount = arrayAt(doc.json, 'nodes', '').length;
  // The root node comes after the nodes of wrapped bones, whose number is known only after planning.
  const draft = planRoot(forest, request, animated, nodeCount);
  const frames = planFrames(doc, forest, request, draft, animations, nodeCount);
  const root = draft.isNew ? { ...draft, node: nodeCount + frames.wraps.size } : draft;
  const modelNodes = new Set(request.sourceNodes);
  const skins = skinMatrices(doc, forest.nodesBySource);
  const shape = bindShape(skins, frames, request);
  const pool = createAccessorPool(doc);

  const channels = rewriteChannels(doc, frames, animations, modelNodes, issues);
  const meshes = editSkins(doc, pool, frames, skins, request, shape);
  editNodes(doc, frames, animated);
  createWrappers(doc, frames);
  if (root.isNew) createRoot(doc, frames, root, request.rootSpace ?? mat4.createIdentity(), ROOT_NAME);
  rotateVrmVectors(doc, frames, issues);

  const wrapOf = new Map(Array.from(frames.wraps, ([forestNode, { node }]) => [forest.sourceNodes[forestNode], node]));
  const newBones = request.bones.map((node) => wrapOf.get(node) ?? node);
  const newJoints = addBonesSkin(pool, frames, skins, request, shape, newBones);
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
