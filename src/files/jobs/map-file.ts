import { BONE, REQUIRED_BONES } from '../../core/humanoid/bones.ts';
import { mapBones } from '../../core/humanoid/mapping/map-bones.ts';
import type { Issue } from '../../core/report/issue.ts';
import { type BoneMapFile, createBoneMapFile, createMapToComplete } from '../humanoid/bone-map-file.ts';
import { chooseHumanoid } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { type HumanoidReport, reportBones } from '../reports/humanoid-report.ts';

/** The bone map of a file. */
export interface FileMapping {
  /** The map; of a skeleton that is not humanoid the bones that were found, to be completed by hand. Null without a skeleton. */
  readonly map: BoneMapFile | null;
  /** The same bones with confidence and reason. */
  readonly bones: HumanoidReport['bones'];
  /** Why the skeleton is not humanoid; null when it is. */
  readonly reason: string | null;
  /** What was unusual about the skeleton. */
  readonly issues: readonly Issue[];
}

/**
 * Maps the bones of the selected skeleton, else of the only humanoid one.
 *
 * @param file An opened file.
 * @param skeleton Name or index of the skeleton.
 * @returns The bone map, with an explanation of every match.
 * @throws OptionError (`skeleton`) as `chooseHumanoid`.
 * @example
 * const { map, reason } = mapFile(await openFile('creature.glb'));
 * if (reason !== null && map !== null) console.log(serializeBoneMap(map));
 */
export function mapFile(file: OpenFile, skeleton?: string | number): FileMapping {
  const choice = chooseHumanoid(file, 'only', { explain: true, ...(skeleton === undefined ? {} : { skeleton }) });
  const { found, reason, issues } = choice;
  const part = found?.part ?? file.asset.skeletons[choice.index];
  // Unreadable parts of the file may be why there is no skeleton.
  if (part === undefined) return { map: null, bones: {}, reason, issues: [...issues, ...file.asset.issues] };
  const map = found?.humanoid.map ?? mapBones(part.skeleton).map;
  // A person completes what was not found, and needs the indices of nodes without a name of their own.
  const isComplete = reason === null && REQUIRED_BONES.every((bone) => map.nodes[BONE[bone]] >= 0);
  const written = (isComplete ? createBoneMapFile : createMapToComplete)(part, map);
  return { map: written, bones: reportBones(map, part), reason, issues };
}
