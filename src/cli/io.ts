/** What a command may know of the terminal it runs in: handed in, so that tests can run commands in process. */
import { fstatSync, statSync, writeSync } from 'node:fs';

export interface Output {
  readonly isTerminal: boolean;
  write(text: string): void;
}

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Milliseconds to wait for a reader that is slower than we write. */
const PATIENCE = 2;

/** Writes all bytes to a file descriptor. A reader that stopped early (`| head`) is no error of ours. */
function writeAll(fd: number, text: string): void {
  let bytes: Uint8Array = Buffer.from(text, 'utf8');
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PATIENCE);
    }
  }
}

/** Whether a stream is a terminal. `process.stdout` knows, but making it takes a quarter of the start of node. */
function isTerminal(fd: 1 | 2): boolean {
  try {
    const file = fstatSync(fd);
    if (!file.isCharacterDevice()) return false;
    if (file.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev) return false;
  } catch {
    return false;
  }
  return (fd === 1 ? process.stdout : process.stderr).isTTY === true;
}

function output(fd: 1 | 2): Output {
  let known: boolean | undefined;
  return {
    get isTerminal() {
      known ??= isTerminal(fd);
      return known;
    },
    write: (text) => writeAll(fd, text),
  };
}

/** The streams and variables of this process. */
export function processIo(): Io {
  return { stdout: output(1), stderr: output(2), env: process.env };
}

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

/** Colors text, or leaves it alone. */
export type StyleText = (style: Style, text: string) => string;
const plain: StyleText = (_, text) => text;

/** How text is colored for an output: not at all where that is no terminal or `NO_COLOR` is set. */
export async function stylesFor({ isTerminal }: Output, { env }: Io): Promise<StyleText> {
  if (!isTerminal || env['NO_COLOR'] || env['TERM'] === 'dumb') return plain;
  const { styleText } = await import('node:util');
  return (style, text) => styleText(style, text, { validateStream: false });
}

/** Text of a file as one printable line: control characters could move the cursor or hide what is printed. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}
