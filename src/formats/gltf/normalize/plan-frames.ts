/** Plans the coordinate frames of all nodes when bones get new axes, a skeleton a new pose, a model a new space. */
import { BONE_COUNT, BONES } from '../../../core/humanoid/bones.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import { isIdentityRotation } from '../../../core/normalize/canonical-rotations.ts';
import {
  createFrameChange,
  type FrameChange,
  isIdentityChange,
  toFrameChange,
} from '../../../core/normalize/frame-change.ts';
import { modelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { floatsOf, readAccessor } from '../accessors/accessor.ts';
import type { GltfDocument } from '../document/document.ts';
import {
  arrayAt,
  indexAt,
  isObject,
  type JsonObject,
  listItem,
  memberAt,
  objectItem,
} from '../document/json-access.ts';
import type { NodeForest } from '../read/read-nodes.ts';
import { type Frames, MOVED, type WrappedBone } from './frames.ts';
import type { NodeAnimation } from './node-channels.ts';
import type { NormalizeRequest } from './normalize-request.ts';
import type { RootPlan } from './plan-root.ts';

/** Relative difference up to which three scales count as uniform: the float32 rounding of a uniform scale. */
const UNIFORM_TOLERANCE = 2e-5;

/** Name of an object that would rotate with the axes of its node; null for a node without one. A skinned mesh ignores the transform of its node. */
function carriedObject(node: JsonObject): string | null {
  if (memberAt(node, 'mesh') !== undefined && memberAt(node, 'skin') === undefined) return 'a mesh';
  if (memberAt(node, 'camera') !== undefined) return 'a camera';
  const extensions = memberAt(node, 'extensions');
  const names = isObject(extensions) ? Object.keys(extensions).filter((name) => !FRAMELESS.test(name)) : [];
  return names.length > 0 ? names[0] : null;
}

/** Node extensions that do not depend on the axes of the node, and constraints, which are reported separately. */
const FRAMELESS = /^(?:KHR_node_visibility|KHR_node_selectability|KHR_node_hoverability|VRMC_node_constraint)$/;

function isUniform(scale: ArrayLike<number>, at: number): boolean {
  const [x, y, z] = [scale[at], scale[at + 1], scale[at + 2]];
  const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  return Math.max(x, y, z) - Math.min(x, y, z) <= UNIFORM_TOLERANCE * most;
}

function nonUniformlyScaled(doc: GltfDocument, animations: readonly NodeAnimation[]): Set<number> {
  const nonUniform = new Set<number>();
  const known = new Map<number, boolean>();
  for (const { json, pointer, channels } of animations) {
    const samplers = arrayAt(json, 'samplers', pointer);
    for (const { node, path, sampler } of channels) {
      if (path !== 'scale' || nonUniform.has(node) || sampler >= samplers.length) continue;
      const where = `${pointer}/samplers/${sampler}`;
      const output = indexAt(
        objectItem(samplers, sampler, `${pointer}/samplers`),
        'output',
        where,
        doc.json,
        'accessors',
      );
      if (output === undefined) continue;
      if (!known.has(output)) {
        const values = floatsOf(doc, readAccessor(doc, output), `/accessors/${output}`);
        let areUniform = true;
        for (let i = 0; i + 2 < values.length && areUniform; i += 3) areUniform = isUniform(values, i);
        known.set(output, areUniform);
      }
      if (known.get(output) === false) nonUniform.add(node);
    }
  }
  return nonUniform;
}

function findWraps(
  doc: GltfDocument,
  forest: NodeForest,
  rest: Float64Array,
  { bones, axesRotations }: NormalizeRequest,
  animations: readonly NodeAnimation[],
  firstNode: number,
): Map<number, WrappedBone> {
  const wraps = new Map<number, WrappedBone>();
  if (axesRotations === null) return wraps;
  const nonUniform = nonUniformlyScaled(doc, animations);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = bones[bone];
    if (node < 0 || isIdentityRotation(axesRotations, 4 * bone)) continue;
    const forestNode = forest.nodesBySource[node];
    const carried = carriedObject(listItem(doc.json, 'nodes', node));
    const isScaled =
      nonUniform.has(node) ||
      !isUniform(rest, POSE_STRIDE * forestNode + PATH_OFFSET.scale) ||
      !isUniform(forest.rest, POSE_STRIDE * forestNode + PATH_OFFSET.scale);
    if (!isScaled && carried === null) continue;
    const reason = isScaled ? 'have a non-uniform scale' : `carry ${carried}`;
    wraps.set(forestNode, { bone: BONES[bone], node: firstNode + wraps.size, reason });
  }
  return wraps;
}

/** The requested rest pose of all nodes of the forest, and what it changes. */
function newRest(
  forest: NodeForest,
  { sourceNodes, pose }: NormalizeRequest,
): { rest: Float64Array; moved: Uint8Array } {
  const rest = forest.rest.slice();
  const moved = new Uint8Array(forest.parents.length);
  if (pose === null) return { rest, moved };
  sourceNodes.forEach((node, i) => {
    const forestNode = forest.nodesBySource[node];
    const at = POSE_STRIDE * forestNode;
    for (let c = 0; c < POSE_STRIDE; c++) {
      if (pose[POSE_STRIDE * i + c] === rest[at + c]) continue;
      rest[at + c] = pose[POSE_STRIDE * i + c];
      moved[forestNode] |=
        c < PATH_OFFSET.rotation ? MOVED.translation : c < PATH_OFFSET.scale ? MOVED.rotation : MOVED.scale;
    }
  });
  return { rest, moved };
}

/** A of a topmost node: from the old space below its parent to the new one. */
function topChange(
  { parents }: NodeForest,
  worlds: Float64Array,
  top: number,
  { space, rootSpace }: NormalizeRequest,
  root: RootPlan,
): FrameChange {
  const matrix = new Float64Array(MATRIX_STRIDE);
  const parent = mat4.createIdentity();
  if (parents[top] >= 0) mat4.copy(parent, 0, worlds, MATRIX_STRIDE * parents[top]);
  mat4.copy(matrix, 0, parent, 0);
  if (space !== null) mat4.multiply(matrix, 0, space, 0, matrix, 0);
  const above = new Float64Array(MATRIX_STRIDE);
  if (root.isNew) mat4.copy(above, 0, rootSpace ?? mat4.createIdentity(), 0);
  else mat4.copy(above, 0, parent, 0);
  const inverse = new Float64Array(MATRIX_STRIDE);
  if (!mat4.invertAffine(inverse, 0, above, 0)) return createFrameChange({});
  mat4.multiply(matrix, 0, inverse, 0, matrix, 0);
  return toFrameChange(matrix);
}

export function planFrames(
  doc: GltfDocument,
  forest: NodeForest,
  request: NormalizeRequest,
  root: RootPlan,
  animations: readonly NodeAnimation[],
  firstNode: number,
): Frames {
  const { parents } = forest;
  const count = parents.length;
  const { rest, moved } = newRest(forest, request);
  const wraps = findWraps(doc, forest, rest, request, animations, firstNode);
  const worlds = modelMatrices(parents, rest);
  const axes = new Map<number, Float64Array>();
  for (let bone = 0; bone < BONE_COUNT && request.axesRotations !== null; bone++) {
    if (request.bones[bone] < 0 || isIdentityRotation(request.axesRotations, 4 * bone)) continue;
    axes.set(forest.nodesBySource[request.bones[bone]], request.axesRotations.slice(4 * bone, 4 * bone + 4));
  }
  const tops = new Set(root.tops.map((node) => forest.nodesBySource[node]));
  const none = createFrameChange({});
  const isBelow = new Uint8Array(count);
  const changes: FrameChange[] = [];
  const restMatrices = worlds.slice();
  for (let forestNode = 0; forestNode < count; forestNode++) {
    const parent = parents[forestNode];
    const own = axes.get(forestNode);
    const above = parent >= 0 && !wraps.has(parent) ? axes.get(parent) : undefined;
    let change = none;
    if (tops.has(forestNode)) change = topChange(forest, worlds, forestNode, request, root);
    else if (above !== undefined) change = createFrameChange({ rotation: quat.conjugated(above) });
    if (own !== undefined) change = { ...change, axes: own };
    changes.push(isIdentityChange(change) ? none : change);
    isBelow[forestNode] = tops.has(forestNode) || (parent >= 0 && isBelow[parent] === 1) ? 1 : 0;
    const at = MATRIX_STRIDE * forestNode;
    if (isBelow[forestNode] === 1 && request.space !== null)
      mat4.multiply(restMatrices, at, request.space, 0, restMatrices, at);
  }
  return { forest, oldRest: forest.rest, rest, moved, changes, wraps, restMatrices };
}
