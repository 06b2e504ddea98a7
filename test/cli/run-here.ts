import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';

/** What a command line did. */
export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Streams that are kept, for a terminal or not. */
export function keptIo(options: { terminal?: boolean; env?: Record<string, string> } = {}): {
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
  return { io: { stdout: streamOf('stdout'), stderr: streamOf('stderr'), env: options.env ?? {} }, out };
}

/** Runs a command line in this process. */
export async function runHere(argv: readonly string[], options: Parameters<typeof keptIo>[0] = {}): Promise<Ran> {
  const { io, out } = keptIo(options);
  const exit = await run(argv, io);
  return { exit, ...out };
}
