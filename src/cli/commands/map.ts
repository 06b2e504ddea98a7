import { defineCommand } from 'citty';
import { printBoneMap } from '../../files/bone-map-file.ts';
import { mapFile } from '../../files/map-file.ts';
import { writeFiles } from '../../files/write-files.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Io, oneLine, stylesFor } from '../io.ts';
import { openInput } from '../open-input.ts';
import { positionals } from '../positionals.ts';
import type { CommandData, CommandModule } from '../run.ts';
import { writeLines } from '../write-lines.ts';

interface MapArgs {
  readonly file: string;
  readonly out: string | undefined;
  readonly skeleton: string | undefined;
  readonly force: boolean;
}

async function map({ file, out, skeleton, force }: MapArgs, io: Io): Promise<ExitCode> {
  const { map: bones, reason } = mapFile(await openInput(file), skeleton);
  const count = bones === null ? 0 : Object.keys(bones.bones).length;
  if (bones !== null && out === undefined) io.stdout.write(printBoneMap(bones));
  if (bones !== null && out !== undefined) {
    const parts = [new TextEncoder().encode(printBoneMap(bones))];
    writeFiles([{ path: out, parts }], { force, inputs: [file] });
    writeLines(io.stdout, [`${out}: ${count} bones`]);
  }
  if (reason === null) return EXIT.done;
  const style = await stylesFor(io.stderr, io);
  const advice = count > 0 ? '; complete the map by hand and give it to --source-map or --target-map' : '';
  writeLines(io.stderr, [style('red', oneLine(`error NOT_HUMANOID: ${file} is not humanoid: ${reason}${advice}`))]);
  return EXIT.nothing;
}

export const command: CommandModule['command'] = defineCommand({
  meta: { name: 'anyrig map', description: 'Write which node is which bone, as JSON to edit and give back' },
  args: {
    file: { type: 'positional', description: 'A GLB, glTF, VRM, VRMA, BVH or FBX file' },
    out: { type: 'string', alias: 'o', valueHint: 'FILE', description: 'Where to write it; to stdout without' },
    skeleton: { type: 'string', valueHint: 'NAME|INDEX', description: 'Which skeleton, when several are humanoid' },
    force: { type: 'boolean', description: 'Replace a file that exists' },
    json: { type: 'boolean', description: 'Errors as JSON too; the map always is' },
  },
  run: ({ args, data }) => {
    const { io } = data as CommandData;
    const [file] = positionals(args._, ['file']);
    return map({ file, out: args.out, skeleton: args.skeleton, force: args.force === true }, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig map avatar.glb -o avatar.json', 'write the map, edit it, then:'],
  ['anyrig retarget walk.bvh avatar.glb --target-map avatar.json -o out.glb', 'use it'],
];

export const repeatable: CommandModule['repeatable'] = [];
