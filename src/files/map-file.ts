/** The bone map of a file, as `anyrig map` writes it. */
import { mapBones } from '../core/humanoid/mapping/map-bones.ts';
import type { Issue } from '../core/report/issue.ts';
import { type BoneMapFile, boneMapFile } from './bone-map-file.ts';
import { chooseBody } from './choose-body.ts';
import { type HumanoidReport, reportBones } from './humanoid-report.ts';
import type { OpenFile } from './open.ts';

/** A bone map, and why it is not that of a humanoid. */
export interface FileMapping {
  /** For a skeleton that is not humanoid the bones that were found, to be completed by hand; null without a skeleton. */
  readonly map: BoneMapFile | null;
  /** The same bones with how sure each is, and why. */
  readonly bones: HumanoidReport['bones'];
  /** Null when the map is that of a humanoid. */
  readonly reason: string | null;
  readonly issues: readonly Issue[];
}

/**
 * Maps the skeleton that is asked for, else the only humanoid one.
 *
 * @throws OptionError as `chooseBody`.
 */
export function mapFile(file: OpenFile, skeleton?: string | number): FileMapping {
  const choice = chooseBody(file, 'only', { explain: true, ...(skeleton === undefined ? {} : { skeleton }) });
  const { body, reason, issues } = choice;
  const part = body?.part ?? file.asset.skeletons[choice.index];
  // What could not be read may be what is missing.
  if (part === undefined) return { map: null, bones: {}, reason, issues: [...issues, ...file.asset.issues] };
  const map = body?.humanoid.map ?? mapBones(part.skeleton).map;
  return { map: boneMapFile(part, map), bones: reportBones(map, part), reason, issues };
}
