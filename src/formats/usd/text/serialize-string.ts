/** Serializes strings, asset paths and names. */

const NAMED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\r': '\\r' };

function hexByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

const UTF8 = new TextEncoder();

/** Escapes a character. Lone surrogates stand for invalid UTF-8 bytes of the source file. */
function escapeCharacter(char: string): string {
  if (Object.hasOwn(NAMED, char)) return NAMED[char];
  const code = char.charCodeAt(0);
  if (code >= 0xdc80 && code <= 0xdcff) return hexByte(code - 0xdc00);
  return [...UTF8.encode(char)].map(hexByte).join('');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are intended
const ESCAPED = /[\x00-\x09\x0b-\x1f\x7f-\x9f\\\ud800-\udfff]/gu;

/**
 * Serializes a string in double quotes, in single quotes if it contains only double ones, in triple quotes if it has several lines. Backslashes,
 * control characters and, where needed, quotes are escaped.
 */
export function serializeString(text: string): string {
  const quote = text.includes('"') && !text.includes("'") ? "'" : '"';
  const marks = text.includes('\n') ? quote.repeat(3) : quote;
  const escaped = text.replace(ESCAPED, escapeCharacter).replaceAll(quote, `\\${quote}`);
  return `${marks}${escaped}${marks}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are intended
const CONTROL = /[\x00-\x1f\x7f]/;

export function serializeAssetPath(path: string): string {
  if (CONTROL.test(path) || (path.includes('@') && /\\@{0,2}$/.test(path))) {
    throw new RangeError(
      `The asset path ${JSON.stringify(path)} cannot be written as USD text; rename the file or write .usdc`,
    );
  }
  return path.includes('@') ? `@@@${path.replaceAll('@@@', '\\@@@')}@@@` : `@${path}@`;
}

export function serializeKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : serializeString(name);
}
