/** Faults of a motion retargeted through a library of humanoid clips. */
import { EXTRACTED_DEGREES, EXTRACTED_HIPS, EXTRACTED_RADIANS } from '../../support/tolerances.ts';
import type { ExtractedPair } from './pair.ts';

/** Lists the differences beyond the tolerances; empty if there are none. */
export function faultsOf({ kept, atKeys, any, hips, worst }: ExtractedPair): string[] {
  const degrees = (any * 180) / Math.PI;
  const faults: string[] = [];
  if (!(kept <= EXTRACTED_RADIANS)) faults.push(`a bone without resampled tracks is ${kept.toExponential(1)} rad off`);
  if (!(atKeys <= EXTRACTED_RADIANS)) faults.push(`a key is ${atKeys.toExponential(1)} rad off`);
  if (!(degrees <= EXTRACTED_DEGREES)) faults.push(`${worst} is ${degrees.toFixed(4)}° off`);
  if (!(hips <= EXTRACTED_HIPS)) faults.push(`the hips are ${hips.toExponential(1)} of their height off`);
  return faults;
}
