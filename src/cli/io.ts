/** Streams and variables of the process, passed to commands so that tests can run them in process. */
import { fstatSync, statSync, writeSync } from 'node:fs';

/** An output stream. */
export interface Output {
  readonly isTerminal: boolean;
  /** File descriptor, which other threads can write to; missing for text that is recorded. */
  readonly fd?: number;
  /** Writes text completely before it returns. */
  write(text: string): void;
}

export interface Io {
  /** Results. */
  readonly stdout: Output;
  /** Errors and progress. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of the script that Node runs. */
  readonly script: string;
}

/** Milliseconds to wait for a slow reader. */
const RETRY_DELAY = 2;

/** Writes all bytes to a file descriptor. A reader that closes the pipe early (`| head`) is not an error. */
function writeAll(fd: number, text: string): void {
  let bytes: Uint8Array = Buffer.from(text, 'utf8');
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY);
    }
  }
}

/** Whether a stream is a terminal. Creating `process.stdout` to ask it would take a quarter of the start-up time of Node. */
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
    fd,
    write: (text) => writeAll(fd, text),
  };
}

export function processIo(): Io {
  return { stdout: output(1), stderr: output(2), env: process.env, script: process.argv[1] ?? '' };
}

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

export type StyleText = (style: Style, text: string) => string;
const plain: StyleText = (_, text) => text;

/** Chooses how to style text for an output: unchanged unless it is a terminal and `NO_COLOR` is not set. */
export async function stylesFor({ isTerminal }: Output, { env }: Io): Promise<StyleText> {
  if (!isTerminal || env['NO_COLOR'] || env['TERM'] === 'dumb') return plain;
  const { styleText } = await import('node:util');
  return (style, text) => styleText(style, text, { validateStream: false });
}

/** Replaces control characters, which could move the cursor or hide text. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}

/**
 * Characters that a terminal obeys or does not show: DEL and C1, which some take for escape codes, line separators, marks of direction and characters
 * without width. Where they are in JSON, they are in strings.
 */
const HIDDEN = /\u007f|(?!\p{ASCII})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escaped(characters: string): string {
  return Array.from({ length: characters.length }, (_, k) => {
    return `\\u${characters.charCodeAt(k).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** Writes hidden characters as `\uXXXX`, which JSON reads as the same characters. */
export function escapeHidden(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** Writes lines of text, with hidden characters escaped. */
export function writeLines(output: Output, lines: readonly string[]): void {
  output.write(escapeHidden(`${lines.join('\n')}\n`));
}
