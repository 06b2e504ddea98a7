/** Skeletons with clips and without meshes: glTF with nodes only, USD with a skeleton only, VRMA, BVH. */
import type { Issue } from '../../core/report/issue.ts';
import { adapterForOutput } from '../adapters/adapters.ts';
import type { AnimatedSkeleton, MotionClip } from '../adapters/format-adapter.ts';
import type { ClipNameParts } from '../clips/clip-names.ts';
import type { OutputFile } from './output-file.ts';
import { outputFormat } from './output-format.ts';
import { outputGroups } from './output-paths.ts';

/** A clip and the values of the placeholders of a path template. */
export interface NamedClip extends MotionClip {
  /** Values of the placeholders. */
  readonly parts: ClipNameParts;
}

/**
 * Writes clips of one skeleton and nothing else. The extension of `output` selects the format; a template writes one file per clip (see
 * `outputGroups`). glTF uses the space of glTF, USD the space of the source file.
 *
 * @param skeleton The skeleton.
 * @param clips Its clips.
 * @param output Path or path template.
 * @param fps Frame rate of a BVH in frames per second; undefined takes that of the keys.
 * @param issues Receives issues.
 * @param taken Paths in use (see `outputGroups`), for a template that is filled in several calls.
 * @returns The files.
 * @throws OptionError for several clips in a format that holds one, and for a skeleton that the format cannot hold.
 */
export async function motionOutputs(
  skeleton: AnimatedSkeleton,
  clips: readonly NamedClip[],
  output: string,
  fps: number | undefined,
  issues: Issue[],
  taken?: Set<string>,
): Promise<OutputFile[]> {
  const format = outputFormat(output);
  const { writeMotion } = adapterForOutput(format);
  if (writeMotion === undefined) throw new RangeError(`No adapter writes motion as .${format}`);
  const groups = outputGroups(
    output,
    clips.map(({ parts }) => parts),
    taken,
  );
  const files: OutputFile[] = [];
  for (const { path, clips: indices } of groups) {
    const chosen = indices.map((index) => clips[index]);
    files.push(...(await writeMotion(skeleton, chosen, { path, format }, fps, issues)));
  }
  return files;
}
