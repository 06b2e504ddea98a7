import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { canonicalRigOf } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import type { ChosenClip } from './choose-clips.ts';

/**
 * Groups clips by the humanoid that they animate: every humanoid clip of a file has a canonical rig of its own.
 *
 * @param file The file of the clips.
 * @param chosen The clips.
 * @param options A user-supplied `skeleton` gives one group.
 * @returns At least one group, in the order of their first clips; the only group may be empty.
 */
export function clipsByHumanoid(
  file: OpenFile,
  chosen: readonly ChosenClip[],
  { skeleton }: Pick<HumanoidOptions, 'skeleton'>,
): readonly (readonly ChosenClip[])[] {
  if (skeleton !== undefined || !file.asset.skeletons.some(({ isCanonicalRig }) => isCanonicalRig === true))
    return [chosen];
  const groups = new Map<number, ChosenClip[]>();
  for (const one of chosen) {
    const rig = canonicalRigOf(file, one.clip);
    const group = groups.get(rig) ?? [];
    groups.set(rig, group);
    group.push(one);
  }
  return groups.size === 0 ? [chosen] : [...groups.values()];
}
