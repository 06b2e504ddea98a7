/** Clips of a file by the body that they move: humanoid clips have one of their own. */
import { portableBodyOf } from './choose-body.ts';
import type { ChosenClip } from './choose-clips.ts';
import type { BodyOptions } from './describe-body.ts';
import type { OpenFile } from './open.ts';

/**
 * The clips in groups that have one body each, in the order of their first clips; one group where the caller says which skeleton is meant, or the file has no
 * humanoid clips. At least one group, which may be empty.
 */
export function clipsByBody(
  file: OpenFile,
  chosen: readonly ChosenClip[],
  { skeleton }: Pick<BodyOptions, 'skeleton'>,
): readonly (readonly ChosenClip[])[] {
  if (skeleton !== undefined || !file.asset.skeletons.some(({ isPortable }) => isPortable === true)) return [chosen];
  const groups = new Map<number, ChosenClip[]>();
  for (const one of chosen) {
    const body = portableBodyOf(file, one.clip);
    const group = groups.get(body) ?? [];
    groups.set(body, group);
    group.push(one);
  }
  return groups.size === 0 ? [chosen] : [...groups.values()];
}
