/**
 * Node names as files have them, made comparable. Exporters put namespaces, prefixes and suffixes around the name that
 * the artist gave, escape or remove characters, and number what is not unique; none of that says which bone a node is.
 */

/** `FBXASC046`: how FBX exporters write a character that they think is not allowed, here a dot. */
const FBX_ESCAPE = /FBXASC(\d{3})/g;
/** Prefixes of well-known rigs, which not every node of a file need have. */
const KNOWN_PREFIX = new RegExp(
  [
    '^(?:mixamorig\\d*[_: ]?',
    'character\\d+_',
    'valvebiped\\.?bip\\d+[_ ]',
    'bip[a-z0-9]*[ _]',
    'cc_base_',
    'j_(?:bip|adj)_',
    'b__',
    '(?:def|org|mch)[-_])',
  ].join('|'),
  'i',
);
/** Words that say no more than that a node is a joint; at the end of a name, or of one in a list (`,` `|`). */
export const KNOWN_SUFFIX: RegExp = /[_ .-](?:armature|joint|jnt|jt|bone|bind|skin)(?=$|[,|])/gi;
/** A number after an underscore at the end: how Sketchfab makes every name of a file unique. */
const UNIQUE_NUMBER = /_\d+$/;
const ASCII = /^[\0-\x7f]*$/;

/** A set of names has something in common when this part of it has it … */
const MOST = 0.6;
/** … and there are at least so many of them. */
const ENOUGH = 8;
/** Words that are taken off one end at most: `Alice` `Character` `1`. */
const MOST_WORDS = 8;

/**
 * The name itself: compatibility forms folded (NFKC: full-width letters and digits), escapes decoded, the namespace
 * before the last `:` or `|` and the prefixes and suffixes of well-known rigs taken off. Never empty unless the name is
 * blank.
 */
export function cleanName(name: string): string {
  let clean = ASCII.test(name) ? name : name.normalize('NFKC');
  if (clean.includes('FBXASC')) {
    clean = clean.replace(FBX_ESCAPE, (_, code: string) => String.fromCharCode(Number(code)));
  }
  const colon = Math.max(clean.lastIndexOf(':'), clean.lastIndexOf('|'));
  if (colon >= 0 && colon < clean.length - 1) clean = clean.slice(colon + 1);
  clean = clean.replace(KNOWN_PREFIX, '') || clean;
  clean = clean.replace(KNOWN_SUFFIX, '') || clean;
  return clean.trim();
}

/**
 * What two spellings of a name share: lower case, letters and digits only. `Spine.001`, `spine_001` and `Spine001` are
 * one key.
 */
export function nameKey(clean: string): string {
  const lower = clean.toLowerCase();
  return ASCII.test(lower) ? lower.replace(/[^a-z0-9]+/g, '') : lower.replace(/[^\p{L}\p{N}]+/gu, '');
}

const ASCII_WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
/** Signs of sides stand before Japanese words without a gap. */
const ANY_WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[左右]|(?:(?![左右A-Za-z])[\p{L}\p{M}])+/gu;

/**
 * The words and numbers of a name, lower case: `LeftForeArm` → left fore arm, `spine_01.L` → spine 01 l, `左ひじ` → 左 ひじ.
 */
export function splitWords(clean: string): string[] {
  const words = clean.match(ASCII.test(clean) ? ASCII_WORDS : ANY_WORDS) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** Names without the numbers that make them unique, where most of the names have one and nearly all numbers differ. */
function withoutUniqueNumbers(names: readonly string[]): readonly string[] {
  const numbers = names.map((name) => name.match(UNIQUE_NUMBER)?.[0]);
  const numbered = numbers.filter((number) => number !== undefined);
  const named = names.filter((name) => name !== '').length;
  if (numbered.length < ENOUGH || numbered.length < MOST * named) return names;
  if (new Set(numbered).size < 0.9 * numbered.length) return names;
  return names.map((name) => name.replace(UNIQUE_NUMBER, '') || name);
}

/**
 * The word that most names begin (`end` 0) or end with (`end` −1), where it is none that `means` something; or null.
 */
function sharedWord(words: readonly string[][], end: 0 | -1, means: (word: string) => boolean): string | null {
  const counts = new Map<string, number>();
  let named = 0;
  for (const list of words) {
    if (list.length === 0) continue;
    named++;
    if (list.length > 1) counts.set(list.at(end) as string, (counts.get(list.at(end) as string) ?? 0) + 1);
  }
  for (const [word, count] of counts) {
    if (count < ENOUGH || count < MOST * named || means(word)) continue;
    if (end === 0 || !/^\d/.test(word)) return word;
  }
  return null;
}

/** The names of a rig in the forms that mapping compares. */
export interface RigNames {
  /** Cleaned names. */
  readonly clean: readonly string[];
  /** {@link nameKey} of the cleaned names. */
  readonly keys: readonly string[];
  /** Their words, without those at the start and the end that most names of the rig share. */
  readonly words: readonly string[][];
  /** The words run together: another key, for rigs with a prefix or suffix of their own. */
  readonly wordKeys: readonly string[];
}

/**
 * All names of a rig. What most of them share (a prefix like `Alice_`, a suffix like `_jnt`, the unique numbers of
 * Sketchfab) is taken off. `means` tells words of the body, which are never taken off.
 */
export function rigNames(names: readonly string[], means: (word: string) => boolean): RigNames {
  const clean = withoutUniqueNumbers(names).map(cleanName);
  const words = clean.map(splitWords);
  for (const end of [0, -1] as const) {
    for (let round = 0; round < MOST_WORDS; round++) {
      const shared = sharedWord(words, end, means);
      if (shared === null) break;
      for (const list of words) {
        if (list.length < 2 || list.at(end) !== shared) continue;
        if (end === 0) list.shift();
        else list.pop();
      }
    }
  }
  return { clean, words, keys: clean.map(nameKey), wordKeys: words.map((list) => list.join('')) };
}
