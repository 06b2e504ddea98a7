/** Retargets the motion on stage to a character, and measures the result. */
import type { RetargetClipsOptions } from '../../../src/files/jobs/plan-pair.ts';
import { retargetClips } from '../../../src/files/jobs/retarget-clips.ts';
import { entryOf } from './entries.ts';
import { jobOptions } from './job-options.ts';
import { ownOptions, shownOptions } from './open-files.ts';
import type { Measures, RetargetRequest, RetargetResult } from './protocol.ts';
import { toStageClip } from './stage-clip.ts';

/** Leaves keys as they come: few keys are for files, take a third of the time, and look the same within 0.1°. Reduced ones are seen. */
function seenOptions(options: RetargetClipsOptions): RetargetClipsOptions {
  const { edits = {} } = options;
  return edits.reduce === undefined ? { ...options, edits: { ...edits, keys: 'exact' } } : options;
}

type Done = Awaited<ReturnType<typeof retargetClips>> & {
  /** Milliseconds that it took. */
  readonly took: number;
};

/** The newest result of each character with its request, which is likely to be measured next. */
const newest = new Map<string, { readonly request: RetargetRequest; readonly done: Promise<Done> }>();

export function forgetResults(file: string): void {
  for (const [character, { request }] of newest)
    if (character === file || request.motion === file) newest.delete(character);
}

async function make(request: RetargetRequest): Promise<Done> {
  const start = performance.now();
  const motion = entryOf(request.motion).file;
  const source = await ownOptions(request.motion, request.source);
  const target = await shownOptions(request.character, request.target);
  const options = seenOptions(jobOptions(request.options, source, target.options));
  const done = await retargetClips([motion], target.file, { ...options, clips: [request.clip] });
  return { ...done, took: performance.now() - start };
}

async function doneOf(request: RetargetRequest): Promise<Done> {
  const known = newest.get(request.character);
  if (known !== undefined && JSON.stringify(known.request) === JSON.stringify(request)) return await known.done;
  const done = make(request);
  newest.set(request.character, { request, done });
  return await done;
}

/** Retargets a clip to a character. Throws OptionError for options that do not fit the files. */
export async function retarget(request: RetargetRequest): Promise<RetargetResult> {
  const { clips, target, hipsScale, issues, took } = await doneOf(request);
  const [one] = clips;
  const isDone = one !== undefined && target.found !== null;
  return {
    clip: isDone ? toStageClip(one.clip, target.found.part, one.morphs) : null,
    hipsScale: isDone ? one.hipsScale : hipsScale,
    contacts: isDone ? one.contacts : null,
    issues,
    took,
  };
}

/** Measures a result. Returns what was found; null where nothing could be retargeted. */
export async function measure(request: RetargetRequest): Promise<Measures | null> {
  const { clips, target } = await doneOf(request);
  const [one] = clips;
  if (one === undefined || target.found === null) return null;
  const plainly = { ...request, options: { ...request.options, contacts: 'off' } } as const;
  // What measures is loaded after the first result is on stage.
  const { measureResult } = await import('./measure-result.ts');
  return await measureResult(
    { humanoid: one.moving, clip: one.motion },
    { humanoid: target.found.humanoid, clip: one.clip },
    one.hipsScale,
    one.contacts,
    async () => (await make(plainly)).clips[0]?.clip ?? null,
  );
}
