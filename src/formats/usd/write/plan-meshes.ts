/** Which Mesh prims a geometry becomes, and what moves each of them. */
import type { Geometry, Mesh, MeshInstance, MeshPrimitive } from '../../../core/asset/geometry.ts';
import type { Influences } from '../../../core/deform/influences.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { influencesAlong, rigidInfluences } from './bind-mesh.ts';
import { restBetween, type SkeletonPlan } from './plan-skeletons.ts';
import { trianglesOf } from './triangles.ts';

/** What joins a mesh to joints. */
export interface JointBinding {
  /** Index of the Skeleton. */
  readonly skeleton: number;
  /** Joint order of the mesh, its joints by their places in the Skeleton; null for all of them, as the Skeleton has them. */
  readonly joints: readonly number[] | null;
  /** Along that order. */
  readonly influences: Influences;
  /** Mesh space to the space of the bind pose; null for the identity. */
  readonly geomBind: Float64Array | null;
}

/** A Mesh prim to be written. */
export interface PlannedMesh {
  readonly mesh: Mesh;
  readonly primitive: MeshPrimitive;
  readonly triangles: Uint32Array;
  readonly instance: MeshInstance;
  /** Null: it stands at its node, which nothing but the node moves. */
  readonly binding: JointBinding | null;
}

/**
 * A Mesh for each primitive of each instance: moved by its skin, else by the nearest joint above its node, else standing at the node. Points, lines
 * and primitives without a face are left out (GEOMETRY_DROPPED). RangeError where influences are of another number of vertices.
 */
export function planMeshes(geometry: Geometry, plan: SkeletonPlan, issues: Issue[]): PlannedMesh[] {
  const planned: PlannedMesh[] = [];
  const dropped = new Map<string, number>();
  for (const instance of geometry.instances) {
    const mesh = geometry.meshes[instance.mesh];
    for (const primitive of mesh.primitives) {
      const triangles = trianglesOf(primitive);
      if (triangles === null || triangles.length === 0) {
        const what = triangles === null ? primitive.mode : 'meshes without a face';
        dropped.set(what, (dropped.get(what) ?? 0) + 1);
        continue;
      }
      planned.push({ mesh, primitive, triangles, instance, binding: bindingOf(geometry, plan, instance, primitive) });
    }
  }
  if (dropped.size > 0) {
    const list = [...dropped].map(([what, count]) => `${count} × ${what}`).join(', ');
    issues.push(issue('GEOMETRY_DROPPED', `What is no surface of triangles was not written to the USD file: ${list}`));
  }
  return planned;
}

function bindingOf(
  geometry: Geometry,
  plan: SkeletonPlan,
  { node, skin }: MeshInstance,
  { influences, vertexCount }: MeshPrimitive,
): JointBinding | null {
  const countOf = (skeleton: number): number => plan.skeletons[skeleton].tree.nodes.length;
  const place = skin < 0 ? null : plan.skins[skin];
  if (place !== null && influences !== null) {
    const { kind, jointsPerVertex, indices, weights } = influences;
    const expected = jointsPerVertex * (kind === 'constant' ? 1 : vertexCount);
    if (indices.length !== expected || weights.length !== expected) {
      const found = `${indices.length} joints and ${weights.length} weights`;
      throw new RangeError(`There are ${found} for ${vertexCount} vertices, expected ${expected}`);
    }
    const joints = jointOrder(place.joints, countOf(place.skeleton));
    const placeOf = new Map(joints?.map((joint, at) => [joint, at]));
    const along = joints === null ? place.joints : place.joints.map((joint) => placeOf.get(joint) as number);
    const mapped = influencesAlong(influences, along, vertexCount);
    return { skeleton: place.skeleton, joints, influences: mapped, geomBind: place.geomBind };
  }
  const carrier = plan.carrierOf[node];
  if (carrier < 0) return null;
  const skeleton = plan.skeletonOf[carrier];
  const joint = plan.jointOf[carrier];
  const geomBind = restBetween(geometry, node, carrier);
  mat4.multiply(geomBind, 0, plan.skeletons[skeleton].bind, MATRIX_STRIDE * joint, geomBind, 0);
  // Without a skin nothing but the Skeleton says what is a joint.
  const hasSkin = plan.skins.some((each) => each?.skeleton === skeleton);
  const joints = hasSkin ? jointOrder([joint], countOf(skeleton)) : null;
  return { skeleton, joints, influences: rigidInfluences(joints === null ? joint : 0, vertexCount), geomBind };
}

/** The joints that a skin has of `count` of a Skeleton, in the order of that one: ends of limbs that nothing hangs on stay out of the skin. Null for all. */
function jointOrder(joints: Iterable<number>, count: number): number[] | null {
  const order = [...new Set(joints)].sort((a, b) => a - b);
  return order.length === count ? null : order;
}
