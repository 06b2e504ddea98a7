import { defineCommand } from 'citty';
import { type BoneMapFile, serializeBoneMap } from '../../files/humanoid/bone-map-file.ts';
import { type FileMapping, mapFile } from '../../files/jobs/map-file.ts';
import { writeFilesSync } from '../../files/node/write-files.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { ASSET_FLAGS, INPUT_FILE } from '../flags/input-flags.ts';
import { requirePositionals } from '../flags/positionals.ts';
import { readInputOptions } from '../flags/read-options.ts';
import { escapeHidden, type Io, oneLine, stylesFor, writeLines } from '../io.ts';
import { type InputOptions, openInput } from '../open-input.ts';
import { withProgress } from '../progress.ts';
import { boneLines, lowConfidenceLines } from '../show/bones.ts';
import { issueLines } from '../show/issues.ts';

interface MapArgs {
  readonly file: string;
  readonly input: InputOptions;
  readonly out: string | undefined;
  readonly skeleton: string | undefined;
  readonly why: boolean;
  readonly force: boolean;
  readonly isJson: boolean;
}

/** Explains a bone map: all bones, or only those with low confidence. */
function explanationLines(bones: FileMapping['bones'], why: boolean): string[] {
  if (why) return boneLines(bones, true);
  const lines = lowConfidenceLines(bones);
  return lines.length === 0 ? [] : ['bones to check', ...lines.map((line) => `  ${line}`)];
}

/** Says how many bones a map has, and how to fill in the others. */
function countBones({ bones }: BoneMapFile): string {
  const nodes = Object.values(bones);
  const missing = nodes.filter((node) => node === null).length;
  const found = `${nodes.length - missing} bones`;
  return missing === 0
    ? found
    : `${found}; ${missing} required bones are null: write the index or name of a node, from the list "nodes" in the file or from a picture (anyrig preview --nodes)`;
}

async function map({ file, input, out, skeleton, why, force, isJson }: MapArgs, io: Io): Promise<ExitCode> {
  const {
    map: found,
    bones,
    reason,
    issues,
  } = await withProgress(io, `reading ${file}`, async () => {
    return mapFile(await openInput(file, input), skeleton);
  });
  if (found !== null) {
    const text = serializeBoneMap(found);
    if (out !== undefined) {
      writeFilesSync([{ path: out, parts: [new TextEncoder().encode(text)] }], { force, inputs: [file] });
    }
    const lines = explanationLines(bones, why);
    if (isJson) writeLines(io.stdout, [JSON.stringify({ ok: reason === null, ...found, about: bones })]);
    else if (out === undefined) {
      io.stdout.write(escapeHidden(text));
      if (lines.length > 0) writeLines(io.stderr, lines);
    } else writeLines(io.stdout, [`${out}: ${countBones(found)}`, ...lines]);
  }
  const style = await stylesFor(io.stderr, io);
  if (reason === null) {
    const lines = issueLines(issues, style, false);
    if (lines.length > 0) writeLines(io.stderr, lines);
    return EXIT.done;
  }
  const advice = found === null ? '' : '; complete the map by hand and use it with --source-map or --target-map';
  const message = oneLine(`error NOT_HUMANOID: ${file} is not humanoid: ${reason}${advice}`);
  writeLines(io.stderr, [style('red', message), ...(found === null ? issueLines(issues, style, false) : [])]);
  return EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig map',
    description: 'Write the bone map as JSON, to edit and use with --source-map or --target-map',
  },
  args: {
    file: INPUT_FILE,
    out: { type: 'string', alias: 'o', valueHint: 'FILE', description: 'Output file; stdout by default' },
    skeleton: { type: 'string', valueHint: 'NAME|INDEX', description: 'Skeleton to use, if several are humanoid' },
    force: { type: 'boolean', description: 'Overwrite an existing file' },
    why: { type: 'boolean', description: 'Explain each bone match and show the runner-up' },
    ...ASSET_FLAGS,
    json: {
      type: 'boolean',
      description: 'Print the map with all explanations as one line of JSON, and errors as JSON',
    },
  },
  run: ({ args, data }) => {
    const { io } = data as CommandData;
    const [file] = requirePositionals(args._, ['file']);
    const flags = { why: args.why === true, force: args.force === true, isJson: args.json === true };
    const input = readInputOptions(args['asset-root']);
    return map({ file, input, out: args.out, skeleton: args.skeleton, ...flags }, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig map avatar.glb -o avatar.json', 'write the map, then edit it'],
  ['anyrig map avatar.glb --why', 'the evidence for each bone, and the runner-up'],
  ['anyrig retarget walk.bvh avatar.glb --target-map avatar.json -o out.glb', 'use the edited map'],
];

export const repeatable: CommandModule['repeatable'] = [];
