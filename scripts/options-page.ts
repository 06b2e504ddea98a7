/** Writes docs/options.md, the table of options: `npx tsx scripts/options-page.ts`. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectedText } from '../src/cli/flags/motion-flags.ts';
import {
  flagName,
  MOTION_OPTIONS,
  OPEN_OPTIONS,
  type OpenOptionRow,
  type OptionGroup,
  type OptionRow,
} from '../src/files/options/motion-options.ts';

const HEAD = `# Options of a motion

Made by \`npx tsx scripts/options-page.ts\` from the table of options (\`src/files/options/motion-options.ts\`).

Flags of the command line, and where the option is among those of \`retargetMotions\`, \`convertFile\`, \`extractMotions\`, a batch manifest and a preset. In the studio most are in the
panel Motion ([those without a control](studio.md#options-without-a-control)). An option that is left out has its default.

A **preset** is a JSON file of such options, with the bone maps and poses of a pair: \`--preset wide.json\` of \`retarget\` and \`batch\`. Flags override it; its files are relative to it.

\`\`\`json
{
  "armSpace": 8,
  "edits": { "root": "in-place", "loop": true },
  "source": { "map": "mocap.map.json", "pose": "tpose.fbx" },
  "target": { "pose": "bind" }
}
\`\`\`
`;

const ROWS: Readonly<Record<string, OpenOptionRow & Partial<OptionRow>>> = { ...MOTION_OPTIONS, ...OPEN_OPTIONS };

function table(title: string, group: OptionGroup): string {
  const rows = Object.entries(ROWS).filter(([, row]) => row.group === group);
  const lines = rows.map(([name, row]) => {
    const { type } = row;
    const isSwitch = type.kind === 'flag' && type.words === undefined;
    const flag = `--${row.default === true && isSwitch ? 'no-' : ''}${flagName(name)}`;
    const path = row.in === undefined || row.in === 'top' ? name : `${row.in}.${name}`;
    const text = (row.off ?? row.text).replaceAll('|', '\\|');
    const none = row.default === null ? '–' : type.kind === 'flag' ? (row.default ? 'on' : 'off') : `${row.default}`;
    return `| \`${flag}\` | \`${path}\` | ${isSwitch ? '' : expectedText(row)} | ${none} | ${text} |`;
  });
  return `## ${title}\n\n| flag | option | values | default | |\n| --- | --- | --- | --- | --- |\n${lines.join('\n')}\n`;
}

/**
 * Makes the page.
 *
 * @returns Markdown.
 */
export function optionsPage(): string {
  return [
    HEAD,
    table('Edits of the clip', 'edits'),
    table('On the character', 'character'),
    table('Contacts', 'contacts'),
    table('Output', 'output'),
    table('Opening files that do not say it: options of `openFile`', 'input'),
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(dirname(process.argv[1]), '../docs/options.md'), optionsPage());
