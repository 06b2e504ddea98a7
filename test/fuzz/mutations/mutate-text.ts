/** Damages text files token by token: BVH, USD text and FBX text. */
import { pick, type Random } from '../../../src/demo/random.ts';
import { EXTREME_NUMBERS, EXTREME_TEXTS } from './extreme-values.ts';

const TOKEN = /"[^"\n]*"|-?\d[\d.eE+-]*|[A-Za-z_][\w:]*|[^\s\w]/g;
const WORDS: readonly string[] = [
  'nan',
  'inf',
  '-inf',
  '1e400',
  '-1e999',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  ',',
  'None',
  '#',
  '@',
  '1.#QNAN',
];

function otherToken(random: Random, token: string): string {
  const way = random();
  if (way < 0.1) return '';
  if (way < 0.2) return `${token} ${token}`;
  if (way < 0.3) return pick(random, WORDS);
  if (token.startsWith('"')) return `"${pick(random, EXTREME_TEXTS)}"`;
  if (/^-?\d/.test(token))
    return way < 0.5 ? String(Number(token) + pick(random, [-1, 1])) : String(pick(random, EXTREME_NUMBERS));
  return pick(random, EXTREME_TEXTS);
}

/**
 * Damages one to four tokens of a text, or exchanges, removes or repeats lines.
 *
 * @param random Random source.
 * @param bytes The text as UTF-8.
 * @returns The damaged text as UTF-8.
 */
export function mutateText(random: Random, bytes: Uint8Array): Uint8Array {
  let text = new TextDecoder().decode(bytes);
  if (random() < 0.25) {
    const lines = text.split('\n');
    const [from, to] = [Math.floor(random() * lines.length), Math.floor(random() * lines.length)];
    const way = random();
    if (way < 0.4) lines.splice(from, 1);
    else if (way < 0.7) lines.splice(to, 0, lines[from]);
    else [lines[from], lines[to]] = [lines[to], lines[from]];
    text = lines.join('\n');
  }
  for (let k = 1 + Math.floor(random() * 3); k > 0; k--) {
    const tokens = [...text.matchAll(TOKEN)];
    if (tokens.length === 0) break;
    const { index, 0: token } = pick(random, tokens);
    text = text.slice(0, index) + otherToken(random, token) + text.slice(index + token.length);
  }
  return new TextEncoder().encode(text);
}
