import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';

/** The result of a command line. */
export interface CommandResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Creates streams that record their text, as a terminal or not. */
export function recordIo(options: { terminal?: boolean; env?: Record<string, string>; script?: string } = {}): {
  io: Io;
  out: { stdout: string; stderr: string };
} {
  const out = { stdout: '', stderr: '' };
  const isTerminal = options.terminal ?? false;
  const streamOf = (name: 'stdout' | 'stderr') => ({
    isTerminal,
    write: (text: string): void => {
      out[name] += text;
    },
  });
  const { env = {}, script = '' } = options;
  return { io: { stdout: streamOf('stdout'), stderr: streamOf('stderr'), env, script }, out };
}

/** Runs a command line in this process. */
export async function runHere(
  argv: readonly string[],
  options: Parameters<typeof recordIo>[0] = {},
): Promise<CommandResult> {
  const { io, out } = recordIo(options);
  const exit = await run(argv, io);
  return { exit, ...out };
}
