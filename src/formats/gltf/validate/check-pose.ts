/** The reference pose of a definition, from the inverse bind matrices: EXT_skeleton_humanoid, "Reference pose" and "Animation remapping". */
import type { Asset, AssetSkeleton } from '../../../core/asset/asset.ts';
import { BONE_COUNT, BONES, type BoneName } from '../../../core/humanoid/bones.ts';
import { type ModelPose, modelPose, nodePose } from '../../../core/humanoid/reference/model-pose.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { type BoneConformance, type Conformance, measureConformance } from '../../../core/measure/conformance.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { declareExtHumanoid } from '../extensions/ext-humanoids.ts';
import { pointerTo } from '../schema.ts';
import type { CheckedDefinition } from './check-definitions.ts';
import { type Findings, note } from './findings.ts';

/** Degrees from which an angle is worth a warning, and from which it is wrong. */
const WARN_DEGREES = 5;
const FAIL_DEGREES = 15;
/** The head of a body that stands is not this far beside its hips, however it stoops. */
const FALLEN_DEGREES = 45;
/** Scales of the three axes of a bone that differ by more than this share are not one scale. */
const SCALE_RATIO = 0.01;

/** The axes of the file are those of the humanoid, unless its root says otherwise. */
const IDENTITY: Float64Array = Float64Array.of(0, 0, 0, 1);

/** Bones whose +Y is judged by the way to the next joint; of all others, which real bodies bend, it is information. */
const JUDGED_CHILD = /UpperArm|LowerArm|Thumb|Index|Middle|Ring|Little|UpperLeg|LowerLeg/;

/** The reference pose of one definition, measured. */
export interface MeasuredSkeleton extends Conformance {
  /** JSON pointer of the definition. */
  readonly pointer: string;
  /** `bind`: from inverse bind matrices; `node`: there are none, from the transforms of the nodes. */
  readonly from: 'bind' | 'node';
  /** Degrees between the reference pose and the pose in which the nodes stand, the worst bone. */
  readonly restOffDegrees: number;
}

/** The skeleton that has all bones of a definition; undefined when they are scattered over several trees. */
function skeletonOf(asset: Asset, { nodes }: CheckedDefinition): AssetSkeleton | undefined {
  return asset.skeletons.find(({ sourceNodes }) => nodes.every((node) => node < 0 || sourceNodes.includes(node)));
}

function degreesText(degrees: number): string {
  return `${degrees.toFixed(1)}°`;
}

/** Notes an angle by how large it is, with one code for a warning and one for a failure. */
function judge(findings: Findings, degrees: number | null, pointer: string, about: (degrees: string) => string): void {
  if (degrees === null || degrees <= WARN_DEGREES) return;
  note(findings, degrees > FAIL_DEGREES ? 'EXT_POSE_WRONG' : 'EXT_POSE_OFF', pointer, about(degreesText(degrees)));
}

function judgeBone(findings: Findings, bone: BoneName, { axes, child, pose }: BoneConformance, pointer: string): void {
  const where = pointerTo(`${pointer}/humanoidBones`, bone);
  judge(findings, pose, where, (degrees) => `${bone} points ${degrees} away from its direction in the T-pose.`);
  if (axes > WARN_DEGREES) {
    const code = axes > FAIL_DEGREES ? 'EXT_AXES_WRONG' : 'EXT_AXES_OFF';
    note(findings, code, where, `The axes of ${bone} are ${degreesText(axes)} off those of the reference pose.`);
    return;
  }
  if (!JUDGED_CHILD.test(bone)) return;
  judge(findings, child, where, (degrees) => `The +Y of ${bone} is ${degrees} off the way to the joint that follows.`);
}

function checkScales(findings: Findings, { local }: ModelPose, nodes: Int32Array, pointer: string): void {
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] < 0) continue;
    const [x, y, z] = local.subarray(POSE_STRIDE * nodes[bone] + 7, POSE_STRIDE * nodes[bone] + 10);
    const isEven = Math.max(x, y, z) - Math.min(x, y, z) <= SCALE_RATIO * Math.abs(x);
    if (isEven && x > 0) continue;
    const scale = [x, y, z].map((value) => value.toPrecision(3)).join(' ');
    note(
      findings,
      'NON_UNIFORM_SCALE',
      pointerTo(`${pointer}/humanoidBones`, BONES[bone]),
      `${BONES[bone]} has scale ${scale} in the reference pose.`,
    );
  }
}

/** Measures the reference pose of a definition and notes what is off; null when its bones are in no common skeleton. */
export function checkPose(findings: Findings, asset: Asset, definition: CheckedDefinition): MeasuredSkeleton | null {
  const { pointer } = definition;
  if (definition.nodes.every((node) => node < 0)) return null;
  const found = skeletonOf(asset, definition);
  // Bones in trees that do not meet: the root node is not above them, which is noted already.
  if (found === undefined) return null;
  const { skeleton, sourceNodes } = found;
  const nodes = definition.nodes.map((node) => (node < 0 ? -1 : sourceNodes.indexOf(node)));
  const odd: Issue[] = [];
  const declared = declareExtHumanoid(skeleton, nodes, sourceNodes.indexOf(definition.rootNode), pointer, odd);
  for (const { code, message } of odd) if (code === 'EXT_FACING') note(findings, 'EXT_POSE_WRONG', pointer, message);
  const rest = nodePose(skeleton);
  const pose = declared.pose === undefined ? rest : modelPose('bind', skeleton.parents, declared.pose);
  const positions = new Float64Array(3 * BONE_COUNT);
  const rotations = new Float64Array(4 * BONE_COUNT);
  const turn = declared.turn ?? IDENTITY;
  let restOff = 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    quat.identity(rotations, 4 * bone);
    if (nodes[bone] < 0) continue;
    vec3.rotate(positions, 3 * bone, turn, 0, pose.positions, 3 * nodes[bone]);
    quat.multiply(rotations, 4 * bone, turn, 0, pose.rotations, 4 * nodes[bone]);
    restOff = Math.max(restOff, quat.angleBetween(pose.rotations, 4 * nodes[bone], rest.rotations, 4 * nodes[bone]));
  }
  const measured = measureConformance(nodes, positions, rotations);
  for (const [bone, row] of Object.entries(measured.bones)) judgeBone(findings, bone as BoneName, row, pointer);
  judge(findings, measured.facing, pointer, (degrees) => `The body faces ${degrees} away from +Z, or leans to a side.`);
  judge(findings, measured.leftPalm, pointer, (degrees) => `The left palm is ${degrees} away from facing the ground.`);
  judge(
    findings,
    measured.rightPalm,
    pointer,
    (degrees) => `The right palm is ${degrees} away from facing the ground.`,
  );
  if (measured.up !== null && measured.up > FALLEN_DEGREES) {
    note(
      findings,
      'EXT_POSE_WRONG',
      pointer,
      `The head is ${degreesText(measured.up)} away from straight above the hips.`,
    );
  }
  checkScales(findings, pose, nodes, pointer);
  return { pointer, from: pose === rest ? 'node' : 'bind', restOffDegrees: (restOff * 180) / Math.PI, ...measured };
}
