import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { BindMatrices } from '../../../core/skeleton/cut-skeleton.ts';
import { fillBind } from '../../../core/skeleton/fill-bind.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { numbersOf, recordIn } from '../document/records.ts';
import { childObjects, type FbxObject, type FbxScene, idOf } from './fbx-scene.ts';
import type { ModelForest } from './read-models.ts';

/** Bind matrices of all nodes of a {@link ModelForest}, model space. */
export interface FbxBindPose extends BindMatrices {
  /** 1 for nodes that are the bone of a skin cluster. */
  readonly linked: Uint8Array;
}

/** Tolerance for equal matrices, relative to the largest entry: allows for float32, text and inversion. */
const SAME_MATRIX = 1e-3;

/**
 * Reads the bind pose. Skin clusters take precedence over bind poses, and earlier ones over later ones. `worlds` is the rest pose in model space.
 * `issues` receives FBX_SCENE for matrices that are not 16 finite numbers with an inverse, which are left out, and for matrices that contradict an
 * earlier one.
 */
export function readBindPose(scene: FbxScene, forest: ModelForest, worlds: Float64Array, issues: Issue[]): FbxBindPose {
  const count = forest.models.length;
  const bind = {
    matrices: new Float64Array(count * MATRIX_STRIDE),
    bound: new Uint8Array(count),
    linked: new Uint8Array(count),
  };
  const clusters = bindBy(bind, clusterMatrices(scene, forest, bind.linked));
  const poses = bindBy(bind, poseMatrices(scene, forest));
  if (clusters.broken + poses.broken > 0) {
    const message =
      `${clusters.broken + poses.broken} bind matrices are not 16 finite numbers with an inverse; they were left out. ` +
      'Bind the skin again, or export the file again.';
    issues.push(issue('FBX_SCENE', message));
  }
  if (clusters.contradicting > 0) {
    const message =
      `${clusters.contradicting} skin clusters bind a node to another transform than an earlier cluster; ` +
      'the first one became the bind pose. Bind all skins in one pose.';
    issues.push(issue('FBX_SCENE', message));
  }
  fillBind(bind.matrices, bind.bound, forest.parents, forest.rest, worlds);
  return bind;
}

type NodeMatrix = readonly [model: number, matrix: Float64Array];

/** Lists the TransformLinks of all skin clusters and marks their nodes in `linked`. */
function* clusterMatrices(scene: FbxScene, { indexById }: ModelForest, linked: Uint8Array): Generator<NodeMatrix> {
  for (const cluster of scene.objects.values()) {
    if (cluster.kind !== 'Deformer' || cluster.type !== 'Cluster') continue;
    const link = childObjects(scene, cluster.id, 'Model')[0];
    const model = indexById.get(link?.id ?? '');
    if (model === undefined) continue;
    linked[model] = 1;
    const record = recordIn(cluster.record.records, 'TransformLink');
    if (record !== undefined) yield [model, numbersOf(record, MATRIX_STRIDE)];
  }
}

export function* poseMatrices({ objects }: FbxScene, { indexById }: ModelForest): Generator<NodeMatrix> {
  for (const pose of objects.values()) {
    if (pose.kind !== 'Pose' || !isBindPose(pose)) continue;
    for (const { name, records } of pose.record.records) {
      if (name !== 'PoseNode') continue;
      const model = indexById.get(idOf(recordIn(records, 'Node')?.properties[0]) ?? '');
      const matrix = recordIn(records, 'Matrix');
      if (model !== undefined && matrix !== undefined) yield [model, numbersOf(matrix, MATRIX_STRIDE)];
    }
  }
}

function isBindPose({ type, record }: FbxObject): boolean {
  return (recordIn(record.records, 'Type')?.properties[0] ?? type) === 'BindPose';
}

/** Binds the nodes that are not bound yet. Counts broken matrices and those that contradict an earlier one of the same kind. */
function bindBy(
  { matrices, bound }: FbxBindPose,
  nodeMatrices: Iterable<NodeMatrix>,
): { broken: number; contradicting: number } {
  let broken = 0;
  let contradicting = 0;
  const before = bound.slice();
  for (const [model, matrix] of nodeMatrices) {
    if (before[model] === 1) continue;
    const at = model * MATRIX_STRIDE;
    if (!isInvertible(matrix)) broken++;
    else if (bound[model] === 0) {
      matrices.set(matrix, at);
      bound[model] = 1;
    } else if (!areSame(matrices, at, matrix)) contradicting++;
  }
  return { broken, contradicting };
}

const inverse = new Float64Array(MATRIX_STRIDE);

/** Tells whether a matrix has all its numbers, which fit float32, and an inverse. */
export function isInvertible(matrix: Float64Array): boolean {
  if (matrix.length !== MATRIX_STRIDE || !matrix.every((value) => Math.abs(value) <= FLOAT32_MAX)) return false;
  return mat4.invertAffine(inverse, 0, matrix, 0);
}

/** Tells whether the matrix at `i` of `a` is the same as `b`, but for rounding. */
export function areSame(a: ArrayLike<number>, i: number, b: Float64Array): boolean {
  let largest = 1;
  for (const value of b) largest = Math.max(largest, Math.abs(value));
  return b.every((value, c) => Math.abs(a[i + c] - value) <= SAME_MATRIX * largest);
}
