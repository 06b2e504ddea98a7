import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { FbxRecord } from '../document/fbx-tree.ts';
import { numbersIn } from '../document/records.ts';
import { childObjects, type FbxObject, parentObjects } from '../nodes/fbx-scene.ts';
import { areSame, poseMatrices } from '../nodes/read-fbx-bind-pose.ts';
import { LIMB_TYPES } from '../nodes/read-fbx-skeletons.ts';
import { addFinding, type FbxValidation } from './validation.ts';

/** Returns a matrix of an object; null where it is missing, incomplete or not finite. */
function matrixIn(records: readonly FbxRecord[], name: string): Float64Array | null {
  const matrix = numbersIn(records, name, MATRIX_STRIDE);
  return matrix.length === MATRIX_STRIDE && matrix.every(Number.isFinite) ? matrix : null;
}

function pointCount(mesh: FbxObject | undefined): number {
  return mesh === undefined ? 0 : numbersIn(mesh.record.records, 'Vertices').length / 3;
}

interface BoundCluster {
  readonly bone: FbxObject;
  readonly transform: Float64Array;
  readonly link: Float64Array;
}

function hasGoodInfluences({ record: { records } }: FbxObject, points: number): boolean {
  const indices = numbersIn(records, 'Indexes');
  const weights = numbersIn(records, 'Weights');
  return (
    indices.length === weights.length &&
    indices.every((index) => index >= 0 && index < points) &&
    weights.every(Number.isFinite)
  );
}

function agreeOnMesh(clusters: readonly BoundCluster[]): boolean {
  const [first] = clusters;
  if (first === undefined || clusters.every(({ transform }) => areSame(transform, 0, first.transform))) return true;
  const product = (cluster: BoundCluster): Float64Array => {
    const out = new Float64Array(MATRIX_STRIDE);
    mat4.multiply(out, 0, cluster.link, 0, cluster.transform, 0);
    return out;
  };
  const mesh = product(first);
  return clusters.every((cluster) => areSame(product(cluster), 0, mesh));
}

export function checkSkins(validation: FbxValidation): void {
  const { scene, forest, worlds, isJoint, issues } = validation;
  const poses = new Map([...poseMatrices(scene, forest)].reverse());
  const [lost, faulty, unbound, contradicting, moved] = [[], [], [], [], []] as string[][];
  const quarrels: string[] = [];
  const seen = new Set<string>();
  for (const skin of scene.objects.values()) {
    if (skin.kind !== 'Deformer' || skin.type !== 'Skin') continue;
    const mesh = parentObjects(scene, skin.id, 'Geometry')[0];
    const points = pointCount(mesh);
    const bound: BoundCluster[] = [];
    for (const cluster of childObjects(scene, skin.id, 'Deformer')) {
      const bone = childObjects(scene, cluster.id, 'Model')[0];
      if (bone === undefined) lost.push(cluster.name);
      if (!hasGoodInfluences(cluster, points)) faulty.push(bone?.name ?? cluster.name);
      const transform = matrixIn(cluster.record.records, 'Transform');
      const link = matrixIn(cluster.record.records, 'TransformLink');
      if (transform === null || link === null) faulty.push(bone?.name ?? cluster.name);
      else if (bone !== undefined) bound.push({ bone, transform, link });
    }
    if (!agreeOnMesh(bound)) quarrels.push(mesh?.name || skin.name);
    for (const { bone, link } of bound) {
      if (seen.has(bone.id)) continue;
      seen.add(bone.id);
      const node = forest.indexById.get(bone.id) ?? -1;
      const pose = poses.get(node);
      if (pose === undefined) unbound.push(bone.name);
      else if (!areSame(pose, 0, link)) contradicting.push(bone.name);
      if (node >= 0 && !areSame(worlds, node * MATRIX_STRIDE, link)) moved.push(bone.name);
    }
  }
  const again = 'Bind the skin again, or export the file again.';
  addFinding(issues, 'FBX_CLUSTER', lost, 'Skin clusters without a joint', again);
  addFinding(
    issues,
    'FBX_CLUSTER',
    [...new Set(faulty)],
    'Joints whose skin cluster has no matrices, or influences that do not fit the mesh',
    again,
  );
  addFinding(issues, 'FBX_CLUSTER', quarrels, 'Meshes that their skin clusters bind in different places', again);
  addFinding(
    issues,
    'FBX_BIND_POSE',
    unbound,
    'Joints of skins that are in no BindPose',
    'Maya warns, and other importers take the pose of the nodes; write one.',
  );
  addFinding(
    issues,
    'FBX_BIND_POSE',
    contradicting,
    'Joints with another matrix in the BindPose than in their skin cluster',
    again,
  );
  addFinding(
    issues,
    'FBX_REST_OFF_BIND',
    moved,
    'Joints that rest in another pose than they were bound in',
    'Unreal Engine compares the rest of clips with that of the mesh; save the file in its bind pose.',
  );
  const others = forest.models.filter(({ type }, node) => isJoint[node] === 1 && !LIMB_TYPES.has(type));
  addFinding(
    issues,
    'FBX_JOINT_TYPE',
    others.map(({ name }) => name),
    'Joints of skins that are no LimbNode',
    'Some importers leave them out; write each joint as LimbNode.',
  );
}
