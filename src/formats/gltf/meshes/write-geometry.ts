/** Writes a new document with a whole character: nodes, meshes, skins, materials, clips. */
import type { NewAnimation } from '../../../core/asset/asset.ts';
import type { Geometry, Mesh, Skin } from '../../../core/asset/geometry.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { formatTally, type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { type AccessorPool, createAccessorPool, poolAccessor } from '../accessors/accessor-pool.ts';
import { createDocument, type GltfDocument } from '../document/document.ts';
import { type UsedExtensions, writeExtensionLists } from '../document/extensions-used.ts';
import type { JsonObject } from '../document/json-access.ts';
import { NODE_VISIBILITY } from '../extensions/khr-node-visibility.ts';
import { animatedNodes, nodesBySource, remapAnimations } from '../write/remap-animations.ts';
import { appendClips } from '../write/write-clips.ts';
import { writeNodes } from '../write/write-nodes.ts';
import { type MeshNodePlan, type MeshPart, planMeshNodes } from './plan-mesh-nodes.ts';
import { type RepairedIndices, repairIndices } from './repair-indices.ts';
import { neededUvSets, writeMaterial } from './write-material.ts';
import { writePrimitive } from './write-primitive.ts';
import { writeTextures } from './write-textures.ts';

/** Reports the counted repairs of one object as one issue. Without repairs nothing is reported. */
function reportRepairs(repairs: IssueTally, subject: string, issues: Issue[]): void {
  const list = formatTally(repairs);
  if (list === '') return;
  issues.push(issue('GEOMETRY_REPAIRED', `${subject} has data that glTF does not allow; it was repaired: ${list}`));
}

/** A document that was written. */
export interface NewDocument {
  /** The new document. */
  readonly document: GltfDocument;
  /** Repaired and dropped data. */
  readonly issues: readonly Issue[];
}

/**
 * Writes a geometry and animations as a new document. Node i of the document is node i of the geometry; additional
 * nodes follow. Nodes of skinned meshes become roots without a transform, as glTF ignores theirs; a node that is
 * animated, a joint or a parent is kept and the mesh gets a node of its own. Data that glTF forbids is repaired, data
 * that it cannot represent is dropped.
 *
 * @param geometry The character, in glTF space (`changeGeometrySpace`).
 * @param animations Clips whose nodes are numbered as in `Geometry.sourceNodes`.
 * @returns The document; issues GEOMETRY_REPAIRED, INFLUENCE_COUNT_HIGH, TEXTURE_DROPPED, GLTF_SKIN, CHANNELS_DROPPED,
 * CLIP_EMPTY.
 * @throws RangeError For arrays whose lengths do not match, and for clips that `appendClips` rejects.
 * @throws FormatError GLTF_SCHEMA for a rest pose that float32 cannot represent.
 * @example
 * ```ts
 * const { document, issues } = writeCharacterDocument(geometry, [{ name: 'walk', clip, sourceNodes }]);
 * ```
 */
export function writeCharacterDocument(geometry: Geometry, animations: readonly NewAnimation[]): NewDocument {
  const issues: Issue[] = [];
  const doc = createDocument();
  const { json } = doc;
  const pool = createAccessorPool(doc);
  const extensions: UsedExtensions = { used: new Set(), required: new Set() };
  const repairs = geometry.meshes.map((): IssueTally => new Map());
  const drawn = geometry.meshes.map(({ primitives }, m) => primitives.map((one) => repairIndices(one, repairs[m])));
  const nodeOf = nodesBySource(geometry);
  const scene = planMeshNodes(geometry, drawn, animatedNodes(animations, nodeOf));

  const { nodes, roots } = writeNodes(scene);
  const skinOf = skinIndices(geometry);
  for (const { part, node, skin, morphWeights, isHidden } of scene.instances) {
    const { morphNames } = geometry.meshes[scene.parts[part].mesh];
    const weights =
      morphWeights === null || morphNames.length === 0 ? {} : { weights: weightsOf(morphWeights, morphNames) };
    Object.assign(nodes[node], { mesh: part, ...(skin < 0 ? {} : { skin: skinOf[skin] }), ...weights });
    if (!isHidden) continue;
    nodes[node]['extensions'] = { [NODE_VISIBILITY]: { visible: false } };
    extensions.used.add(NODE_VISIBILITY);
  }
  for (const [node, properties] of geometry.customProperties ?? []) nodes[node]['extras'] = { ...properties };
  if (nodes.length > 0) Object.assign(json, { scene: 0, scenes: [{ nodes: roots }], nodes });
  const textures = writeTextures(pool, geometry.textures, extensions, issues);
  const materials = geometry.materials.map((material) => writeMaterial(material, textures, extensions));
  const meshes = writeMeshes(pool, geometry, scene.parts, materials, { drawn, repairs, issues });
  const skins = geometry.skins.flatMap((skin, s) => {
    return skin.joints.length > 0 ? [writeSkin(pool, skin, scene.joints[s], issues)] : [];
  });
  for (const [key, list] of Object.entries({ meshes, skins, materials })) if (list.length > 0) json[key] = list;
  writeExtensionLists(json, extensions);
  reportTrees(scene, issues);
  const remapped = remapAnimations(animations, nodeOf, geometry, scene, issues);
  issues.push(...appendClips(doc, remapped).issues);
  return { document: doc, issues };
}

/** Index in the file per skin, −1 for skins without joints, which are not written. */
function skinIndices({ skins }: Geometry): Int32Array {
  let next = 0;
  return Int32Array.from(skins, ({ joints }) => (joints.length > 0 ? next++ : -1));
}

/** A weight per morph target, 0 where it is missing. */
function weightsOf(weights: ArrayLike<number>, names: readonly string[]): number[] {
  return names.map((_, t) => (Number.isFinite(weights[t]) ? weights[t] : 0));
}

interface MeshRepairs {
  readonly drawn: readonly (readonly (RepairedIndices | null)[])[];
  readonly repairs: readonly IssueTally[];
  readonly issues: Issue[];
}

function writeMeshes(
  pool: AccessorPool,
  geometry: Geometry,
  parts: readonly MeshPart[],
  materials: readonly JsonObject[],
  { drawn, repairs, issues }: MeshRepairs,
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
      const { json, influenceSets } = writePrimitive(pool, primitive, use, repairs[part.mesh]);
      mostSets = Math.max(mostSets, influenceSets);
      return json;
    });
    return meshJson(mesh, primitives);
  });
  repairs.forEach((list, m) => {
    reportRepairs(
      list,
      `The mesh ${JSON.stringify(geometry.meshes[m].name === '' ? m : geometry.meshes[m].name)}`,
      issues,
    );
  });
  if (mostSets > 1) {
    const message = `Vertices have up to ${4 * mostSets} joint influences, but many players use only the four strongest. Skinning may look slightly different there.`;
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
    // A convention of exporters and players (section 3.7.2.2, implementation note).
    ...(morphNames.some((morphName) => morphName !== '') ? { extras: { targetNames: [...morphNames] } } : {}),
  };
}

function writeSkin(pool: AccessorPool, skin: Skin, joints: readonly number[], issues: Issue[]): JsonObject {
  const { name, inverseBindMatrices: stored } = skin;
  const size = MATRIX_STRIDE * joints.length;
  if (stored.length !== size) {
    const message = `The skin ${JSON.stringify(name)} has ${stored.length} inverse bind matrix values for ${joints.length} joints, expected ${size}.`;
    throw new RangeError(message);
  }
  const repairs: IssueTally = new Map();
  const matrices = Float32Array.from(stored);
  for (let at = 0; at < size; at += MATRIX_STRIDE) {
    const matrix = matrices.subarray(at, at + MATRIX_STRIDE);
    if (!matrix.every(Number.isFinite)) {
      tallyIssue(repairs, 'inverse bind matrices with NaN or infinite values (set to the identity)');
      matrix.forEach((_, c) => {
        matrix[c] = c % 5 === 0 ? 1 : 0;
      });
    }
    // Exactly 0 0 0 1, as validators require (section 3.7.3.1).
    for (let column = 0; column < 4; column++) matrix[4 * column + 3] = column === 3 ? 1 : 0;
  }
  reportRepairs(repairs, `The skin ${JSON.stringify(name)}`, issues);
  const inverseBindMatrices = poolAccessor(pool, matrices, { type: 'MAT4' }, 0);
  return { ...(name === '' ? {} : { name }), inverseBindMatrices, joints: [...joints] };
}

function reportTrees({ hasNewRoot, names }: MeshNodePlan, issues: Issue[]): void {
  if (!hasNewRoot) return;
  const message = `The joints of a skin are in several trees, but glTF requires a common root. The trees were parented to the new node ${names.length - 1}.`;
  issues.push(issue('GLTF_SKIN', message));
}
