import * as vec3 from '../math/vec3.ts';
import type { Geometry, Mesh, MeshInstance, MeshPrimitive, MorphTarget } from './geometry.ts';

/** A similarity transform: `p ↦ scale · rotation · p + translation`. */
export interface Similarity {
  /** Unit quaternion xyzw. */
  readonly rotation: ArrayLike<number>;
  /** Uniform scale, above 0. */
  readonly scale: number;
  readonly translation: ArrayLike<number>;
}

const ORIGIN = [0, 0, 0] as const;

/** Transforms points into a copy, computed in float64; offsets of points where the translation is zero. */
function transformPoints(points: Float32Array, { rotation, scale, translation }: Similarity): Float32Array {
  const out = new Float32Array(points.length);
  const point = new Float64Array(3);
  for (let at = 0; at < points.length; at += 3) {
    vec3.scale(point, 0, points, at, scale);
    vec3.rotate(point, 0, rotation, 0, point, 0);
    vec3.add(point, 0, point, 0, translation, 0);
    out.set(point, at);
  }
  return out;
}

/** Rotates directions into a copy; with `stride` 4 the fourth float is copied. */
function rotateDirections<T extends Float32Array | null>(directions: T, stride: 3 | 4, { rotation }: Similarity): T {
  if (directions === null || (rotation[0] === 0 && rotation[1] === 0 && rotation[2] === 0)) return directions;
  const out = directions.slice();
  const direction = new Float64Array(3);
  for (let at = 0; at < out.length; at += stride) {
    vec3.rotate(direction, 0, rotation, 0, out, at);
    out.set(direction, at);
  }
  return out as T;
}

function transformTarget(target: MorphTarget, transform: Similarity): MorphTarget {
  return {
    vertices: target.vertices,
    positions:
      target.positions === null ? null : transformPoints(target.positions, { ...transform, translation: ORIGIN }),
    normals: rotateDirections(target.normals, 3, transform),
    tangents: rotateDirections(target.tangents, 3, transform),
  };
}

function transformPrimitive(primitive: MeshPrimitive, transform: Similarity | null): MeshPrimitive {
  if (transform === null) return primitive;
  return {
    ...primitive,
    positions: transformPoints(primitive.positions, transform),
    normals: rotateDirections(primitive.normals, 3, transform),
    tangents: rotateDirections(primitive.tangents, 4, transform),
    morphTargets: primitive.morphTargets.map((target) => transformTarget(target, transform)),
  };
}

/**
 * Transforms the vertices of all meshes: skinned ones by the transform of their skin, all others by `rigid`. A mesh that needs several transforms
 * becomes several meshes: the first keeps its index, the others are appended. `rigid`: transform for rigid meshes; null leaves them unchanged.
 * `ofSkin` returns the transform for the vertices of a skin; null leaves them unchanged. Return the same object for the same skin.
 */
export function transformMeshes(
  { meshes, instances }: Geometry,
  rigid: Similarity | null,
  ofSkin: (skin: number) => Similarity | null,
): { readonly meshes: Mesh[]; readonly instances: MeshInstance[] } {
  const transformed = [...meshes];
  const versions = meshes.map(() => new Map<Similarity | null, number>());
  const versionOf = (mesh: number, skinned: Similarity | null): number => {
    const known = versions[mesh].get(skinned);
    if (known !== undefined) return known;
    const primitives = meshes[mesh].primitives.map((primitive) => {
      return transformPrimitive(primitive, primitive.influences === null ? rigid : skinned);
    });
    const version = { ...meshes[mesh], primitives };
    const index = versions[mesh].size === 0 ? mesh : transformed.length;
    transformed[index] = version;
    versions[mesh].set(skinned, index);
    return index;
  };
  const newInstances = instances.map((instance): MeshInstance => {
    return { ...instance, mesh: versionOf(instance.mesh, instance.skin < 0 ? rigid : ofSkin(instance.skin)) };
  });
  // Meshes without instances.
  for (const mesh of meshes.keys()) if (versions[mesh].size === 0) versionOf(mesh, rigid);
  return { meshes: transformed, instances: newInstances };
}
