/** Retargets the motion on stage to a character. */
import { type AssetClip, mirrorClip, mirrorHumanoid } from 'anyrig';
import { type FoundHumanoid, retargetClips } from 'anyrig/files';
import type { MotionOptions } from '../app/motion-options.ts';
import { editTiming } from './edit-timing.ts';
import { entryOf } from './entries.ts';
import { humanoidOptions } from './humanoid-options.ts';
import { jobOptions } from './job-options.ts';
import { type MovedHumanoid, measureResult } from './measure-result.ts';
import { displayOf, ownOptions } from './open-files.ts';
import type { RetargetRequest, RetargetResult } from './protocol.ts';
import { toStageClip } from './stage-clip.ts';

/** The motion as the options edit it, for comparison with the result. */
function editedMotion(found: FoundHumanoid, original: AssetClip, options: MotionOptions): MovedHumanoid {
  const clip = editTiming(original, options);
  const motion = clip.clips[found.index];
  if (!options.mirror) return { humanoid: found.humanoid, clip: motion };
  return { humanoid: mirrorHumanoid(found.humanoid), clip: mirrorClip(motion) };
}

/**
 * Retargets a clip to a character and measures the result.
 *
 * @param request Motion, character and options.
 * @returns The clip on the nodes of the character's figure, and figures about it.
 * @throws OptionError for options that do not fit the files.
 */
export async function retarget(request: RetargetRequest): Promise<RetargetResult> {
  const start = performance.now();
  const motion = entryOf(request.motion).file;
  const source = await ownOptions(request.motion, request.source);
  const character = await displayOf(entryOf(request.character));
  const options = jobOptions(request.options, source, humanoidOptions(character, request.target));
  const done = await retargetClips([motion], character, { ...options, clips: [request.clip] });
  const [one] = done.clips;
  const [{ found }] = done.sources;
  const target = done.target.found;
  const empty = { clip: null, contacts: null, charts: null, lines: null };
  if (one === undefined || found === null || target === null) {
    return { ...empty, hipsScale: done.hipsScale, issues: done.issues, took: performance.now() - start };
  }
  const edited = editedMotion(found, one.source.clip, request.options);
  const measured = measureResult(edited, { humanoid: target.humanoid, clip: one.clip }, one.hipsScale);
  return {
    clip: toStageClip(one.clip, target.part, one.morphs),
    hipsScale: one.hipsScale,
    contacts: one.contacts,
    ...measured,
    issues: done.issues,
    took: performance.now() - start,
  };
}
