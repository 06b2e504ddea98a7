/**
 * Vertices on the processor: positions and normals of a character, skinned by `skinLinear` and by three.js, whose
 * `applyBoneTransform` takes one vertex at a time (a normal is a vector with w = 0 to it). Both start from the same world matrices.
 * The demo's own body is nearly rigid, so its vertices are given four joints each: the nearest ones, near ones more weight.
 */
import { normalMatrices, planSkin, skinLinear, skinningMatrices } from 'anyrig';
import { type BufferAttribute, type SkinnedMesh, Vector3, Vector4 } from 'three';
import { bodyDocument, glbBytes } from '../src/demo/glb.ts';
import { sourceBody } from './characters.ts';
import { type Contender, compare, type Row } from './measure.ts';
import { loadInThree } from './three-character.ts';

/** Share of the size of the body that the positions may be apart, and length that normals may: both are float32. */
const TOLERANCE = 1e-5;

interface Result {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
}

function floatsOf(mesh: SkinnedMesh, name: string): Float32Array {
  const { count, itemSize, array } = mesh.geometry.getAttribute(name) as BufferAttribute;
  return Float32Array.from(array.slice(0, count * itemSize));
}

/** Gives every vertex its four nearest joints, with weights that fall with the square of the distance. */
function spreadWeights(mesh: SkinnedMesh): void {
  const positions = mesh.geometry.getAttribute('position') as BufferAttribute;
  const indices = mesh.geometry.getAttribute('skinIndex') as BufferAttribute;
  const weights = mesh.geometry.getAttribute('skinWeight') as BufferAttribute;
  const places = mesh.skeleton.bones.map((bone) => bone.getWorldPosition(new Vector3()));
  const point = new Vector3();
  for (let vertex = 0; vertex < positions.count; vertex++) {
    point.fromBufferAttribute(positions, vertex);
    const near = places
      .map((place, joint) => ({ joint, weight: 1 / (place.distanceToSquared(point) + 1e-4) }))
      .sort((a, b) => b.weight - a.weight)
      .slice(0, 4);
    const sum = near.reduce((total, { weight }) => total + weight, 0);
    near.forEach(({ joint, weight }, k) => {
      indices.setComponent(vertex, k, joint);
      weights.setComponent(vertex, k, weight / sum);
    });
  }
}

/** Bends every joint a little, so that no two matrices are the same. */
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

/** Our skinning of a mesh of three.js, with everything that is decided once decided. */
function planOwn(mesh: SkinnedMesh, out: Result): () => void {
  const { bones, boneInverses } = mesh.skeleton;
  const joints = Int32Array.from(bones.keys());
  const worlds = Float64Array.from(bones.flatMap(({ matrixWorld }) => matrixWorld.elements));
  const inverses = Float64Array.from(boneInverses.flatMap(({ elements }) => elements));
  const base = { positions: floatsOf(mesh, 'position'), normals: floatsOf(mesh, 'normal'), tangents: null };
  const indices = Uint16Array.from(floatsOf(mesh, 'skinIndex'));
  const weights = floatsOf(mesh, 'skinWeight');
  const vertexCount = base.positions.length / 3;
  const plan = planSkin({ kind: 'vertex', jointsPerVertex: 4, indices, weights }, vertexCount, joints.length);
  const matrices = new Float64Array(16 * joints.length);
  const normals = new Float64Array(16 * joints.length);
  return () => {
    skinningMatrices(matrices, worlds, joints, inverses);
    const areShared = normalMatrices(normals, matrices);
    skinLinear(plan, matrices, areShared ? null : normals, base, { ...out, tangents: null });
  };
}

/** Error when a vertex of one result is not where that of the other is. */
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
  if (!(off < TOLERANCE * Math.max(1, size))) throw new Error(`three.js puts a vertex or its normal ${off} apart`);
}

async function contenders(title: string, spreads: boolean): Promise<{ own: Contender; against: Contender }> {
  const { mesh } = await loadInThree(glbBytes(bodyDocument(sourceBody())));
  if (spreads) spreadWeights(mesh);
  pose(mesh);
  const size = 3 * mesh.geometry.getAttribute('position').count;
  const result = (): Result => ({ positions: new Float32Array(size), normals: new Float32Array(size) });
  const [ownResult, threeResult] = [result(), result()];
  const own = planOwn(mesh, ownResult);
  own();
  runThree(mesh, threeResult);
  checkSame(ownResult, threeResult, mesh);
  const name = `three.js applyBoneTransform, ${title}`;
  return { own: { name: `skinLinear, ${title}`, run: own }, against: { name, run: () => runThree(mesh, threeResult) } };
}

export async function skinningVsThree(rounds: number): Promise<Row[]> {
  const four = await contenders('4 joints a vertex', true);
  const demo = await contenders('mostly 1 joint', false);
  return compare(
    [
      { name: 'skinning-vs-three', ...four, kind: 'speedup', limit: 20 },
      { name: 'skinning-vs-three, nearly rigid', ...demo, kind: 'speedup' },
    ],
    rounds,
    { time: 200, calls: 5 },
  );
}
