/** Plans playback of clips on their own skeleton, from compiled frames straight to model or skinning matrices. */
import type { Floats } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import {
  findReflections,
  type PoseSigns,
  reflectInverseBind,
  withoutReflections,
} from '../../core/skeleton/reflections.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import type { PlaybackPlan, PlaybackSkin } from './playback-plan.ts';

/** A plan, or the reason why the general path is needed. */
export type PlaybackPlanning =
  | { readonly plan: PlaybackPlan; readonly reason: null }
  | { readonly plan: null; readonly reason: string };

/** Largest relative difference of scales that count as uniform, and of bind matrices that count as rotations: float32 files. */
const UNIFORM = 1e-5;

/** The rotation, scale and translation of an inverse bind matrix that has no shear. */
interface Bind {
  readonly rotation: Float64Array;
  readonly scale: number;
  readonly translation: Float64Array;
}

/** Returns whether the three local scales at `at` are the same, within a relative tolerance, and not 0. */
export function isUniform(local: Floats, at: number, tolerance = UNIFORM): boolean {
  const [x, y, z] = [local[at], local[at + 1], local[at + 2]];
  const most = tolerance * Math.abs(x);
  return x !== 0 && Math.abs(y - x) <= most && Math.abs(z - x) <= most;
}

/** Splits an inverse bind matrix; null for one with shear or non-uniform scale. */
function splitBind(matrix: ArrayLike<number>, at: number): Bind | null {
  const determinant = mat4.determinant(matrix, at);
  const scale = Math.cbrt(determinant);
  if (!(Math.abs(scale) > 0 && Number.isFinite(scale))) return null;
  const rotation = new Float64Array(4);
  const unscaled = Float64Array.from({ length: MATRIX_STRIDE }, (_, i) => matrix[at + i] / (i % 4 === 3 ? 1 : scale));
  quat.fromMatrix(rotation, 0, unscaled, 0);
  quat.normalize(rotation, 0, rotation, 0);
  const column = new Float64Array(3);
  for (let c = 0; c < 3; c++) {
    vec3.set(column, 0, c === 0 ? 1 : 0, c === 1 ? 1 : 0, c === 2 ? 1 : 0);
    vec3.rotate(column, 0, rotation, 0, column, 0);
    if (!(vec3.distance(column, 0, unscaled, 4 * c) <= UNIFORM)) return null;
  }
  return { rotation, scale, translation: Float64Array.from({ length: 3 }, (_, c) => matrix[at + 12 + c]) };
}

/** A matrix of a plan before its lists are built. */
export interface PlannedMatrix {
  readonly node: number;
  /** Step that rotates it, −1 for none. */
  readonly driver: number;
  /** Rotation after that of the driver, without the bind pose; xyzw. */
  readonly after: Float64Array;
}

const UNIT_BIND: Bind = { rotation: Float64Array.of(0, 0, 0, 1), scale: 1, translation: new Float64Array(3) };

/** The part of a plan about matrices. */
type MatrixLists = Pick<
  PlaybackPlan,
  | 'resultCount'
  | 'slots'
  | 'parents'
  | 'drivers'
  | 'after'
  | 'scales'
  | 'binds'
  | 'toParents'
  | 'nodes'
  | 'translations'
>;

/** Lists the nodes whose matrices are needed, ascending: those of the skin and all above; without a skin all nodes. */
export function neededNodes(parents: Int32Array, skin: PlaybackSkin | null): number[] {
  const needed = new Uint8Array(parents.length);
  if (skin === null) needed.fill(1);
  else {
    for (let joint = 0; joint < skin.joints.length; joint++) {
      for (let node = skin.joints[joint]; node >= 0 && needed[node] === 0; node = parents[node]) needed[node] = 1;
    }
  }
  return Array.from(needed.keys()).filter((node) => needed[node] === 1);
}

/**
 * Builds the lists of matrices of a plan from its matrices, parents first. Returns a text with the reason where scales or bind matrices do not
 * allow it.
 */
export function planMatrices(
  planned: readonly PlannedMatrix[],
  parents: Int32Array,
  rest: Floats,
  skin: PlaybackSkin | null,
): MatrixLists | string {
  const count = planned.length;
  const resultCount = skin === null ? parents.length : skin.joints.length;
  const slotOf = new Int32Array(parents.length).fill(-1);
  for (let joint = 0; skin !== null && joint < skin.joints.length; joint++) {
    if (slotOf[skin.joints[joint]] >= 0) return `node ${skin.joints[joint]} is two joints of the skin`;
    slotOf[skin.joints[joint]] = joint;
  }
  const indexOf = new Int32Array(parents.length).fill(-1);
  const modelScales = new Float64Array(count);
  const inverses: { rotation: Float64Array; scale: number }[] = [];
  const lists: MatrixLists = {
    resultCount,
    slots: new Int32Array(count),
    parents: new Int32Array(count),
    drivers: Int32Array.from(planned, ({ driver }) => driver),
    after: new Float64Array(4 * count),
    scales: new Float64Array(count),
    binds: new Float64Array(3 * count),
    toParents: new Float64Array(9 * count),
    nodes: Int32Array.from(planned, ({ node }) => node),
    translations: new Float64Array(3 * count),
  };
  let extra = resultCount;
  for (const [k, { node, after }] of planned.entries()) {
    indexOf[node] = k;
    const parent = parents[node] < 0 ? -1 : indexOf[parents[node]];
    const scale = POSE_STRIDE * node + PATH_OFFSET.scale;
    if (!isUniform(rest, scale)) return `node ${node} has a scale that is not uniform`;
    modelScales[k] = rest[scale] * (parent < 0 ? 1 : modelScales[parent]);
    const joint = skin === null ? -1 : slotOf[node];
    let bind: Bind | null = UNIT_BIND;
    if (skin !== null && skin.inverseBind !== null && joint >= 0) {
      bind = splitBind(skin.inverseBind, MATRIX_STRIDE * joint);
      if (bind === null) return `joint ${joint} has an inverse bind matrix that is not a rotation with uniform scale`;
    }
    lists.slots[k] = skin === null ? node : joint >= 0 ? joint : extra++;
    lists.parents[k] = parent;
    quat.multiply(lists.after, 4 * k, after, 0, bind.rotation, 0);
    quat.normalize(lists.after, 4 * k, lists.after, 4 * k);
    lists.scales[k] = modelScales[k] * bind.scale;
    const inverse = { rotation: new Float64Array(4), scale: 1 / bind.scale };
    quat.conjugate(inverse.rotation, 0, bind.rotation, 0);
    inverses.push(inverse);
    vec3.scale(lists.binds, 3 * k, bind.translation, 0, inverse.scale);
    vec3.rotate(lists.binds, 3 * k, inverse.rotation, 0, lists.binds, 3 * k);
    for (let c = 0; c < 3; c++) {
      const at = 9 * k + 3 * c;
      lists.toParents[at + c] = parent < 0 ? 1 : inverses[parent].scale;
      if (parent >= 0) vec3.rotate(lists.toParents, at, inverses[parent].rotation, 0, lists.toParents, at);
    }
    vec3.copy(lists.translations, 3 * k, rest, POSE_STRIDE * node + PATH_OFFSET.translation);
  }
  return lists;
}

/**
 * Lists the steps of a skeleton, the nodes whose model rotations are needed, and the step of each node (−1 without). `nodes` are ascending, with
 * every node its ancestors.
 */
export function planSteps(
  nodes: readonly number[],
  parents: Int32Array,
  rest: Floats,
): Pick<PlaybackPlan, 'stepNodes' | 'stepParents' | 'stepScales'> & { stepOf: Int32Array } {
  const stepOf = new Int32Array(parents.length).fill(-1);
  for (const [step, node] of nodes.entries()) stepOf[node] = step;
  return {
    stepNodes: Int32Array.from(nodes),
    stepParents: Int32Array.from(nodes, (node) => (parents[node] < 0 ? -1 : stepOf[parents[node]])),
    stepScales: Float64Array.from(nodes, (node) => rest[POSE_STRIDE * node + PATH_OFFSET.scale]),
    stepOf,
  };
}

/** Converts a skin to the same rig without negative scales; without signs it stays. */
export function reflectSkin(skin: PlaybackSkin | null, signs: PoseSigns | null): PlaybackSkin | null {
  if (skin === null || signs === null) return skin;
  const { joints } = skin;
  const identities = (): number[] =>
    Array.from({ length: MATRIX_STRIDE * joints.length }, (_, k) => +((k % 16) % 5 === 0));
  return { joints, inverseBind: reflectInverseBind(skin.inverseBind ?? identities(), joints, signs) };
}

/**
 * Plans playback of clips on their own skeleton: skinning matrices of a skin, or model matrices of all nodes. Such a plan needs uniform scales, and
 * inverse bind matrices without shear; scales must not be animated. Other skeletons take the general path, for which there is a reason: {@link
 * sampleCompiledClip}, `localToModelMatrices`, `skinningMatrices`.
 */
export function planPlayback(skeleton: Skeleton, skin: PlaybackSkin | null): PlaybackPlanning {
  const signs = findReflections(skeleton);
  if (signs !== null && skin === null) return { plan: null, reason: 'a node has a negative scale' };
  const { parents, rest } = withoutReflections(skeleton, signs);
  const nodes = neededNodes(parents, skin);
  const { stepOf, ...steps } = planSteps(nodes, parents, rest);
  const after = Float64Array.of(0, 0, 0, 1);
  const planned = nodes.map((node) => ({ node, driver: stepOf[node], after }));
  const lists = planMatrices(planned, parents, rest, reflectSkin(skin, signs));
  if (typeof lists === 'string') return { plan: null, reason: lists };
  const plan: PlaybackPlan = {
    nodeCount: parents.length,
    signs,
    ...steps,
    frame: Float64Array.of(0, 0, 0, 1),
    ...lists,
    hips: null,
    isRetargeted: false,
  };
  return { plan, reason: null };
}
