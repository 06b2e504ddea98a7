/** Strings, asset paths and names of USD texts. */

const NAMED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\r': '\\r' };

function hexByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

const UTF8 = new TextEncoder();

/** A character that is not printed as it is. Lone surrogates are bytes of the file that were no UTF-8. */
function escapeCharacter(char: string): string {
  if (Object.hasOwn(NAMED, char)) return NAMED[char];
  const code = char.charCodeAt(0);
  if (code >= 0xdc80 && code <= 0xdcff) return hexByte(code - 0xdc00);
  return [...UTF8.encode(char)].map(hexByte).join('');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPED = /[\x00-\x09\x0b-\x1f\x7f-\x9f\\\ud800-\udfff]/gu;

/**
 * A string in quotes: double ones, single ones where only double ones are in it, three over lines. Backslashes, control characters and, where needed,
 * quotes are escaped.
 */
export function serializeString(text: string): string {
  const quote = text.includes('"') && !text.includes("'") ? "'" : '"';
  const marks = text.includes('\n') ? quote.repeat(3) : quote;
  const escaped = text.replace(ESCAPED, escapeCharacter).replaceAll(quote, `\\${quote}`);
  return `${marks}${escaped}${marks}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/;

/**
 * An asset path, between `@` or, when there is one in it, between `@@@`.
 *
 * @throws RangeError for one that texts cannot say: with control characters, or with a backslash at its end, or before one or two
 * `@` there, where the mark of the end would be taken for an escaped one.
 */
export function serializeAssetPath(path: string): string {
  if (CONTROL.test(path) || (path.includes('@') && /\\@{0,2}$/.test(path))) {
    throw new RangeError(
      `The asset path ${JSON.stringify(path)} cannot be written in a text file; rename the file or write .usdc`,
    );
  }
  return path.includes('@') ? `@@@${path.replaceAll('@@@', '\\@@@')}@@@` : `@${path}@`;
}

/** The name of an entry of a dictionary: in quotes where it is no identifier of ASCII. */
export function serializeKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : serializeString(name);
}
