/** The bind pose of FBX nodes: the TransformLink of skin clusters, and the Pose of type BindPose. */
import { FLOAT32_MAX } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { fillBind } from '../../core/skeleton/fill-bind.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import { nameKey } from './names.ts';
import type { ModelForest } from './read-models.ts';
import { numbersOf, recordIn } from './records.ts';
import { type FbxObject, type FbxScene, objectsBelow } from './scene.ts';
import type { FbxProperty, FbxRecord } from './tree.ts';

/** Matrices of all places of a {@link ModelForest}, model space. */
export interface FbxBind {
  /** {@link MATRIX_STRIDE} floats a place; places that are not bound stand to their parent as at rest. */
  readonly matrices: Float64Array;
  /** 1 where a skin cluster or a bind pose gives the matrix. */
  readonly bound: Uint8Array;
  /** 1 where a skin cluster has the node as its bone. */
  readonly linked: Uint8Array;
}

/** Part of the largest entry by which two bind matrices of a node may differ and still be one: float32 and text. */
const SAME_MATRIX = 1e-3;

/**
 * Reads the bind pose. A skin cluster is believed before a bind pose, the first of several before the others. Matrices
 * that are not 16 finite numbers with an inverse are left out; they, and those that contradict an earlier one, are
 * reported as FBX_SCENE.
 */
export function readBind(scene: FbxScene, forest: ModelForest, worlds: Float64Array, issues: Issue[]): FbxBind {
  const count = forest.models.length;
  const bind = {
    matrices: new Float64Array(count * MATRIX_STRIDE),
    bound: new Uint8Array(count),
    linked: new Uint8Array(count),
  };
  const clusters = bindBy(bind, clusterMatrices(scene, forest, bind.linked));
  const poses = bindBy(bind, poseMatrices(scene, forest));
  if (clusters.broken + poses.broken > 0) {
    const message = `${clusters.broken + poses.broken} bind matrices are not 16 finite numbers with an inverse; they were left out`;
    issues.push(issue('FBX_SCENE', message));
  }
  if (clusters.contradicting > 0) {
    const message =
      `${clusters.contradicting} skin clusters bind a node elsewhere than another skin does; the first of each was taken ` +
      'as the bind pose';
    issues.push(issue('FBX_SCENE', message));
  }
  fillBind(bind.matrices, bind.bound, forest.parents, forest.rest, worlds);
  return bind;
}

type PlacedMatrix = readonly [place: number, matrix: Float64Array];

function* clusterMatrices(scene: FbxScene, { places }: ModelForest, linked: Uint8Array): Generator<PlacedMatrix> {
  for (const cluster of scene.objects.values()) {
    if (cluster.kind !== 'Deformer' || cluster.type !== 'Cluster') continue;
    const link = objectsBelow(scene, cluster.id, 'Model')[0];
    const place = places.get(link?.id ?? '');
    if (place === undefined) continue;
    linked[place] = 1;
    const record = recordIn(cluster.record.records, 'TransformLink');
    if (record !== undefined) yield [place, numbersOf(record, MATRIX_STRIDE)];
  }
}

function* poseMatrices({ objects }: FbxScene, { places }: ModelForest): Generator<PlacedMatrix> {
  for (const pose of objects.values()) {
    if (pose.kind !== 'Pose' || !isBindPose(pose)) continue;
    for (const { name, records } of pose.record.records) {
      if (name !== 'PoseNode') continue;
      const place = places.get(idIn(recordIn(records, 'Node')));
      const matrix = recordIn(records, 'Matrix');
      if (place !== undefined && matrix !== undefined) yield [place, numbersOf(matrix, MATRIX_STRIDE)];
    }
  }
}

function isBindPose({ type, record }: FbxObject): boolean {
  return (recordIn(record.records, 'Type')?.properties[0] ?? type) === 'BindPose';
}

function idIn(record: FbxRecord | undefined): string {
  const value: FbxProperty | undefined = record?.properties[0];
  if (typeof value === 'string') return nameKey(value);
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** Takes what binds nodes that are not bound yet. How many matrices were broken, and how many contradict one of the same kind. */
function bindBy(
  { matrices, bound }: FbxBind,
  given: Iterable<PlacedMatrix>,
): { broken: number; contradicting: number } {
  let broken = 0;
  let contradicting = 0;
  const before = bound.slice();
  for (const [place, matrix] of given) {
    if (before[place] === 1) continue;
    const at = place * MATRIX_STRIDE;
    if (!isUsable(matrix)) broken++;
    else if (bound[place] === 0) {
      matrices.set(matrix, at);
      bound[place] = 1;
    } else if (differs(matrices, at, matrix)) contradicting++;
  }
  return { broken, contradicting };
}

const inverse = new Float64Array(MATRIX_STRIDE);

function isUsable(matrix: Float64Array): boolean {
  if (matrix.length !== MATRIX_STRIDE || !matrix.every((value) => Math.abs(value) <= FLOAT32_MAX)) return false;
  return mat4.invertAffine(inverse, 0, matrix, 0);
}

function differs(a: Float64Array, i: number, b: Float64Array): boolean {
  let largest = 1;
  for (const value of b) largest = Math.max(largest, Math.abs(value));
  return b.some((value, c) => Math.abs(a[i + c] - value) > SAME_MATRIX * largest);
}
