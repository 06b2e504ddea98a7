/** The meshes, skins, morph targets and materials of a USD stage. */
import type { Geometry } from '../../../core/asset/geometry.ts';
import type { Material } from '../../../core/asset/material.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { ReadAsset } from '../stage/read-asset.ts';
import { childrenOf, isUsable, type Stage } from '../stage/stage.ts';
import { type Findings, reportFindings } from './geometry-findings.ts';
import { type MaterialWants, makeGprims, planGprims } from './place-gprims.ts';
import { readMaterials } from './read-materials.ts';
import type { UsdScene } from './scene.ts';
import { inputText, shaderId } from './shade-network.ts';
import { materialsByLook, materialsOfLooks } from './surface-materials.ts';

/**
 * Reads what is seen of a scene, in the file's own axes and unit; `sourceNodes` are indices of the nodes of the scene, as those of skeletons and clips.
 *
 * Gprims that are visible and of purpose `default` or `render`: meshes, their polygons cut into triangles, never subdivided, holes left out, corners that
 * agree in everything one vertex, a primitive for each GeomSubset of materials; cubes, spheres, cylinders, cones, capsules and planes alike. Normals are of
 * length 1, none where the file has none; v runs down as in glTF. Where there is no material `displayColor` and `displayOpacity` are colors, or a
 * plain material where they are constant. A mesh that is seen from both sides has a material that says so. Instances share meshes.
 *
 * Skins take points of a mesh to its joints through `geomBindTransform`; influences are normalized and by vertex. What dual quaternions skin is skinned
 * linearly. Meshes whose influences are not valid are rigid. Morph targets: see `morphTargetsOf`; their weights are those of the default time.
 *
 * Everything is at the default time, at the first sample where there is nothing else. What is broken or left out is in `issues`: USD_GEOMETRY, USD_MATERIAL,
 * USD_INFLUENCES_INVALID, USD_BLEND_SHAPE_INVALID, GEOMETRY_DROPPED, GEOMETRY_REPAIRED, one of a kind.
 *
 * @throws FormatError `USD_LIMIT` for meshes past a gigabyte.
 */
export function readUsdGeometry(scene: UsdScene, readAsset: ReadAsset, issues: Issue[]): Geometry {
  const { stage, nodes } = scene;
  const findings: Findings = new Map();
  const plan = planGprims(scene, findings, issues);
  const { paths, uvSets } = materialsOfLooks(plan.looks);
  const read = readMaterials(stage, paths, readAsset, issues, uvSets);
  const wants = new Map(
    paths.map((path, i): [string, MaterialWants] => {
      const neededSets = setsNeeded(read.materials[i]);
      return [path, { uvSets: read.uvSets[i], neededSets, hasColors: readsDisplayColor(stage, path) }];
    }),
  );
  const { meshes, instances } = makeGprims(plan, wants);
  reportFindings(findings, issues);
  const joints = new Uint8Array(nodes.parents.length);
  for (const skin of plan.skins) for (const node of skin.joints) joints[node] = 1;
  return {
    nodes: { ...nodes, bind: null, joints },
    sourceNodes: Int32Array.from(scene.prims.keys()),
    meshes,
    skins: plan.skins,
    instances,
    materials: materialsByLook(plan.looks, read.materials),
    textures: read.textures,
  };
}

/** How many uv sets a mesh must have for the textures of a material. */
function setsNeeded(material: Material): number {
  const { baseColorTexture, metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture } = material;
  const uses = [baseColorTexture, metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture];
  return Math.max(0, ...uses.map((use) => (use === null ? 0 : use.uvSet + 1)));
}

/** Whether a shader of a material reads the color of the mesh. */
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
