/** What is seen of a file in another space, its axes turned and its unit changed, without a node put on top. */
import * as mat4 from '../math/mat4.ts';
import * as vec3 from '../math/vec3.ts';
import { changeSpace, type SpaceChange } from '../skeleton/change-space.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import type { Geometry, Mesh, MeshInstance, MeshPrimitive, MorphTarget, Skin } from './geometry.ts';

/** Points in the new unit, turned as well where a skin moves them. A copy. */
function changePoints(points: Float32Array, turns: boolean, { rotation, scale }: SpaceChange): Float32Array {
  const out = new Float32Array(points.length);
  const point = new Float64Array(3);
  for (let at = 0; at < points.length; at += 3) {
    vec3.scale(point, 0, points, at, scale);
    if (turns) vec3.rotate(point, 0, rotation, 0, point, 0);
    out.set(point, at);
  }
  return out;
}

/** Directions, turned where a skin moves them; `stride` 4: what follows xyz stays. */
function changeDirections<T extends Float32Array | null>(
  directions: T,
  stride: 3 | 4,
  turns: boolean,
  { rotation }: SpaceChange,
): T {
  if (directions === null || !turns) return directions;
  const out = directions.slice();
  const direction = new Float64Array(3);
  for (let at = 0; at < out.length; at += stride) {
    vec3.rotate(direction, 0, rotation, 0, out, at);
    out.set(direction, at);
  }
  return out as T;
}

function changeTarget(target: MorphTarget, turns: boolean, change: SpaceChange): MorphTarget {
  return {
    vertices: target.vertices,
    positions: target.positions === null ? null : changePoints(target.positions, turns, change),
    normals: changeDirections(target.normals, 3, turns, change),
    tangents: changeDirections(target.tangents, 3, turns, change),
  };
}

function changePrimitive(primitive: MeshPrimitive, turns: boolean, change: SpaceChange): MeshPrimitive {
  return {
    ...primitive,
    positions: changePoints(primitive.positions, turns, change),
    normals: changeDirections(primitive.normals, 3, turns, change),
    tangents: changeDirections(primitive.tangents, 4, turns, change),
    morphTargets: primitive.morphTargets.map((target) => changeTarget(target, turns, change)),
  };
}

/** A mesh as it stands at nodes, or as skins move it: there only the parts turn that hang on joints. */
function changeMesh(mesh: Mesh, isSkinned: boolean, change: SpaceChange): Mesh {
  const primitives = mesh.primitives.map((primitive) => {
    return changePrimitive(primitive, isSkinned && primitive.influences !== null, change);
  });
  return { ...mesh, primitives };
}

/** From the turned and scaled space of the mesh to that of the joint, which has the new unit: `scale · IBM · (scale · rotation)⁻¹`. */
function changeSkin(skin: Skin, { rotation, scale }: SpaceChange): Skin {
  const inverseBindMatrices = Float64Array.from(skin.inverseBindMatrices);
  const [x, y, z, w] = Array.from(rotation);
  const back = new Float64Array(MATRIX_STRIDE);
  mat4.compose(back, 0, [0, 0, 0, -x, -y, -z, w, 1, 1, 1], 0);
  for (let at = 0; at < inverseBindMatrices.length; at += MATRIX_STRIDE) {
    mat4.multiply(inverseBindMatrices, at, inverseBindMatrices, at, back, 0);
    vec3.scale(inverseBindMatrices, at + 12, inverseBindMatrices, at + 12, scale);
  }
  return { ...skin, inverseBindMatrices };
}

/**
 * The geometry in another space: what is seen at p is seen at `scale · R · p`, with every motion, rigid or skinned, morphed or not; clips
 * change by `changeClipSpace`. Nodes change as in `changeSpace`, so meshes that stand at nodes only get the new unit, in the axes of their
 * node; what skins move is turned as well, so that also the bind pose as it is stored has the new axes. A mesh that is shown both ways becomes
 * two, the one of skins at the end of the list. RangeError for a change that is none.
 */
export function changeGeometrySpace(geometry: Geometry, change: SpaceChange): Geometry {
  const nodes = changeSpace(geometry.nodes, change);
  const isRigid = new Set(geometry.instances.filter(({ skin }) => skin < 0).map(({ mesh }) => mesh));
  const isSkinned = new Set(geometry.instances.filter(({ skin }) => skin >= 0).map(({ mesh }) => mesh));
  const meshes = geometry.meshes.map((mesh, m) => changeMesh(mesh, isSkinned.has(m) && !isRigid.has(m), change));
  const twins = new Map<number, number>();
  for (const m of isSkinned) {
    if (isRigid.has(m)) twins.set(m, meshes.push(changeMesh(geometry.meshes[m], true, change)) - 1);
  }
  const instances = geometry.instances.map((instance): MeshInstance => {
    const twin = instance.skin < 0 ? undefined : twins.get(instance.mesh);
    return twin === undefined ? instance : { ...instance, mesh: twin };
  });
  return { ...geometry, nodes, meshes, instances, skins: geometry.skins.map((skin) => changeSkin(skin, change)) };
}
