/** The outermost points of a figure, each with the object that moves it: what its surface, hair and props reach in any pose. */
import { type BufferAttribute, Matrix4, type Mesh, type Object3D, type SkinnedMesh, Vector3 } from 'three';

/** Points that move with one object, in its space. */
export interface HullPart {
  readonly object: Object3D;
  readonly points: readonly Vector3[];
}

/** Directions in which the outermost point is kept: to the faces and the corners of a cube. */
const DIRECTIONS: readonly Vector3[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) =>
    [-1, 0, 1].flatMap((z) => {
      const used = Math.abs(x) + Math.abs(y) + Math.abs(z);
      return used === 1 || used === 3 ? [new Vector3(x, y, z).normalize()] : [];
    }),
  ),
);

class Outermost {
  readonly #reach = new Float64Array(DIRECTIONS.length).fill(Number.NEGATIVE_INFINITY);
  readonly #points = DIRECTIONS.map(() => new Vector3());

  add(point: Vector3): void {
    for (let k = 0; k < DIRECTIONS.length; k++) {
      const reach = point.dot(DIRECTIONS[k]);
      if (reach <= this.#reach[k]) continue;
      this.#reach[k] = reach;
      this.#points[k].copy(point);
    }
  }

  points(): Vector3[] {
    return this.#points.filter((point, k) => this.#points.findIndex((other) => other.equals(point)) === k);
  }
}

const point = new Vector3();

/** Adds the vertices of a skinned mesh to the bones that move them most. */
function addSkinned({ geometry, skeleton, bindMatrix }: SkinnedMesh, parts: Map<Object3D, Outermost>): void {
  const toBone = skeleton.boneInverses.map((inverse) => new Matrix4().multiplyMatrices(inverse, bindMatrix));
  const [position, bones, weights] = ['position', 'skinIndex', 'skinWeight'].map(
    (name) => geometry.getAttribute(name) as BufferAttribute,
  );
  for (let vertex = 0; vertex < position.count; vertex++) {
    let most = 0;
    for (let slot = 1; slot < 4; slot++) {
      if (weights.getComponent(vertex, slot) > weights.getComponent(vertex, most)) most = slot;
    }
    const bone = bones.getComponent(vertex, most);
    const object = skeleton.bones[bone];
    if (object === undefined) continue;
    const part = parts.get(object) ?? new Outermost();
    parts.set(object, part);
    part.add(point.fromBufferAttribute(position, vertex).applyMatrix4(toBone[bone]));
  }
}

export function hullOf(meshes: readonly Mesh[]): HullPart[] {
  const parts = new Map<Object3D, Outermost>();
  for (const mesh of meshes) {
    if ('isSkinnedMesh' in mesh) {
      addSkinned(mesh as SkinnedMesh, parts);
      continue;
    }
    const part = parts.get(mesh) ?? new Outermost();
    parts.set(mesh, part);
    const position = mesh.geometry.getAttribute('position');
    for (let vertex = 0; vertex < position.count; vertex++) part.add(point.fromBufferAttribute(position, vertex));
  }
  return [...parts].map(([object, part]) => ({ object, points: part.points() }));
}
