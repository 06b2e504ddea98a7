/** Turns the mesh of a model into geometry: right-handed axes, a skin of all bones, a morph target for each morph of vertices. */
import type { ReadResource } from '../../../core/asset/asset.ts';
import type { Geometry, MeshPrimitive, MorphTarget } from '../../../core/asset/geometry.ts';
import { type GeometryBudget, geometryBudget } from '../../../core/asset/geometry-budget.ts';
import { imageType } from '../../../core/asset/image-type.ts';
import { type Material, plainMaterial, type Texture, type TextureUse } from '../../../core/asset/material.ts';
import { texturePaths } from '../../../core/asset/texture-paths.ts';
import { jointIndices } from '../../../core/deform/influences.ts';
import { clamp01 } from '../../../core/math/floats.ts';
import { srgbToLinear } from '../../../core/math/srgb.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { inverseOrder, sortParentsFirst } from '../../../core/skeleton/topology.ts';
import { restOfBones } from '../evaluate/bake-motion.ts';
import type { MmdMaterial, MmdMesh, MmdModel, MmdMorph } from './mmd-model.ts';
import { standardModel } from './standard-model.ts';

export const MESH_NODE = 'mesh';

/** Most offsets of all morphs together: with their copies they take a gigabyte. */
const MOST_OFFSETS = 2 ** 23;

/** Lists the morphs of vertices that a morph consists of: itself, or those of a group. MikuMikuDance has no groups of groups. */
function partsOf(
  morphs: readonly MmdMorph[],
  index: number,
): { readonly morph: Extract<MmdMorph, { kind: 'vertex' }>; readonly weight: number }[] {
  const morph = morphs[index];
  if (morph.kind === 'vertex') return [{ morph, weight: 1 }];
  if (morph.kind !== 'group') return [];
  return morph.parts.flatMap(({ morph: part, weight }) => {
    const one = morphs[part];
    return one?.kind === 'vertex' ? [{ morph: one, weight }] : [];
  });
}

/** Lists the morphs that become morph targets: those of vertices and groups of them. */
export function shownMorphs({ morphs, mesh }: MmdModel): number[] {
  if (mesh === null) return [];
  let budget = MOST_OFFSETS;
  return Array.from(morphs.keys()).filter((index) => {
    const size = partsOf(morphs, index).reduce((sum, { morph }) => sum + morph.vertices.length, 0);
    if (size > budget) return false;
    budget -= size;
    return size > 0;
  });
}

/** Offsets of all morph targets by vertex. */
type VertexOffsets = Map<number, Map<number, [number, number, number]>>;

function offsetsByVertex({ morphs }: MmdModel, shown: readonly number[]): VertexOffsets {
  const byVertex: VertexOffsets = new Map();
  for (const [target, index] of shown.entries()) {
    for (const { morph, weight } of partsOf(morphs, index)) {
      for (const [k, vertex] of morph.vertices.entries()) {
        const offsets = byVertex.get(vertex) ?? new Map<number, [number, number, number]>();
        byVertex.set(vertex, offsets);
        const sum = offsets.get(target) ?? [0, 0, 0];
        for (let c = 0; c < 3; c++) sum[c] += morph.offsets[3 * k + c] * weight;
        offsets.set(target, sum);
      }
    }
  }
  return byVertex;
}

/** Negates z of vectors. */
function mirrored(vectors: Float32Array): Float32Array {
  const out = vectors.slice();
  for (let at = 2; at < out.length; at += 3) out[at] = -out[at];
  return out;
}

/** glTF has these image types; MikuMikuDance also BMP, TGA and DDS. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/ktx2'];

function materialOf({ name, diffuse, isDoubleSided }: MmdMaterial, texture: TextureUse | null): Material {
  const color = diffuse.map((value) => clamp01(value));
  const [r, g, b] = color.map(srgbToLinear);
  const a = color[3];
  return {
    ...plainMaterial(name),
    // With a texture, the color is mostly a gray for toon shading.
    baseColor: texture === null ? [r, g, b, a] : [1, 1, 1, a],
    baseColorTexture: texture,
    alphaMode: a < 1 ? 'blend' : texture === null ? 'opaque' : 'mask',
    doubleSided: isDoubleSided,
  };
}

/** Reads the textures of materials from files beside the model. */
export async function readMmdMaterials(
  materials: readonly MmdMaterial[],
  readResource: ReadResource | null,
  issues: Issue[],
): Promise<{ materials: Material[]; textures: Texture[] }> {
  const textures: Texture[] = [];
  const indexOf = new Map<string, number>();
  for (const written of new Set(materials.map(({ texture }) => texture).filter((path) => path !== ''))) {
    const paths = texturePaths(written);
    let image: Uint8Array | null = null;
    for (const path of paths) image ??= (await readResource?.(path).catch(() => null)) ?? null;
    const mimeType = image === null ? null : imageType(image);
    const whose = `The texture ${JSON.stringify(written)}`;
    if (image === null) {
      const message =
        paths.length > 0
          ? `${whose} cannot be read beside the model; its materials have their color only. Put it there`
          : `${whose} is not in the folder of the model; its materials have their color only`;
      issues.push(issue('RESOURCE_MISSING', message, paths.length > 0 ? { resource: paths[0] } : {}));
    } else if (mimeType === null || !IMAGE_TYPES.includes(mimeType)) {
      const message = `${whose} is neither PNG, JPEG, WebP nor KTX2, the images of glTF; its materials have their color only. Convert it to PNG`;
      issues.push(issue('TEXTURE_DROPPED', message, { resource: paths[0] }));
    } else {
      indexOf.set(written, textures.length);
      const sampling = { wrapU: 'repeat', wrapV: 'repeat', magFilter: null, minFilter: null } as const;
      textures.push({ name: paths[0], image, mimeType, ...sampling });
    }
  }
  const used = materials.map((material) => {
    const texture = indexOf.get(material.texture);
    return materialOf(material, texture === undefined ? null : { texture, uvSet: 0, transform: null });
  });
  return { materials: used, textures };
}

/** Splits the mesh by material: a primitive has its own vertices, in the order of their first use. */
function primitivesOf(model: MmdModel, mesh: MmdMesh, jointOf: Int32Array): MeshPrimitive[] {
  const shown = shownMorphs(model);
  const byVertex = offsetsByVertex(model, shown);
  const newOf = new Int32Array(mesh.positions.length / 3).fill(-1);
  const budget = geometryBudget('MMD_LIMIT');
  return materialRanges(model, mesh).map(([first, end, material]) => {
    const old: number[] = [];
    const indices = new Uint32Array(end - first);
    for (let k = 0; k < indices.length; k++) {
      // Mirroring turns triangles around: their second and third corner swap.
      const corner = k % 3 === 1 ? k + 1 : k % 3 === 2 ? k - 1 : k;
      const vertex = mesh.indices[first + corner];
      if (newOf[vertex] < 0) newOf[vertex] = old.push(vertex) - 1;
      indices[k] = newOf[vertex];
    }
    for (const vertex of old) newOf[vertex] = -1;
    budget.take(16 * old.length + 4 * shown.length);
    return {
      ...verticesOf(mesh, jointOf, old),
      indices,
      morphTargets: targetsOf(byVertex, old, shown.length, budget),
      material,
    };
  });
}

/** Lists the first and last corner of each material; −1 for triangles without. */
function materialRanges({ materials }: MmdModel, mesh: MmdMesh): [from: number, to: number, material: number][] {
  const ranges: [from: number, to: number, material: number][] = [];
  const whole = mesh.indices.length - (mesh.indices.length % 3);
  let from = 0;
  for (const [material, { indexCount }] of materials.entries()) {
    const to = Math.min(from + indexCount - (indexCount % 3), whole);
    if (to > from) ranges.push([from, to, material]);
    from = to;
  }
  if (from < whole) ranges.push([from, whole, -1]);
  return ranges;
}

function targetsOf(
  byVertex: VertexOffsets,
  old: readonly number[],
  count: number,
  budget: GeometryBudget,
): MorphTarget[] {
  const vertices = Array.from({ length: count }, (): number[] => []);
  const positions = Array.from({ length: count }, (): number[] => []);
  for (const [vertex, before] of old.entries()) {
    const offsets = byVertex.get(before);
    if (offsets === undefined) continue;
    budget.take(4 * offsets.size);
    for (const [target, [x, y, z]] of offsets) {
      vertices[target].push(vertex);
      positions[target].push(x, y, -z);
    }
  }
  return vertices.map((list, target): MorphTarget => {
    const moved = Float32Array.from(positions[target]);
    return { vertices: Uint32Array.from(list), positions: moved, normals: null, tangents: null };
  });
}

function verticesOf(
  mesh: MmdMesh,
  jointOf: Int32Array,
  old: readonly number[],
): Omit<MeshPrimitive, 'indices' | 'morphTargets' | 'material'> {
  const pick = (values: Float32Array, width: number): Float32Array => {
    const out = new Float32Array(width * old.length);
    for (const [k, vertex] of old.entries()) out.set(values.subarray(width * vertex, width * (vertex + 1)), width * k);
    return out;
  };
  const weights = pick(mesh.weights, 4);
  const joints = Int32Array.from(weights, (weight, at) => {
    return weight === 0 ? 0 : jointOf[mesh.bones[4 * old[at >> 2] + (at & 3)]];
  });
  return {
    mode: 'triangles',
    vertexCount: old.length,
    positions: mirrored(pick(mesh.positions, 3)),
    normals: mirrored(pick(mesh.normals, 3)),
    tangents: null,
    uvs: [pick(mesh.uvs, 2)],
    colors: [],
    influences: { kind: 'vertex', jointsPerVertex: 4, indices: jointIndices(joints), weights },
  };
}

/**
 * Creates the geometry of a model, without materials and textures: its bones, then a node with the mesh. `model`: the model; null for the standard
 * skeleton.
 */
export function modelGeometry(model: MmdModel | null): Geometry {
  return geometryOf(model ?? standardModel());
}

function geometryOf(model: MmdModel): Geometry {
  const { bones, mesh, name } = model;
  const { parents, order } = sortParentsFirst(bones.map(({ parent }) => parent));
  const count = bones.length;
  const jointOf = inverseOrder(order);
  const hasMesh = mesh !== null;
  const size = count + (hasMesh ? 1 : 0);
  const rest = new Float64Array(POSE_STRIDE * size);
  rest.set(restOfBones(bones, order));
  if (hasMesh) rest.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], POSE_STRIDE * count);
  const nodeParents = new Int32Array(size).fill(-1);
  nodeParents.set(parents);
  const inverseBindMatrices = new Float64Array(MATRIX_STRIDE * count);
  for (const [node, bone] of order.entries()) {
    const [x, y, z] = bones[bone].position;
    inverseBindMatrices.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, z, 1], MATRIX_STRIDE * node);
  }
  const joints = new Uint8Array(size);
  joints.fill(1, 0, count);
  const morphNames = shownMorphs(model).map((morph) => model.morphs[morph].name);
  return {
    nodes: {
      name: name || 'model',
      names: [...Array.from(order, (bone) => bones[bone].name), ...(hasMesh ? [MESH_NODE] : [])],
      parents: nodeParents,
      rest,
      bind: null,
      joints,
    },
    // Bones keep their index in the file; the mesh comes after them.
    sourceNodes: Int32Array.from({ length: size }, (_, node) => (node < count ? order[node] : count)),
    meshes: hasMesh
      ? [
          {
            name: name || 'model',
            primitives: primitivesOf(model, mesh, jointOf),
            morphNames,
            morphWeights: new Float64Array(morphNames.length),
          },
        ]
      : [],
    skins: hasMesh
      ? [{ name: name || 'model', joints: Int32Array.from({ length: count }, (_, node) => node), inverseBindMatrices }]
      : [],
    instances: hasMesh ? [{ node: count, mesh: 0, skin: 0, morphWeights: null }] : [],
    materials: [],
    textures: [],
  };
}
