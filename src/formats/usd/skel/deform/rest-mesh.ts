/** Reads a bound prim before deformation. */
import { gatherInfluences } from '../../../../core/deform/edit-influences.ts';
import type { Influences } from '../../../../core/deform/influences.ts';
import { planSkin, type SkinPlan } from '../../../../core/deform/skin-plan.ts';
import type { Vertices } from '../../../../core/deform/vertices.ts';
import type { Floats } from '../../../../core/math/floats.ts';
import { createJointMapper, type JointMapper } from '../../../../core/skeleton/joint-mapper.ts';
import { attributeValue, timeSamplesOf } from '../../stage/attribute-values.ts';
import { propertyMetadata } from '../../stage/composed-metadata.ts';
import type { Stage, Time } from '../../stage/stage.ts';
import { type BoundPrim, geomBindTransform, INHERITED_ATTRIBUTES, readInfluences } from '../bound-prim.ts';
import { influenceMismatch } from '../joint-influences.ts';
import { isPointBased } from '../prim-types.ts';
import { numbersOf, textsOf } from '../typed-values.ts';
import type { BlendShape } from './blend-shape.ts';
import { directionsOnly } from './skin-mesh.ts';

const GEOMETRY_ATTRIBUTES = ['points', 'normals', 'faceVertexIndices'] as const;

export interface Corners {
  readonly plan: SkinPlan;
  readonly rest: Vertices;
}

/** A prim at rest at a time. Arrays may be those of the layer: do not write to them. */
export interface RestGeometry {
  readonly time: Time;
  /** Points, and normals if there is one per point. */
  readonly vertices: Vertices;
  /** Normals that deform, one per point or face corner; null without. */
  readonly normals: Floats | null;
  /** One normal per point or per face corner; null without normals. */
  readonly normalsInterpolation: 'vertex' | 'faceVarying' | null;
  /** Valid joint influences; null without. */
  readonly influences: Influences | null;
  /** Why the declared influences are invalid; null if they are valid or none are declared. */
  readonly reason: string | null;
  /** Skin plan of per-vertex influences; null without, and for rigid prims. */
  readonly plan: SkinPlan | null;
  /**
   * Normals of face corners; null if normals are per point or absent.
   *
   * @internal
   */
  readonly corners: Corners | null;
  /** GeomBindTransform, 16 floats, column-major: from prim space to skeleton space at bind time. */
  readonly geomBind: Float64Array;
}

export interface RestMesh {
  readonly bound: BoundPrim;
  /** From the joints of the skeleton to those of the prim; null if they are the same. */
  readonly jointMap: JointMapper | null;
  /** Number of joints that the influences refer to. */
  readonly jointCount: number;
  /** Blend shapes by target; null for a target that is not an active BlendShape. */
  readonly shapes: readonly (BlendShape | null)[];
  /** True if an attribute of the geometry has several time samples. */
  readonly isAnimated: boolean;
  /** The geometry read last; null before the first read. */
  geometry: RestGeometry | null;
}

/** Creates the rest mesh of a bound prim. Its geometry is read on demand. */
export function createRestMesh(
  stage: Stage,
  bound: BoundPrim,
  skeletonJoints: readonly string[],
  shapes: readonly (BlendShape | null)[],
): RestMesh {
  const { joints, holders, prim } = bound;
  const isAnimatedAt = (path: string, name: string): boolean => timeSamplesOf(stage, path, name).length > 1;
  const isAnimated =
    GEOMETRY_ATTRIBUTES.some((name) => isAnimatedAt(prim, name)) ||
    INHERITED_ATTRIBUTES.some((name) => {
      const holder = holders.get(name);
      return holder !== undefined && (isAnimatedAt(holder, name) || isAnimatedAt(holder, `${name}:indices`));
    });
  return {
    bound,
    jointMap: joints === null ? null : createJointMapper(skeletonJoints, joints),
    jointCount: (joints ?? skeletonJoints).length,
    shapes,
    isAnimated,
    geometry: null,
  };
}

/** Reads the rest geometry at a time. The geometry read last is reused if the attributes cannot differ. */
export function geometryAt(stage: Stage, mesh: RestMesh, time: Time): RestGeometry {
  const { geometry, isAnimated } = mesh;
  if (geometry !== null) {
    const isDefaultTime = time === 'default' || geometry.time === 'default';
    if (geometry.time === time || (!isAnimated && !isDefaultTime)) return geometry;
  }
  mesh.geometry = readGeometry(stage, mesh, time);
  return mesh.geometry;
}

function floats(numbers: Floats | Int32Array | null): Floats {
  return numbers instanceof Float32Array || numbers instanceof Float64Array
    ? numbers
    : Float64Array.from(numbers ?? []);
}

function readGeometry(stage: Stage, mesh: RestMesh, time: Time): RestGeometry {
  const { bound, jointCount } = mesh;
  const { prim, typeName, influences: declared } = bound;
  const isMesh = isPointBased(typeName);
  const positions = floats(isMesh ? numbersOf(attributeValue(stage, prim, 'points', time), 3) : null);
  const { normals, normalsInterpolation } = isMesh
    ? readNormals(stage, bound, positions.length, time)
    : { normals: null, normalsInterpolation: null };
  const count = positions.length / 3;
  const { influences, reason } = declared.hasInfluences
    ? readInfluences(stage, bound, time)
    : { influences: null, reason: null };
  const mismatch = influences === null ? reason : influenceMismatch(influences, count, jointCount);
  const isSkinned = influences !== null && mismatch === null && !declared.isRigid;
  const plan = isSkinned ? planSkin(influences, count, jointCount) : null;
  let corners: Corners | null = null;
  if (isSkinned && normals !== null && normalsInterpolation === 'faceVarying' && count > 0) {
    const indices = numbersOf(attributeValue(stage, prim, 'faceVertexIndices', time), 1) ?? [];
    // A corner with an invalid point index uses point 0.
    const points = Int32Array.from({ length: normals.length / 3 }, (_, corner) =>
      indices[corner] >= 0 && indices[corner] < count ? indices[corner] : 0,
    );
    const plan = planSkin(gatherInfluences(influences, points), points.length, jointCount);
    corners = { plan, rest: directionsOnly(normals) };
  }
  return {
    time,
    vertices: { positions, normals: normalsInterpolation === 'vertex' ? normals : null, tangents: null },
    normals,
    normalsInterpolation,
    influences: mismatch === null ? influences : null,
    reason: mismatch,
    plan,
    corners,
    geomBind: geomBindTransform(stage, bound, time),
  };
}

/** Reads the `normals` attribute if its normals deform: one per point, or one per face corner of a mesh with per-vertex influences. */
function readNormals(
  stage: Stage,
  { prim, typeName, influences }: BoundPrim,
  size: number,
  time: Time,
): Pick<RestGeometry, 'normals' | 'normalsInterpolation'> {
  const none = { normals: null, normalsInterpolation: null };
  const numbers = numbersOf(attributeValue(stage, prim, 'normals', time), 3);
  if (numbers === null) return none;
  const interpolation = textsOf(propertyMetadata(stage, prim, 'normals', 'interpolation'))?.[0] ?? 'vertex';
  if ((interpolation === 'vertex' || interpolation === 'varying') && numbers.length === size) {
    return { normals: floats(numbers), normalsInterpolation: 'vertex' };
  }
  const isSkinned = influences.hasInfluences && !influences.isRigid;
  if (interpolation !== 'faceVarying' || typeName !== 'Mesh' || !isSkinned) return none;
  return { normals: floats(numbers), normalsInterpolation: 'faceVarying' };
}
