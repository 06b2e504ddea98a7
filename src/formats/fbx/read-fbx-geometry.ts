import type { ReadResource } from '../../core/asset/asset.ts';
import type { FileGeometry, Geometry } from '../../core/asset/geometry.ts';
import { geometryBudget } from '../../core/asset/geometry-budget.ts';
import { triangulationBudget } from '../../core/asset/triangulate.ts';
import type { Issue } from '../../core/report/issue.ts';
import { modelMatrices } from '../../core/skeleton/pose.ts';
import type { FbxTree } from './document/fbx-tree.ts';
import { parseFbx } from './document/parse-fbx.ts';
import { readMaterials } from './materials/read-fbx-materials.ts';
import { type MeshReading, readMeshes } from './meshes/read-meshes.ts';
import { type FbxObject, type FbxScene, readScene } from './nodes/fbx-scene.ts';
import { readCustomProperties } from './nodes/read-custom-properties.ts';
import { readBindPose } from './nodes/read-fbx-bind-pose.ts';
import { readModels } from './nodes/read-models.ts';

/** Options of {@link readFbxGeometry}. */
interface ReadFbxGeometryOptions {
  /** Reads image files beside the FBX by path; without it only embedded images are read. */
  readonly readResource?: ReadResource;
}

/** The geometry of an FBX file. */
export interface FbxGeometry extends FileGeometry {
  /** Control point of each vertex, by mesh and primitive. For tests and tools. */
  readonly controlPoints: readonly (readonly Int32Array[])[];
}

/**
 * Reads the geometry of an FBX file, binary or text, in its own axes and unit. Skeletons and clips come from `readFbx`,
 * which has the same `sourceNodes`.
 *
 * Polygons become triangles, with one primitive per material. Corners that agree in everything share a vertex. v points
 * down as in glTF, and colors are linear. Geometric transforms are applied to the vertices. Meshes without normals stay
 * without them. NURBS and patches are not read. Control points without a skin weight follow the topmost joint of their
 * skin. `inverseBindMatrices` fit the joints as `readFbx` poses them. See `readSkin`, `shapeChannels` and
 * `readMaterials` for skins, blend shapes and materials.
 *
 * @param bytes The file.
 * @param options Reads images.
 * @returns The geometry and its issues.
 * @throws FormatError those of `parseFbx`; `FBX_LIMIT` for meshes beyond a gigabyte.
 * @example
 * ```ts
 * const { geometry, issues } = await readFbxGeometry(bytes, { readResource: (path) => readFile(join(folder, path)) });
 * const [mesh] = geometry.meshes; // mesh.primitives[0].positions: xyz per vertex
 * ```
 */
export async function readFbxGeometry(bytes: Uint8Array, options: ReadFbxGeometryOptions = {}): Promise<FbxGeometry> {
  return readFbxTreeGeometry(parseFbx(bytes), options);
}

/** Reads the geometry of a parsed FBX file, as `readFbxGeometry` does. Throws FormatError `FBX_LIMIT` for meshes beyond a gigabyte. */
export async function readFbxTreeGeometry(tree: FbxTree, options: ReadFbxGeometryOptions = {}): Promise<FbxGeometry> {
  const { geometry, controlPoints, issues, scene, sourceMaterials, uvSets } = readTreeMeshes(tree);
  const appearance = await readMaterials(
    scene,
    sourceMaterials,
    { uvSets, readResource: options.readResource },
    issues,
  );
  return { geometry: { ...geometry, ...appearance }, controlPoints, issues };
}

/**
 * Reads how the vertices of a parsed FBX file move with its nodes: the geometry without materials and textures. Throws FormatError `FBX_LIMIT` for
 * meshes beyond a gigabyte.
 */
export function readFbxTreeVertices(tree: FbxTree): Geometry {
  return readTreeMeshes(tree).geometry;
}

function readTreeMeshes(tree: FbxTree): {
  geometry: Geometry;
  controlPoints: FbxGeometry['controlPoints'];
  issues: Issue[];
  scene: FbxScene;
  sourceMaterials: readonly FbxObject[];
  uvSets: string[][];
} {
  const known: Issue[] = [];
  const scene = readScene(tree, known);
  const forest = readModels(scene, known);
  const worlds = modelMatrices(forest.parents, forest.rest);
  const issues: Issue[] = [];
  const reading: MeshReading = {
    scene,
    forest,
    worlds,
    bind: readBindPose(scene, forest, worlds, known),
    budget: geometryBudget('FBX_LIMIT'),
    triangulation: triangulationBudget(),
    issues,
    sourceMeshes: new Map(),
  };
  const sceneMeshes = readMeshes(reading);
  const uvSets = [...reading.sourceMeshes.values()].map(({ mesh }) => mesh.uvs.map(({ name }) => name));
  const joints = new Uint8Array(forest.models.length);
  for (const skin of sceneMeshes.skins) for (const node of skin.joints) joints[node] = 1;
  const geometry: Geometry = {
    nodes: {
      name: forest.models[0]?.name || 'scene',
      names: forest.models.map(({ name }) => name),
      parents: forest.parents,
      rest: forest.rest,
      bind: null,
      joints,
    },
    sourceNodes: Int32Array.from(forest.models, ({ index }) => index),
    customProperties: readCustomProperties(forest, issues),
    meshes: sceneMeshes.meshes,
    skins: sceneMeshes.skins,
    instances: sceneMeshes.instances,
    materials: [],
    textures: [],
  };
  const { controlPoints, materials: sourceMaterials } = sceneMeshes;
  return { geometry, controlPoints, issues, scene, sourceMaterials, uvSets };
}
