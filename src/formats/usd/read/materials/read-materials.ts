import type { Material, Texture, TextureUse } from '../../../../core/asset/material.ts';
import type { Issue } from '../../../../core/report/issue.ts';
import { nameOfPath } from '../../layer/paths.ts';
import type { ReadAsset } from '../../stage/file-resolver.ts';
import { isUsable, primAt, type Stage } from '../../stage/stage.ts';
import { uvSetOrder } from '../../uv-sets.ts';
import { displayName } from '../display-name.ts';
import { type Findings, reportFindings } from '../geometry-findings.ts';
import { defaultMaterial, readPreviewSurface } from './preview-surface.ts';
import { addMaterialFinding, type MaterialContext } from './read-texture.ts';
import { inputSource, shaderId, shaderName } from './shader-network.ts';
import type { NamedMaterial, NamedTextureUse } from './surface-channels.ts';

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
