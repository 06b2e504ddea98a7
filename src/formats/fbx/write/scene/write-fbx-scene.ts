import type { NewAnimation } from '../../../../core/asset/asset.ts';
import type { Geometry } from '../../../../core/asset/geometry.ts';
import { reportCustomProperties, skinnedMeshNodes } from '../../../../core/asset/written-geometry.ts';
import type { Floats } from '../../../../core/math/floats.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import type { IssueTally } from '../../../../core/report/issue-tally.ts';
import type { SpaceChange } from '../../../../core/skeleton/change-space.ts';
import { localToModelMatrices, modelMatrices } from '../../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../../../core/skeleton/skeleton.ts';
import type { FbxRecord, FbxTree } from '../../document/fbx-tree.ts';
import { listRecord, objectRecord, record } from '../build-records.ts';
import { documentRecords, NEW_FILE_VERSION } from './document-records.ts';
import { createFileBuilder, type FileBuilder } from './file-builder.ts';
import { createNamer, type JointPlan, planJoints } from './plan-joints.ts';
import { type MeshContext, type PlannedMesh, planMeshes } from './plan-meshes.ts';
import { sceneClips } from './scene-clips.ts';
import { writeCustomProperties } from './write-custom-properties.ts';
import { type WrittenModel, writeJoints } from './write-joints.ts';
import { createImageStore, type ImageFile, type ImageStore, writeMaterials } from './write-materials.ts';
import { type WrittenMesh, writeMesh } from './write-meshes.ts';

export interface NewFbxScene {
  readonly nodes: Pick<Skeleton, 'names' | 'parents' | 'rest'>;
  readonly sourceNodes: Int32Array;
  /** Local rest pose to write: {@link POSE_STRIDE} floats per node. */
  readonly rest: Floats;
  /** Bind pose, model space: {@link MATRIX_STRIDE} floats per node. */
  readonly binds: Float64Array;
  /** Nodes that are joints whether or not a clip animates them. */
  readonly joints: Iterable<number>;
  /** Node of the hips; −1 without. */
  readonly hips: number;
  /** Whether a single topmost joint is the root bone wherever it is, as in a standard rig; false by default. */
  readonly keepsTop?: boolean;
  /** Whether rest rotations are the PreRotation, so that `Lcl Rotation` is 0 at rest; otherwise they are `Lcl Rotation`. */
  readonly isOriented: boolean;
  /** Folder for images, relative to that of the file; null embeds them. */
  readonly imageFolder: string | null;
  /** Leads to centimeters, +Y up. */
  readonly change: SpaceChange;
  /** Meshes and materials on these nodes; null for a skeleton alone. */
  readonly geometry: Geometry | null;
}

interface NewFbxFile {
  readonly tree: FbxTree;
  /** The clips for it, on Models by their index in the section `Objects`. */
  readonly animations: readonly NewAnimation[];
  /** Images that the file names, with their paths relative to its folder; none where they are embedded. */
  readonly images: readonly ImageFile[];
  /** CHANNELS_DROPPED, CLIP_EMPTY, FBX_GEOMETRY, FBX_MATERIAL, FBX_SCENE and GEOMETRY_DROPPED for what was changed or left out. */
  readonly issues: readonly Issue[];
}

/**
 * Writes a scene as a new FBX file: centimeters, +Y up, FBX 7.4.
 *
 * - Joints are LimbNodes below one root bone, at scale 1 where the source has even scales, with the rest rotation as PreRotation or `Lcl Rotation`.
 * - Vertices of skinned meshes are in model space of the bind pose. `Transform` and `TransformLink` of clusters agree with the BindPose.
 */
export function writeFbxScene(scene: NewFbxScene, animations: readonly NewAnimation[]): NewFbxFile {
  const issues: Issue[] = [];
  const { geometry, change } = scene;
  const nodeOf = new Map(Array.from(scene.sourceNodes, (source, node) => [source, node]));
  const hasMesh = new Uint8Array(scene.sourceNodes.length);
  for (const { node } of geometry?.instances ?? []) hasMesh[node] = 1;
  const required = new Uint8Array(scene.sourceNodes.length);
  for (const joint of scene.joints) required[joint] = 1;
  const isIdle = geometry === null ? new Uint8Array(required.length) : skinnedMeshNodes(geometry);
  for (const { clip, sourceNodes } of animations) {
    for (const { target } of clip.tracks) {
      const node = nodeOf.get(sourceNodes[target]);
      if (node !== undefined && isIdle[node] === 0) required[node] = 1;
    }
  }
  const nameOf = createNamer();
  const plan = planJoints(
    scene.nodes,
    scene.rest,
    change,
    { required, hasMesh, hips: scene.hips, keepsTop: scene.keepsTop ?? false },
    nameOf,
  );
  reportJoints(plan, issues);
  const toFile = new Float64Array(MATRIX_STRIDE);
  mat4.compose(toFile, 0, [0, 0, 0, ...Array.from(change.rotation), change.scale, change.scale, change.scale], 0);
  const context: MeshContext = { plan, binds: scene.binds, rest: scene.rest, toFile, nameOf };
  const planned = geometry === null ? [] : planMeshes(geometry, context, issues);
  separateJoints(plan, planned, movedJoints(plan, animations, nodeOf, scene.rest));
  const file = createFileBuilder();
  const joints = writeJoints(file, plan.joints, scene.isOriented);
  const images = createImageStore(scene.imageFolder);
  const meshes = geometry === null ? [] : writeMeshes(file, geometry, planned, joints, images, issues);
  const dropped: IssueTally = new Map();
  if (geometry !== null) writeCustomProperties(file, geometry, plan.joints, joints, meshes, dropped);
  reportCustomProperties(dropped, 'FBX', issues);
  writeBindPose(file, plan, joints, meshes);
  const clips = sceneClips(
    animations,
    { plan, models: joints, meshes, nodeOf, sourceRest: scene.nodes.rest, rest: scene.rest },
    issues,
  );
  const tree: FbxTree = {
    encoding: 'binary',
    version: NEW_FILE_VERSION,
    records: documentRecords(file, { stop: 0n, fps: null }, listRecord('Takes', [record('Current', 'S', [''])])),
  };
  return { tree, animations: clips, images: images.files, issues };
}

/** How far joints are moved aside, relative to the largest coordinate: four times what Blender takes for the same place, 7 µm on an adult. */
const SEPARATION = 4e-6;
/** Distance from the +Y axis of the parent, relative to that from the parent, up to which a joint may be at the tail: a hundred times what Blender takes. */
const AT_TAIL = 1e-4;
/** Part of the distance from the parent by which a joint may move that nobody sees. */
const STAYS = 1e-5;

/**
 * Keeps joints that move along apart from the tail of their parent. Blender's importer puts the tail of a bone at the distance of its children along
 * +Y, connects a child whose head is there to 1e-6, and then ignores keys of its location: hips above a root bone stood still. Moves joints aside in
 * the pose that Blender takes for rest: that of their clusters, else the rest pose. `moving`: joints whose translation clips change.
 */
function separateJoints({ joints }: JointPlan, meshes: readonly PlannedMesh[], moving: ReadonlySet<number>): void {
  const frames = modelMatrices(
    Int32Array.from(joints, ({ parent }) => parent),
    Float64Array.from(joints.flatMap(({ rest }) => Array.from(rest))),
  );
  const links = joints.map((): Float64Array[] => []);
  for (const { skin } of meshes) {
    for (const [k, joint] of skin?.joints.entries() ?? [])
      links[joint].push((skin as NonNullable<typeof skin>).links.subarray(MATRIX_STRIDE * k, MATRIX_STRIDE * (k + 1)));
  }
  for (const [joint, [link]] of links.entries()) if (link !== undefined) frames.set(link, MATRIX_STRIDE * joint);
  let size = 0;
  for (let at = 12; at < frames.length; at += MATRIX_STRIDE)
    size = Math.max(size, Math.abs(frames[at]), Math.abs(frames[at + 1]), Math.abs(frames[at + 2]));
  const local = new Float64Array(MATRIX_STRIDE);
  for (const [joint, { parent, rest }] of joints.entries()) {
    if (parent < 0 || !mat4.invertAffine(local, 0, frames, MATRIX_STRIDE * parent)) continue;
    mat4.multiply(local, 0, local, 0, frames, MATRIX_STRIDE * joint);
    const [x, y, z] = local.subarray(12);
    if (y <= 0 || Math.hypot(x, z) > AT_TAIL * y) continue;
    const isBoundElsewhere = Math.hypot(x - rest[0], y - rest[1], z - rest[2]) > STAYS * y;
    if (!moving.has(joint) && !isBoundElsewhere) continue;
    if (links[joint].length === 0) rest[0] += SEPARATION * size;
    for (const link of links[joint])
      for (let c = 0; c < 3; c++) link[12 + c] += SEPARATION * size * frames[MATRIX_STRIDE * parent + c];
  }
}

/** Finds the joints whose translation clips change from what it is at rest. */
function movedJoints(
  { jointOf }: JointPlan,
  animations: readonly NewAnimation[],
  nodeOf: ReadonlyMap<number, number>,
  rest: Floats,
): Set<number> {
  const moved = new Set<number>();
  for (const { clip, sourceNodes } of animations) {
    for (const { path, target, values, interpolation } of clip.tracks) {
      const node = nodeOf.get(sourceNodes[target]) ?? -1;
      if (path !== 'translation' || node < 0 || jointOf[node] < 0) continue;
      const at = POSE_STRIDE * node;
      const stays = STAYS * Math.hypot(rest[at], rest[at + 1], rest[at + 2]);
      // Between tangents, which show by themselves that a translation changes.
      const isTangent = (k: number): boolean => interpolation === 'CUBICSPLINE' && Math.floor(k / 3) % 3 !== 1;
      const change = (value: number, k: number): number => (isTangent(k) ? value : value - rest[at + (k % 3)]);
      if (values.some((value: number, k: number) => Math.abs(change(value, k)) > stays)) moved.add(jointOf[node]);
    }
  }
  return moved;
}

function reportJoints({ renamed, uneven }: JointPlan, issues: Issue[]): void {
  if (renamed.length > 0) {
    const [from, to] = renamed[0];
    const message =
      `${renamed.length} ${renamed.length === 1 ? 'joint was' : 'joints were'} renamed (${JSON.stringify(from)} to ${JSON.stringify(to)} is the first): names must be unique in FBX ` +
      'programs, whatever their case, and Unreal drops a node called Armature.';
    issues.push(issue('FBX_SCENE', message));
  }
  if (uneven.length > 0) {
    const message =
      `${uneven.length} ${uneven.length === 1 ? 'joint has' : 'joints have'} an uneven scale at rest (the first is ${JSON.stringify(uneven[0])}), which skews the joints below when they turn. ` +
      'The file has it as it is; Blender and Unreal show it without the skew. Apply the scale in the source for the same picture everywhere.';
    issues.push(issue('FBX_SCENE', message));
  }
}

function writeMeshes(
  file: FileBuilder,
  geometry: Geometry,
  planned: readonly PlannedMesh[],
  joints: readonly WrittenModel[],
  images: ImageStore,
  issues: Issue[],
): WrittenMesh[] {
  const used = new Set(planned.flatMap(({ primitives }) => primitives.map(({ primitive }) => primitive.material)));
  const materials = writeMaterials(
    file,
    geometry,
    [...used].sort((a, b) => a - b),
    images,
    issues,
  );
  return planned.map((one) => writeMesh(file, one, geometry.materials, materials, joints));
}

/**
 * Writes the BindPose: the joints where the clusters have them, the joints above these, which the FBX SDK requires, and the meshes. Nothing is bound to joints
 * without a cluster: Blender and three.js take their matrix here for their rest, so that it is that of the file.
 */
function writeBindPose(
  { objects, nextId }: FileBuilder,
  plan: JointPlan,
  joints: readonly WrittenModel[],
  meshes: readonly WrittenMesh[],
): void {
  const worlds = new Float64Array(MATRIX_STRIDE * joints.length);
  const rest = Float64Array.from(plan.joints.flatMap((joint) => Array.from(joint.rest)));
  localToModelMatrices(
    worlds,
    Int32Array.from(plan.joints, ({ parent }) => parent),
    rest,
  );
  const matrices: (Float64Array | null)[] = plan.joints.map(() => null);
  for (const { planned } of meshes) {
    for (const [k, joint] of planned.skin?.joints.entries() ?? []) {
      matrices[joint] ??= planned.skin?.links.slice(MATRIX_STRIDE * k, MATRIX_STRIDE * (k + 1)) ?? null;
    }
  }
  for (let joint = matrices.length - 1; joint > 0; joint--) {
    const { parent } = plan.joints[joint];
    if (matrices[joint] !== null && parent >= 0)
      matrices[parent] ??= worlds.slice(MATRIX_STRIDE * parent, MATRIX_STRIDE * (parent + 1));
  }
  const nodes = matrices.flatMap((matrix, joint): [number, Float64Array][] =>
    matrix === null ? [] : [[joints[joint].id, matrix]],
  );
  for (const { id, planned } of meshes) {
    const matrix = new Float64Array(MATRIX_STRIDE);
    mat4.compose(matrix, 0, planned.placement, 0);
    nodes.push([id, matrix]);
  }
  if (nodes.length === 0) return;
  objects.push(
    objectRecord('Pose', nextId(), ['BindPose', 'Pose'], 'BindPose', [
      record('Type', 'S', ['BindPose']),
      record('Version', 'I', [100]),
      record('NbPoseNodes', 'I', [nodes.length]),
      ...nodes.map(
        ([id, matrix]): FbxRecord =>
          listRecord('PoseNode', [record('Node', 'L', [id]), record('Matrix', 'd', [matrix])]),
      ),
    ]),
  );
}
