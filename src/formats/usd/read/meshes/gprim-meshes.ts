/** Converts the visible gprims of a scene to meshes, skins and instances. */
import type { Mesh, MeshInstance, Skin } from '../../../../core/asset/geometry.ts';
import { geometryBudget } from '../../../../core/asset/geometry-budget.ts';
import { triangulationBudget } from '../../../../core/asset/triangulate.ts';
import type { Issue } from '../../../../core/report/issue.ts';
import { isPointBased, isSkinnable } from '../../skel/prim-types.ts';
import { textsOf } from '../../skel/typed-values.ts';
import { timeSamplesOf } from '../../stage/attribute-values.ts';
import { type Prim, primAndAncestors, primAt, prototypePath } from '../../stage/stage.ts';
import { displayName } from '../display-name.ts';
import { addFinding, type Findings } from '../geometry-findings.ts';
import { type AppearanceTable, appearanceIndex, createAppearanceTable } from '../materials/gprim-materials.ts';
import { type MaterialBindings, type MaterialPart, materialParts } from '../materials/material-bindings.ts';
import { restValue } from '../rest-value.ts';
import type { UsdScene } from '../scene.ts';
import { bindingKey, createSkinTable, skinOf } from '../skeletons/read-skin.ts';
import { meshPrimitive, type PrimitiveContext, type SurfacePart, type UsdSurface } from './mesh-primitives.ts';
import { type Gprim, type GprimBinding, type GprimContext, readGprim, restWeights } from './read-gprim.ts';
import { TESSELLATED } from './tessellate-gprim.ts';

interface GprimMesh {
  /** `displayName` of the prim, else its name. */
  readonly name: string;
  /** The first prim with this mesh. */
  readonly prim: Prim;
  /** Its polygons with primvars, influences and blend shapes. */
  readonly gprim: Gprim;
  /** Its faces by material. */
  readonly parts: readonly GprimPart[];
  /** Default weights, one per morph target. */
  readonly morphWeights: Float32Array;
}

interface GprimPart {
  readonly faces: ArrayLike<number>;
  /** Path of its Material; null for none. */
  readonly materialPath: string | null;
  /** Index in the table of appearances; −1 for the default. */
  readonly material: number;
}

/** All visible gprims, read but not yet triangulated. */
interface GprimPlan {
  /** Each mesh once, however many instances it has. */
  readonly meshes: readonly GprimMesh[];
  /** In node order. */
  readonly instances: readonly MeshInstance[];
  readonly skins: readonly Skin[];
  readonly appearances: AppearanceTable;
  readonly context: PrimitiveContext;
}

/**
 * Reads all visible gprims. Instances with the same materials and bindings share a mesh. If their skeletons are instances too, each has a skin of its
 * own with the same bind matrices.
 */
export function planGprims(scene: UsdScene, findings: Findings, issues: Issue[]): GprimPlan {
  const { stage } = scene;
  const context: GprimContext = { stage, budget: geometryBudget('USD_LIMIT'), findings, issues };
  const bindingOf = new Map<string, GprimBinding>();
  for (const skeleton of scene.skeletons) {
    for (const bound of skeleton.bound) if (!bindingOf.has(bound.prim)) bindingOf.set(bound.prim, { skeleton, bound });
  }
  const gprims = new Map<string, Gprim>();
  const materials: MaterialBindings = new Map();
  const meshes: GprimMesh[] = [];
  const known = new Map<string, number>();
  const instances: MeshInstance[] = [];
  const skins = createSkinTable();
  const appearances = createAppearanceTable();
  for (const { node, prim } of visibleGprims(scene, findings)) {
    const binding = bindingOf.get(prim.path) ?? null;
    const bindKey = binding === null ? '' : bindingKey(stage, binding.skeleton, binding.bound);
    const gprimKey = `${prototypePath(stage, prim.path)} ${bindKey}`;
    const gprim = gprims.get(gprimKey) ?? readGprim(context, prim, binding);
    gprims.set(gprimKey, gprim);
    const parts = materialParts(stage, prim.path, gprim.surface.polygons, materials, findings).map((part) =>
      toGprimPart(scene, appearances, gprim, part),
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
    instances.push({ node, mesh, skin, morphWeights });
  }
  const { budget } = context;
  return {
    meshes,
    instances,
    skins: skins.skins,
    appearances,
    context: { budget, triangulation: triangulationBudget(), findings },
  };
}

function toGprimPart(
  { stage }: UsdScene,
  appearances: AppearanceTable,
  { color, isDoubleSided, surface }: Gprim,
  { faces, material: path }: MaterialPart,
): GprimPart {
  const materialPath = path === null ? null : prototypePath(stage, path);
  const shown = materialPath === null ? color : null;
  const appearance = {
    material: materialPath,
    isDoubleSided,
    color: shown === null ? null : (shown.constant ?? ([1, 1, 1, 1] as const)),
    isTranslucent: shown?.isTranslucent ?? false,
  };
  return { faces, materialPath, material: appearanceIndex(appearances, appearance, surface.uvs.keys()) };
}

/** What a material requires of the meshes that have it. */
export interface MaterialNeeds {
  /** Names of UV sets; the index in this list is the `uvSet` of the material's textures. */
  readonly uvSets: readonly string[];
  /** Number of sets that its textures use; a mesh gets at least these, authored or not. */
  readonly neededSets: number;
  readonly hasColors: boolean;
}

/** Triangulates the meshes of a plan. `points`: point index of each vertex, by mesh and primitive. Meshes without a triangle are dropped with their instances. */
export function buildGprims(
  plan: GprimPlan,
  needs: ReadonlyMap<string, MaterialNeeds>,
): { meshes: Mesh[]; instances: MeshInstance[]; points: Int32Array[][] } {
  const { context } = plan;
  const meshes: Mesh[] = [];
  const points: Int32Array[][] = [];
  const meshIndices = plan.meshes.map((planned): number => {
    const { prim, gprim, parts, name, morphWeights } = planned;
    const { surface, morphs } = gprim;
    const made = parts.flatMap((part) => {
      const needed = needs.get(part.materialPath ?? '');
      const surfacePart: SurfacePart = {
        faces: part.faces,
        material: part.material,
        uvSets: uvSetsOf(surface.uvs, needed),
        // A constant color is in the material.
        hasColors: part.materialPath === null ? gprim.color?.constant === null : needed?.hasColors === true,
      };
      return meshPrimitive(context, surface, surfacePart, prim.path) ?? [];
    });
    if (made.length === 0) {
      addFinding(context.findings, 'USD_GEOMETRY', 'Meshes contain no triangle and were dropped', prim.path);
      return -1;
    }
    points.push(made.map((primitive) => primitive.points));
    const primitives = made.map(({ primitive }) => primitive);
    const morphNames = morphs?.targets.map((target) => target.name) ?? [];
    return meshes.push({ name, primitives, morphNames, morphWeights }) - 1;
  });
  const instances = plan.instances.flatMap(({ node, mesh, skin, morphWeights }): MeshInstance[] => {
    return meshIndices[mesh] < 0 ? [] : [{ node, mesh: meshIndices[mesh], skin, morphWeights }];
  });
  return { meshes, instances, points };
}

/** Lists the UV sets up to the last one that the mesh has or the material needs. */
function uvSetsOf(uvs: UsdSurface['uvs'], needed: MaterialNeeds | undefined): readonly string[] {
  if (needed === undefined) return [...uvs.keys()];
  const { uvSets, neededSets } = needed;
  return uvSets.slice(0, Math.max(neededSets, uvSets.findLastIndex((name) => uvs.has(name)) + 1));
}

interface VisibleGprim {
  readonly node: number;
  readonly prim: Prim;
}

/** Inherited visibility of a prim. */
interface Visibility {
  readonly isVisible: boolean;
  /** `default`, `render`, `proxy` or `guide`; null if not authored. */
  readonly purpose: string | null;
  readonly isPrototype: boolean;
}

const VISIBLE: Visibility = { isVisible: true, purpose: null, isPrototype: false };

/**
 * Finds the gprims to read, in node order. They and their ancestors are not invisible, and their purpose, authored or inherited, is neither `proxy`
 * nor `guide`.
 */
function visibleGprims({ stage, prims, joints }: UsdScene, findings: Findings): VisibleGprim[] {
  const known = new Map<string, Visibility>();
  const visibilityOf = (path: string): Visibility => {
    let above = VISIBLE;
    for (const { path: at, properties, parent } of primAndAncestors(stage, path).reverse()) {
      let here = known.get(at);
      if (here === undefined) {
        const word = (name: string): string | null =>
          properties.includes(name) ? (textsOf(restValue(stage, at, name))?.[0] ?? null) : null;
        if (properties.includes('visibility') && timeSamplesOf(stage, at, 'visibility').length > 1) {
          const message = 'Prims have animated visibility, which is not supported; the static or first value was used';
          addFinding(findings, 'GEOMETRY_DROPPED', message, at);
        }
        here = {
          isVisible: above.isVisible && word('visibility') !== 'invisible',
          purpose: word('purpose') ?? above.purpose,
          isPrototype: above.isPrototype || primAt(stage, parent)?.typeName === 'PointInstancer',
        };
        known.set(at, here);
      }
      above = here;
    }
    return above;
  };
  const found: VisibleGprim[] = [];
  const seen = new Set<string>();
  for (const [node, path] of prims.entries()) {
    const prim = primAt(stage, path);
    if (prim === null || joints[node] >= 0 || seen.has(path)) continue;
    seen.add(path);
    const { typeName } = prim;
    if (!isSkinnable(typeName) || typeName.endsWith('Light')) continue;
    const { isVisible, purpose, isPrototype } = visibilityOf(path);
    if (isPrototype) continue;
    if (!isVisible || purpose === 'proxy' || purpose === 'guide') {
      addFinding(
        findings,
        'GEOMETRY_DROPPED',
        'Gprims are invisible or have the purpose proxy or guide and were skipped',
        path,
      );
    } else if (typeName === 'Mesh' || TESSELLATED.has(typeName)) found.push({ node, prim });
    else {
      const what = isPointBased(typeName) || typeName === 'PointInstancer' ? 'is not polygonal' : 'is not supported';
      addFinding(
        findings,
        'GEOMETRY_DROPPED',
        `Prims have the type ${typeName}, which ${what}; they were dropped`,
        path,
      );
    }
  }
  return found;
}
