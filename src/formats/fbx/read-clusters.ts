/** The skin of an FBX mesh: which bones hold its control points, and where all of them stood when they were bound. */

import type { Skin } from '../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../core/asset/geometry-budget.ts';
import {
  mergeRepeatedJoints,
  normalizeInfluences,
  resizeInfluences,
  sortInfluences,
} from '../../core/deform/edit-influences.ts';
import { type Influences, jointIndices } from '../../core/deform/influences.ts';
import { FLOAT32_MAX } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { ModelForest } from './read-models.ts';
import { countIn, integersIn, type MeshFaults, noteMeshFault, numbersIn } from './read-polygons.ts';
import { recordIn, textOf } from './records.ts';
import { type FbxObject, type FbxScene, objectsBelow } from './scene.ts';

/** A skin and its hold on the control points of a mesh. */
export interface FbxSkin {
  readonly skin: Skin;
  /** One run a control point, the heaviest joint first. */
  readonly influences: Influences;
  /** 1 for control points that no cluster holds: they follow the first joint that is above all others. */
  readonly loose: Uint8Array;
}

/** What a skin belongs to. */
export interface SkinnedMesh {
  /** The object that the Skin is connected to: a Geometry (7.x) or a Model (6.1). */
  readonly holderId: string;
  readonly name: string;
  readonly pointCount: number;
  /** Where the node of the mesh stands in the bind pose of the file, else at rest: 16 floats, model space. */
  readonly bindMatrix: Float64Array;
}

/** Part of the largest entry by which two matrices may differ and still be one: float32 and text. */
const SAME_MATRIX = 1e-3;

/** A cluster whose bone is there. */
interface Cluster {
  readonly object: FbxObject;
  /** Place of the bone in the forest. */
  readonly place: number;
  /** Mesh at bind time → bone (7.x; some write the mesh at bind time itself); null where it is missing or broken. */
  readonly transform: Float64Array | null;
  /** The bone at bind time, model space. */
  readonly link: Float64Array | null;
}

/**
 * Reads the first Skin of a mesh that has clusters; null where there is none.
 *
 * The inverse bind matrix of a joint is `inverse(TransformLink) · mesh at bind time`: the `Transform` of the cluster in
 * the files of the FBX SDK, which writes it that way (FbxCluster::GetTransformMatrix gives the mesh at bind time, the file
 * holds the product). Where all clusters have the same `Transform` and different links it is the mesh at bind time itself.
 * Without one the mesh stands as in the bind pose of the file.
 *
 * Weights that are not above 0 are left out, a joint counts once for a control point, sums are made 1. Noted: what points
 * nowhere, clusters that are not read as the file asks for (additive, associate models, dual quaternions), several skins.
 */
export function readSkin(
  scene: FbxScene,
  forest: ModelForest,
  worlds: Float64Array,
  mesh: SkinnedMesh,
  faults: MeshFaults,
  budget: GeometryBudget,
): FbxSkin | null {
  const skins = objectsBelow(scene, mesh.holderId, 'Deformer').filter(({ type }) => type === 'Skin');
  const withClusters = skins.filter(({ id }) => clustersBelow(scene, id).length > 0);
  if (withClusters.length === 0) return null;
  const [skin] = withClusters;
  noteMeshFault(faults, 'skins hold a mesh that another one holds; the first was taken', withClusters.length - 1);
  const blend = textOf(recordIn(skin.record.records, 'SkinningType')?.properties[0]);
  const isOther = blend === 'DualQuaternion' || blend === 'Blend';
  noteMeshFault(faults, 'skins ask for dual quaternions; anyrig says joints and weights only', isOther ? 1 : 0);
  const clusters = readClusters(scene, forest, skin.id, faults);
  if (clusters.length === 0) return null;
  const { joints, matrices, jointOfCluster } = bindJoints(clusters, worlds, mesh.bindMatrix, faults);
  const { influences, loose } = readInfluences(
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
    loose,
  };
}

function clustersBelow(scene: FbxScene, skinId: string): FbxObject[] {
  return objectsBelow(scene, skinId, 'Deformer').filter(({ type }) => type === 'Cluster');
}

function readClusters(scene: FbxScene, { places }: ModelForest, skinId: string, faults: MeshFaults): Cluster[] {
  const all = clustersBelow(scene, skinId);
  const clusters: Cluster[] = [];
  let additive = 0;
  for (const object of all) {
    const { records } = object.record;
    const place = places.get(objectsBelow(scene, object.id, 'Model')[0]?.id ?? '');
    if (place === undefined) continue;
    if (textOf(recordIn(records, 'Mode')?.properties[0]) === 'Additive') additive++;
    clusters.push({
      object,
      place,
      transform: matrixIn(object, 'Transform', faults),
      link: matrixIn(object, 'TransformLink', faults),
    });
  }
  noteMeshFault(faults, 'skin clusters have no bone; they were left out', all.length - clusters.length);
  noteMeshFault(faults, 'skin clusters are additive; they were read as shares of a whole', additive);
  return clusters;
}

const scratch = new Float64Array(MATRIX_STRIDE);

/** Null where it is not there or has no inverse. */
function matrixIn({ record }: FbxObject, name: string, faults: MeshFaults): Float64Array | null {
  const numbers = numbersIn(record.records, name);
  if (numbers.length === 0) return null;
  const isWhole = numbers.length === MATRIX_STRIDE && numbers.every((value) => Math.abs(value) <= FLOAT32_MAX);
  if (isWhole && mat4.invertAffine(scratch, 0, numbers, 0)) return numbers;
  noteMeshFault(faults, `matrices ${name} of skin clusters have no inverse; they were left out`, 1);
  return null;
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  let largest = 0;
  for (const value of b) largest = Math.max(largest, Math.abs(value));
  return a.every((value, c) => Math.abs(value - b[c]) <= SAME_MATRIX * largest);
}

function product(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  mat4.multiply(out, 0, a, 0, b, 0);
  return out;
}

/** Whether `Transform` is the mesh at bind time itself, in the space of the model, not of the bone. */
function isMeshMatrix(clusters: readonly Cluster[], bindMatrix: Float64Array): boolean {
  const whole = clusters.filter(({ transform, link }) => transform !== null && link !== null);
  if (whole.length === 0) return false;
  const [{ transform, link }] = whole;
  if (!whole.every((cluster) => isSame(cluster.transform!, transform!))) return false;
  if (!whole.every((cluster) => isSame(cluster.link!, link!))) return true;
  return isSame(transform!, bindMatrix) && !isSame(product(link!, transform!), bindMatrix);
}

/** The bones of clusters, each once, with their inverse bind matrices. */
function bindJoints(
  clusters: readonly Cluster[],
  worlds: Float64Array,
  bindMatrix: Float64Array,
  faults: MeshFaults,
): { joints: Int32Array; matrices: Float64Array; jointOfCluster: Int32Array } {
  const holdsMesh = isMeshMatrix(clusters, bindMatrix);
  const jointOfPlace = new Map<number, number>();
  const inverses: Float64Array[] = [];
  let contradicting = 0;
  const jointOfCluster = Int32Array.from(clusters, ({ place, transform, link }) => {
    let inverse = holdsMesh ? null : transform;
    if (inverse === null) {
      const bone = link ?? worlds.slice(place * MATRIX_STRIDE, (place + 1) * MATRIX_STRIDE);
      // A bone of scale 0 at rest has no inverse: the mesh then stands in its place.
      if (!mat4.invertAffine(scratch, 0, bone, 0)) mat4.identity(scratch, 0);
      inverse = product(scratch, holdsMesh && transform !== null ? transform : bindMatrix);
    }
    const known = jointOfPlace.get(place);
    if (known !== undefined) {
      if (!isSame(inverse, inverses[known])) contradicting++;
      return known;
    }
    jointOfPlace.set(place, inverses.length);
    inverses.push(inverse);
    return inverses.length - 1;
  });
  noteMeshFault(
    faults,
    'skin clusters bind a bone elsewhere than another of the same skin; the first was taken',
    contradicting,
  );
  const matrices = new Float64Array(inverses.length * MATRIX_STRIDE);
  for (const [joint, inverse] of inverses.entries()) matrices.set(inverse, joint * MATRIX_STRIDE);
  return { joints: Int32Array.from(jointOfPlace.keys()), matrices, jointOfCluster };
}

/** The joint that comes first in the forest: nothing of the skin is above it. */
function topmost(joints: Int32Array): number {
  let first = 0;
  for (let joint = 1; joint < joints.length; joint++) if (joints[joint] < joints[first]) first = joint;
  return first;
}

function readInfluences(
  clusters: readonly Cluster[],
  jointOfCluster: Int32Array,
  loosePlace: number,
  pointCount: number,
  faults: MeshFaults,
  budget: GeometryBudget,
): Pick<FbxSkin, 'influences' | 'loose'> {
  for (const { object } of clusters) {
    const { records } = object.record;
    budget.take(countIn(records, 'Indexes') + 2 * countIn(records, 'Weights'));
  }
  const tables = clusters.map(({ object: { record } }) => ({
    points: integersIn(record.records, 'Indexes'),
    weights: numbersIn(record.records, 'Weights'),
  }));
  const counts = new Int32Array(pointCount);
  let strays = 0;
  let broken = 0;
  const isUsed = (point: number, weight: number): boolean =>
    point >= 0 && point < pointCount && weight > 0 && weight <= FLOAT32_MAX;
  for (const { points, weights } of tables) {
    for (let i = 0; i < points.length; i++) {
      if (isUsed(points[i], weights[i])) counts[points[i]]++;
      else if (!(points[i] >= 0 && points[i] < pointCount)) strays++;
      else if (weights[i] !== 0) broken++;
    }
  }
  noteMeshFault(faults, 'skin weights are of control points that are not there; they were left out', strays);
  noteMeshFault(faults, 'skin weights are missing, negative or not finite; they were left out', broken);
  const jointsPerVertex = Math.max(1, largestOf(counts));
  budget.take(2 * jointsPerVertex * pointCount);
  const indices = new Int32Array(pointCount * jointsPerVertex);
  const weights = new Float32Array(pointCount * jointsPerVertex);
  const filled = new Int32Array(pointCount);
  for (const [cluster, { points, weights: given }] of tables.entries()) {
    for (let i = 0; i < points.length; i++) {
      if (!isUsed(points[i], given[i])) continue;
      const at = points[i] * jointsPerVertex + filled[points[i]]++;
      indices[at] = jointOfCluster[cluster];
      weights[at] = given[i];
    }
  }
  const loose = Uint8Array.from(counts, (count) => (count === 0 ? 1 : 0));
  for (let point = 0; point < pointCount; point++) {
    if (loose[point] === 0) continue;
    indices[point * jointsPerVertex] = loosePlace;
    weights[point * jointsPerVertex] = 1;
  }
  const plain: Influences = { kind: 'vertex', jointsPerVertex, indices: jointIndices(indices), weights };
  const sorted = sortInfluences(normalizeInfluences(mergeRepeatedJoints(plain)));
  return { influences: resizeInfluences(sorted, usedPerVertex(sorted)), loose };
}

function largestOf(counts: Int32Array): number {
  let largest = 0;
  for (const count of counts) largest = Math.max(largest, count);
  return largest;
}

/** The most joints with a weight that a vertex has; they come first. */
function usedPerVertex({ jointsPerVertex, weights }: Influences): number {
  let used = 1;
  for (let i = 0; i < weights.length; i++) if (weights[i] > 0) used = Math.max(used, (i % jointsPerVertex) + 1);
  return used;
}
