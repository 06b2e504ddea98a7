import type { CommandDef } from 'citty';
import type { FlagValues } from './flags/check-flags.ts';
import type { Io } from './io.ts';

export interface CommandData {
  readonly io: Io;
  /** All values of every flag that takes values. */
  readonly values: FlagValues;
}

/** What the file of a command exports. `run` of its definition returns an exit code. */
export interface CommandModule {
  // biome-ignore lint/suspicious/noExplicitAny: every command has arguments of its own
  readonly command: CommandDef<any>;
  readonly examples: readonly (readonly [line: string, about: string])[];
  readonly repeatable: readonly string[];
}
