/** One character for every plugin: a plain GLB, which our readers and the loaders of the engines see alike, and its skinned vertices. */
import {
  Matrix as BabylonMatrix,
  type FloatArray,
  type Mesh,
  type Skeleton,
  type TransformNode,
  VertexBuffer,
} from '@babylonjs/core';
import {
  type BufferAttribute,
  type InstancedBufferGeometry,
  Matrix4,
  Quaternion,
  type SkinnedMesh,
  type Mesh as ThreeMesh,
  Vector3,
} from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { Clip } from '../../../src/core/animation/clip.ts';
import type { AssetSkeleton } from '../../../src/core/asset/asset.ts';
import type { Geometry } from '../../../src/core/asset/geometry.ts';
import { skinLinear } from '../../../src/core/deform/skin-linear.ts';
import { planSkin } from '../../../src/core/deform/skin-plan.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import type { CharacterCrowd } from '../../../src/engines/three/index.ts';
import { geometryOf } from '../../../src/files/geometry.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { openFile } from '../../../src/files/node.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { concatParts } from '../../../src/formats/gltf/index.ts';
import type { Crowd } from '../../../src/playback/crowd/crowd.ts';
import {
  CROWD_MATRIX_STRIDE,
  CROWD_ROWS,
  CROWD_TRANSLATION_STRIDE,
  type CrowdTarget,
} from '../../../src/playback/crowd/crowd-plan.ts';
import { documentOf } from '../../support/make/opened.ts';
import { type DeformedPart, deformedFile, type JointLimit } from './deformed-vertices.ts';
import { vertexGlb } from './three-vertices.ts';

/** A character or a motion as a plain GLB. */
export interface PluginCharacter {
  readonly glb: Uint8Array;
  readonly file: OpenFile;
  readonly geometry: Geometry;
  readonly humanoid: Humanoid;
  readonly part: AssetSkeleton;
  /** Index of the skeleton in the file. */
  readonly index: number;
  /** Height in units of the file. */
  readonly height: number;
}

/** Opens a file of any format as a plain GLB; null without a humanoid or without meshes. */
export async function openPluginCharacter(path: string): Promise<PluginCharacter | null> {
  const original = await openFile(path);
  let file = original;
  if (original.format !== 'gltf') {
    const { outputs } = await convertFile(original, { output: 'plain.glb', edits: { keys: 'exact' } });
    if (outputs.length === 0) return null;
    file = await openBytes(concatParts(outputs[0].parts as Uint8Array[]));
  }
  const glb = vertexGlb(documentOf(file));
  file = await openBytes(glb);
  const { found } = chooseHumanoid(file, 'target', {});
  const read = await geometryOf(file);
  if (found === null || read === null) return null;
  const { humanoid, part, index } = found;
  return {
    glb,
    file,
    geometry: read.geometry,
    humanoid,
    part,
    index,
    height: humanoid.height / humanoid.metersPerUnit,
  };
}

/** Vertices of skinned primitives in the pose of a clip at a time: model space, axes and unit of the file. */
export function bakedVertices(
  { file, geometry, index }: PluginCharacter,
  clip: Clip,
  time: number,
  limit: JointLimit,
): DeformedPart[] {
  const { asset } = file;
  const empty: Clip = { name: '', duration: 0, tracks: [] };
  const clips = asset.skeletons.map((_, k) => (k === index ? clip : empty));
  const played = { name: '', duration: clip.duration, clips, morphs: [], otherChannels: 0 };
  const baked: OpenFile = { ...file, asset: { ...asset, clips: [played] } };
  return deformedFile(baked, geometry, limit)
    .at(0, time)
    .filter(({ isSkinned }) => isSkinned);
}

/** Returns the transform from the axes and the unit of a file to the canonical frame, meters, with the ground at 0. */
export function canonicalFrame({
  frame,
  metersPerUnit,
  ground,
}: Pick<Humanoid, 'frame' | 'metersPerUnit' | 'ground'>): Matrix4 {
  const scale = new Vector3().setScalar(metersPerUnit);
  return new Matrix4().compose(new Vector3(0, -ground, 0), new Quaternion().fromArray(frame), scale);
}

/** Vertices of skinned primitives by the 3×4 matrices of the first characters of a crowd, one per skin: canonical frame, meters. */
export function crowdVertices({ geometry }: PluginCharacter, crowd: Crowd): Float64Array[] {
  const { meshes, skins, instances } = geometry;
  const deltas = new Matrix4();
  return instances.flatMap(({ mesh, skin }) => {
    if (skin < 0) return [];
    const { bindMatrices, jointRows } = crowd.plan.targets[skin];
    const matrices = new Float64Array(MATRIX_STRIDE * jointRows.length);
    jointRows.forEach((row, joint) => {
      const m = crowd.matrices.subarray(CROWD_MATRIX_STRIDE * (CROWD_ROWS * skin + row));
      deltas.set(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11], 0, 0, 0, 1);
      deltas.multiply(new Matrix4().fromArray(bindMatrices, MATRIX_STRIDE * joint));
      matrices.set(deltas.elements, MATRIX_STRIDE * joint);
    });
    return meshes[mesh].primitives.flatMap(({ influences, vertexCount, positions }) => {
      if (influences === null) return [];
      const plan = planSkin(influences, vertexCount, skins[skin].joints.length);
      const out = { positions: Float64Array.from(positions), normals: null, tangents: null };
      skinLinear(plan, matrices, null, out, out);
      return out.positions;
    });
  });
}

/** Vertices of one primitive of an engine: writes the position of a vertex. */
export type VertexOf = (vertex: number, out: Vector3) => Vector3;

/** The skinned meshes of a model in three.js by `node/primitive` of the file. */
export function skinnedMeshesOf({ scene, parser }: GLTF): Map<string, SkinnedMesh> {
  const meshes = new Map<string, SkinnedMesh>();
  scene.traverse((object) => {
    if ((object as Partial<SkinnedMesh>).isSkinnedMesh !== true) return;
    const own = parser.associations.get(object);
    const above = object.parent === null ? undefined : parser.associations.get(object.parent);
    meshes.set(`${own?.nodes ?? above?.nodes}/${own?.primitives}`, object as SkinnedMesh);
  });
  return meshes;
}

/** A child of the object of a crowd. */
export type CrowdMesh = ThreeMesh<InstancedBufferGeometry>;

/** Computes a vertex of an instance of a crowd as the vertex shader does, in the canonical frame. */
export function instanceVertex(crowd: CharacterCrowd, mesh: CrowdMesh, target: CrowdTarget): VertexOf {
  const { attributes } = mesh.geometry;
  const at = attributes['crowdInstance'];
  const [character, playhead] = [at.getX(0), at.getY(0)];
  const deltas = crowd.crowd.deltas();
  const { translations } = crowd.crowd;
  const matrix = new Matrix4();
  const start = new Vector3();
  const point = new Vector3();
  return (vertex, out) => {
    start.fromBufferAttribute(attributes['position'] as BufferAttribute, vertex);
    out.set(0, 0, 0);
    for (let k = 0; k < 4; k++) {
      const row = attributes['crowdRows'].getComponent(vertex, k);
      const joints = attributes['crowdJoints'];
      point.copy(start);
      if (joints !== undefined) {
        const joint = joints.getComponent(vertex, k);
        point.applyMatrix4(matrix.fromArray(target.bindMatrices, MATRIX_STRIDE * joint));
      }
      const t = CROWD_TRANSLATION_STRIDE * (CROWD_ROWS * character + row);
      matrix.fromArray(deltas, MATRIX_STRIDE * (CROWD_ROWS * playhead + row));
      matrix.setPosition(translations[t], translations[t + 1], translations[t + 2]);
      out.addScaledVector(point.applyMatrix4(matrix), attributes['crowdWeights'].getComponent(vertex, k));
    }
    return out;
  };
}

/** Skinned vertices of a mesh of Babylon.js by the matrices that its shader reads, in the space of `root`. */
export function babylonVertex(mesh: Mesh, root: TransformNode): VertexOf {
  const matrices = (mesh.skeleton as Skeleton).getTransformMatrices(mesh);
  const positions = mesh.getVerticesData(VertexBuffer.PositionKind) as FloatArray;
  const influences = [
    [VertexBuffer.MatricesIndicesKind, VertexBuffer.MatricesWeightsKind],
    [VertexBuffer.MatricesIndicesExtraKind, VertexBuffer.MatricesWeightsExtraKind],
  ].map((kinds) => kinds.map((kind) => mesh.getVerticesData(kind)));
  // The world space of Babylon.js is left-handed.
  const world = mesh.computeWorldMatrix(true).multiply(BabylonMatrix.Invert(root.computeWorldMatrix(true)));
  const toRoot = new Matrix4().fromArray(world.asArray());
  const matrix = new Matrix4();
  const [start, point] = [new Vector3(), new Vector3()];
  return (vertex, out) => {
    start.fromArray(positions, 3 * vertex);
    out.set(0, 0, 0);
    let sum = 0;
    for (const [indices, weights] of influences) {
      for (let k = 4 * vertex; indices !== null && weights !== null && k < 4 * vertex + 4; k++) {
        matrix.fromArray(matrices, MATRIX_STRIDE * indices[k]);
        out.addScaledVector(point.copy(start).applyMatrix4(matrix), weights[k]);
        sum += weights[k];
      }
    }
    // Babylon.js divides by the sum before it draws.
    return out.multiplyScalar(1 / sum).applyMatrix4(toRoot);
  };
}

/** Most vertices of a primitive that are compared. */
const MOST_VERTICES = 100;

/** Largest distance of the compared vertices of a primitive, after a transform of ours; Infinity for NaN. */
export function primitiveDistance(ours: Float64Array, transform: Matrix4, theirs: VertexOf): number {
  const count = ours.length / 3;
  const [a, b] = [new Vector3(), new Vector3()];
  let most = 0;
  for (let vertex = 0; vertex < count; vertex += Math.ceil(count / MOST_VERTICES)) {
    const distance = a
      .fromArray(ours, 3 * vertex)
      .applyMatrix4(transform)
      .distanceTo(theirs(vertex, b));
    most = Math.max(most, Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance);
  }
  return most;
}
