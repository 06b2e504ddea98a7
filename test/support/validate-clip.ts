/** Checks of whole clips that readers and edits must pass. */
import type { Clip } from '../../src/core/animation/clip.ts';
import { keyReasons } from '../../src/core/animation/key-reasons.ts';
import { type Validity, validity } from '../../src/core/report/validity.ts';

/** Checks a clip: tracks must target existing nodes, no two tracks may animate the same property, and keys must follow glTF 2.0, section 3.11. */
export function validateClip(clip: Clip, nodeCount: number): Validity {
  const reasons: string[] = [];
  if (!(clip.duration >= 0 && Number.isFinite(clip.duration))) {
    reasons.push(`the duration is ${clip.duration}; expected 0 seconds or more`);
  }
  const seen = new Set<string>();
  clip.tracks.forEach((track, index) => {
    const name = `track ${index} (${track.path} of node ${track.target})`;
    if (!(Number.isInteger(track.target) && track.target >= 0 && track.target < nodeCount)) {
      reasons.push(`${name} has an invalid target; the skeleton has ${nodeCount} nodes`);
    }
    for (const reason of keyReasons(track)) reasons.push(`${name} ${reason}`);
    const last = track.times[track.times.length - 1];
    if (last > clip.duration) reasons.push(`${name} ends at ${last} s, after the clip's ${clip.duration} s`);
    const key = `${track.target} ${track.path}`;
    if (seen.has(key)) reasons.push(`${name} repeats the target and path of an earlier track`);
    seen.add(key);
  });
  return validity(reasons);
}
