/** A gprim as the file has it: polygons and all that goes with them, before they become triangles. */
import type { GeometryBudget } from '../../../core/asset/geometry-budget.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { planOrderMap } from '../../../core/skeleton/order-map.ts';
import { weightsForMesh } from '../skel/blend-shapes.ts';
import type { BoundPrim } from '../skel/bound-prim.ts';
import { animationWeights } from '../skel/skel-animation.ts';
import { textsOf } from '../skel/stage-reading.ts';
import type { Prim, Stage } from '../stage/stage.ts';
import { timeSamplesOf } from '../stage/values.ts';
import { type DisplayColor, readDisplayColor } from './display-color.ts';
import { type Findings, note } from './geometry-findings.ts';
import type { UsdSurface } from './mesh-primitives.ts';
import { type MeshMorphs, morphTargetsOf, morphWeights } from './morph-targets.ts';
import { type PointShape, pointShape } from './point-shapes.ts';
import { readPolygons } from './read-polygons.ts';
import { type PrimvarValues, readNormals, readPrimvar, uvNames } from './read-primvars.ts';
import { type PrimBinding, readBinding } from './read-skin.ts';
import { restValue } from './rest-value.ts';
import type { SceneSkeleton } from './scene.ts';
import { tessellate } from './tessellate.ts';

/** The skeleton that a gprim is bound to, and how. */
export interface GprimBinding {
  readonly skeleton: SceneSkeleton;
  readonly bound: BoundPrim;
}

/** What reading takes from and adds to. */
export interface GprimReading {
  readonly stage: Stage;
  readonly budget: GeometryBudget;
  readonly findings: Findings;
  readonly issues: Issue[];
}

/** A gprim, but for its materials. */
export interface Gprim {
  readonly surface: UsdSurface;
  readonly color: DisplayColor | null;
  readonly isDoubleSided: boolean;
  /** Null where no joints move it. */
  readonly binding: PrimBinding | null;
  /** Null without blend shapes. */
  readonly morphs: MeshMorphs | null;
}

/** uv sets that are read of one mesh. */
const MOST_UV_SETS = 8;
/** Attributes that the geometry has for one time alone. */
const SHAPE_ATTRIBUTES = ['points', 'normals', 'primvars:normals', 'faceVertexIndices', 'faceVertexCounts'] as const;

/** Reads a gprim of a type that `visibleGprims` gives. */
export function readGprim(reading: GprimReading, prim: Prim, bindings: GprimBinding | null): Gprim {
  const { stage, budget, findings, issues } = reading;
  const { path, typeName } = prim;
  const isMesh = typeName === 'Mesh';
  if (isMesh) noteMeshOddities(reading, prim);
  const sizeOf = (name: string): number => {
    const value = restValue(stage, path, name);
    return value !== null && 'numbers' in value ? value.numbers.length : 0;
  };
  budget.take(2 * sizeOf('points') + 4 * sizeOf('faceVertexIndices') + 2 * sizeOf('faceVertexCounts'));
  const made = isMesh ? null : tessellate(stage, path, typeName);
  const polygons = made?.polygons ?? readPolygons(stage, path, findings);
  const pointCount = polygons.points.length / 3;
  const takeSet = (): void => budget.take(2 * polygons.corners.length);
  takeSet();
  const normals = made?.normals ?? readNormals(stage, path, polygons, findings);
  const uvs = new Map<string, PrimvarValues>();
  const names = isMesh ? uvNames(stage, path) : [];
  const many = Math.max(0, names.length - MOST_UV_SETS);
  note(findings, 'GEOMETRY_DROPPED', `Sets of uvs beyond ${MOST_UV_SETS} of one mesh were left out`, path, many);
  for (const name of names.slice(0, MOST_UV_SETS)) {
    takeSet();
    const values = readPrimvar(stage, path, `primvars:${name}`, 2, polygons, 'constant', findings);
    if (values !== null) uvs.set(name, values);
  }
  takeSet();
  const color = readDisplayColor(stage, path, polygons, findings);
  const binding =
    bindings === null
      ? null
      : readBinding(stage, bindings.skeleton, bindings.bound, pointCount, budget, findings, issues);
  const morphs =
    bindings === null || bindings.bound.blendShapes === null || !isMesh ? null : morphTargetsOf(stage, bindings.bound);
  const shapes = morphs === null ? [] : shapesOf(morphs, pointCount, path, budget, issues);
  const influences = binding?.influences ?? null;
  const sides = restValue(stage, path, 'doubleSided');
  return {
    surface: { polygons, normals, uvs, colors: color?.corners ?? null, influences, shapes },
    color,
    isDoubleSided: sides !== null && 'numbers' in sides ? Number(sides.numbers[0]) !== 0 : typeName === 'Plane',
    binding,
    morphs,
  };
}

/** What has no place in the geometry. */
function noteMeshOddities({ stage, findings }: GprimReading, { path, properties }: Prim): void {
  const moves = SHAPE_ATTRIBUTES.filter((name) => properties.includes(name)).some(
    (name) => timeSamplesOf(stage, path, name).length > 1,
  );
  if (moves) {
    const what = 'Meshes whose points or faces change over time are as they are at rest';
    note(findings, 'GEOMETRY_DROPPED', what, path);
  }
  const scheme = textsOf(restValue(stage, path, 'subdivisionScheme'))?.[0] ?? 'none';
  // Nearly every mesh would be one where nothing is authored: catmullClark is the fallback, exporters leave it out and mean polygons.
  if (scheme === 'none') return;
  note(findings, 'GEOMETRY_DROPPED', 'Subdivision surfaces are not refined; their polygons were taken', path);
}

function shapesOf(
  { blendShapes, targets }: MeshMorphs,
  pointCount: number,
  prim: string,
  budget: GeometryBudget,
  issues: Issue[],
): PointShape[] {
  return targets.map(({ name, blendShape, shape: place }) => {
    const offsets = blendShapes[blendShape]?.shapes[place];
    const vertices = offsets?.vertices?.length ?? pointCount;
    budget.take(7 * vertices + pointCount);
    const none = { vertices: null, positions: null, normals: null, tangents: null };
    const { shape, reason } = pointShape(offsets ?? none, pointCount);
    if (reason !== null) {
      const message = `The blend shape ${name} does not fit ${prim}: ${reason}. It moves nothing.`;
      issues.push(issue('USD_BLEND_SHAPE_INVALID', message, { pointer: prim }));
    }
    return shape;
  });
}

/** Weights of the morph targets of a gprim at rest: those of the animation at the default time, else 0. */
export function restWeights(stage: Stage, morphs: MeshMorphs, { skeleton, bound }: GprimBinding): Float32Array {
  const out = new Float32Array(morphs.targets.length);
  const { animation } = skeleton.animated;
  const weights = animation === null ? null : animationWeights(stage, animation, 'default');
  if (animation === null || weights === null || bound.blendShapes === null) return out;
  const map = planOrderMap(animation.blendShapes, bound.blendShapes);
  morphWeights(out, 0, morphs, weightsForMesh(map, weights));
  return out.map((weight) => (Number.isFinite(weight) ? weight : 0));
}
