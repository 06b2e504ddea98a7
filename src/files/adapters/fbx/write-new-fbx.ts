import type { Asset, AssetSkeleton, NewAnimation } from '../../../core/asset/asset.ts';
import { BONE } from '../../../core/humanoid/bones.ts';
import type { Humanoid } from '../../../core/humanoid/humanoid.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { solveLocalPose } from '../../../core/normalize/solve-local-pose.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { SpaceChange } from '../../../core/skeleton/change-space.ts';
import { localToModelMatrices, modelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { addAnimations } from '../../../formats/fbx/write/add-animations.ts';
import { type NewFbxScene, writeFbxScene } from '../../../formats/fbx/write/scene/write-fbx-scene.ts';
import { stemOf } from '../../clips/clip-names.ts';
import type { OutputFile } from '../../outputs/output-file.ts';
import { siblingPath } from '../../outputs/output-paths.ts';
import { bindMatrices } from '../bind-matrices.ts';
import type { AnimatedSkeleton, Destination, MotionClip, NewCharacter } from '../format-adapter.ts';
import { serializeFbx } from './lossless-fbx.ts';

const CENTIMETERS_PER_METER = 100;
const UP = [0, 1, 0];

/** Leads from the space of a file to centimeters, +Y up; a humanoid faces +Z. */
function fbxSpace({ metersPerUnit, up }: Asset, humanoid: Humanoid | null): SpaceChange {
  if (humanoid !== null) {
    return { rotation: humanoid.frame, scale: humanoid.metersPerUnit * CENTIMETERS_PER_METER };
  }
  const rotation = Float64Array.of(0, 0, 0, 1);
  if (up !== null) quat.fromTo(rotation, 0, up, 0, UP, 0);
  return { rotation, scale: (metersPerUnit ?? 1) * CENTIMETERS_PER_METER };
}

/** Distance up to which a joint keeps its place below its parent in the T-pose, as a fraction of the height: more than rounding, less than any change. */
const SAME_PLACE = 1e-3;

/** Returns the base pose of a humanoid with the scales that its clips have: those of a bind pose may be others. */
function withRestScales({ basePose, skeleton: { rest } }: Humanoid): Float64Array | null {
  if (basePose === null) return null;
  const out = Float64Array.from(basePose);
  for (let at = PATH_OFFSET.scale; at < out.length; at += POSE_STRIDE) vec3.copy(out, at, rest, at);
  return out;
}

/** Computes the local pose of a skeleton in which a humanoid is in its T-pose. Joints are only moved where they are not below those of their parent bones. */
function tPose(humanoid: Humanoid): Float64Array {
  const { frame, metersPerUnit, reference, skeleton, height } = humanoid;
  const back = quat.conjugated(frame);
  const size = 1 / metersPerUnit;
  const fromCanonical = new Float64Array(MATRIX_STRIDE);
  mat4.compose(fromCanonical, 0, [0, 0, 0, ...Array.from(back), size, size, size], 0);
  const pose = solveLocalPose({ ...humanoid, basePose: withRestScales(humanoid) }, reference, fromCanonical);
  const worlds = modelMatrices(skeleton.parents, pose);
  const moved = new Float64Array(3);
  for (const [node, parent] of skeleton.parents.entries()) {
    const at = POSE_STRIDE * node;
    vec3.subtract(moved, 0, pose, at, skeleton.rest, at);
    if (parent >= 0) mat4.transformDirection(moved, 0, worlds, MATRIX_STRIDE * parent, moved, 0);
    if (vec3.length(moved, 0) * metersPerUnit <= SAME_PLACE * height) vec3.copy(pose, at, skeleton.rest, at);
  }
  return pose;
}

function hipsOf(humanoid: Humanoid | null): number {
  return humanoid === null ? -1 : humanoid.map.nodes[BONE.hips];
}

/** Lists the joints of a skeleton: those of its file and its bones; all nodes where it has neither. */
function jointsOf({ skeleton }: AssetSkeleton, humanoid: Humanoid | null): number[] {
  const bones = humanoid === null ? [] : Array.from(humanoid.map.nodes).filter((node) => node >= 0);
  const joints = Array.from(skeleton.joints.keys()).filter((node) => skeleton.joints[node] === 1);
  const all = new Set([...joints, ...bones]);
  return all.size > 0 ? [...all] : Array.from(skeleton.parents.keys());
}

type NewDestination = Pick<Destination, 'path' | 'fbx'>;

function serialize(
  scene: Omit<NewFbxScene, 'isOriented' | 'imageFolder'>,
  animations: readonly NewAnimation[],
  { path, fbx: { ascii = false, rest, textures } = {} }: NewDestination,
  issues: Issue[],
): OutputFile[] {
  // The folder into which the FBX SDK extracts embedded images.
  const imageFolder = textures === 'beside' ? `${stemOf(path)}.fbm` : null;
  const written = writeFbxScene({ ...scene, isOriented: rest !== 'keep', imageFolder }, animations);
  const animated = addAnimations(written.tree, written.animations, false);
  issues.push(...written.issues, ...animated.issues);
  const images = written.images.map(
    ({ file, bytes }): OutputFile => ({ path: siblingPath(path, file), parts: [bytes], isDependency: true }),
  );
  return [...images, { path, parts: serializeFbx(animated.tree, ascii) }];
}

/** Writes a character with clips. Joints of its skins and bones of its humanoid become joints. */
export function fbxCharacterFiles(
  { file, geometry, part, humanoid }: NewCharacter,
  animations: readonly NewAnimation[],
  destination: NewDestination,
  issues: Issue[],
): OutputFile[] {
  const { nodes, sourceNodes } = geometry;
  const nodeOf = new Map(Array.from(sourceNodes, (source, node) => [source, node]));
  const rest = Float64Array.from(nodes.rest);
  const joints = new Set(geometry.skins.flatMap((skin) => Array.from(skin.joints)));
  let hips = -1;
  if (part !== null) {
    for (const joint of jointsOf(part, humanoid)) {
      const node = nodeOf.get(part.sourceNodes[joint]);
      if (node !== undefined) joints.add(node);
    }
    if (humanoid !== null) hips = nodeOf.get(part.sourceNodes[hipsOf(humanoid)]) ?? -1;
    if (humanoid !== null && destination.fbx?.rest !== 'keep') {
      const pose = tPose(humanoid);
      for (const [k, source] of part.sourceNodes.entries()) {
        const node = nodeOf.get(source);
        if (node !== undefined) rest.set(pose.subarray(POSE_STRIDE * k, POSE_STRIDE * (k + 1)), POSE_STRIDE * node);
      }
    }
  }
  const binds = bindMatrices(file.asset, geometry, rest);
  const change = fbxSpace(file.asset, humanoid);
  return serialize(
    { nodes, sourceNodes, rest, binds, joints, hips, change, geometry },
    animations,
    destination,
    issues,
  );
}

export function fbxMotionFiles(
  { file, part, humanoid }: AnimatedSkeleton,
  clips: readonly MotionClip[],
  destination: NewDestination,
  issues: Issue[],
): OutputFile[] {
  const { skeleton } = part;
  // Rest pose and root of a standard rig are those of its convention: Manny's is an A-pose, Mixamo's are the hips.
  const keepsTop = file.format === 'gltf' && file.standardRig !== undefined;
  const keepsRest = humanoid === null || keepsTop || destination.fbx?.rest === 'keep';
  const rest = keepsRest ? Float64Array.from(skeleton.rest) : tPose(humanoid);
  const sourceNodes = Int32Array.from(skeleton.parents.keys());
  const binds =
    skeleton.bind === null ? new Float64Array(MATRIX_STRIDE * sourceNodes.length) : Float64Array.from(skeleton.bind);
  if (skeleton.bind === null) localToModelMatrices(binds, skeleton.parents, rest);
  const animations = clips.map(({ clip }) => ({ name: clip.name, clip, sourceNodes }));
  const scene = { nodes: skeleton, sourceNodes, rest, binds, joints: jointsOf(part, humanoid), hips: hipsOf(humanoid) };
  return serialize(
    { ...scene, keepsTop, change: fbxSpace(file.asset, humanoid), geometry: null },
    animations,
    destination,
    issues,
  );
}
