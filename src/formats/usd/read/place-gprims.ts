/** Meshes, skins and where they stand: all gprims of a scene. */
import type { Mesh, MeshInstance, Skin } from '../../../core/asset/geometry.ts';
import { geometryBudget } from '../../../core/asset/geometry-budget.ts';
import { triangulationBudget } from '../../../core/asset/triangulate.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { type Prim, prototypePath } from '../stage/stage.ts';
import { displayName } from './display-name.ts';
import { type Findings, note } from './geometry-findings.ts';
import { type MaterialBindings, type MaterialPart, materialParts } from './material-bindings.ts';
import { meshPrimitive, type PrimitiveReading, type SurfacePart, type UsdSurface } from './mesh-primitives.ts';
import { type Gprim, type GprimBinding, type GprimReading, readGprim, restWeights } from './read-gprim.ts';
import { bindingKey, skinOf, skinTable } from './read-skin.ts';
import type { UsdScene } from './scene.ts';
import { type LookTable, lookTable, placeOfLook } from './surface-materials.ts';
import { visibleGprims } from './visible-gprims.ts';

/** A mesh before its materials are known. */
export interface PlannedMesh {
  readonly name: string;
  readonly prim: Prim;
  readonly gprim: Gprim;
  readonly parts: readonly PlannedPart[];
  readonly morphWeights: Float32Array;
}

/** Faces and how they look. */
interface PlannedPart {
  readonly faces: ArrayLike<number>;
  /** Path of its Material; null for none. */
  readonly materialPath: string | null;
  /** Place in the table of looks; −1 for the default. */
  readonly material: number;
}

/** A gprim where it stands. */
export interface PlacedGprim {
  readonly node: number;
  /** Index of the planned mesh. */
  readonly mesh: number;
  /** −1 for none. */
  readonly skin: number;
  /** Null where they are those of the mesh. */
  readonly morphWeights: Float32Array | null;
}

/** Everything that is seen, as it is planned. */
export interface GprimPlan {
  readonly meshes: readonly PlannedMesh[];
  readonly placed: readonly PlacedGprim[];
  readonly skins: readonly Skin[];
  readonly looks: LookTable;
  /** What is made of the plan counts on. */
  readonly reading: PrimitiveReading;
}

/**
 * Reads every gprim that is seen. Instances that have the same materials and bindings are one mesh that stands in several places; with skeletons that are
 * instances too they have skins of their own, of the same bind matrices.
 */
export function planGprims(scene: UsdScene, findings: Findings, issues: Issue[]): GprimPlan {
  const { stage } = scene;
  const reading: GprimReading = { stage, budget: geometryBudget('USD_LIMIT'), findings, issues };
  const bindingOf = new Map<string, GprimBinding>();
  for (const skeleton of scene.skeletons) {
    for (const bound of skeleton.bound) if (!bindingOf.has(bound.prim)) bindingOf.set(bound.prim, { skeleton, bound });
  }
  const gprims = new Map<string, Gprim>();
  const materials: MaterialBindings = new Map();
  const meshes: PlannedMesh[] = [];
  const known = new Map<string, number>();
  const placed: PlacedGprim[] = [];
  const skins = skinTable();
  const looks = lookTable();
  for (const { node, prim } of visibleGprims(scene, findings)) {
    const binding = bindingOf.get(prim.path) ?? null;
    const bindKey = binding === null ? '' : bindingKey(stage, binding.skeleton, binding.bound);
    const gprimKey = `${prototypePath(stage, prim.path)} ${bindKey}`;
    const gprim = gprims.get(gprimKey) ?? readGprim(reading, prim, binding);
    gprims.set(gprimKey, gprim);
    const parts = materialParts(stage, prim.path, gprim.surface.polygons, materials, findings).map((part) =>
      plannedPart(scene, looks, gprim, part),
    );
    const weights =
      gprim.morphs === null || binding === null ? new Float32Array(0) : restWeights(stage, gprim.morphs, binding);
    const meshKey = `${gprimKey} ${parts.map(({ material }) => material).join()}`;
    const mesh = known.get(meshKey) ?? meshes.length;
    known.set(meshKey, mesh);
    if (mesh === meshes.length) {
      meshes.push({ name: displayName(stage, prim.path) ?? prim.name, prim, gprim, parts, morphWeights: weights });
    }
    const skin = gprim.binding === null || binding === null ? -1 : skinOf(skins, binding.skeleton, gprim.binding);
    const ofMesh = meshes[mesh].morphWeights;
    const morphWeights = weights.every((weight, t) => weight === ofMesh[t]) ? null : weights;
    placed.push({ node, mesh, skin, morphWeights });
  }
  const { budget } = reading;
  return {
    meshes,
    placed,
    skins: skins.skins,
    looks,
    reading: { budget, triangulation: triangulationBudget(), findings },
  };
}

function plannedPart(
  { stage }: UsdScene,
  looks: LookTable,
  { color, isDoubleSided, surface }: Gprim,
  { faces, material: path }: MaterialPart,
): PlannedPart {
  const materialPath = path === null ? null : prototypePath(stage, path);
  const shown = materialPath === null ? color : null;
  const look = {
    material: materialPath,
    isDoubleSided,
    color: shown === null ? null : (shown.constant ?? ([1, 1, 1, 1] as const)),
    isTranslucent: shown?.isTranslucent ?? false,
  };
  return { faces, materialPath, material: placeOfLook(looks, look, surface.uvs.keys()) };
}

/** What a plan comes to. */
export interface MadeGprims {
  readonly meshes: Mesh[];
  readonly instances: MeshInstance[];
  /** Point of every vertex, by mesh and primitive. */
  readonly points: Int32Array[][];
}

/** What a material wants of meshes. */
export interface MaterialWants {
  /** Names of uv sets, in the order in which the material counts them. */
  readonly uvSets: readonly string[];
  /** How many of these its textures need, whether the mesh has them or not. */
  readonly neededSets: number;
  /** Whether it has the display color of the mesh. */
  readonly hasColors: boolean;
}

/** Makes the meshes and instances of a plan; those without a triangle are left out. `wants`: of the materials by their paths. */
export function makeGprims(plan: GprimPlan, wants: ReadonlyMap<string, MaterialWants>): MadeGprims {
  const { reading } = plan;
  const meshes: Mesh[] = [];
  const points: Int32Array[][] = [];
  const places = plan.meshes.map((planned): number => {
    const { prim, gprim, parts, name, morphWeights } = planned;
    const { surface, morphs } = gprim;
    const made = parts.flatMap((part) => {
      const wanted = wants.get(part.materialPath ?? '');
      const surfacePart: SurfacePart = {
        faces: part.faces,
        material: part.material,
        uvSets: setsOf(surface.uvs, wanted),
        // The same color everywhere is that of a plain material.
        hasColors: part.materialPath === null ? gprim.color?.constant === null : wanted?.hasColors === true,
      };
      return meshPrimitive(reading, surface, surfacePart, prim.path) ?? [];
    });
    if (made.length === 0) {
      note(reading.findings, 'USD_GEOMETRY', 'Meshes without a triangle were left out', prim.path);
      return -1;
    }
    points.push(made.map((primitive) => primitive.points));
    const primitives = made.map(({ primitive }) => primitive);
    const morphNames = morphs?.targets.map((target) => target.name) ?? [];
    return meshes.push({ name, primitives, morphNames, morphWeights }) - 1;
  });
  const instances = plan.placed.flatMap(({ node, mesh, skin, morphWeights }): MeshInstance[] => {
    return places[mesh] < 0 ? [] : [{ node, mesh: places[mesh], skin, morphWeights }];
  });
  return { meshes, instances, points };
}

/** The names up to the last one that the mesh has or the material needs. */
function setsOf(uvs: UsdSurface['uvs'], wanted: MaterialWants | undefined): readonly string[] {
  if (wanted === undefined) return [...uvs.keys()];
  const { uvSets, neededSets } = wanted;
  return uvSets.slice(0, Math.max(neededSets, uvSets.findLastIndex((name) => uvs.has(name)) + 1));
}
