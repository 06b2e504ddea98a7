/** Creates geometries of a few nodes and vertices. */
import type { Track, TrackPath } from '../../../../src/core/animation/clip.ts';
import type { NewAnimation } from '../../../../src/core/asset/asset.ts';
import type { Geometry, Mesh, MeshInstance, MeshPrimitive, Skin } from '../../../../src/core/asset/geometry.ts';
import { joinInfluenceSets } from '../../../../src/core/deform/influences.ts';
import { TRIANGLE } from '../../../support/make/triangle.ts';

/** A node: name, parent, and optionally its rest translation and uniform scale. */
export type SmallNode = readonly [
  name: string,
  parent: number,
  translation?: readonly [number, number, number],
  scale?: number,
];

/** Creates a triangle with corners at (0, 0, 0), (1, 0, 0), (0, 1, 0); `joints`: the skin joint of each corner. */
export function triangle(joints: readonly number[] | null = null, more: Partial<MeshPrimitive> = {}): MeshPrimitive {
  return {
    ...TRIANGLE,
    influences: joints === null ? null : joinInfluenceSets([{ indices: joints, weights: [1, 1, 1] }], 1),
    ...more,
  };
}

/** Creates a mesh, by default of one triangle. */
export function mesh(
  name: string,
  primitives: readonly MeshPrimitive[] = [triangle()],
  more: Partial<Mesh> = {},
): Mesh {
  return { name, primitives, morphNames: [], morphWeights: new Float32Array(0), ...more };
}

/** Creates a skin whose joints are bound at positions in mesh space. */
export function skin(joints: readonly number[], positions: readonly (readonly [number, number, number])[]): Skin {
  const matrices = positions.flatMap(([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1]);
  return { name: 'skin', joints: Int32Array.from(joints), inverseBindMatrices: Float64Array.from(matrices) };
}

/** Creates a geometry. The source node of each node is its index plus 10. */
export function geometryOf(
  nodes: readonly SmallNode[],
  parts: { meshes?: readonly Mesh[]; skins?: readonly Skin[]; shown?: readonly Partial<MeshInstance>[] } = {},
): Geometry {
  const { meshes = [], skins = [], shown = [] } = parts;
  const joints = new Uint8Array(nodes.length);
  for (const one of skins) for (const joint of one.joints) joints[joint] = 1;
  return {
    nodes: {
      name: 'small',
      names: nodes.map(([name]) => name),
      parents: Int32Array.from(nodes, ([, parent]) => parent),
      rest: Float64Array.from(
        nodes.flatMap(([, , translation = [0, 0, 0], size = 1]) => [...translation, 0, 0, 0, 1, size, size, size]),
      ),
      bind: null,
      joints,
    },
    sourceNodes: Int32Array.from(nodes, (_, node) => node + 10),
    meshes,
    skins,
    instances: shown.map((one) => ({ node: 0, mesh: 0, skin: -1, morphWeights: null, ...one })),
    materials: [],
    textures: [],
  };
}

/** Creates a track of a node. */
export function track(
  target: number,
  path: TrackPath,
  times: readonly number[],
  values: readonly number[],
  interpolation: Track['interpolation'] = 'LINEAR',
): Track {
  return { target, path, interpolation, times: Float64Array.from(times), values: Float64Array.from(values) };
}

/** Creates a clip on the nodes of {@link geometryOf}. */
export function animation(name: string, tracks: readonly Track[], more: Partial<NewAnimation> = {}): NewAnimation {
  const duration = Math.max(0, ...tracks.map(({ times }) => times[times.length - 1]));
  const most = Math.max(0, ...tracks.map(({ target }) => target + 1));
  const sourceNodes = Int32Array.from({ length: most }, (_, node) => node + 10);
  return { name, clip: { name, duration, tracks }, sourceNodes, ...more };
}
