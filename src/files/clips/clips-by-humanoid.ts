import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { canonicalRigOf } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import type { ChosenClip } from './choose-clips.ts';

/** Groups clips by the humanoid that they animate: every humanoid clip of a file has a canonical rig of its own. */
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
