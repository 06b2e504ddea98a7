import { Color, type Material, type Mesh, MeshBasicMaterial, type MeshStandardMaterial, MeshToonMaterial } from 'three';
import type { GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { StageColor } from '../contract.ts';
import type { GltfJson } from './gltf-json.ts';

/** Opacity of a figure in its reference pose. */
const GHOST_OPACITY = 0.28;

/** How MToon materials differ from the others of a file. */
interface ToonSettings {
  /** Whether transparent surfaces hide those behind them. */
  readonly depthWrite: boolean;
}

/** Returns what the file says about MToon for a material; null where it is of another kind. */
function toonSettings(json: GltfJson, index: number): ToonSettings | null {
  const toon = json.materials?.[index]?.extensions?.VRMC_materials_mtoon;
  if (toon !== undefined) return { depthWrite: toon.transparentWithZWrite === true };
  const vrm0 = json.extensions?.VRM?.materialProperties?.[index];
  if (vrm0?.shader === undefined || !/MToon$/i.test(vrm0.shader)) return null;
  const mode = vrm0.floatProperties?.['_BlendMode'];
  return { depthWrite: mode === undefined || mode === 3 };
}

/** Creates a toon material with color, textures and transparency of another. */
function toToon(material: MeshStandardMaterial, settings: ToonSettings): MeshToonMaterial {
  const toon = new MeshToonMaterial({
    name: material.name,
    color: material.color,
    map: material.map,
    transparent: material.transparent,
    opacity: material.opacity,
    alphaTest: material.alphaTest,
    side: material.side,
    vertexColors: material.vertexColors,
    depthWrite: !material.transparent || settings.depthWrite,
  });
  if (material.emissiveMap !== undefined) {
    toon.emissive = material.emissive;
    toon.emissiveMap = material.emissiveMap;
    toon.emissiveIntensity = material.emissiveIntensity;
  }
  return toon;
}

/** Replaces the materials of the meshes of a file by those that the stage draws: MToon as plain toon materials, the others as they are. */
export function prepareMaterials(meshes: readonly Mesh[], parser: GLTFParser, tint: StageColor | undefined): void {
  const json = parser.json as GltfJson;
  const made = new Map<Material, Material>();
  const prepare = (material: Material): Material => {
    const known = made.get(material);
    if (known !== undefined) return known;
    const association = parser.associations.get(material) as { readonly materials?: number } | undefined;
    const settings = toonSettings(json, association?.materials ?? -1);
    const standard = material as MeshStandardMaterial;
    const result = settings === null ? material : toToon(standard, settings);
    if (result !== material) material.dispose();
    if (tint !== undefined) (result as MeshStandardMaterial).color?.multiply(new Color(tint));
    made.set(material, result);
    return result;
  };
  for (const mesh of meshes) {
    mesh.material = Array.isArray(mesh.material) ? mesh.material.map(prepare) : prepare(mesh.material);
  }
}

export function createGhostMaterial(color: Color): MeshBasicMaterial {
  return new MeshBasicMaterial({
    color,
    transparent: true,
    opacity: GHOST_OPACITY,
    depthWrite: false,
    // Behind the figure where both have the same surface.
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 16,
  });
}
