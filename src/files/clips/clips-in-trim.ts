import { findFirstPose } from '../../core/asset/find-first-pose.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { ChosenClip } from './choose-clips.ts';
import type { ClipEdits } from './clip-edits.ts';
import { defaultClipName } from './clip-names.ts';

/** Formats seconds with at most two decimals. */
function seconds(time: number): string {
  return `${Number(time.toFixed(2))} s`;
}

/**
 * Leaves out the clips that end before the range of a trim begins, so that one short clip does not stop the others. A clip that ends inside of
 * the range is kept up to its end. Returns `issues`: one issue `CLIP_OUTSIDE_TRIM` per clip that is left out, one `FIRST_POSE_APART` per clip that
 * begins with a pose of its own.
 */
export function clipsInTrim(
  file: string,
  chosen: readonly ChosenClip[],
  { trim, skipFirstPose }: ClipEdits,
): { clips: readonly ChosenClip[]; issues: readonly Issue[] } {
  const start = Math.fround(trim?.from ?? 0);
  const issues: Issue[] = [];
  for (const { clip } of skipFirstPose === true ? [] : chosen) {
    const pose = findFirstPose(clip);
    if (pose === null || start >= Math.fround(pose.end)) continue;
    const name = JSON.stringify(defaultClipName(clip.name, file));
    const found = `The clip ${name} of ${file} begins with a pose from which joints jump by up to ${Math.round((pose.jump * 180) / Math.PI)}° in one frame`;
    const message = `${found}, as recordings do that have a T-pose first; it flashes when the clip starts. The motion begins at ${Number(pose.end.toFixed(4))} s: trim to there, or use the option skipFirstPose.`;
    issues.push(issue('FIRST_POSE_APART', message, { resource: file }));
  }
  if (start <= 0) return { clips: chosen, issues };
  const clips = chosen.filter(({ clip }) => {
    if (clip.duration > start) return true;
    const name = JSON.stringify(defaultClipName(clip.name, file));
    const message = `The clip ${name} of ${file} lasts ${seconds(clip.duration)}, but the trimmed range begins at ${seconds(start)}; it was left out`;
    issues.push(issue('CLIP_OUTSIDE_TRIM', message, { resource: file }));
    return false;
  });
  return { clips, issues };
}
