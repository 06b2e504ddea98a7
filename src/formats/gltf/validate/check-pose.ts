/** The reference pose of a definition, from the inverse bind matrices: EXT_skeleton_humanoid, "Reference pose" and "Animation remapping". */
import type { Asset, AssetSkeleton } from '../../../core/asset/asset.ts';
import { BONE_COUNT, BONES, type BoneName, isFingerBone } from '../../../core/humanoid/bones.ts';
import { type BoneConformance, type Conformance, measureConformance } from '../../../core/humanoid/conformance.ts';
import { type ModelPose, restModelPose, toModelPose } from '../../../core/humanoid/t-pose/model-pose.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { pointerTo } from '../document/json-access.ts';
import { declareExtHumanoid } from '../extensions/ext-humanoids.ts';
import type { CheckedDefinition } from './check-definitions.ts';
import { addIssue, type Validation } from './validation.ts';

/** Angle above which a deviation is a warning, degrees. */
const WARN_DEGREES = 5;
/** Angle above which a deviation is an error, degrees. */
const FAIL_DEGREES = 15;
/** Maximum angle between the direction from hips to head and up, degrees: even a stooped standing character is below it. */
const FALLEN_DEGREES = 45;
/** Relative difference between the scales of the three axes above which a scale is non-uniform. */
const SCALE_RATIO = 0.01;

/** The axes of the file are the canonical ones unless the root node rotates them. */
const IDENTITY: Float64Array = Float64Array.of(0, 0, 0, 1);

/** Bones whose +Y is checked against the direction to the next joint. Other bones bend in real characters, so their angle is information only. */
const isChildJudged = (bone: string): boolean => isFingerBone(bone) || /(?:Upper|Lower)(?:Arm|Leg)/.test(bone);

/** The measured reference pose of one definition. */
export interface MeasuredSkeleton extends Conformance {
  /** JSON pointer of the definition. */
  readonly pointer: string;
  /**
   * Source of the reference pose: `bind`, the inverse bind matrices; `node`, the node transforms where no skin has such
   * matrices.
   */
  readonly from: 'bind' | 'node';
  /** Largest angle of any bone between reference pose and rest pose, degrees. */
  readonly restOffDegrees: number;
}

/** The skeleton that has all bones of a definition; undefined where they are in several trees. */
function skeletonOf(asset: Asset, { nodes }: CheckedDefinition): AssetSkeleton | undefined {
  return asset.skeletons.find(({ sourceNodes }) => nodes.every((node) => node < 0 || sourceNodes.includes(node)));
}

function degreesText(degrees: number): string {
  return `${degrees.toFixed(1)}°`;
}

/** Adds an issue for an angle above the limits: a warning or an error. */
function judge(
  validation: Validation,
  degrees: number | null,
  pointer: string,
  about: (degrees: string) => string,
): void {
  if (degrees === null || degrees <= WARN_DEGREES) return;
  addIssue(
    validation,
    degrees > FAIL_DEGREES ? 'EXT_POSE_WRONG' : 'EXT_POSE_OFF',
    pointer,
    about(degreesText(degrees)),
  );
}

function judgeBone(
  validation: Validation,
  bone: BoneName,
  { axes, child, pose }: BoneConformance,
  pointer: string,
): void {
  const where = pointerTo(`${pointer}/humanoidBones`, bone);
  judge(
    validation,
    pose,
    where,
    (degrees) =>
      `${bone} points ${degrees} away from its T-pose direction in the reference pose, expected at most ${WARN_DEGREES}°.`,
  );
  if (axes > WARN_DEGREES) {
    const code = axes > FAIL_DEGREES ? 'EXT_AXES_WRONG' : 'EXT_AXES_OFF';
    addIssue(
      validation,
      code,
      where,
      `The axes of ${bone} are ${degreesText(axes)} off the canonical axes, expected at most ${WARN_DEGREES}°. The option axes of define corrects them.`,
    );
    return;
  }
  if (!isChildJudged(bone)) return;
  judge(
    validation,
    child,
    where,
    (degrees) =>
      `The +Y axis of ${bone} is ${degrees} off the direction to the next joint, expected at most ${WARN_DEGREES}°.`,
  );
}

function checkScales(validation: Validation, { local }: ModelPose, nodes: Int32Array, pointer: string): void {
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] < 0) continue;
    const [x, y, z] = local.subarray(POSE_STRIDE * nodes[bone] + 7, POSE_STRIDE * nodes[bone] + 10);
    const isUniform = Math.max(x, y, z) - Math.min(x, y, z) <= SCALE_RATIO * Math.abs(x);
    if (isUniform && x > 0) continue;
    const scale = [x, y, z].map((value) => value.toPrecision(3)).join(' ');
    addIssue(
      validation,
      'NON_UNIFORM_SCALE',
      pointerTo(`${pointer}/humanoidBones`, BONES[bone]),
      `${BONES[bone]} has scale ${scale} in the reference pose, expected a uniform positive scale.`,
    );
  }
}

/**
 * Measures the reference pose of a definition and adds an issue for every deviation. Returns the measured pose; null where the bones are not in one
 * skeleton.
 */
export function checkPose(
  validation: Validation,
  asset: Asset,
  definition: CheckedDefinition,
): MeasuredSkeleton | null {
  const { pointer } = definition;
  if (definition.nodes.every((node) => node < 0)) return null;
  const found = skeletonOf(asset, definition);
  // Bones in separate trees: checkDefinitions has reported that the root node is not above them.
  if (found === undefined) return null;
  const { skeleton, sourceNodes } = found;
  const nodes = definition.nodes.map((node) => (node < 0 ? -1 : sourceNodes.indexOf(node)));
  const poseIssues: Issue[] = [];
  const declared = declareExtHumanoid(skeleton, nodes, sourceNodes.indexOf(definition.rootNode), pointer, poseIssues);
  for (const { code, message } of poseIssues)
    if (code === 'EXT_FACING') addIssue(validation, 'EXT_POSE_WRONG', pointer, message);
  const rest = restModelPose(skeleton);
  const pose = declared.pose === undefined ? rest : toModelPose('bind', skeleton.parents, declared.pose);
  const positions = new Float64Array(3 * BONE_COUNT);
  const rotations = new Float64Array(4 * BONE_COUNT);
  const rotation = declared.axesRotation ?? IDENTITY;
  let restOff = 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    quat.identity(rotations, 4 * bone);
    if (nodes[bone] < 0) continue;
    vec3.rotate(positions, 3 * bone, rotation, 0, pose.positions, 3 * nodes[bone]);
    quat.multiply(rotations, 4 * bone, rotation, 0, pose.rotations, 4 * nodes[bone]);
    restOff = Math.max(restOff, quat.angleBetween(pose.rotations, 4 * nodes[bone], rest.rotations, 4 * nodes[bone]));
  }
  const measured = measureConformance(nodes, positions, rotations);
  for (const [bone, row] of Object.entries(measured.bones)) judgeBone(validation, bone as BoneName, row, pointer);
  judge(
    validation,
    measured.facing,
    pointer,
    (degrees) => `The character faces ${degrees} away from +Z, or leans to one side.`,
  );
  judge(
    validation,
    measured.leftPalm,
    pointer,
    (degrees) => `The left palm faces ${degrees} away from the ground, expected at most ${WARN_DEGREES}°.`,
  );
  judge(
    validation,
    measured.rightPalm,
    pointer,
    (degrees) => `The right palm faces ${degrees} away from the ground, expected at most ${WARN_DEGREES}°.`,
  );
  if (measured.up !== null && measured.up > FALLEN_DEGREES) {
    addIssue(
      validation,
      'EXT_POSE_WRONG',
      pointer,
      `The direction from hips to head is ${degreesText(measured.up)} off +Y, expected an upright character.`,
    );
  }
  checkScales(validation, pose, nodes, pointer);
  return { pointer, from: pose === rest ? 'node' : 'bind', restOffDegrees: (restOff * 180) / Math.PI, ...measured };
}
