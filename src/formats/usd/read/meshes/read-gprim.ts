/** Reads a gprim as authored: polygons with primvars, influences and blend shapes, before triangulation. */
import type { GeometryBudget } from '../../../../core/asset/geometry-budget.ts';
import { weldRows } from '../../../../core/math/weld.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { createJointMapper } from '../../../../core/skeleton/joint-mapper.ts';
import type { BoundPrim } from '../../skel/bound-prim.ts';
import { weightsForMesh } from '../../skel/deform/apply-blend-shapes.ts';
import { animationWeights } from '../../skel/skel-animation.ts';
import { textsOf } from '../../skel/typed-values.ts';
import { timeSamplesOf } from '../../stage/attribute-values.ts';
import type { Prim, Stage } from '../../stage/stage.ts';
import { addFinding, type Findings } from '../geometry-findings.ts';
import { restValue } from '../rest-value.ts';
import type { SceneSkeleton } from '../scene.ts';
import { type PrimBinding, readBinding } from '../skeletons/read-skin.ts';
import type { UsdSurface } from './mesh-primitives.ts';
import { type MeshMorphs, morphTargetsOf, morphWeights } from './morph-targets.ts';
import { readPolygons, type UsdPolygons } from './read-polygons.ts';
import { type PrimvarValues, primvarHolder, readNormals, readPrimvar, uvNames } from './read-primvars.ts';
import { type PointOffsets, toPointOffsets } from './shape-offsets.ts';
import { tessellateGprim } from './tessellate-gprim.ts';

/** The display color of a gprim, linear RGBA. */
interface DisplayColor {
  /** RGBA of the whole gprim; null if it varies. */
  readonly constant: readonly [number, number, number, number] | null;
  /** RGBA by corner. */
  readonly corners: PrimvarValues;
  /** Whether any opacity is below 1. */
  readonly isTranslucent: boolean;
}

/**
 * Reads the display color of a gprim, authored on it or inherited from an ancestor. Opacity without a color applies to white. Returns the color;
 * null if neither color nor opacity is authored.
 */
export function readDisplayColor(
  stage: Stage,
  prim: string,
  polygons: UsdPolygons,
  findings: Findings,
): DisplayColor | null {
  const read = (name: string, width: number): PrimvarValues | null => {
    const holder = primvarHolder(stage, prim, name);
    return holder === null ? null : readPrimvar(stage, { prim: holder, name, width }, polygons, findings);
  };
  const color = read('primvars:displayColor', 3);
  const opacity = read('primvars:displayOpacity', 1);
  if (color === null && opacity === null) return null;
  const rgba = (colorIndex: number, opacityIndex: number): [number, number, number, number] => {
    const component = (c: number): number => {
      return color === null || colorIndex < 0 ? 1 : Math.max(0, color.values[3 * colorIndex + c]);
    };
    const alpha = opacity === null || opacityIndex < 0 ? 1 : opacity.values[opacityIndex];
    return [component(0), component(1), component(2), Math.min(Math.max(alpha, 0), 1)];
  };
  const isConstant = [color, opacity].every((values) => values === null || values.interpolation === 'constant');
  if (isConstant) {
    const constant = rgba(0, 0);
    const indices = new Int32Array(polygons.corners.length);
    const corners = { width: 4, values: Float32Array.from(constant), indices, interpolation: 'constant' } as const;
    return { constant, corners, isTranslucent: constant[3] < 1 };
  }
  const pairs = new Int32Array(2 * polygons.corners.length);
  for (let corner = 0; corner < polygons.corners.length; corner++) {
    pairs[2 * corner] = color?.indices[corner] ?? 0;
    pairs[2 * corner + 1] = opacity?.indices[corner] ?? 0;
  }
  const { ids, firsts } = weldRows(pairs, 2);
  const values = new Float32Array(4 * firsts.length);
  let isTranslucent = false;
  for (const [id, corner] of firsts.entries()) {
    values.set(rgba(pairs[2 * corner], pairs[2 * corner + 1]), 4 * id);
    if (values[4 * id + 3] < 1) isTranslucent = true;
  }
  return { constant: null, corners: { width: 4, values, indices: ids, interpolation: 'faceVarying' }, isTranslucent };
}

export interface GprimBinding {
  readonly skeleton: SceneSkeleton;
  readonly bound: BoundPrim;
}

export interface GprimContext {
  readonly stage: Stage;
  /** Limits the memory for meshes. */
  readonly budget: GeometryBudget;
  /** Receives unsupported and invalid geometry. */
  readonly findings: Findings;
  /** Receives issues about influences and blend shapes. */
  readonly issues: Issue[];
}

export interface Gprim {
  /** Polygons with primvars, influences and blend shapes. */
  readonly surface: UsdSurface;
  /** Display color; null without. */
  readonly color: DisplayColor | null;
  readonly isDoubleSided: boolean;
  /** Its skinning; null if no joints move it. */
  readonly binding: PrimBinding | null;
  /** Its morph targets; null without blend shapes. */
  readonly morphs: MeshMorphs | null;
}

const MAX_UV_SETS = 8;
/** Attributes that are read at one time only. */
const SHAPE_ATTRIBUTES = ['points', 'normals', 'primvars:normals', 'faceVertexIndices', 'faceVertexCounts'] as const;

/** Reads a gprim of one of the types that `visibleGprims` lists. `bindings`: the skeleton that it is bound to; null for none. */
export function readGprim(context: GprimContext, prim: Prim, bindings: GprimBinding | null): Gprim {
  const { stage, budget, findings, issues } = context;
  const { path, typeName } = prim;
  const isMesh = typeName === 'Mesh';
  if (isMesh) reportUnsupported(context, prim);
  const lengthOf = (name: string): number => {
    const value = restValue(stage, path, name);
    return value !== null && 'numbers' in value ? value.numbers.length : 0;
  };
  budget.take(2 * lengthOf('points') + 4 * lengthOf('faceVertexIndices') + 2 * lengthOf('faceVertexCounts'));
  const made = isMesh ? null : tessellateGprim(stage, path, typeName);
  const polygons = made?.polygons ?? readPolygons(stage, path, findings);
  const pointCount = polygons.points.length / 3;
  const takePrimvar = (): void => budget.take(2 * polygons.corners.length);
  takePrimvar();
  const normals = made?.normals ?? readNormals(stage, path, polygons, findings);
  const uvs = new Map<string, PrimvarValues>();
  const names = isMesh ? uvNames(stage, path) : [];
  const excess = Math.max(0, names.length - MAX_UV_SETS);
  const uvMessage = `Meshes have more than ${MAX_UV_SETS} UV sets, the limit; the excess sets were dropped`;
  addFinding(findings, 'GEOMETRY_DROPPED', uvMessage, path, excess);
  for (const name of names.slice(0, MAX_UV_SETS)) {
    takePrimvar();
    const values = readPrimvar(stage, { prim: path, name: `primvars:${name}`, width: 2 }, polygons, findings);
    if (values !== null) uvs.set(name, values);
  }
  takePrimvar();
  const color = readDisplayColor(stage, path, polygons, findings);
  const binding =
    bindings === null
      ? null
      : readBinding(stage, bindings.skeleton, bindings.bound, pointCount, { budget, findings, issues });
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

/** Reports what the geometry cannot represent: deforming points and subdivision. */
function reportUnsupported({ stage, findings }: GprimContext, { path, properties }: Prim): void {
  const moves = SHAPE_ATTRIBUTES.filter((name) => properties.includes(name)).some(
    (name) => timeSamplesOf(stage, path, name).length > 1,
  );
  if (moves) {
    const what = 'Meshes have animated points or faces, which is not supported; their static or first value was used';
    addFinding(findings, 'GEOMETRY_DROPPED', what, path);
  }
  const scheme = textsOf(restValue(stage, path, 'subdivisionScheme'))?.[0] ?? 'none';
  // The schema's fallback is catmullClark, but exporters that author no scheme mean polygons: only an authored scheme is reported.
  if (scheme === 'none') return;
  addFinding(
    findings,
    'GEOMETRY_DROPPED',
    'Subdivision surfaces are not refined; their control polygons were used',
    path,
  );
}

function shapesOf(
  { blendShapes, targets }: MeshMorphs,
  pointCount: number,
  prim: string,
  budget: GeometryBudget,
  issues: Issue[],
): PointOffsets[] {
  return targets.map(({ name, blendShape, shape: shapeIndex }) => {
    const offsets = blendShapes[blendShape]?.shapes[shapeIndex];
    const vertices = offsets?.vertices?.length ?? pointCount;
    budget.take(7 * vertices + pointCount);
    const none = { vertices: null, positions: null, normals: null, tangents: null };
    const { shape, reason } = toPointOffsets(offsets ?? none, pointCount);
    if (reason !== null) {
      const message = `The blend shape ${name} does not fit ${prim}: ${reason}. Its offsets were ignored. Export it again.`;
      issues.push(issue('USD_BLEND_SHAPE_INVALID', message, { pointer: prim }));
    }
    return shape;
  });
}

/** Computes the default weights of the morph targets of a gprim from the bound animation at the default time. */
export function restWeights(stage: Stage, morphs: MeshMorphs, { skeleton, bound }: GprimBinding): Float32Array {
  const out = new Float32Array(morphs.targets.length);
  const { animation } = skeleton.animated;
  const weights = animation === null ? null : animationWeights(stage, animation, 'default');
  if (animation === null || weights === null || bound.blendShapes === null) return out;
  const map = createJointMapper(animation.blendShapes, bound.blendShapes);
  morphWeights(out, 0, morphs, weightsForMesh(map, weights));
  return out.map((weight) => (Number.isFinite(weight) ? weight : 0));
}
