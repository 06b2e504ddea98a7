/** The bone map of a file, as `anyrig map` writes it. */
import { mapByNames } from '../core/humanoid/mapping/map-names.ts';
import type { Issue } from '../core/report/issue.ts';
import { type BoneMapFile, boneMapFile } from './bone-map-file.ts';
import { chooseBody } from './choose-body.ts';
import type { OpenFile } from './open.ts';

/** A bone map, and why it is not that of a humanoid. */
export interface FileMapping {
  /** For a skeleton that is not humanoid the bones that were found, to be completed by hand; null without a skeleton. */
  readonly map: BoneMapFile | null;
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
  const choice = chooseBody(file, 'only', skeleton === undefined ? {} : { skeleton });
  const { body, reason, issues } = choice;
  if (body !== null) return { map: boneMapFile(body.part, body.humanoid.map), reason, issues };
  const part = file.asset.skeletons.find((one) => one.skeleton.name === choice.skeleton);
  return { map: part === undefined ? null : boneMapFile(part, mapByNames(part.skeleton).map), reason, issues };
}
