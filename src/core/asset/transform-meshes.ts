/** Meshes whose vertices are put elsewhere while everything that is seen stays or moves as a whole. */
import * as vec3 from '../math/vec3.ts';
import type { Geometry, Mesh, MeshInstance, MeshPrimitive, MorphTarget } from './geometry.ts';

/** A move that keeps shapes: `p ↦ scale · rotation · p + translation`. */
export interface Similarity {
  /** Unit, xyzw. */
  readonly rotation: ArrayLike<number>;
  /** Above 0. */
  readonly scale: number;
  readonly translation: ArrayLike<number>;
}

const ORIGIN = [0, 0, 0] as const;

/** Points moved; deltas of points when the translation is the origin. A copy, computed in float64. */
function movePoints(points: Float32Array, { rotation, scale, translation }: Similarity): Float32Array {
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

/** Directions turned; `stride` 4: what follows xyz stays. */
function turn<T extends Float32Array | null>(directions: T, stride: 3 | 4, { rotation }: Similarity): T {
  if (directions === null || (rotation[0] === 0 && rotation[1] === 0 && rotation[2] === 0)) return directions;
  const out = directions.slice();
  const direction = new Float64Array(3);
  for (let at = 0; at < out.length; at += stride) {
    vec3.rotate(direction, 0, rotation, 0, out, at);
    out.set(direction, at);
  }
  return out as T;
}

function moveTarget(target: MorphTarget, move: Similarity): MorphTarget {
  return {
    vertices: target.vertices,
    positions: target.positions === null ? null : movePoints(target.positions, { ...move, translation: ORIGIN }),
    normals: turn(target.normals, 3, move),
    tangents: turn(target.tangents, 3, move),
  };
}

function movePrimitive(primitive: MeshPrimitive, move: Similarity | null): MeshPrimitive {
  if (move === null) return primitive;
  return {
    ...primitive,
    positions: movePoints(primitive.positions, move),
    normals: turn(primitive.normals, 3, move),
    tangents: turn(primitive.tangents, 4, move),
    morphTargets: primitive.morphTargets.map((target) => moveTarget(target, move)),
  };
}

/**
 * The meshes and instances of a geometry with the vertices that skins move put through `ofSkin(skin)`, all others through `rigid`; null
 * leaves them. A mesh that has to be put through several becomes several: the first keeps its place, the others stand at the end.
 */
export function transformMeshes(
  { meshes, instances }: Geometry,
  rigid: Similarity | null,
  ofSkin: (skin: number) => Similarity | null,
): { readonly meshes: Mesh[]; readonly instances: MeshInstance[] } {
  const moved = [...meshes];
  const versions = meshes.map(() => new Map<Similarity | null, number>());
  const versionOf = (mesh: number, bound: Similarity | null): number => {
    const known = versions[mesh].get(bound);
    if (known !== undefined) return known;
    const primitives = meshes[mesh].primitives.map((primitive) => {
      return movePrimitive(primitive, primitive.influences === null ? rigid : bound);
    });
    const version = { ...meshes[mesh], primitives };
    const index = versions[mesh].size === 0 ? mesh : moved.length;
    moved[index] = version;
    versions[mesh].set(bound, index);
    return index;
  };
  const placed = instances.map((instance): MeshInstance => {
    return { ...instance, mesh: versionOf(instance.mesh, instance.skin < 0 ? rigid : ofSkin(instance.skin)) };
  });
  // Meshes that stand nowhere.
  for (const mesh of meshes.keys()) if (versions[mesh].size === 0) versionOf(mesh, rigid);
  return { meshes: moved, instances: placed };
}
