/** Plans the Mesh prims of a geometry and their joint bindings. */
import type { Geometry, Mesh, MeshInstance, MeshPrimitive } from '../../../../core/asset/geometry.ts';
import { type TrianglePart, triangleParts } from '../../../../core/asset/written-geometry.ts';
import type { Influences } from '../../../../core/deform/influences.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { formatTally, type IssueTally } from '../../../../core/report/issue-tally.ts';
import { MATRIX_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { restBetween, type SkeletonPlan } from '../skeletons/plan-skeletons.ts';
import { remapInfluences, rigidInfluences } from './bind-mesh.ts';

interface JointBinding {
  readonly skeleton: number;
  /** Joint order of the mesh, as joint indices of the Skeleton; null for the joint order of the Skeleton. */
  readonly joints: readonly number[] | null;
  /** One run per vertex, with indices into the joint order. */
  readonly influences: Influences;
  /** Mesh space to skeleton space in the bind pose, 16 floats; null for the identity. */
  readonly geomBind: Float64Array | null;
}

export interface PlannedMesh extends TrianglePart {
  readonly mesh: Mesh;
  readonly instance: MeshInstance;
  /** Null if no joint moves it: the Mesh is a child of its node's prim. */
  readonly binding: JointBinding | null;
}

/**
 * Plans a Mesh for each primitive of each instance. It is bound to the joints of its skin, else rigidly to the nearest joint at or above its node,
 * else to nothing. Points, lines and primitives without faces are dropped.
 */
export function planMeshes(geometry: Geometry, plan: SkeletonPlan, issues: Issue[]): PlannedMesh[] {
  const planned: PlannedMesh[] = [];
  const dropped: IssueTally = new Map();
  for (const instance of geometry.instances) {
    const mesh = geometry.meshes[instance.mesh];
    for (const part of triangleParts(mesh, dropped))
      planned.push({ mesh, ...part, instance, binding: bindingOf(geometry, plan, instance, part.primitive) });
  }
  const list = formatTally(dropped);
  if (list !== '') {
    const message = `Primitives without triangles cannot be written to the USD file and were dropped: ${list}.`;
    issues.push(issue('GEOMETRY_DROPPED', message));
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
  const planned = skin < 0 ? null : plan.skins[skin];
  if (planned !== null && influences !== null) {
    const { kind, jointsPerVertex, indices, weights } = influences;
    const expected = jointsPerVertex * (kind === 'constant' ? 1 : vertexCount);
    if (indices.length !== expected || weights.length !== expected) {
      const found = `${indices.length} joint indices and ${weights.length} weights`;
      throw new RangeError(`A primitive has ${found} for ${vertexCount} vertices; expected ${expected} of each.`);
    }
    const joints = jointOrder(planned.joints, countOf(planned.skeleton));
    const indexOf = new Map(joints?.map((joint, index) => [joint, index]));
    const newIndices = joints === null ? planned.joints : planned.joints.map((joint) => indexOf.get(joint) as number);
    const remapped = remapInfluences(influences, newIndices, vertexCount);
    return { skeleton: planned.skeleton, joints, influences: remapped, geomBind: planned.geomBind };
  }
  const jointNode = plan.nearestJointNode[node];
  if (jointNode < 0) return null;
  const skeleton = plan.skeletonOf[jointNode];
  const joint = plan.jointOf[jointNode];
  const geomBind = restBetween(geometry, node, jointNode);
  mat4.multiply(geomBind, 0, plan.skeletons[skeleton].bind, MATRIX_STRIDE * joint, geomBind, 0);
  // The reader takes the joint orders of meshes for the joints of a skin. Without a skin, all joints of the Skeleton count.
  const hasSkin = plan.skins.some((each) => each?.skeleton === skeleton);
  const joints = hasSkin ? jointOrder([joint], countOf(skeleton)) : null;
  return { skeleton, joints, influences: rigidInfluences(joints === null ? joint : 0, vertexCount), geomBind };
}

/**
 * Orders the joints of a skin as in the Skeleton, which has `count` joints. Null if the skin has all of them. Joints that the skin lacks, such as
 * limb ends, are not in its joint order.
 */
function jointOrder(joints: Iterable<number>, count: number): number[] | null {
  const order = [...new Set(joints)].sort((a, b) => a - b);
  return order.length === count ? null : order;
}
