/** Validates an FBX file: what its reader reports, the rules of importers, and the humanoid that Unity and Unreal Engine look for. */
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import { BONE, REQUIRED_BONES } from '../../core/humanoid/bones.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { DeclaredAxes } from '../../formats/fbx/validate/check-settings.ts';
import { describeFileHumanoid, describeSkeletons } from '../humanoid/describe-file-humanoid.ts';
import type { FbxFile } from '../open-file.ts';
import { reportHumanoid } from '../reports/humanoid-report.ts';

/** Angle of limbs from a T-pose that Unity's avatar still takes for one, degrees: its own check turns red at about this. */
const T_POSE = 15;
/** Angle between declared and real axes from which they contradict, radians. */
const CONTRADICTION = Math.PI / 4;

function axesIssues(humanoid: Humanoid, part: AssetSkeleton, axes: DeclaredAxes): Issue[] {
  const { up, facing } = reportHumanoid(humanoid, part, 0);
  const out: Issue[] = [];
  const tell = (
    what: string,
    declared: readonly number[],
    real: { axis: string | null; vector: readonly number[] },
  ) => {
    if (vec3.angleBetween(declared, 0, real.vector, 0) < CONTRADICTION) return;
    const name = (vector: readonly number[]) => `(${vector.map((value) => Number(value.toFixed(2))).join(', ')})`;
    const message = `The ${what} of ${JSON.stringify(part.skeleton.name)} is ${real.axis ?? name(real.vector)}, but the file declares ${name(declared)}; importers turn the character. Declare the axes that the data has.`;
    out.push(issue('FBX_AXES', message));
  };
  tell('up direction', axes.up, up);
  tell('front', axes.front, facing);
  return out;
}

/** Lists what Unity's humanoid avatar would miss. */
function avatarIssues(humanoid: Humanoid, part: AssetSkeleton): Issue[] {
  const out: Issue[] = [];
  const missing = REQUIRED_BONES.filter((bone) => humanoid.map.nodes[BONE[bone]] < 0);
  if (missing.length > 0) {
    const message = `${JSON.stringify(part.skeleton.name)} has no ${missing.join(', ')}; Unity's Humanoid needs these 15: ${REQUIRED_BONES.join(', ')}.`;
    out.push(issue('FBX_HUMANOID', message));
  }
  const { deviationDegrees } = reportHumanoid(humanoid, part, 0).referencePose;
  const off = Object.entries(deviationDegrees).filter(([limb, angle]) => /Arm|Leg/.test(limb) && angle > T_POSE);
  if (off.length > 0) {
    const angles = off.map(([limb, angle]) => `${limb} ${Math.round(angle)}°`).join(', ');
    const message = `${JSON.stringify(part.skeleton.name)} rests off a T-pose: ${angles}; Unity measures muscles from a T-pose and asks to enforce one. Save the file in a T-pose.`;
    out.push(issue('FBX_HUMANOID', message));
  }
  return out;
}

export async function fbxIssues(file: FbxFile): Promise<Issue[]> {
  const { validateFbxTree, readFbxTreeGeometry } = await import('../adapters/fbx-bundle.ts');
  const { issues, axes } = validateFbxTree(file.tree);
  const { readResource } = file;
  const { issues: geometryIssues } = await readFbxTreeGeometry(
    file.tree,
    readResource === null ? {} : { readResource },
  );
  const estimated = describeSkeletons(file, (index) => describeFileHumanoid(file, index));
  const ofHumanoids = estimated.flatMap(({ humanoid, issues: found }, index): Issue[] => {
    const part = file.asset.skeletons[index];
    if (humanoid === null || part === undefined) return [];
    const resting = describeFileHumanoid(file, index, { pose: 'node' }).humanoid;
    return [
      ...found.filter(({ code }) => code === 'UNIT_IMPLAUSIBLE'),
      ...(axes === null ? [] : axesIssues(humanoid, part, axes)),
      ...(resting === null ? [] : avatarIssues(resting, part)),
    ];
  });
  return [...issues, ...ofHumanoids, ...file.asset.issues, ...geometryIssues];
}
