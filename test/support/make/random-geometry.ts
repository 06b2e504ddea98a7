/** Geometry of all kinds: skinned and rigid instances of the same meshes, parts without influences, dense and sparse morphs. */
import type { Geometry, Mesh, MeshPrimitive, MorphTarget, Skin } from '../../../src/core/asset/geometry.ts';
import type { Influences } from '../../../src/core/deform/influences.ts';
import { between, pick, type Random, randomRotation } from '../../../src/demo/random.ts';
import { matrixOf } from '../reference/skinning.ts';

const NODES = 7;
/** More joints than the skins have in common, so that one joint belongs to a single skin. */
const JOINTS = [
  [1, 2, 4],
  [2, 3],
];
const TARGETS = 3;

function list(random: Random, length: number, size: number): Float32Array {
  return Float32Array.from({ length }, () => between(random, -size, size));
}

/** Returns unit vectors, `stride` numbers each; the fourth is a sign. */
function units(random: Random, count: number, stride: 3 | 4): Float32Array {
  const out = new Float32Array(stride * count);
  for (let at = 0; at < out.length; at += stride) {
    const v = list(random, 3, 1);
    const length = Math.hypot(...v);
    out.set(length > 0.01 ? v.map((x) => x / length) : [0, 0, 1], at);
    if (stride === 4) out[at + 3] = pick(random, [-1, 1]);
  }
  return out;
}

function influences(random: Random, vertexCount: number): Influences {
  const kind = random() < 0.2 ? 'constant' : 'vertex';
  const jointsPerVertex = 2;
  const runs = kind === 'constant' ? 1 : vertexCount;
  const indices = new Uint16Array(jointsPerVertex * runs);
  const weights = new Float32Array(jointsPerVertex * runs);
  for (let run = 0; run < runs; run++) {
    const weight = Math.round(between(random, 0, 8)) / 8;
    indices.set([0, weight === 1 ? 0 : 1], 2 * run);
    weights.set([weight, 1 - weight], 2 * run);
  }
  return { kind, jointsPerVertex, indices, weights };
}

function target(random: Random, vertexCount: number, hasTangents: boolean): MorphTarget {
  const all = Array.from({ length: vertexCount }, (_, v) => v);
  const some = all.filter(() => random() < 0.2);
  const vertices = random() < 0.5 ? null : Uint32Array.from(some);
  const count = vertices === null ? vertexCount : vertices.length;
  const deltas = (share: number): Float32Array | null => (random() < share ? list(random, 3 * count, 0.3) : null);
  return { vertices, positions: deltas(0.9), normals: deltas(0.5), tangents: deltas(hasTangents ? 0.5 : 0) };
}

function primitive(random: Random, isBound: boolean): MeshPrimitive {
  const vertexCount = 3 * Math.ceil(between(random, 0, 8));
  const tangents = random() < 0.5 ? units(random, vertexCount, 4) : null;
  return {
    mode: 'triangles',
    vertexCount,
    indices: random() < 0.3 ? null : Uint32Array.from({ length: 12 }, () => Math.floor(random() * vertexCount)),
    positions: list(random, 3 * vertexCount, 2),
    normals: units(random, vertexCount, 3),
    tangents,
    uvs: [list(random, 2 * vertexCount, 1)],
    colors: [],
    influences: isBound ? influences(random, vertexCount) : null,
    morphTargets: Array.from({ length: TARGETS }, () => target(random, vertexCount, tangents !== null)),
    material: -1,
  };
}

function mesh(random: Random, index: number): Mesh {
  return {
    name: `mesh ${index}`,
    primitives: [primitive(random, index !== 2), primitive(random, random() < 0.7 && index !== 2)],
    morphNames: ['smile', '', 'blink'],
    morphWeights: list(random, TARGETS, 1),
  };
}

function pose(random: Random): number[] {
  const scale = () => between(random, 0.5, 2);
  return [...list(random, 3, 2), ...randomRotation(random), scale(), scale(), scale()];
}

function skin(random: Random, joints: readonly number[]): Skin {
  const matrices = joints.map(() => {
    const stretch = [between(random, 0.5, 2), 0, 0, 0, 0, between(random, 0.5, 2), 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    return matrixOf({ rotation: randomRotation(random), translation: [...list(random, 3, 2)], stretch });
  });
  return { name: 'skin', joints: Int32Array.from(joints), inverseBindMatrices: Float64Array.from(matrices.flat()) };
}

/**
 * Returns three meshes, one of them rigid, at five of seven nodes, with two skins or without. Node 0 is a root above the joints, 5 and 6
 * are separate roots or leaves; file indices differ from node indices.
 */
export function randomGeometry(random: Random): Geometry {
  const parents = Int32Array.of(-1, 0, 1, 2, 1, pick(random, [-1, 0]), pick(random, [-1, 0, 3]));
  const joints = new Uint8Array(NODES);
  for (const node of JOINTS.flat()) joints[node] = 1;
  return {
    nodes: {
      name: 'scene',
      names: ['root', 'hips', 'spine', '', 'leg', 'body', 'hat'],
      parents,
      rest: Float64Array.from(Array.from({ length: NODES }, () => pose(random)).flat()),
      bind: null,
      joints,
    },
    sourceNodes: Int32Array.from(parents, (_, node) => 2 * (NODES - node)),
    meshes: [0, 1, 2].map((index) => mesh(random, index)),
    skins: JOINTS.map((list) => skin(random, list)),
    instances: [
      { node: 5, mesh: 0, skin: 0, morphWeights: null },
      { node: 6, mesh: 1, skin: pick(random, [0, 1]), morphWeights: list(random, TARGETS, 1) },
      { node: 2, mesh: 2, skin: -1, morphWeights: null },
      { node: 3, mesh: pick(random, [0, 1]), skin: pick(random, [-1, 1]), morphWeights: null },
      { node: 4, mesh: 1, skin: -1, morphWeights: null },
    ],
    materials: [],
    textures: [],
  };
}
