/** Retargets the motion on stage to a character. */
import { retargetClips } from 'anyrig/files';
import type { RetargetClipsOptions } from '../../../src/files/jobs/plan-pair.ts';
import { entryOf } from './entries.ts';
import { humanoidOptions } from './humanoid-options.ts';
import { jobOptions } from './job-options.ts';
import { measureResult } from './measure-result.ts';
import { displayOf, ownOptions } from './open-files.ts';
import type { RetargetRequest, RetargetResult } from './protocol.ts';
import { toStageClip } from './stage-clip.ts';

/** Leaves keys as they come: few keys are for files, take a third of the time, and look the same within 0.1°. Reduced ones are seen. */
function seenOptions(options: RetargetClipsOptions): RetargetClipsOptions {
  const { edits = {} } = options;
  return edits.reduce === undefined ? { ...options, edits: { ...edits, keys: 'exact' } } : options;
}

/**
 * Retargets a clip to a character and measures the result.
 *
 * @throws OptionError for options that do not fit the files.
 */
export async function retarget(request: RetargetRequest): Promise<RetargetResult> {
  const start = performance.now();
  const motion = entryOf(request.motion).file;
  const source = await ownOptions(request.motion, request.source);
  const character = await displayOf(entryOf(request.character));
  const options = seenOptions(jobOptions(request.options, source, humanoidOptions(character, request.target)));
  const done = await retargetClips([motion], character, { ...options, clips: [request.clip] });
  const [one] = done.clips;
  const target = done.target.found;
  const empty = { clip: null, contacts: null, charts: null, lines: null, verdict: null };
  if (one === undefined || target === null) {
    return { ...empty, hipsScale: done.hipsScale, issues: done.issues, took: performance.now() - start };
  }
  const measured = await measureResult(
    { humanoid: one.moving, clip: one.motion },
    { humanoid: target.humanoid, clip: one.clip },
    one.hipsScale,
    one.contacts,
    async () => {
      const plain = await retargetClips([motion], character, { ...options, contacts: 'off', clips: [request.clip] });
      return plain.clips[0]?.clip ?? null;
    },
  );
  return {
    clip: toStageClip(one.clip, target.part, one.morphs),
    hipsScale: one.hipsScale,
    contacts: one.contacts,
    ...measured,
    issues: done.issues,
    took: performance.now() - start,
  };
}
