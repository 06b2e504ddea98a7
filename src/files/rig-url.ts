import { STANDARD_RIG_NAMES, type StandardRigName } from '../core/humanoid/rigs/rig-names.ts';
import { OptionError } from './option-error.ts';

/** Stands for a standard rig where a path of a character is expected: `rig://ue5`. */
const RIG_SCHEME = 'rig://';

export function rigUrl(rig: StandardRigName): string {
  return RIG_SCHEME + rig;
}

/** Returns the standard rig that a path stands for; null for other paths. Throws OptionError (`to`) for a name that is no standard rig. */
export function rigOfUrl(path: string): StandardRigName | null {
  if (!path.startsWith(RIG_SCHEME)) return null;
  const name = path.slice(RIG_SCHEME.length);
  checkRig(name);
  return name;
}

/** Throws an OptionError (`to`) for a name that is no standard rig. */
export function checkRig(name: string): asserts name is StandardRigName {
  if (STANDARD_RIG_NAMES.some((rig) => rig === name)) return;
  const message = `There is no standard rig ${JSON.stringify(name)}; choose one of ${STANDARD_RIG_NAMES.join(', ')}`;
  throw new OptionError('to', message);
}
