import type { CustomProperties, FileGeometry, Geometry } from '../../../core/asset/geometry.ts';
import type { Material } from '../../../core/asset/material.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { readCustomProperties } from '../custom-properties.ts';
import type { ReadAsset } from '../stage/file-resolver.ts';
import { childrenOf, isUsable, type Stage } from '../stage/stage.ts';
import { type Findings, reportFindings } from './geometry-findings.ts';
import { boundMaterials, materialsOfAppearances } from './materials/gprim-materials.ts';
import { readMaterials } from './materials/read-materials.ts';
import { inputText, shaderId } from './materials/shader-network.ts';
import { buildGprims, type MaterialNeeds, planGprims } from './meshes/gprim-meshes.ts';
import type { UsdScene } from './scene.ts';

/**
 * Reads the visible geometry of a scene: gprims of purpose `default` or `render` that are not invisible.
 *
 * - Space: the axes and the unit of the file; v points down as in glTF. `sourceNodes` are node indices of the scene, as for skeletons and clips.
 * - Meshes: polygons are triangulated, not subdivided; holes are omitted. Corners with equal values share a vertex. Each material GeomSubset becomes
 *   a primitive. Cubes, spheres, cylinders, cones, capsules and planes are tessellated. Normals are unit length, and null if the file has none.
 * - Instances of a prototype share meshes.
 * - Materials: UsdPreviewSurface. Without a material, `displayColor` and `displayOpacity` become vertex colors, or a plain material if constant.
 *   `doubleSided` of a mesh becomes `doubleSided` of its material.
 * - Skins: inverse bind matrices include the `geomBindTransform`; influences are normalized, one run per vertex. Dual quaternion skinning becomes
 *   linear skinning. A mesh with invalid influences is rigid.
 * - Morph targets: one per blend shape and in-between; the default weights are those at the default time.
 * - Time: values are those at the default time, or the first time sample if there is no default value.
 *
 * @param readAsset Returns the bytes of image files.
 * @returns The geometry and the issues of reading it: USD_GEOMETRY, USD_MATERIAL, USD_INFLUENCES_INVALID, USD_BLEND_SHAPE_INVALID, RESOURCE_MISSING,
 *   GEOMETRY_DROPPED, GEOMETRY_REPAIRED.
 * @throws FormatError USD_LIMIT if the meshes take more than a gigabyte.
 * @example
 * const { geometry, issues } = readUsdGeometry(scene, (path) => images.get(path) ?? null);
 */
export function readUsdGeometry(scene: UsdScene, readAsset: ReadAsset): FileGeometry {
  const { stage, nodes } = scene;
  const issues: Issue[] = [];
  const findings: Findings = new Map();
  const plan = planGprims(scene, findings, issues);
  const { paths, uvSets } = boundMaterials(plan.appearances);
  const read = readMaterials(stage, paths, readAsset, issues, uvSets);
  const needs = new Map(
    paths.map((path, i): [string, MaterialNeeds] => {
      const neededSets = setsNeeded(read.materials[i]);
      return [path, { uvSets: read.uvSets[i], neededSets, hasColors: readsDisplayColor(stage, path) }];
    }),
  );
  const { meshes, instances } = buildGprims(plan, needs);
  const customProperties = new Map<number, CustomProperties>();
  for (const [node, prim] of scene.prims.entries()) {
    if (scene.joints[node] >= 0) continue;
    const read = readCustomProperties(stage, prim, findings);
    if (Object.keys(read).length > 0) customProperties.set(node, read);
  }
  reportFindings(findings, issues);
  const joints = new Uint8Array(nodes.parents.length);
  for (const skin of plan.skins) for (const node of skin.joints) joints[node] = 1;
  const geometry: Geometry = {
    nodes: { ...nodes, bind: null, joints },
    sourceNodes: Int32Array.from(scene.prims.keys()),
    customProperties,
    meshes,
    skins: plan.skins,
    instances,
    materials: materialsOfAppearances(plan.appearances, read.materials),
    textures: read.textures,
  };
  return { geometry, issues };
}

/** Counts the UV sets that a mesh needs for the textures of a material. */
function setsNeeded(material: Material): number {
  const { baseColorTexture, metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture } = material;
  const uses = [baseColorTexture, metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture];
  return Math.max(0, ...uses.map((use) => (use === null ? 0 : use.uvSet + 1)));
}

function readsDisplayColor(stage: Stage, path: string): boolean {
  const open = childrenOf(stage, path);
  for (let prim = open.pop(); prim !== undefined; prim = open.pop()) {
    if (!isUsable(prim)) continue;
    const isReader = shaderId(stage, prim.path) === 'UsdPrimvarReader_float3';
    if (isReader && inputText(stage, prim.path, 'varname') === 'displayColor') return true;
    open.push(...childrenOf(stage, prim.path));
  }
  return false;
}
