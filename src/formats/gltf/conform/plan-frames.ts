/** What becomes of the frame of every node when bones get other axes, a body another pose, a model another space. */
import { isNoTurn } from '../../../core/conform/canonical-turns.ts';
import { type FrameChange, frameChange, isNoChange, similarityOf } from '../../../core/conform/frame-change.ts';
import { BONE_COUNT, BONES, type BoneName } from '../../../core/humanoid/bones.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { localToModelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { floatsOf, readAccessor } from '../accessor.ts';
import type { GltfDocument } from '../document.ts';
import type { NodeForest } from '../read-nodes.ts';
import { arrayAt, indexAt, isObject, type JsonObject, listItem, memberAt, objectItem } from '../schema.ts';
import type { ConformRequest } from './conform-document.ts';
import type { NodeAnimation } from './node-channels.ts';
import type { RootPlan } from './plan-root.ts';

/** Share by which the scales of the three axes may differ and still turn as one: what float32 makes of an even scale. */
const EVEN = 2e-5;

/** Bits of what a new rest pose moves. */
export const MOVED = { translation: 1, rotation: 2, scale: 4 } as const;

/** A bone whose old node stays as it is, below a new node that is the bone now. */
export interface Wrap {
  readonly bone: BoneName;
  /** Index that the new node gets. */
  readonly node: number;
  /** Why, in words: nodes that … */
  readonly reason: string;
}

/** Frames by place of the node forest. */
export interface Frames {
  readonly forest: NodeForest;
  /** Local, as the file has it. */
  readonly oldRest: Float64Array;
  /** Local rest pose, axes and space still the old ones. */
  readonly rest: Float64Array;
  /** {@link MOVED}: what differs between the two. */
  readonly moved: Uint8Array;
  /** What becomes of local transforms; of a wrapped bone this is for its new node, its old one gets rid of all but its scale. */
  readonly changes: readonly FrameChange[];
  readonly wraps: ReadonlyMap<number, Wrap>;
  /** Matrix of every node at rest in the new file, with its old axes: {@link MATRIX_STRIDE} floats. */
  readonly shown: Float64Array;
}

/** What of a node would turn with its axes, in words; null when nothing would. A skinned mesh does not stand where its node does. */
function cargoOf(node: JsonObject): string | null {
  if (memberAt(node, 'mesh') !== undefined && memberAt(node, 'skin') === undefined) return 'a mesh';
  if (memberAt(node, 'camera') !== undefined) return 'a camera';
  const extensions = memberAt(node, 'extensions');
  const names = isObject(extensions) ? Object.keys(extensions).filter((name) => !FRAMELESS.test(name)) : [];
  return names.length > 0 ? names[0] : null;
}

/** Extensions of a node that do not care which way its axes point, or of which constraints are reported by themselves. */
const FRAMELESS = /^(?:KHR_node_visibility|KHR_node_selectability|KHR_node_hoverability|VRMC_node_constraint)$/;

function isEven(scale: ArrayLike<number>, at: number): boolean {
  const [x, y, z] = [scale[at], scale[at + 1], scale[at + 2]];
  const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  return Math.max(x, y, z) - Math.min(x, y, z) <= EVEN * most;
}

/** Nodes that some animation scales unevenly. */
function unevenlyScaled(doc: GltfDocument, animations: readonly NodeAnimation[]): Set<number> {
  const uneven = new Set<number>();
  const known = new Map<number, boolean>();
  for (const { json, pointer, channels } of animations) {
    const samplers = arrayAt(json, 'samplers', pointer);
    for (const { node, path, sampler } of channels) {
      if (path !== 'scale' || uneven.has(node) || sampler >= samplers.length) continue;
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
        let areEven = true;
        for (let i = 0; i + 2 < values.length && areEven; i += 3) areEven = isEven(values, i);
        known.set(output, areEven);
      }
      if (known.get(output) === false) uneven.add(node);
    }
  }
  return uneven;
}

function findWraps(
  doc: GltfDocument,
  forest: NodeForest,
  rest: Float64Array,
  { bones, turns }: ConformRequest,
  animations: readonly NodeAnimation[],
  firstNode: number,
): Map<number, Wrap> {
  const wraps = new Map<number, Wrap>();
  if (turns === null) return wraps;
  const uneven = unevenlyScaled(doc, animations);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = bones[bone];
    if (node < 0 || isNoTurn(turns, 4 * bone)) continue;
    const place = forest.places[node];
    const carried = cargoOf(listItem(doc.json, 'nodes', node));
    const isScaled =
      uneven.has(node) || !isEven(rest, POSE_STRIDE * place + 7) || !isEven(forest.rest, POSE_STRIDE * place + 7);
    if (!isScaled && carried === null) continue;
    const reason = isScaled ? 'are scaled unevenly' : `carry ${carried}`;
    wraps.set(place, { bone: BONES[bone], node: firstNode + wraps.size, reason });
  }
  return wraps;
}

/** The pose that was asked for at the places of the forest, and what it moves. */
function newRest(forest: NodeForest, { sourceNodes, pose }: ConformRequest): { rest: Float64Array; moved: Uint8Array } {
  const rest = forest.rest.slice();
  const moved = new Uint8Array(forest.parents.length);
  if (pose === null) return { rest, moved };
  sourceNodes.forEach((node, i) => {
    const place = forest.places[node];
    const at = POSE_STRIDE * place;
    for (let c = 0; c < POSE_STRIDE; c++) {
      if (pose[POSE_STRIDE * i + c] === rest[at + c]) continue;
      rest[at + c] = pose[POSE_STRIDE * i + c];
      moved[place] |= c < 3 ? MOVED.translation : c < 7 ? MOVED.rotation : MOVED.scale;
    }
  });
  return { rest, moved };
}

/** A of the tops: out of the old space below their parent into the new one. */
function topChange(
  { parents }: NodeForest,
  worlds: Float64Array,
  top: number,
  { space, rootSpace }: ConformRequest,
  root: RootPlan,
): FrameChange {
  const matrix = new Float64Array(MATRIX_STRIDE);
  const parent = new Float64Array(MATRIX_STRIDE);
  mat4.identity(parent, 0);
  if (parents[top] >= 0) mat4.copy(parent, 0, worlds, MATRIX_STRIDE * parents[top]);
  mat4.copy(matrix, 0, parent, 0);
  if (space !== null) mat4.multiply(matrix, 0, space, 0, matrix, 0);
  const above = new Float64Array(MATRIX_STRIDE);
  if (root.isNew) mat4.copy(above, 0, rootSpace ?? IDENTITY, 0);
  else mat4.copy(above, 0, parent, 0);
  const inverse = new Float64Array(MATRIX_STRIDE);
  if (!mat4.invertAffine(inverse, 0, above, 0)) return frameChange({});
  mat4.multiply(matrix, 0, inverse, 0, matrix, 0);
  return similarityOf(matrix).change;
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** Plans frames of all nodes. `firstNode`: the index that the first new node gets. */
export function planFrames(
  doc: GltfDocument,
  forest: NodeForest,
  request: ConformRequest,
  root: RootPlan,
  animations: readonly NodeAnimation[],
  firstNode: number,
): Frames {
  const { parents } = forest;
  const count = parents.length;
  const { rest, moved } = newRest(forest, request);
  const wraps = findWraps(doc, forest, rest, request, animations, firstNode);
  const worlds = new Float64Array(MATRIX_STRIDE * count);
  localToModelMatrices(worlds, parents, rest);
  const axes = new Map<number, Float64Array>();
  for (let bone = 0; bone < BONE_COUNT && request.turns !== null; bone++) {
    if (request.bones[bone] < 0 || isNoTurn(request.turns, 4 * bone)) continue;
    axes.set(forest.places[request.bones[bone]], request.turns.slice(4 * bone, 4 * bone + 4));
  }
  const tops = new Set(root.tops.map((node) => forest.places[node]));
  const none = frameChange({});
  const isBelow = new Uint8Array(count);
  const changes: FrameChange[] = [];
  const shown = worlds.slice();
  for (let place = 0; place < count; place++) {
    const parent = parents[place];
    const own = axes.get(place);
    const above = parent >= 0 && !wraps.has(parent) ? axes.get(parent) : undefined;
    let change = none;
    if (tops.has(place)) change = topChange(forest, worlds, place, request, root);
    else if (above !== undefined) {
      const rotation = new Float64Array(4);
      quat.conjugate(rotation, 0, above, 0);
      change = frameChange({ rotation });
    }
    if (own !== undefined) change = { ...change, axes: own };
    changes.push(isNoChange(change) ? none : change);
    isBelow[place] = tops.has(place) || (parent >= 0 && isBelow[parent] === 1) ? 1 : 0;
    const at = MATRIX_STRIDE * place;
    if (isBelow[place] === 1 && request.space !== null) mat4.multiply(shown, at, request.space, 0, shown, at);
  }
  return { forest, oldRest: forest.rest, rest, moved, changes, wraps, shown };
}

/** The matrix of a node at rest in the new file, with its new axes; of a wrapped bone that of its old node. */
export function newMatrix(out: Float64Array, o: number, { shown, changes, wraps }: Frames, place: number): void {
  mat4.copy(out, o, shown, MATRIX_STRIDE * place);
  if (!wraps.has(place)) turnAxes(out, o, changes[place].axes);
}

/** Turns the axes of a matrix: `M · G`. */
export function turnAxes(out: Float64Array, o: number, axes: ArrayLike<number>): void {
  if (isNoTurn(axes, 0)) return;
  const turn = new Float64Array(MATRIX_STRIDE);
  mat4.compose(turn, 0, [0, 0, 0, axes[0], axes[1], axes[2], axes[3], 1, 1, 1], 0);
  mat4.multiply(out, o, out, o, turn, 0);
}

/** The matrix of the new node of a wrapped bone: that of its old node without the scale of that, and with the new axes. */
export function wrapMatrix(out: Float64Array, { forest, shown, rest, changes }: Frames, place: number): void {
  const unscale = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
  const at = POSE_STRIDE * place;
  const scale = rest.subarray(at + 7, at + 10);
  if (scale.every((value) => value !== 0)) {
    for (let c = 0; c < 3; c++) unscale[7 + c] = 1 / scale[c];
    mat4.compose(out, 0, unscale, 0);
    mat4.multiply(out, 0, shown, MATRIX_STRIDE * place, out, 0);
  } else {
    const local = rest.slice(at, at + POSE_STRIDE);
    local.fill(1, 7);
    mat4.compose(out, 0, local, 0);
    const parent = forest.parents[place];
    if (parent >= 0) mat4.multiply(out, 0, shown, MATRIX_STRIDE * parent, out, 0);
  }
  turnAxes(out, 0, changes[place].axes);
}

/** Whether a change does anything to the values of a path. */
export function touches({ rotation, scale, translation, axes }: FrameChange, path: keyof typeof MOVED): boolean {
  if (path === 'scale') return scale !== 1;
  if (path === 'rotation') return !isNoTurn(rotation, 0) || !isNoTurn(axes, 0);
  return scale !== 1 || vec3.length(translation, 0) !== 0 || !isNoTurn(rotation, 0);
}
