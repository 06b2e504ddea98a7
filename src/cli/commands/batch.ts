import { defineCommand } from 'citty';
import { BATCH_FLAGS, readBatchJob } from '../batch/batch-flags.ts';
import { runBatchJob } from '../batch/run-batch-job.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { MOTION_FILES } from '../flags/input-flags.ts';
import { SEVERAL } from '../flags/labels.ts';
import { EDIT_FLAGS, OPEN_FLAGS, PRESET_FLAG, RETARGET_FLAGS, SIDE_FLAGS } from '../flags/motion-flags.ts';
import { OUTPUT_FLAGS, REPORT_FLAGS } from '../flags/output-flags.ts';
import { type Io, oneLine, writeLines } from '../io.ts';

/** Joins the reports of shards, as `anyrig batch merge` does: `report.json` and `report.html` replace those of the shards in the output folder. */
async function mergeShards(
  folders: readonly string[],
  out: string,
  flags: { readonly json?: boolean | undefined },
  io: Io,
): Promise<ExitCode> {
  const { mergeReports, readShardReports, removeReports, writeReport } = await import('../../batch/batch-bundle.ts');
  const { reports, paths } = await readShardReports(folders.length === 0 ? [out] : folders);
  const report = mergeReports(reports);
  const files = await writeReport(out, report);
  await removeReports(paths);
  const { made, failed, ok } = report;
  if (flags.json === true) writeLines(io.stdout, [JSON.stringify({ ok, made, failed, reports: files })]);
  else
    writeLines(io.stdout, [
      `${reports.length} shards: ${made} made, ${failed} failed`,
      `report: ${files.map(oneLine).join(', ')}`,
    ]);
  return ok ? EXIT.done : EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig batch',
    description:
      'Put many motions on many characters. A rerun makes only what is missing or has changed. "anyrig batch merge" joins the reports of shards',
  },
  args: {
    motion: { type: 'positional', required: false, valueHint: SEVERAL, description: MOTION_FILES },
    ...BATCH_FLAGS,
    clip: OUTPUT_FLAGS.clip,
    name: OUTPUT_FLAGS.name,
    ...EDIT_FLAGS,
    replace: { type: 'boolean', group: 'output', description: "Replace the characters' own clips" },
    mesh: {
      type: 'boolean',
      group: 'output',
      default: true,
      description: 'Keep meshes and everything else of the characters',
      negativeDescription: 'Write only skeletons and clips',
    },
    ...RETARGET_FLAGS,
    ...SIDE_FLAGS,
    ...PRESET_FLAG,
    ...OPEN_FLAGS,
    ...REPORT_FLAGS,
  },
  run: async ({ args, rawArgs, data }) => {
    const { io, values } = data as CommandData;
    if (args._[0] === 'merge' && args.onto === undefined) return mergeShards(args._.slice(1), args.out, args, io);
    return runBatchJob(await readBatchJob(args, rawArgs, values), args, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig batch motions --onto characters -o out', 'every motion of a folder on every character of another'],
  ['anyrig batch "walks/**/*.fbx" --onto a.glb b.vrm -o out --jobs 8', 'patterns, eight threads'],
  ['anyrig batch motions --to ue5 --to mixamo -o out --format glb', 'on standard rigs, without character files'],
  ['anyrig batch motions --onto hero.glb -o out --pack', 'one file per character with all clips'],
  ['anyrig batch motions --extract -o clips', 'one clip library per motion'],
  ['anyrig batch --manifest cast.json -o out', 'pairs and their options from a file'],
  ['anyrig batch motions --onto characters -o out --shard 3/7', 'the third of seven parts, on another machine'],
  ['anyrig batch s3://library/motions --onto hero.glb -o s3://library/out', 'from and to S3-compatible storage'],
  ['anyrig batch merge -o out', 'join the reports of all shards'],
];

export const repeatable: CommandModule['repeatable'] = ['clip', 'onto', 'to'];
