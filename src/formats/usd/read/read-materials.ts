/** Materials of a stage as those of the hub. */
import type { Material, Texture, TextureUse } from '../../../core/asset/material.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { nameOfPath } from '../layer/paths.ts';
import type { ReadAsset } from '../stage/read-asset.ts';
import { isUsable, primAt, type Stage } from '../stage/stage.ts';
import { displayName } from './display-name.ts';
import { type Findings, reportFindings } from './geometry-findings.ts';
import { defaultMaterial, readPreviewSurface } from './preview-surface.ts';
import { type MaterialReading, noteMaterial } from './read-texture.ts';
import { inputSource, shaderId, shaderName } from './shade-network.ts';
import type { NamedMaterial, NamedUse } from './surface-channels.ts';
import { uvSetOrder } from './uv-sets.ts';

export interface StageMaterials {
  /** One a path. `doubleSided` is false: in USD that is a property of meshes. */
  readonly materials: Material[];
  /** Images with the ways to wrap them, each once. */
  readonly textures: Texture[];
  /** By material: the names of the uv primvars that its `uvSet` counts along. A mesh that has it puts its uvs in this order. */
  readonly uvSets: (readonly string[])[];
}

/** Ids of the surface shader: as a node of its own, and as one of MaterialX. */
const PREVIEW = new Set(['UsdPreviewSurface', 'ND_UsdPreviewSurface_surfaceshader']);

/**
 * Reads Material prims: UsdPreviewSurface with its UsdUVTexture, UsdTransform2d and UsdPrimvarReader nodes, through node graphs and interface inputs. Other
 * surface shaders come out as the default surface, with an issue. `meshUvs`: by path, the names of the uv primvars of the meshes that have the
 * material, so that uv sets count as in the meshes; without, those that it asks for itself.
 */
export function readMaterials(
  stage: Stage,
  paths: readonly string[],
  readAsset: ReadAsset,
  issues: Issue[],
  meshUvs: readonly (readonly string[])[] = [],
): StageMaterials {
  const findings: Findings = new Map();
  const reading: MaterialReading = {
    stage,
    readAsset,
    issues,
    findings,
    textures: [],
    places: new Map(),
    missing: new Set(),
  };
  const named = paths.map((path) => readMaterial(reading, path));
  const uvSets = named.map((material, i) => uvSetOrder([...(meshUvs[i] ?? []), ...askedUvs(material)]));
  reportFindings(findings, issues);
  return { materials: named.map((material, i) => withUvSets(material, uvSets[i])), textures: reading.textures, uvSets };
}

function readMaterial(reading: MaterialReading, path: string): NamedMaterial {
  const { stage } = reading;
  const name = displayName(stage, path) ?? nameOfPath(path);
  const surfaces = surfacesOf(stage, path);
  const preview = surfaces.find((shader) => PREVIEW.has(shaderId(stage, shader) ?? ''));
  if (preview !== undefined) return readPreviewSurface(reading, preview, name);
  const found = surfaces.map((shader) => shaderName(stage, shader)).join(', ');
  const what = found === '' ? 'Materials without a surface shader' : `Materials of ${found}`;
  noteMaterial(reading, `${what} have the default look; give them a UsdPreviewSurface`, path);
  return defaultMaterial(name);
}

/** The shaders that make the surface of a material, that for all renderers first. */
function surfacesOf(stage: Stage, material: string): string[] {
  const prim = primAt(stage, material);
  if (prim === null || !isUsable(prim)) return [];
  const outputs = prim.properties.filter((name) => /^outputs:(?:.+:)?surface$/.test(name));
  return ['outputs:surface', ...outputs].flatMap((output, i, all) => {
    const source = inputSource(stage, material, output);
    return source.type === 'output' && all.indexOf(output) === i ? [source.shader] : [];
  });
}

/** Names of the uv sets that textures of a material ask for. */
function askedUvs(material: NamedMaterial): string[] {
  return Object.values(material).flatMap((value) => (isUse(value) && value.uvName !== null ? [value.uvName] : []));
}

function isUse(value: NamedMaterial[keyof NamedMaterial]): value is NamedUse {
  return typeof value === 'object' && value !== null && 'uvName' in value;
}

/** Uvs that nobody names are those of the first set. */
function withUvSets(material: NamedMaterial, order: readonly string[]): Material {
  const use = (named: NamedUse | null): TextureUse | null => {
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
