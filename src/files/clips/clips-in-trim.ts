/** Clips that a trim leaves something of. */
import { type Issue, issue } from '../../core/report/issue.ts';
import type { ChosenClip } from './choose-clips.ts';
import type { ClipEdits } from './clip-edits.ts';
import { defaultClipName } from './clip-names.ts';

/** The clips of a file that are longer than the start of a trim, and what is said about the others. */
export interface TrimmableClips {
  /** The clips that are edited. */
  readonly clips: readonly ChosenClip[];
  /** One issue `CLIP_OUTSIDE_TRIM` per clip that is left out. */
  readonly issues: readonly Issue[];
}

/** Formats seconds with at most two decimals. */
function seconds(time: number): string {
  return `${Number(time.toFixed(2))} s`;
}

/**
 * Leaves out the clips that end before the range of a trim begins, so that one short clip does not stop the others. A clip that ends inside of the
 * range is kept up to its end.
 *
 * @param file Name of the file.
 * @param chosen Clips of the file.
 * @param edits Edits; only `trim` is considered.
 * @returns The other clips, in the same order.
 */
export function clipsInTrim(file: string, chosen: readonly ChosenClip[], { trim }: ClipEdits): TrimmableClips {
  const start = Math.fround(trim?.from ?? 0);
  if (start <= 0) return { clips: chosen, issues: [] };
  const issues: Issue[] = [];
  const clips = chosen.filter(({ clip }) => {
    if (clip.duration > start) return true;
    const name = JSON.stringify(defaultClipName(clip.name, file));
    const message = `The clip ${name} of ${file} lasts ${seconds(clip.duration)}, but the trimmed range begins at ${seconds(start)}; it was left out`;
    issues.push(issue('CLIP_OUTSIDE_TRIM', message, { resource: file }));
    return false;
  });
  return { clips, issues };
}
