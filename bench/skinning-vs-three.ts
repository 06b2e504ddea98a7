/**
 * CPU skinning of positions and normals: `skinLinear` against three.js, whose `applyBoneTransform` takes one vertex at a time (a normal is
 * passed as a vector with w = 0). Both start from the same world matrices and write float32 arrays. The demo mesh is nearly rigid, so its
 * vertices are skinned to their four nearest joints first.
 */
import { MATRIX_STRIDE } from 'anyrig';
import { normalMatrices, planSkin, skinLinear, skinningMatrices } from 'anyrig/experimental';
import { type BufferAttribute, type SkinnedMesh, Vector3, Vector4 } from 'three';
import { characterDocument, glbBytes } from '../src/demo/files/glb.ts';
import { sourceCharacter } from './characters.ts';
import { type Contender, compare, type Row } from './measure.ts';
import { loadInThree } from './three-character.ts';

/** Greatest difference of positions (relative to the size of the mesh) and normals; both are float32. */
const TOLERANCE = 1e-5;

interface Result {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
}

function emptyResult(mesh: SkinnedMesh): Result {
  const size = 3 * mesh.geometry.getAttribute('position').count;
  return { positions: new Float32Array(size), normals: new Float32Array(size) };
}

function floatsOf(mesh: SkinnedMesh, name: string): Float32Array {
  const { count, itemSize, array } = mesh.geometry.getAttribute(name) as BufferAttribute;
  return Float32Array.from(array.slice(0, count * itemSize));
}

/** Skins every vertex to its four nearest joints, with weights that fall with the square of the distance. */
function spreadWeights(mesh: SkinnedMesh): void {
  const positions = mesh.geometry.getAttribute('position') as BufferAttribute;
  const indices = mesh.geometry.getAttribute('skinIndex') as BufferAttribute;
  const weights = mesh.geometry.getAttribute('skinWeight') as BufferAttribute;
  const jointPositions = mesh.skeleton.bones.map((bone) => bone.getWorldPosition(new Vector3()));
  const point = new Vector3();
  for (let vertex = 0; vertex < positions.count; vertex++) {
    point.fromBufferAttribute(positions, vertex);
    const near = jointPositions
      .map((position, joint) => ({ joint, weight: 1 / (position.distanceToSquared(point) + 1e-4) }))
      .sort((a, b) => b.weight - a.weight)
      .slice(0, 4);
    const sum = near.reduce((total, { weight }) => total + weight, 0);
    near.forEach(({ joint, weight }, k) => {
      indices.setComponent(vertex, k, joint);
      weights.setComponent(vertex, k, weight / sum);
    });
  }
}

/** Bends every joint slightly, so that all joint matrices differ. */
function pose(mesh: SkinnedMesh): void {
  mesh.skeleton.bones.forEach((bone, joint) => {
    bone.rotateX(0.1 * Math.sin(joint)).rotateZ(0.1 * Math.cos(3 * joint));
  });
  mesh.updateMatrixWorld(true);
  mesh.skeleton.bones[0].parent?.updateMatrixWorld(true);
}

function runThree(mesh: SkinnedMesh, { positions, normals }: Result): void {
  const position = mesh.geometry.getAttribute('position') as BufferAttribute;
  const normal = mesh.geometry.getAttribute('normal') as BufferAttribute;
  const point = new Vector3();
  const direction = new Vector4();
  for (let vertex = 0; vertex < position.count; vertex++) {
    point.fromBufferAttribute(position, vertex);
    mesh.applyBoneTransform(vertex, point);
    point.toArray(positions, 3 * vertex);
    direction.set(normal.getX(vertex), normal.getY(vertex), normal.getZ(vertex), 0);
    mesh.applyBoneTransform(vertex, direction as unknown as Vector3);
    point
      .set(direction.x, direction.y, direction.z)
      .normalize()
      .toArray(normals, 3 * vertex);
  }
}

interface Own {
  readonly run: () => void;
  readonly result: Result;
}

/** Plans our skinning of a three.js mesh. */
function planOwn(mesh: SkinnedMesh): Own {
  const { bones, boneInverses } = mesh.skeleton;
  const joints = Int32Array.from(bones.keys());
  const worlds = Float64Array.from(bones.flatMap(({ matrixWorld }) => matrixWorld.elements));
  const inverses = Float64Array.from(boneInverses.flatMap(({ elements }) => elements));
  const base = { positions: floatsOf(mesh, 'position'), normals: floatsOf(mesh, 'normal'), tangents: null };
  const indices = Uint16Array.from(floatsOf(mesh, 'skinIndex'));
  const weights = floatsOf(mesh, 'skinWeight');
  const vertexCount = base.positions.length / 3;
  const plan = planSkin({ kind: 'vertex', jointsPerVertex: 4, indices, weights }, vertexCount, joints.length);
  const matrices = new Float64Array(MATRIX_STRIDE * joints.length);
  const normals = new Float64Array(MATRIX_STRIDE * joints.length);
  /** Computes the matrices of the current pose; returns the normal matrices if they differ. */
  const takePose = (): Float64Array | null => {
    skinningMatrices(matrices, worlds, joints, inverses);
    return normalMatrices(normals, matrices) ? null : normals;
  };
  const result = emptyResult(mesh);
  const out = { ...result, tangents: null };
  return { run: () => skinLinear(plan, matrices, takePose(), base, out), result };
}

/** Throws an error when the positions or normals of the two results differ. */
function checkSame(own: Result, three: Result, mesh: SkinnedMesh): void {
  const point = new Vector3();
  let size = 0;
  let off = 0;
  for (let at = 0; at < own.positions.length; at += 3) {
    point.fromArray(three.positions, at).applyMatrix4(mesh.matrixWorld);
    size = Math.max(size, point.length());
    off = Math.max(off, point.distanceTo(new Vector3().fromArray(own.positions, at)));
    off = Math.max(off, new Vector3().fromArray(own.normals, at).distanceTo(point.fromArray(three.normals, at)));
  }
  if (!(off < TOLERANCE * Math.max(1, size))) throw new Error(`Vertices of three.js and anyrig differ by ${off}.`);
}

/** Contenders on one mesh. */
interface Field {
  readonly own: Contender;
  readonly against: Contender;
}

async function contenders(title: string, spreads: boolean): Promise<Field> {
  const { mesh } = await loadInThree(glbBytes(characterDocument(sourceCharacter())));
  if (spreads) spreadWeights(mesh);
  pose(mesh);
  const threeResult = emptyResult(mesh);
  runThree(mesh, threeResult);
  const { run, result } = planOwn(mesh);
  run();
  checkSame(result, threeResult, mesh);
  return {
    own: { name: `skinLinear, ${title}`, run },
    against: { name: `three.js applyBoneTransform, ${title}`, run: () => runThree(mesh, threeResult) },
  };
}

/** Measures CPU skinning against three.js. */
export async function skinningVsThree(rounds: number): Promise<Row[]> {
  const four = await contenders('4 joints a vertex', true);
  const rigid = await contenders('mostly 1 joint', false);
  return compare(
    [
      { name: 'skinning-vs-three', own: four.own, against: four.against, kind: 'speedup' },
      { name: 'skinning-vs-three, nearly rigid', own: rigid.own, against: rigid.against, kind: 'speedup' },
    ],
    rounds,
    { time: 200, calls: 5 },
  );
}
