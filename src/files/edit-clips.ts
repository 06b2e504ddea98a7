/** Doing the edits of clips: cut and speed on the motion, the mirror on its body too, loop and fewer keys on what came of it. */
import type { Clip } from '../core/animation/clip.ts';
import { loopClip } from '../core/animation/loop-clip.ts';
import { mirrorClip } from '../core/animation/mirror-clip.ts';

import { reduceKeys } from '../core/animation/reduce-keys.ts';

import type { AssetClip, MorphTrack } from '../core/asset/asset.ts';
import { changeAssetClipSpeed, reduceMorphTrack, trimAssetClip } from '../core/asset/edit-asset-clip.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import { mirrorHumanoid } from '../core/humanoid/mirror-humanoid.ts';
import { travellerOf } from '../core/humanoid/traveller.ts';
import type { Skeleton } from '../core/skeleton/skeleton.ts';
import type { ClipEdits } from './clip-edits.ts';
import { OptionError } from './option-error.ts';

/** What an edit gives; what is wrong with its numbers is said of its option. */
function asOption<T>(option: string, clip: AssetClip, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OptionError(option, `the clip ${JSON.stringify(clip.name)}: ${error.message}`);
  }
}

/**
 * A clip of a file, cut and sped up.
 *
 * @throws OptionError for a cut that is not within the clip, or a speed that leaves nothing of it.
 */
export function editMotion(clip: AssetClip, { trim, speed }: ClipEdits): AssetClip {
  let edited = clip;
  if (trim !== undefined) edited = asOption('trim', clip, () => trimAssetClip(edited, trim.from, trim.to));
  if (speed !== undefined) edited = asOption('speed', clip, () => changeAssetClipSpeed(edited, speed));
  return edited;
}

/** The body that makes the motion: mirrored where that is asked for. */
export function editedBody(humanoid: Humanoid, { mirror }: ClipEdits): Humanoid {
  return mirror === true ? mirrorHumanoid(humanoid) : humanoid;
}

/** The motion of {@link editedBody}. */
export function editedClip(clip: Clip, { mirror }: ClipEdits): Clip {
  return mirror === true ? mirrorClip(clip) : clip;
}

/**
 * A clip as it is to be written: looped, then with fewer keys. A humanoid keeps the way that it goes; of other skeletons nobody knows
 * what goes, and all is closed.
 */
export function finishClip(
  skeleton: Skeleton,
  humanoid: Humanoid | null,
  clip: Clip,
  { loop, reduce }: ClipEdits,
): Clip {
  const traveller = humanoid === null ? undefined : travellerOf(humanoid);
  const looped = loop === true ? loopClip(skeleton, clip, traveller) : clip;
  return reduce === undefined ? looped : reduceKeys(skeleton, looped, reduce);
}

/** Morph weights as they are to be written: with fewer keys where they lie on a line. */
export function finishMorphs(morphs: readonly MorphTrack[], { reduce }: ClipEdits): readonly MorphTrack[] {
  return reduce === undefined ? morphs : morphs.map(reduceMorphTrack);
}
