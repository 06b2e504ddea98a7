/** A new document that holds a whole character: nodes, meshes, skins, materials, clips. */
import type { Geometry, Mesh, Skin } from '../../../core/asset/geometry.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { type AccessorPool, accessorPool, poolAccessor } from '../accessor-pool.ts';
import { createDocument, type GltfDocument } from '../document.ts';
import { countMends, type Mends, reportMends } from '../mends.ts';
import { animatedNodes, nodesBySource, placeAnimations } from '../place-animations.ts';
import type { JsonObject } from '../schema.ts';
import { type UsedExtensions, writeExtensionLists } from '../used-extensions.ts';
import { appendClips, type NewAnimation } from '../write-clips.ts';
import { writeNodes } from '../write-nodes.ts';
import { type Drawn, drawnIndices } from './drawn-indices.ts';
import { type MeshPart, type PlacedMeshes, placeMeshes } from './place-meshes.ts';
import { neededUvSets, writeMaterial } from './write-material.ts';
import { writePrimitive } from './write-primitive.ts';
import { writeTextures } from './write-textures.ts';

/**
 * A document with everything of a geometry, which must be in the space of glTF (`changeGeometrySpace`), and animations, whose nodes
 * are numbered as in `Geometry.sourceNodes`. Node i of the file is node i of the geometry; what glTF needs besides follows. Nodes of
 * skinned meshes become roots without a transform, as glTF gives theirs no meaning; where such a node is animated, a joint or a parent, it
 * stays as it is and the mesh gets a node of its own.
 *
 * What glTF forbids is mended, what it has no place for left out, and issues tell: GEOMETRY_REPAIRED, INFLUENCE_COUNT_HIGH, TEXTURE_DROPPED,
 * GLTF_SKIN, CHANNELS_DROPPED, CLIP_EMPTY. RangeError for arrays that do not fit each other and for clips that cannot be written: see
 * `appendClips`. FormatError GLTF_SCHEMA for a rest pose that float32 cannot hold.
 */
export function writeCharacterDocument(
  geometry: Geometry,
  animations: readonly NewAnimation[],
  issues: Issue[],
): GltfDocument {
  const doc = createDocument();
  const { json } = doc;
  const pool = accessorPool(doc);
  const extensions: UsedExtensions = { used: new Set(), required: new Set() };
  const mends = geometry.meshes.map((): Mends => new Map());
  const drawn = geometry.meshes.map(({ primitives }, m) => primitives.map((one) => drawnIndices(one, mends[m])));
  const nodeOf = nodesBySource(geometry);
  const scene = placeMeshes(geometry, drawn, animatedNodes(animations, nodeOf));

  const { nodes, roots } = writeNodes(scene);
  const skinOf = skinIndices(geometry);
  for (const { part, node, skin, morphWeights } of scene.placed) {
    const { morphNames } = geometry.meshes[scene.parts[part].mesh];
    const weights =
      morphWeights === null || morphNames.length === 0 ? {} : { weights: weightsOf(morphWeights, morphNames) };
    Object.assign(nodes[node], { mesh: part, ...(skin < 0 ? {} : { skin: skinOf[skin] }), ...weights });
  }
  if (nodes.length > 0) Object.assign(json, { scene: 0, scenes: [{ nodes: roots }], nodes });
  const textures = writeTextures(pool, geometry.textures, extensions, issues);
  const materials = geometry.materials.map((material) => writeMaterial(material, textures, extensions));
  const meshes = writeMeshes(pool, geometry, scene.parts, drawn, materials, mends, issues);
  const skins = geometry.skins.flatMap((skin, s) => {
    return skin.joints.length > 0 ? [writeSkin(pool, skin, scene.joints[s], issues)] : [];
  });
  for (const [key, list] of Object.entries({ meshes, skins, materials })) if (list.length > 0) json[key] = list;
  writeExtensionLists(json, extensions);
  reportTrees(scene, issues);
  appendClips(doc, placeAnimations(animations, nodeOf, geometry, scene, issues), issues);
  return doc;
}

/** Index in the file of every skin: those without joints are not there. */
function skinIndices({ skins }: Geometry): Int32Array {
  let next = 0;
  return Int32Array.from(skins, ({ joints }) => (joints.length > 0 ? next++ : -1));
}

/** A weight for each morph target, 0 where there is none. */
function weightsOf(weights: ArrayLike<number>, names: readonly string[]): number[] {
  return names.map((_, t) => (Number.isFinite(weights[t]) ? weights[t] : 0));
}

function writeMeshes(
  pool: AccessorPool,
  geometry: Geometry,
  parts: readonly MeshPart[],
  drawn: readonly (readonly (Drawn | null)[])[],
  materials: readonly JsonObject[],
  mends: readonly Mends[],
  issues: Issue[],
): JsonObject[] {
  let mostSets = 0;
  const uvSets = materials.map(neededUvSets);
  const meshes = parts.map((part) => {
    const mesh = geometry.meshes[part.mesh];
    const targetCount = mesh.morphNames.length;
    const primitives = part.primitives.map((p) => {
      const primitive = mesh.primitives[p];
      const material = primitive.material < materials.length ? primitive.material : -1;
      const use = {
        drawn: drawn[part.mesh][p]!,
        jointCount: part.jointCount,
        targetCount,
        material,
        uvSets: uvSets[material] ?? 0,
      };
      const { json, influenceSets } = writePrimitive(pool, primitive, use, mends[part.mesh]);
      mostSets = Math.max(mostSets, influenceSets);
      return json;
    });
    return meshJson(mesh, primitives);
  });
  mends.forEach((list, m) => {
    reportMends(
      list,
      `The mesh ${JSON.stringify(geometry.meshes[m].name === '' ? m : geometry.meshes[m].name)}`,
      issues,
    );
  });
  if (mostSets > 1) {
    const message = `Vertices hang on up to ${4 * mostSets} joints; many players take the four that pull most, so that skin may look a little different there`;
    issues.push(issue('INFLUENCE_COUNT_HIGH', message));
  }
  return meshes;
}

function meshJson({ name, morphNames, morphWeights }: Mesh, primitives: JsonObject[]): JsonObject {
  const weights = weightsOf(morphWeights, morphNames);
  return {
    ...(name === '' ? {} : { name }),
    primitives,
    ...(weights.some((weight) => weight !== 0) ? { weights } : {}),
    // What exporters and players agreed on (section 3.7.2.2, implementation note).
    ...(morphNames.some((morphName) => morphName !== '') ? { extras: { targetNames: [...morphNames] } } : {}),
  };
}

function writeSkin(pool: AccessorPool, skin: Skin, joints: readonly number[], issues: Issue[]): JsonObject {
  const { name, inverseBindMatrices: given } = skin;
  const size = MATRIX_STRIDE * joints.length;
  if (given.length !== size) {
    const message = `The skin ${JSON.stringify(name)} has ${given.length} numbers of inverse bind matrices for ${joints.length} joints, expected ${size}`;
    throw new RangeError(message);
  }
  const mends: Mends = new Map();
  const matrices = Float32Array.from(given);
  for (let at = 0; at < size; at += MATRIX_STRIDE) {
    const matrix = matrices.subarray(at, at + MATRIX_STRIDE);
    if (!matrix.every(Number.isFinite)) {
      countMends(mends, 'inverse bind matrices that are not finite (the identity)');
      matrix.forEach((_, c) => {
        matrix[c] = c % 5 === 0 ? 1 : 0;
      });
    }
    // To the bit, which validators want (section 3.7.3.1).
    for (let column = 0; column < 4; column++) matrix[4 * column + 3] = column === 3 ? 1 : 0;
  }
  reportMends(mends, `The skin ${JSON.stringify(name)}`, issues);
  const inverseBindMatrices = poolAccessor(pool, matrices, { type: 'MAT4' }, 0);
  return { ...(name === '' ? {} : { name }), inverseBindMatrices, joints: [...joints] };
}

function reportTrees({ joinsTrees, names }: PlacedMeshes, issues: Issue[]): void {
  if (!joinsTrees) return;
  const message = `Joints of a skin stand in several trees, which glTF forbids; the trees were put below a new node ${names.length - 1}`;
  issues.push(issue('GLTF_SKIN', message));
}
