/** What a command may know of the terminal it runs in: handed in, so that tests can run commands in process. */

export interface Output {
  readonly isTerminal: boolean;
  write(text: string): void;
}

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
}

function output(stream: NodeJS.WriteStream): Output {
  // Readers that stop early (`| head`) are no error of ours.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return { isTerminal: stream.isTTY === true, write: (text) => void stream.write(text) };
}

/** The streams and variables of this process. */
export function processIo(): Io {
  return { stdout: output(process.stdout), stderr: output(process.stderr), env: process.env };
}

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

/** Colours text, or leaves it alone. */
export type StyleText = (style: Style, text: string) => string;
const plain: StyleText = (_, text) => text;

/** How text is coloured for an output: not at all where that is no terminal or `NO_COLOR` is set. */
export async function stylesFor({ isTerminal }: Output, { env }: Io): Promise<StyleText> {
  if (!isTerminal || env['NO_COLOR'] || env['TERM'] === 'dumb') return plain;
  const { styleText } = await import('node:util');
  return (style, text) => styleText(style, text);
}

/** Text of a file as one printable line: control characters could move the cursor or hide what is printed. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}
