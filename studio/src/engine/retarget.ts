/** Retargets the motion on stage to a character, and measures the result. */
import { type OpenFile, retargetClips } from 'anyrig/files';
import type { RetargetClipsOptions } from '../../../src/files/jobs/plan-pair.ts';
import { entryOf } from './entries.ts';
import { humanoidOptions } from './humanoid-options.ts';
import { jobOptions } from './job-options.ts';
import { measureResult } from './measure-result.ts';
import { displayOf, ownOptions } from './open-files.ts';
import type { Measures, RetargetRequest, RetargetResult } from './protocol.ts';
import { toStageClip } from './stage-clip.ts';

/** Leaves keys as they come: few keys are for files, take a third of the time, and look the same within 0.1°. Reduced ones are seen. */
function seenOptions(options: RetargetClipsOptions): RetargetClipsOptions {
  const { edits = {} } = options;
  return edits.reduce === undefined ? { ...options, edits: { ...edits, keys: 'exact' } } : options;
}

type Done = ReturnType<typeof retargetClips>;

/** The newest result of each character with its request, which is likely to be measured next. */
const newest = new WeakMap<OpenFile, { readonly request: string; readonly done: Done }>();

async function doneOf(request: RetargetRequest): Promise<Awaited<Done>> {
  const motion = entryOf(request.motion).file;
  const source = await ownOptions(request.motion, request.source);
  const character = await displayOf(entryOf(request.character));
  const known = newest.get(character);
  const text = JSON.stringify(request);
  if (known?.request === text) return await known.done;
  const options = seenOptions(jobOptions(request.options, source, humanoidOptions(character, request.target)));
  const done = retargetClips([motion], character, { ...options, clips: [request.clip] });
  newest.set(character, { request: text, done });
  return await done;
}

/**
 * Retargets a clip to a character.
 *
 * @throws OptionError for options that do not fit the files.
 */
export async function retarget(request: RetargetRequest): Promise<RetargetResult> {
  const start = performance.now();
  const { clips, target, hipsScale, issues } = await doneOf(request);
  const [one] = clips;
  const isDone = one !== undefined && target.found !== null;
  return {
    clip: isDone ? toStageClip(one.clip, target.found.part, one.morphs) : null,
    hipsScale: isDone ? one.hipsScale : hipsScale,
    contacts: isDone ? one.contacts : null,
    issues,
    took: performance.now() - start,
  };
}

/**
 * Measures a result, which takes half as long as to make it.
 *
 * @returns What was found; null where nothing could be retargeted.
 */
export async function measure(request: RetargetRequest): Promise<Measures | null> {
  const { clips, target } = await doneOf(request);
  const [one] = clips;
  if (one === undefined || target.found === null) return null;
  const plainly = { ...request, options: { ...request.options, contacts: 'off' } } as const;
  return await measureResult(
    { humanoid: one.moving, clip: one.motion },
    { humanoid: target.found.humanoid, clip: one.clip },
    one.hipsScale,
    one.contacts,
    async () => (await doneOf(plainly)).clips[0]?.clip ?? null,
  );
}
