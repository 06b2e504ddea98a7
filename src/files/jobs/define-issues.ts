import { BONE_COUNT } from '../../core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../../core/humanoid/canonical-frames.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { bindModelPose } from '../../core/humanoid/t-pose/model-pose.ts';
import { deviationFromTPose } from '../../core/humanoid/t-pose/t-pose-chains.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { axisSign, findReflections } from '../../core/skeleton/reflections.ts';
import type { NormalizeRequest, NormalizeResult } from '../../formats/gltf/normalize/normalize-request.ts';
import type { OpenFile } from '../open-file.ts';
import type { NormalizeOptions } from './define-request.ts';

/** Tolerance for limbs of a T-pose and for bone axes, in degrees. */
const TOLERANCE = 5;

const LISTED = 6;

/** Returns the limb with the largest deviation from a T-pose, and that deviation in degrees. Positions are in the canonical frame. */
function worstLimb(positions: Float64Array, nodes: Int32Array): [string, number] {
  const limbs = Object.entries(deviationFromTPose(positions, nodes));
  return limbs.reduce<[string, number]>(
    (worst, [limb, degrees]) => (degrees > worst[1] ? [limb, degrees] : worst),
    ['', 0],
  );
}

/** Reports the rules of the extension that the output does not meet because they were not requested. */
export function reportUnmetRules(
  humanoid: Humanoid,
  { axes = false, tPose = false }: NormalizeOptions,
  issues: Issue[],
): void {
  const { skeleton, map, reference, frame } = humanoid;
  if (!tPose) {
    const bind = bindModelPose(skeleton);
    const positions = reference.positions.slice();
    for (let bone = 0; bone < BONE_COUNT && bind !== null; bone++) {
      if (map.nodes[bone] >= 0) vec3.rotate(positions, 3 * bone, frame, 0, bind.positions, 3 * map.nodes[bone]);
    }
    const [limb, degrees] = worstLimb(positions, map.nodes);
    if (degrees > TOLERANCE) {
      const message = `The bind pose becomes the reference pose, but it deviates ${degrees.toFixed(1)}° from a T-pose (${limb}); use the option tPose to correct it`;
      issues.push(issue('DEFINE_POSE_NOT_T', message));
    }
  }
  if (axes) {
    reportReflectedBones(humanoid, issues);
    return;
  }
  let count = 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] < 0) continue;
    const angle = quat.angleBetween(reference.rotations, 4 * bone, CANONICAL_FRAMES, 4 * bone);
    if ((angle * 180) / Math.PI > TOLERANCE) count++;
  }
  if (count > 0) {
    const message = `${count} bones do not have the axes of the extension, so its channels do not fit without conversion; use the option axes to change them`;
    issues.push(issue('DEFINE_AXES', message));
  }
}

/** Reports bones whose axes cannot become canonical, because a scale at or above them is negative. */
function reportReflectedBones({ skeleton, map }: Humanoid, issues: Issue[]): void {
  const signs = findReflections(skeleton);
  if (signs === null) return;
  const isReflected = (node: number): boolean => [0, 1, 2].some((axis) => axisSign(signs, node, axis) < 0);
  const count = map.nodes.filter((node) => node >= 0 && isReflected(node)).length;
  if (count === 0) return;
  const message = `${count} bones have a negative scale, or are below one, so they did not get the axes of the extension. Apply the scale in the program that made the file`;
  issues.push(issue('NON_UNIFORM_SCALE', message));
}

/** Reports the changes to the character besides the skeleton definition. */
export function reportChanges(
  result: NormalizeResult,
  request: NormalizeRequest,
  file: OpenFile,
  issues: Issue[],
): void {
  const { newJoints, hasNewRoot, definition, meshes } = result;
  if (newJoints.length > 0) {
    const listed = newJoints.slice(0, LISTED).join(', ') + (newJoints.length > LISTED ? ' …' : '');
    const message = `${newJoints.length} bones were not joints of a skin; a new skin without vertices makes them joints: ${listed}`;
    issues.push(issue('DEFINE_SKIN_ADDED', message));
  }
  if (hasNewRoot) {
    const why =
      request.rootSpace === null
        ? 'its space is that of the model: facing +Z, meters, ground at y = 0'
        : 'the character faces +Z in its space, and −Z in the scene, as a VRM 0.x must';
    const message = `Node ${definition.rootNode} was added as the parent of the character; ${why}`;
    issues.push(issue('DEFINE_ROOT_ADDED', message));
  }
  if (request.space !== null) {
    const message = 'The character and its clips were rotated to face +Z, scaled to meters and put on the ground';
    issues.push(issue('DEFINE_SPACE_CHANGED', message));
  }
  if (meshes > 0) {
    const message = `${meshes} ${meshes === 1 ? 'mesh was' : 'meshes were'} re-baked in the T-pose; in clips, only vertices with several joints look different`;
    issues.push(issue('DEFINE_MESHES_BAKED', message));
  }
  if (request.axesRotations !== null && file.asset.format === 'vrm0') {
    const message =
      'The file stays a VRM 0.x, whose nodes should have no rotations; players that rely on that show its motions incorrectly. For them, leave out the option axes or use VRM 1.0';
    issues.push(issue('DEFINE_VRM0', message));
  }
}
