import { defineCommand } from 'citty';
import type { CommandData, CommandModule } from '../command.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { SEVERAL } from '../flags/labels.ts';

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig mcp',
    description:
      'Serve inspect, map, retarget, compare, preview and validate as tools for agents, by the Model Context Protocol on stdin and stdout. Needs the package @modelcontextprotocol/sdk',
  },
  args: {
    folders: {
      type: 'positional',
      required: false,
      valueHint: SEVERAL,
      description: 'Folders that the tools may read and write, nothing else; the working folder by default',
    },
  },
  run: async ({ args, data }) => {
    const { io } = data as CommandData;
    const { serveTools } = await import('../mcp/serve.ts');
    await serveTools(args._.length === 0 ? ['.'] : args._, io);
    return EXIT.done;
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig mcp', 'tools for the files of the working folder'],
  ['anyrig mcp assets out', 'for the files of two folders; relative paths start at the first'],
];

export const repeatable: CommandModule['repeatable'] = [];
