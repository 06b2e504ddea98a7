import { optionArguments } from '../../../src/files/options/motion-options.ts';
import { rigOfUrl } from '../../../src/files/rig-url.ts';
import type { HumanoidEdits, RetargetRequest } from '../engine/protocol.ts';
import { valuesOf } from './motion-options.ts';
import { fileStem } from './outputs.ts';

interface CommandParts extends Omit<RetargetRequest, 'clip'> {
  readonly clip: string | null;
  readonly output: string;
  readonly replace: boolean;
  readonly mesh: boolean;
  /** Returns the name of another file, whose pose is used. */
  readonly nameOf: (id: string) => string;
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** Options of one side; edited maps and poses are files that the page offers beside the result. */
function sideFlags(
  side: 'source' | 'target',
  name: string,
  { skeleton, map, pose }: HumanoidEdits,
  nameOf: CommandParts['nameOf'],
): string[] {
  const stem = fileStem(name);
  const flags = [
    ...(skeleton === null ? [] : [`--${side}-skeleton`, `${skeleton}`]),
    ...(map === null ? [] : [`--${side}-map`, `${stem}.map.json`]),
  ];
  switch (pose.kind) {
    case 'auto':
      return flags;
    case 'frame':
      return [...flags, `--${side}-pose`, `frame:${pose.frame}`];
    case 'file':
      return [...flags, `--${side}-pose`, nameOf(pose.file)];
    case 'edited':
      return [...flags, `--${side}-pose`, `exact:${stem}.pose.glb`];
    default:
      return [...flags, `--${side}-pose`, pose.kind];
  }
}

export function commandLine(parts: CommandParts): string {
  const rig = rigOfUrl(parts.character);
  const character = rig === null ? [parts.character] : ['--to', rig];
  const words = ['npx', 'anyrig', 'retarget', parts.motion, ...character, '-o', parts.output];
  if (parts.clip !== null) words.push('--clip', parts.clip);
  words.push(...optionArguments(valuesOf(parts.options)));
  words.push(...sideFlags('source', parts.motion, parts.source, parts.nameOf));
  words.push(...sideFlags('target', parts.character, parts.target, parts.nameOf));
  if (parts.replace) words.push('--replace');
  if (!parts.mesh && rig === null) words.push('--no-mesh');
  return words.map(quoted).join(' ');
}
