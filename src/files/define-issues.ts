/** What `anyrig define` tells of a character: which rules of the extension it does not obey, and what was done to it. */
import { BONE_COUNT } from '../core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../core/humanoid/canonical-frames.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import { bindModelPose } from '../core/humanoid/reference/model-pose.ts';
import { deviationFromTPose } from '../core/humanoid/reference/t-pose.ts';
import * as quat from '../core/math/quat.ts';
import * as vec3 from '../core/math/vec3.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import type { ConformRequest, ConformResult } from '../formats/gltf/conform/conform-document.ts';
import type { Conformity } from './define-request.ts';
import type { OpenFile } from './open.ts';

/** A bind pose with a limb further off a T-pose than this is none, degrees; the same of bones off their axes. */
const OFF = 5;

/** Degrees by which a pose of bones, canonical frame, is off the T-pose, and the bone or limb that is worst. */
function worstLimb(positions: Float64Array, nodes: Int32Array): [string, number] {
  const limbs = Object.entries(deviationFromTPose(positions, nodes));
  return limbs.reduce<[string, number]>(
    (worst, [limb, degrees]) => (degrees > worst[1] ? [limb, degrees] : worst),
    ['', 0],
  );
}

/** What of the text the output does not obey, as not everything was asked for. */
export function reportMissing(humanoid: Humanoid, { axes = false, tPose = false }: Conformity, issues: Issue[]): void {
  const { skeleton, map, reference, frame } = humanoid;
  if (!tPose) {
    const bind = bindModelPose(skeleton);
    const positions = reference.positions.slice();
    for (let bone = 0; bone < BONE_COUNT && bind !== null; bone++) {
      if (map.nodes[bone] >= 0) vec3.rotate(positions, 3 * bone, frame, 0, bind.positions, 3 * map.nodes[bone]);
    }
    const [limb, degrees] = worstLimb(positions, map.nodes);
    if (degrees > OFF) {
      const message = `The bind pose becomes the reference pose, but it is ${degrees.toFixed(1)}° off a T-pose (${limb}); --t-pose makes it one`;
      issues.push(issue('DEFINE_POSE_NOT_T', message));
    }
  }
  if (axes) return;
  let count = 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] < 0) continue;
    const angle = quat.angleBetween(reference.rotations, 4 * bone, CANONICAL_FRAMES, 4 * bone);
    if ((angle * 180) / Math.PI > OFF) count++;
  }
  if (count > 0) {
    const message = `${count} bones do not have the axes of the extension, so that its channels do not fit as they are; --axes gives them`;
    issues.push(issue('DEFINE_AXES', message));
  }
}

/** What was done beyond naming the bones. */
export function reportDone(result: ConformResult, request: ConformRequest, file: OpenFile, issues: Issue[]): void {
  const { newJoints, hasNewRoot, definition, meshes } = result;
  if (newJoints.length > 0) {
    const listed = newJoints.slice(0, 6).join(', ') + (newJoints.length > 6 ? ' …' : '');
    const message = `${newJoints.length} bones were in no skin; a skin that deforms nothing makes joints of them: ${listed}`;
    issues.push(issue('DEFINE_SKIN_ADDED', message));
  }
  if (hasNewRoot) {
    const why =
      request.rootSpace === null
        ? 'its space is that of the model: facing +Z, meters, ground at y = 0'
        : 'the character faces +Z in its space, and −Z in the scene, as a VRM 0.x must';
    issues.push(issue('DEFINE_ROOT_ADDED', `Node ${definition.rootNode} was put above the character; ${why}`));
  }
  if (request.space !== null) {
    const message = 'The character was turned to face +Z, scaled to meters and put on the ground, with all its clips';
    issues.push(issue('DEFINE_SPACE_CHANGED', message));
  }
  if (meshes > 0) {
    const message = `${meshes} ${meshes === 1 ? 'mesh was' : 'meshes were'} re-baked into the T-pose; clips look the same but for vertices that hang on several joints`;
    issues.push(issue('DEFINE_MESHES_BAKED', message));
  }
  if (request.turns !== null && file.asset.format === 'vrm0') {
    const message =
      'The file stays a VRM 0.x, whose nodes should have no rotations; players that rely on that show its motions wrongly. Leave --axes out for them, or use VRM 1.0';
    issues.push(issue('DEFINE_VRM0', message));
  }
}
