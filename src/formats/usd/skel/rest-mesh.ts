/** A bound prim before anything moves it, read once for all instances that have the same. */

import type { Influences } from '../../../core/deform/influences.ts';
import { planSkin, type SkinPlan } from '../../../core/deform/skin-plan.ts';
import type { Vertices } from '../../../core/deform/vertices.ts';
import type { Floats } from '../../../core/math/floats.ts';
import { type OrderMap, planOrderMap } from '../../../core/skeleton/order-map.ts';
import { propertyMetadata } from '../stage/metadata.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { attributeValue, timeSamplesOf } from '../stage/values.ts';
import type { BlendShape } from './blend-shape.ts';
import { type BoundPrim, geomBindTransform, INHERITED_ATTRIBUTES, readInfluences } from './bound-prim.ts';
import { reasonAgainstInfluences } from './joint-influences.ts';
import { isPointBased } from './prim-types.ts';
import { directionsOnly, planCorners } from './skin-mesh.ts';
import { numbersOf, textsOf } from './stage-reading.ts';

/** Attributes of a mesh that its deformed points and normals come from. */
export const GEOMETRY_ATTRIBUTES = ['points', 'normals', 'faceVertexIndices'] as const;

/** Normals of face corners, and what they move by. */
export interface Corners {
  readonly plan: SkinPlan;
  readonly rest: Vertices;
  /** Where the positions of corners go, which nobody wants. */
  readonly positions: Float64Array;
}

/** A prim at rest at a time. Arrays may be those of the layer: do not write into them. */
export interface RestGeometry {
  readonly time: Time;
  /** Points and, where there is one a point, normals. */
  readonly vertices: Vertices;
  /** Normals that deform, one a point or one a face corner; null without. */
  readonly normals: Floats | null;
  readonly normalsInterpolation: 'vertex' | 'faceVarying' | null;
  readonly influences: Influences | null;
  /** Why there are no influences that fit; null where there are, or none are declared. */
  readonly reason: string | null;
  /** Of influences that differ by vertex. */
  readonly plan: SkinPlan | null;
  readonly corners: Corners | null;
  readonly geomBind: Float64Array;
}

/** A bound prim at rest, with the joints of its skeleton; prims that differ in nothing have one together. */
export interface RestMesh {
  readonly bound: BoundPrim;
  /** From the joints of the skeleton to those of the prim; null where they are the same. */
  readonly jointMap: OrderMap | null;
  readonly jointCount: number;
  /** Blend shapes by target; null for what is no active BlendShape. */
  readonly shapes: readonly (BlendShape | null)[];
  /** Whether any of its geometry has several samples. */
  readonly changes: boolean;
  /** At the time that was asked for last. */
  geometry: RestGeometry | null;
}

export function makeRestMesh(
  stage: Stage,
  bound: BoundPrim,
  skeletonJoints: readonly string[],
  shapes: readonly (BlendShape | null)[],
): RestMesh {
  const { joints, holders, prim } = bound;
  const changesAt = (path: string, name: string): boolean => timeSamplesOf(stage, path, name).length > 1;
  const changes =
    GEOMETRY_ATTRIBUTES.some((name) => changesAt(prim, name)) ||
    INHERITED_ATTRIBUTES.some((name) => {
      const holder = holders.get(name);
      return holder !== undefined && (changesAt(holder, name) || changesAt(holder, `${name}:indices`));
    });
  return {
    bound,
    jointMap: joints === null ? null : planOrderMap(skeletonJoints, joints),
    jointCount: (joints ?? skeletonJoints).length,
    shapes,
    changes,
    geometry: null,
  };
}

/** The geometry at a time: read again only where it may be another one. */
export function geometryAt(stage: Stage, mesh: RestMesh, time: Time): RestGeometry {
  const { geometry, changes } = mesh;
  if (geometry !== null) {
    const isAuthoredOnly = time === 'default' || geometry.time === 'default';
    if (geometry.time === time || (!changes && !isAuthoredOnly)) return geometry;
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
  const misfit = influences === null ? reason : reasonAgainstInfluences(influences, count, jointCount);
  const bends = influences !== null && misfit === null && !declared.isRigid;
  const plan = bends ? planFor(mesh, influences, count) : null;
  const corners =
    plan === null || normals === null || normalsInterpolation !== 'faceVarying' || count === 0
      ? null
      : {
          plan: planCorners(
            plan,
            numbersOf(attributeValue(stage, prim, 'faceVertexIndices', time), 1) ?? [],
            normals.length / 3,
          ),
          rest: directionsOnly(normals),
          positions: new Float64Array(normals.length),
        };
  return {
    time,
    vertices: { positions, normals: normalsInterpolation === 'vertex' ? normals : null, tangents: null },
    normals,
    normalsInterpolation,
    influences: misfit === null ? influences : null,
    reason: misfit,
    plan,
    corners,
    geomBind: geomBindTransform(stage, bound, time),
  };
}

/** The plan of influences: the former one where only points have changed. */
function planFor({ geometry, jointCount }: RestMesh, influences: Influences, pointCount: number): SkinPlan {
  const former = geometry?.influences ?? null;
  const isSame =
    former !== null &&
    geometry?.plan?.vertexCount === pointCount &&
    former.jointsPerVertex === influences.jointsPerVertex &&
    haveSameNumbers(former.indices, influences.indices) &&
    haveSameNumbers(former.weights, influences.weights);
  return isSame && geometry?.plan ? geometry.plan : planSkin(influences, pointCount, jointCount);
}

function haveSameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Those of the `normals` attribute that deform: one a point, or one a face corner of a mesh that joints bend. */
function readNormals(
  stage: Stage,
  { prim, typeName, influences }: BoundPrim,
  size: number,
  time: Time,
): Pick<RestGeometry, 'normals' | 'normalsInterpolation'> {
  const none = { normals: null, normalsInterpolation: null };
  const numbers = numbersOf(attributeValue(stage, prim, 'normals', time), 3);
  if (numbers === null) return none;
  const said = textsOf(propertyMetadata(stage, prim, 'normals', 'interpolation'))?.[0] ?? 'vertex';
  if ((said === 'vertex' || said === 'varying') && numbers.length === size) {
    return { normals: floats(numbers), normalsInterpolation: 'vertex' };
  }
  const bends = influences.hasInfluences && !influences.isRigid;
  if (said !== 'faceVarying' || typeName !== 'Mesh' || !bends) return none;
  return { normals: floats(numbers), normalsInterpolation: 'faceVarying' };
}
