import { defineCommand } from 'citty';
import { printBoneMap } from '../../files/bone-map-file.ts';
import { type FileMapping, mapFile } from '../../files/map-file.ts';
import { writeFiles } from '../../files/write-files.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { ASSET_FLAGS, INPUT_FILE } from '../input-flags.ts';
import { type Io, oneLine, stylesFor } from '../io.ts';
import { type InputOptions, openInput } from '../open-input.ts';
import { positionals } from '../positionals.ts';
import { readInputOptions } from '../read-options.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { boneLines, unsureLines } from '../show-bones.ts';
import { issueLines } from '../show-issues.ts';
import { writeLines } from '../write-lines.ts';

interface MapArgs {
  readonly file: string;
  readonly input: InputOptions;
  readonly out: string | undefined;
  readonly skeleton: string | undefined;
  readonly why: boolean;
  readonly force: boolean;
  readonly isJson: boolean;
}

/** What is told of a map besides the map: of all bones, or of those that are not sure. */
function aboutLines(bones: FileMapping['bones'], why: boolean): string[] {
  if (why) return boneLines(bones, true);
  const unsure = unsureLines(bones);
  return unsure.length === 0 ? [] : ['unsure bones', ...unsure.map((line) => `  ${line}`)];
}

async function map({ file, input, out, skeleton, why, force, isJson }: MapArgs, io: Io): Promise<ExitCode> {
  const { map: found, bones, reason, issues } = mapFile(await openInput(file, input), skeleton);
  if (found !== null) {
    const text = printBoneMap(found);
    if (out !== undefined) {
      writeFiles([{ path: out, parts: [new TextEncoder().encode(text)] }], { force, inputs: [file] });
    }
    const lines = aboutLines(bones, why);
    if (isJson) writeLines(io.stdout, [JSON.stringify({ ...found, about: bones })]);
    else if (out === undefined) {
      io.stdout.write(text);
      if (lines.length > 0) writeLines(io.stderr, lines);
    } else writeLines(io.stdout, [`${out}: ${Object.keys(found.bones).length} bones`, ...lines]);
  }
  if (reason === null) return EXIT.done;
  const style = await stylesFor(io.stderr, io);
  const hasBones = Object.keys(bones).length > 0;
  const advice = hasBones ? '; complete the map by hand and give it to --source-map or --target-map' : '';
  const message = oneLine(`error NOT_HUMANOID: ${file} is not humanoid: ${reason}${advice}`);
  writeLines(io.stderr, [style('red', message), ...(found === null ? issueLines(issues, style) : [])]);
  return EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: { name: 'anyrig map', description: 'Write which node is which bone, as JSON to edit and give back' },
  args: {
    file: INPUT_FILE,
    out: { type: 'string', alias: 'o', valueHint: 'FILE', description: 'Where to write it; to stdout without' },
    skeleton: { type: 'string', valueHint: 'NAME|INDEX', description: 'Which skeleton, when several are humanoid' },
    force: { type: 'boolean', description: 'Replace a file that exists' },
    why: { type: 'boolean', description: 'Say of every bone what spoke for its node and which came next' },
    ...ASSET_FLAGS,
    json: { type: 'boolean', description: 'Print the map with all of that in one line of JSON, and errors as JSON' },
  },
  run: ({ args, data }) => {
    const { io } = data as CommandData;
    const [file] = positionals(args._, ['file']);
    const flags = { why: args.why === true, force: args.force === true, isJson: args.json === true };
    const input = readInputOptions(args['asset-root']);
    return map({ file, input, out: args.out, skeleton: args.skeleton, ...flags }, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig map avatar.glb -o avatar.json', 'write the map, edit it, then:'],
  ['anyrig map avatar.glb --why', 'what spoke for each node, and which came next'],
  ['anyrig retarget walk.bvh avatar.glb --target-map avatar.json -o out.glb', 'use it'],
];

export const repeatable: CommandModule['repeatable'] = [];
