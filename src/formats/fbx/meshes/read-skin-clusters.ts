/** Reads the skin of an FBX mesh: the bones of its clusters, their bind matrices and weights. */
import type { Skin } from '../../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../../core/asset/geometry-budget.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { numbersIn, recordIn, textOf } from '../document/records.ts';
import { childObjects, type FbxObject, type FbxScene } from '../nodes/fbx-scene.ts';
import { areSame, isInvertible } from '../nodes/read-fbx-bind-pose.ts';
import type { ModelForest } from '../nodes/read-models.ts';
import { type ClusterInfluences, readInfluences } from './cluster-influences.ts';

export interface FbxSkin extends ClusterInfluences {
  readonly skin: Skin;
}

interface SkinnedMesh {
  /** Id of the object that the Skin is connected to: a Geometry (7.x) or a Model (6.1). */
  readonly meshId: string;
  /** Name of the mesh; skins without a name get it. */
  readonly name: string;
  readonly pointCount: number;
  /**
   * Transform of the mesh node in the bind pose of the file, else at rest, model space: {@link MATRIX_STRIDE} floats.
   */
  readonly bindMatrix: Float64Array;
}

interface Cluster {
  readonly object: FbxObject;
  /** Index of the bone in the forest. */
  readonly model: number;
  /** Mesh at bind time → bone (7.x; some programs write the mesh at bind time itself); null if missing or invalid. */
  readonly transform: Float64Array | null;
  /** The bone at bind time, model space; null if missing or invalid. */
  readonly link: Float64Array | null;
}

/**
 * Reads the first Skin of a mesh that has clusters.
 *
 * The inverse bind matrix of a joint is `inverse(TransformLink) · mesh at bind time`. Files of the FBX SDK store this
 * product as the `Transform` of the cluster (whereas FbxCluster::GetTransformMatrix returns the mesh at bind time). If
 * all clusters have the same `Transform` but different links, `Transform` is the mesh at bind time itself. Without a
 * `Transform`, the mesh node has its transform in the bind pose of the file.
 *
 * @param worlds Rest pose of the nodes, model space: {@link MATRIX_STRIDE} floats per node.
 * @param faults Counts invalid references, further skins, and clusters that are not read as the file declares them
 *   (additive, dual quaternions).
 * @returns The skin; null for a mesh without clusters.
 */
export function readSkin(
  scene: FbxScene,
  forest: ModelForest,
  worlds: Float64Array,
  mesh: SkinnedMesh,
  faults: IssueTally,
  budget: GeometryBudget,
): FbxSkin | null {
  const skins = childObjects(scene, mesh.meshId, 'Deformer').filter(({ type }) => type === 'Skin');
  const withClusters = skins.filter(({ id }) => clustersBelow(scene, id).length > 0);
  if (withClusters.length === 0) return null;
  const [skin] = withClusters;
  tallyIssue(faults, 'more skins deform the mesh; the first one was used', withClusters.length - 1);
  const blend = textOf(recordIn(skin.record.records, 'SkinningType')?.properties[0]);
  const isOther = blend === 'DualQuaternion' || blend === 'Blend';
  tallyIssue(
    faults,
    'skins use dual quaternions; only joints and weights were read, for linear skinning',
    isOther ? 1 : 0,
  );
  const clusters = readClusters(scene, forest, skin.id, faults);
  if (clusters.length === 0) return null;
  const { joints, matrices, jointOfCluster } = bindJoints(clusters, worlds, mesh.bindMatrix, faults);
  const { influences, unweighted } = readInfluences(
    clusters,
    jointOfCluster,
    topmost(joints),
    mesh.pointCount,
    faults,
    budget,
  );
  return {
    skin: { name: skin.name || mesh.name, joints, inverseBindMatrices: matrices },
    influences,
    unweighted,
  };
}

function clustersBelow(scene: FbxScene, skinId: string): FbxObject[] {
  return childObjects(scene, skinId, 'Deformer').filter(({ type }) => type === 'Cluster');
}

function readClusters(scene: FbxScene, { indexById }: ModelForest, skinId: string, faults: IssueTally): Cluster[] {
  const all = clustersBelow(scene, skinId);
  const clusters: Cluster[] = [];
  let additive = 0;
  for (const object of all) {
    const { records } = object.record;
    const model = indexById.get(childObjects(scene, object.id, 'Model')[0]?.id ?? '');
    if (model === undefined) continue;
    if (textOf(recordIn(records, 'Mode')?.properties[0]) === 'Additive') additive++;
    clusters.push({
      object,
      model,
      transform: matrixIn(object, 'Transform', faults),
      link: matrixIn(object, 'TransformLink', faults),
    });
  }
  tallyIssue(faults, 'skin clusters have no bone; they were left out', all.length - clusters.length);
  tallyIssue(faults, 'skin clusters are additive; they were read as normalized weights', additive);
  return clusters;
}

/** Reads a matrix of a cluster; null if it is missing or has no inverse. */
function matrixIn({ record }: FbxObject, name: string, faults: IssueTally): Float64Array | null {
  const numbers = numbersIn(record.records, name);
  if (numbers.length === 0) return null;
  if (isInvertible(numbers)) return numbers;
  tallyIssue(faults, `matrices ${name} of skin clusters have no inverse; they were left out`, 1);
  return null;
}

function product(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  mat4.multiply(out, 0, a, 0, b, 0);
  return out;
}

/** Checks whether `Transform` is the mesh at bind time itself, in model space instead of bone space. */
function isMeshMatrix(clusters: readonly Cluster[], bindMatrix: Float64Array): boolean {
  const whole = clusters.filter(({ transform, link }) => transform !== null && link !== null);
  if (whole.length === 0) return false;
  const [{ transform, link }] = whole;
  if (!whole.every((cluster) => areSame(cluster.transform!, 0, transform!))) return false;
  if (!whole.every((cluster) => areSame(cluster.link!, 0, link!))) return true;
  return areSame(transform!, 0, bindMatrix) && !areSame(product(link!, transform!), 0, bindMatrix);
}

/** Collects the bones of clusters, each once, with their inverse bind matrices. */
function bindJoints(
  clusters: readonly Cluster[],
  worlds: Float64Array,
  bindMatrix: Float64Array,
  faults: IssueTally,
): { joints: Int32Array; matrices: Float64Array; jointOfCluster: Int32Array } {
  const holdsMesh = isMeshMatrix(clusters, bindMatrix);
  const jointOfModel = new Map<number, number>();
  const inverses: Float64Array[] = [];
  const scratch = new Float64Array(MATRIX_STRIDE);
  let contradicting = 0;
  const jointOfCluster = Int32Array.from(clusters, ({ model, transform, link }) => {
    let inverse = holdsMesh ? null : transform;
    if (inverse === null) {
      const bone = link ?? worlds.slice(model * MATRIX_STRIDE, (model + 1) * MATRIX_STRIDE);
      // A bone with scale 0 at rest has no inverse; the identity replaces it.
      if (!mat4.invertAffine(scratch, 0, bone, 0)) mat4.identity(scratch, 0);
      inverse = product(scratch, holdsMesh && transform !== null ? transform : bindMatrix);
    }
    const known = jointOfModel.get(model);
    if (known !== undefined) {
      if (!areSame(inverse, 0, inverses[known])) contradicting++;
      return known;
    }
    jointOfModel.set(model, inverses.length);
    inverses.push(inverse);
    return inverses.length - 1;
  });
  tallyIssue(
    faults,
    'skin clusters bind a bone to another transform than an earlier cluster of the skin; the first one was used',
    contradicting,
  );
  const matrices = new Float64Array(inverses.length * MATRIX_STRIDE);
  for (const [joint, inverse] of inverses.entries()) matrices.set(inverse, joint * MATRIX_STRIDE);
  return { joints: Int32Array.from(jointOfModel.keys()), matrices, jointOfCluster };
}

/** Returns the joint that comes first in the forest: no other joint of the skin is its ancestor. */
function topmost(joints: Int32Array): number {
  let first = 0;
  for (let joint = 1; joint < joints.length; joint++) if (joints[joint] < joints[first]) first = joint;
  return first;
}
