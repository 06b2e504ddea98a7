/** Converts geometry to a canonical form that can be compared across files. */
import { createHash } from 'node:crypto';
import type { Geometry, Mesh, MeshPrimitive, MorphTarget } from '../../../src/core/asset/geometry.ts';
import type { Material } from '../../../src/core/asset/material.ts';

const IDENTITY = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];

/** Deltas of a morph target for all vertices; null if it changes nothing. */
function denseTarget({ vertices, ...deltas }: MorphTarget, count: number): Record<string, Float32Array | null> {
  const dense = (values: Float32Array | null): Float32Array | null => {
    if (values === null || values.every((value) => value === 0)) return null;
    if (vertices === null) return values;
    const out = new Float32Array(3 * count);
    vertices.forEach((vertex, i) => {
      out.set(values.subarray(3 * i, 3 * i + 3), 3 * vertex);
    });
    return out;
  };
  return {
    positions: dense(deltas.positions),
    normals: dense(deltas.normals),
    tangents: dense(deltas.tangents),
  };
}

/** Influences of every vertex as pairs of joint and weight, sorted by descending weight, then by joint; the sum is 1. */
function sortedInfluences({ influences, vertexCount }: MeshPrimitive, most: number): Float64Array {
  if (influences === null) return new Float64Array(0);
  const { kind, jointsPerVertex, indices, weights } = influences;
  const out = new Float64Array(2 * most * vertexCount);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const first = kind === 'constant' ? 0 : vertex * jointsPerVertex;
    const places = Array.from({ length: jointsPerVertex }, (_, k) => first + k).filter((i) => weights[i] > 0);
    const sum = places.reduce((all, i) => all + weights[i], 0);
    places.sort((a, b) => weights[b] - weights[a] || indices[a] - indices[b]);
    places.forEach((i, k) => {
      out.set([indices[i], weights[i] / sum], 2 * (most * vertex + k));
    });
    if (places.length === 0) out[2 * most * vertex + 1] = 1;
  }
  return out;
}

/** Normalizes directions, `stride` numbers each. */
function unit(directions: Float32Array | null, stride: number): Float64Array | null {
  if (directions === null) return null;
  const out = Float64Array.from(directions);
  for (let at = 0; at < out.length; at += stride) {
    const length = Math.sqrt(out[at] ** 2 + out[at + 1] ** 2 + out[at + 2] ** 2);
    for (let c = 0; c < 3; c++) out[at + c] /= length;
  }
  return out;
}

function primitiveForm(primitive: MeshPrimitive) {
  return {
    ...primitive,
    influences: sortedInfluences(primitive, 8),
    normals: unit(primitive.normals, 3),
    tangents: unit(primitive.tangents, 4),
    morphTargets: primitive.morphTargets.map((target) => denseTarget(target, primitive.vertexCount)),
  };
}

/** Removes identity texture transforms. */
function materialForm(material: Material) {
  const still = JSON.stringify({ offset: [0, 0], rotation: 0, scale: [1, 1] });
  return JSON.parse(JSON.stringify(material), (key, value) => {
    return key === 'transform' && JSON.stringify(value) === still ? null : value;
  });
}

function meshForm(mesh: Mesh) {
  return { ...mesh, primitives: mesh.primitives.map(primitiveForm) };
}

/** Canonical form of a geometry; `idOf` returns the file index of a node. Nodes of skinned meshes count as roots without a transform. */
export function geometryForm(geometry: Geometry, idOf: (node: number) => number) {
  const { nodes, meshes, skins, instances, materials, textures } = geometry;
  const shows = new Set(instances.filter(({ skin }) => skin >= 0).map(({ node }) => node));
  const ids = Array.from(nodes.parents.keys());
  const form = ids.map((node) => ({
    id: idOf(node),
    name: nodes.names[node],
    parent: shows.has(node) || nodes.parents[node] < 0 ? -1 : idOf(nodes.parents[node]),
    rest: shows.has(node) ? IDENTITY : Array.from(nodes.rest.slice(10 * node, 10 * node + 10)),
    isJoint: nodes.joints[node],
  }));
  return {
    nodes: form.sort((a, b) => a.id - b.id),
    meshes: meshes.map(meshForm),
    skins: skins.map(({ name, joints, inverseBindMatrices }) => ({
      name,
      joints: Array.from(joints, idOf),
      inverseBindMatrices: Array.from(inverseBindMatrices, Math.fround),
    })),
    instances: instances
      .map(({ node, morphWeights, ...rest }) => {
        return { ...rest, node: idOf(node), morphWeights };
      })
      .sort((a, b) => a.node - b.node),
    materials: materials.map(materialForm),
    textures: textures.map((texture) => {
      return { ...texture, image: createHash('sha256').update(texture.image).digest('hex') };
    }),
  };
}

/** First difference of two forms; numbers may differ by `tolerance`. Null without a difference. */
export function firstDifference(a: unknown, b: unknown, tolerance: number, path = ''): string | null {
  if (typeof a === 'number' && typeof b === 'number') {
    return Math.abs(a - b) <= tolerance ? null : `${path}: ${a} and ${b}`;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return a === b ? null : `${path}: ${a} and ${b}`;
  }
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) {
    const [one, other] = [a as Float64Array, b as Float64Array];
    if (one.length !== other.length) return `${path}: ${one.length} and ${other.length} numbers`;
    const wrong = one.findIndex((value, i) => !(Math.abs(value - other[i]) <= tolerance));
    return wrong < 0 ? null : `${path}/${wrong}: ${one[wrong]} and ${other[wrong]}`;
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) {
    const one = (a as Record<string, unknown>)[key];
    const other = (b as Record<string, unknown>)[key];
    const found = firstDifference(one, other, tolerance, `${path}/${key}`);
    if (found !== null) return found;
  }
  return null;
}
