/** What was defined, for people to read. */
import type { DefineReport } from '../files/define-humanoid.ts';
import { columns } from './columns.ts';
import { type Io, oneLine, stylesFor } from './io.ts';
import { issueLines } from './show-issues.ts';
import { bodyRow } from './show-retarget.ts';
import { writeLines } from './write-lines.ts';

/** Prints a report. */
export async function showDefine(report: DefineReport, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const lines: string[] = [];
  const { output, definition } = report;
  if (output === null || definition === null) lines.push(style('red', 'Nothing was written'));
  else {
    const count = Object.keys(definition.humanoidBones).length;
    const done = [
      ...(definition.axes ? ['canonical axes'] : []),
      ...(definition.tPose ? ['T-pose'] : []),
      `root node ${definition.rootNode}`,
    ];
    lines.push(`${style('bold', oneLine(output))}: ${count} bones defined, ${done.join(', ')}`);
    const { rewrittenChannels, heldChannels, bakedMeshes } = definition;
    if (rewrittenChannels + heldChannels + bakedMeshes > 0) {
      lines.push(`${rewrittenChannels} channels rewritten, ${heldChannels} added, ${bakedMeshes} meshes re-baked`);
    }
  }
  lines.push(...columns([bodyRow('body', report.body)]));
  lines.push(...issueLines(report.issues, style));
  writeLines(io.stdout, lines);
}
