import { defineCommand } from 'citty';
import { EXIT } from '../exit-codes.ts';
import type { CommandModule } from '../run.ts';
export const command: CommandModule['command'] = defineCommand({
  meta: { name: 'anyrig demo', description: 'Make characters and motions, retarget all across, and draw them' },
  args: {},
  run: () => EXIT.done,
});
export const examples: CommandModule['examples'] = [];
export const repeatable: CommandModule['repeatable'] = [];
