/** Plans the meshes of a new FBX file: which joints move them, and where their vertices are in the bind pose. */
import type { Geometry, Mesh, MeshInstance, Skin } from '../../../../core/asset/geometry.ts';
import { type TrianglePart, triangleParts, weightedJoints } from '../../../../core/asset/written-geometry.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import * as quat from '../../../../core/math/quat.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { formatTally, type IssueTally } from '../../../../core/report/issue-tally.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { areSame } from '../../nodes/read-fbx-bind-pose.ts';
import type { JointPlan, PlannedJoint } from './plan-joints.ts';

export interface PlannedSkin {
  /** The joints that move it, as indices of {@link JointPlan}. */
  readonly joints: readonly number[];
  /** The frame of each at bind time, model space: {@link MATRIX_STRIDE} floats, column-major. */
  readonly links: Float64Array;
  /** Index in `joints` of each joint of the source's skin, −1 for joints without weight; null: one joint moves all vertices. */
  readonly jointOfSource: Int32Array | null;
}

export interface PlannedMesh {
  readonly name: string;
  readonly mesh: Mesh;
  /** Default weight of every morph target. */
  readonly morphWeights: ArrayLike<number>;
  /** Node that holds it, which morph tracks refer to. */
  readonly node: number;
  readonly primitives: readonly TrianglePart[];
  /** From the space of its vertices in the source to the space in which they are written: {@link MATRIX_STRIDE} floats. */
  readonly matrix: Float64Array;
  /** Translation and rotation of its Model, {@link POSE_STRIDE} floats. */
  readonly placement: Float64Array;
  /** The skin; null for a mesh that no joint moves. */
  readonly skin: PlannedSkin | null;
  readonly isHidden: boolean;
}

export interface MeshContext {
  readonly plan: JointPlan;
  /** Bind pose of all nodes, model space of the source: {@link MATRIX_STRIDE} floats per node. */
  readonly binds: Float64Array;
  /** Local rest pose, {@link POSE_STRIDE} floats per node. */
  readonly rest: ArrayLike<number>;
  /** From the source to the file: {@link MATRIX_STRIDE} floats. */
  readonly toFile: Float64Array;
  readonly nameOf: (name: string, fallback: string) => string;
}

const UNPLACED = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];

/** Returns the frame of a joint in the bind pose, model space of the file. */
function bindFrame(joint: PlannedJoint, { binds, toFile }: Pick<MeshContext, 'binds' | 'toFile'>): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  if (joint.node < 0) mat4.identity(out, 0);
  else {
    mat4.multiply(out, 0, toFile, 0, binds, MATRIX_STRIDE * joint.node);
    scaleColumns(out, joint.frame);
    removeRounding(out);
  }
  return out;
}

function scaleColumns(m: Float64Array, factors: ArrayLike<number>): void {
  for (let column = 0; column < 3; column++) for (let row = 0; row < 3; row++) m[4 * column + row] *= factors[column];
}

const trs = new Float64Array(POSE_STRIDE);

/**
 * Removes rounding to float32 from a frame without shear, so that its axes are at right angles in float64. The FBX SDK splits frames into Euler
 * angles: beside 90°, a rounding of 1e-7 turned index fingers of m2m_human-zombie and m2m_custom_animation_success by 0.9° to 2.3°.
 */
function removeRounding(frame: Float64Array): void {
  if (!mat4.decompose(trs, 0, frame, 0)) return;
  quat.normalize(trs, PATH_OFFSET.rotation, trs, PATH_OFFSET.rotation);
  mat4.compose(frame, 0, trs, 0);
}

/**
 * Plans the meshes. Vertices of skinned meshes are written where they are in the bind pose, below the root of the scene, so that no program has to
 * know a transform of the mesh. A rigid mesh below a joint is bound to that joint alone; other meshes keep translation and rotation of their node.
 * `issues` receives GEOMETRY_DROPPED for points and lines, and FBX_GEOMETRY for skins that bind a joint in another pose or mirrored.
 */
export function planMeshes(geometry: Geometry, context: MeshContext, issues: Issue[]): PlannedMesh[] {
  const out: PlannedMesh[] = [];
  const dropped: IssueTally = new Map();
  const bound = new Map<number, Float64Array>();
  const skins = new Map<number, { skin: PlannedSkin; matrix: Float64Array } | null>();
  const contradicting: string[] = [];
  const mirrored = new Set<number>();
  const isWeighted = weightedJoints(geometry);
  for (const instance of geometry.instances) {
    const mesh = geometry.meshes[instance.mesh];
    const parts = triangleParts(mesh, dropped);
    const isSkinned = ({ primitive }: TrianglePart): boolean => instance.skin >= 0 && primitive.influences !== null;
    const add = (primitives: TrianglePart[], where: Pick<PlannedMesh, 'matrix' | 'placement' | 'skin'>): void => {
      if (primitives.length === 0) return;
      const name = context.nameOf(geometry.nodes.names[instance.node] || mesh.name, mesh.name || 'mesh');
      const morphWeights = instance.morphWeights ?? mesh.morphWeights;
      const { node, isHidden = false } = instance;
      out.push({ name, mesh, morphWeights, node, primitives, isHidden, ...where });
    };
    const skinned = parts.filter(isSkinned);
    if (skinned.length > 0) {
      let found = skins.get(instance.skin);
      if (found === undefined) {
        found = planSkin(geometry.skins[instance.skin], isWeighted[instance.skin], context);
        skins.set(instance.skin, found);
        if (found !== null && contradicts(found.skin, bound)) contradicting.push(mesh.name);
        for (const [k, joint] of found?.skin.joints.entries() ?? [])
          if (mat4.determinant(found!.skin.links, MATRIX_STRIDE * k) < 0) mirrored.add(joint);
      }
      if (found === null) add(skinned, rigidPlace(geometry, instance, context));
      else add(skinned, { ...found, placement: Float64Array.from(UNPLACED) });
    }
    const rigid = parts.filter((part) => !isSkinned(part));
    if (rigid.length > 0) add(rigid, rigidPlace(geometry, instance, context));
  }
  const list = formatTally(dropped);
  if (list !== '')
    issues.push(
      issue('GEOMETRY_DROPPED', `Primitives without triangles cannot be written to FBX and were dropped: ${list}.`),
    );
  if (contradicting.length > 0) {
    const message =
      `${contradicting.length} skins (the first is of ${JSON.stringify(contradicting[0])}) bind joints in another pose than an earlier skin. ` +
      'Programs that keep one bind pose per joint, such as Blender, show them deformed; bind all skins in one pose.';
    issues.push(issue('FBX_GEOMETRY', message));
  }
  if (mirrored.size > 0) {
    const [first] = mirrored;
    const message =
      `${mirrored.size} ${mirrored.size === 1 ? 'joint is bound as the mirror image of its' : 'joints are bound as mirror images of their'} rest (the first is ` +
      `${JSON.stringify(context.plan.joints[first].name)}). Blender cannot show this and turns them; apply negative scales in the source, and bind the mesh again.`;
    issues.push(issue('FBX_GEOMETRY', message));
  }
  return out;
}

/** Plans a skin: its vertices become those of the bind pose at the topmost joint. Null for a skin that no joint moves. */
function planSkin(
  { joints, inverseBindMatrices }: Skin,
  isWeighted: Uint8Array,
  context: MeshContext,
): { skin: PlannedSkin; matrix: Float64Array } | null {
  const { plan, binds, toFile } = context;
  const used = Array.from(joints.keys()).filter((j) => isWeighted[j] === 1);
  if (used.length === 0) return null;
  const matrix = new Float64Array(MATRIX_STRIDE);
  const top = used.reduce((first, j) => (plan.jointOf[joints[j]] < plan.jointOf[joints[first]] ? j : first));
  mat4.multiply(matrix, 0, binds, MATRIX_STRIDE * joints[top], inverseBindMatrices, MATRIX_STRIDE * top);
  mat4.multiply(matrix, 0, toFile, 0, matrix, 0);
  const jointOfSource = new Int32Array(joints.length).fill(-1);
  const links = new Float64Array(MATRIX_STRIDE * used.length);
  const inverse = new Float64Array(MATRIX_STRIDE);
  for (const [k, j] of used.entries()) {
    jointOfSource[j] = k;
    const joint = plan.joints[plan.jointOf[joints[j]]];
    const expected = bindFrame(joint, context);
    const link = links.subarray(MATRIX_STRIDE * k, MATRIX_STRIDE * (k + 1));
    if (mat4.invertAffine(inverse, 0, inverseBindMatrices, MATRIX_STRIDE * j)) {
      mat4.multiply(link, 0, matrix, 0, inverse, 0);
      scaleColumns(link, joint.frame);
      removeRounding(link);
    } else link.set(expected);
  }
  return { skin: { joints: used.map((j) => plan.jointOf[joints[j]]), links, jointOfSource }, matrix };
}

/** Adds the frames of a skin to those of earlier skins, and tells whether one of them differs. */
function contradicts({ joints, links }: PlannedSkin, bound: Map<number, Float64Array>): boolean {
  let isOther = false;
  for (const [k, joint] of joints.entries()) {
    const link = links.subarray(MATRIX_STRIDE * k, MATRIX_STRIDE * (k + 1));
    const known = bound.get(joint);
    if (known === undefined) bound.set(joint, link);
    else isOther ||= !areSame(link, 0, known);
  }
  return isOther;
}

/** Places a rigid mesh: bound to the nearest joint at or above its node, else at its node. */
function rigidPlace(
  { nodes }: Geometry,
  { node }: MeshInstance,
  context: MeshContext,
): Pick<PlannedMesh, 'matrix' | 'placement' | 'skin'> {
  const { plan, rest, binds, toFile } = context;
  const matrix = new Float64Array(MATRIX_STRIDE);
  const local = new Float64Array(MATRIX_STRIDE);
  const placement = Float64Array.from(UNPLACED);
  mat4.identity(matrix, 0);
  let at = node;
  for (; at >= 0 && plan.jointOf[at] < 0; at = nodes.parents[at]) {
    mat4.compose(local, 0, rest, POSE_STRIDE * at);
    mat4.multiply(matrix, 0, local, 0, matrix, 0);
  }
  if (at >= 0) {
    mat4.multiply(matrix, 0, binds, MATRIX_STRIDE * at, matrix, 0);
    mat4.multiply(matrix, 0, toFile, 0, matrix, 0);
    const joint = plan.jointOf[at];
    const links = bindFrame(plan.joints[joint], context);
    return { matrix, placement, skin: { joints: [joint], links, jointOfSource: null } };
  }
  mat4.multiply(matrix, 0, toFile, 0, matrix, 0);
  mat4.decompose(placement, 0, matrix, 0);
  placement.fill(1, PATH_OFFSET.scale);
  mat4.compose(local, 0, placement, 0);
  mat4.invertAffine(local, 0, local, 0);
  mat4.multiply(matrix, 0, local, 0, matrix, 0);
  return { matrix, placement, skin: null };
}
