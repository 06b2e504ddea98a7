import type { FileGeometry, Geometry } from '../../../core/asset/geometry.ts';
import type { Material, Texture, TextureUse } from '../../../core/asset/material.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { nameOfPath } from '../layer/paths.ts';
import type { ReadAsset } from '../stage/file-resolver.ts';
import { childrenOf, isUsable, primAt, type Stage } from '../stage/stage.ts';
import { uvSetOrder } from '../uv-sets.ts';
import { displayName } from './display-name.ts';
import { type Findings, reportFindings } from './geometry-findings.ts';
import { boundMaterials, materialsOfAppearances } from './materials/gprim-materials.ts';
import { defaultMaterial, readPreviewSurface } from './materials/preview-surface.ts';
import { addMaterialFinding, type MaterialContext } from './materials/read-texture.ts';
import { inputSource, inputText, shaderId, shaderName } from './materials/shader-network.ts';
import type { NamedMaterial, NamedTextureUse } from './materials/surface-channels.ts';
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
  reportFindings(findings, issues);
  const joints = new Uint8Array(nodes.parents.length);
  for (const skin of plan.skins) for (const node of skin.joints) joints[node] = 1;
  const geometry: Geometry = {
    nodes: { ...nodes, bind: null, joints },
    sourceNodes: Int32Array.from(scene.prims.keys()),
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

interface StageMaterials {
  /** One per path. `doubleSided` is false: in USD it is an attribute of the gprims. */
  readonly materials: Material[];
  /** Each combination of image and wrap modes once. */
  readonly textures: Texture[];
  /** By material: names of UV primvars; `uvSet` is an index in this list. A mesh with the material has its UVs in this order. */
  readonly uvSets: (readonly string[])[];
}

/** Ids of the surface shader: the USD node and the MaterialX node. */
const PREVIEW = new Set(['UsdPreviewSurface', 'ND_UsdPreviewSurface_surfaceshader']);

/**
 * Reads Material prims: UsdPreviewSurface with its UsdUVTexture, UsdTransform2d and UsdPrimvarReader nodes, through node graphs and interface inputs.
 * Materials with other surface shaders become the default material, with an issue.
 */
export function readMaterials(
  stage: Stage,
  paths: readonly string[],
  readAsset: ReadAsset,
  issues: Issue[],
  meshUvs: readonly (readonly string[])[] = [],
): StageMaterials {
  const findings: Findings = new Map();
  const context: MaterialContext = {
    stage,
    readAsset,
    issues,
    findings,
    textures: [],
    textureIndices: new Map(),
    missing: new Set(),
  };
  const named = paths.map((path) => readMaterial(context, path));
  const uvSets = named.map((material, i) => uvSetOrder([...(meshUvs[i] ?? []), ...usedUvs(material)]));
  reportFindings(findings, issues);
  return { materials: named.map((material, i) => withUvSets(material, uvSets[i])), textures: context.textures, uvSets };
}

function readMaterial(context: MaterialContext, path: string): NamedMaterial {
  const { stage } = context;
  const name = displayName(stage, path) ?? nameOfPath(path);
  const surfaces = surfacesOf(stage, path);
  const preview = surfaces.find((shader) => PREVIEW.has(shaderId(stage, shader) ?? ''));
  if (preview !== undefined) return readPreviewSurface(context, preview, name);
  const found = surfaces.map((shader) => shaderName(stage, shader)).join(', ');
  const what =
    found === ''
      ? 'Materials have no surface shader'
      : `Materials have the surface shader ${found}, which is not supported`;
  addMaterialFinding(context, `${what}; the default material was used. Add a UsdPreviewSurface`, path);
  return defaultMaterial(name);
}

/** Lists the surface shaders of a material; the one for all render contexts comes first. */
function surfacesOf(stage: Stage, material: string): string[] {
  const prim = primAt(stage, material);
  if (prim === null || !isUsable(prim)) return [];
  const outputs = prim.properties.filter((name) => /^outputs:(?:.+:)?surface$/.test(name));
  return ['outputs:surface', ...outputs].flatMap((output, i, all) => {
    const source = inputSource(stage, material, output);
    return source.type === 'output' && all.indexOf(output) === i ? [source.shader] : [];
  });
}

function usedUvs(material: NamedMaterial): string[] {
  return Object.values(material).flatMap((value) => (isUse(value) && value.uvName !== null ? [value.uvName] : []));
}

function isUse(value: NamedMaterial[keyof NamedMaterial]): value is NamedTextureUse {
  return typeof value === 'object' && value !== null && 'uvName' in value;
}

/** Replaces the names of UV sets by indices. A texture without a name uses the first set. */
function withUvSets(material: NamedMaterial, order: readonly string[]): Material {
  const use = (named: NamedTextureUse | null): TextureUse | null => {
    if (named === null) return null;
    const { texture, uvName, transform } = named;
    return { texture, uvSet: uvName === null ? 0 : order.indexOf(uvName), transform };
  };
  return {
    ...material,
    baseColorTexture: use(material.baseColorTexture),
    metallicRoughnessTexture: use(material.metallicRoughnessTexture),
    normalTexture: use(material.normalTexture),
    occlusionTexture: use(material.occlusionTexture),
    emissiveTexture: use(material.emissiveTexture),
  };
}
