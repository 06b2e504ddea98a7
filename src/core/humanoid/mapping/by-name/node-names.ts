/**
 * Normalizes node names. Exporters add namespaces, prefixes and suffixes to the artist's names, escape or remove
 * characters, and number names to make them unique. None of that identifies a bone.
 */

/** `FBXASC046`: how FBX exporters escape a character, here a dot. */
const FBX_ESCAPE = /FBXASC(\d{3})/g;
/** Prefixes of well-known rigs; not every node of a file has them. */
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
/** Suffixes that only mark a node as a joint; at the end of a name, or of a name in a list (`,` `|`). */
export const KNOWN_SUFFIX: RegExp = /[_ .-](?:armature|joint|jnt|jt|bone|bind|skin)(?=$|[,|])/gi;
/** Numbers that make each name of a file unique: after an underscore at the end (Sketchfab), or before the name (`07_Spine`). */
const UNIQUE_NUMBERS: readonly RegExp[] = [/_\d+$/, /^\d+[_ .-]/];
export const ASCII = /^[\0-\x7f]*$/;

/** A word is common to a set of names when at least this fraction of them has it … */
const MOST = 0.6;
/** … and at least this many. */
const ENOUGH = 8;
/** Maximum number of words that are removed from one end of the names: `Alice` `Character` `1`. */
const MAX_WORDS = 8;

/** Folds compatibility forms (NFKC: full-width letters and digits) and decodes escapes. */
export function decodeName(name: string): string {
  const folded = ASCII.test(name) ? name : name.normalize('NFKC');
  if (!folded.includes('FBXASC')) return folded;
  return folded.replace(FBX_ESCAPE, (_, code: string) => String.fromCharCode(Number(code)));
}

/**
 * Normalizes a node name: decodes it (see {@link decodeName}), and removes the namespace before the last `:` or `|` as well as prefixes and suffixes
 * of well-known rigs.
 */
export function cleanName(name: string): string {
  let clean = decodeName(name);
  const colon = Math.max(clean.lastIndexOf(':'), clean.lastIndexOf('|'));
  if (colon >= 0 && colon < clean.length - 1) clean = clean.slice(colon + 1);
  clean = clean.replace(KNOWN_PREFIX, '') || clean;
  clean = clean.replace(KNOWN_SUFFIX, '') || clean;
  return clean.trim();
}

/** Creates a lookup key that ignores case and separators. `Spine.001`, `spine_001` and `Spine001` have the same key. */
export function nameKey(clean: string): string {
  const lower = clean.toLowerCase();
  return ASCII.test(lower) ? lower.replace(/[^a-z0-9]+/g, '') : lower.replace(/[^\p{L}\p{N}]+/gu, '');
}

const ASCII_WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
/** Japanese words follow the sign of their side without a separator. */
const ANY_WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[左右]|(?:(?![左右A-Za-z])[\p{L}\p{M}])+/gu;

/** Splits a name into words and numbers in lower case: `LeftForeArm` → left fore arm, `spine_01.L` → spine 01 l, `左ひじ` → 左 ひじ. */
export function splitWords(clean: string): string[] {
  const words = clean.match(ASCII.test(clean) ? ASCII_WORDS : ANY_WORDS) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** Removes the numbers that make names unique, where most joints have one and nearly all numbers differ. */
function withoutUniqueNumbers(names: readonly string[], joints: Uint8Array): readonly string[] {
  const areJoints = joints.includes(1);
  let left = names;
  for (const unique of UNIQUE_NUMBERS) {
    const own = left.filter((name, node) => name !== '' && (!areJoints || joints[node] === 1));
    const numbered = own.flatMap((name) => name.match(unique) ?? []);
    if (numbered.length < ENOUGH || numbered.length < MOST * own.length) continue;
    if (new Set(numbered).size < 0.9 * numbered.length) continue;
    left = left.map((name) => name.replace(unique, '') || name);
  }
  return left;
}

/** Finds the word that most names start (`end` 0) or end with (`end` −1), unless `means` accepts it; null without one. */
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

/** The longest text that all names start with (`end` 0) or end with (`end` −1). */
function sharedText(names: readonly string[], end: 0 | -1): string {
  const [first] = names;
  let length = first.length;
  for (const name of names) {
    let same = 0;
    while (same < length && same < name.length) {
      const [a, b] = end === 0 ? [first[same], name[same]] : [first.at(-1 - same), name.at(-1 - same)];
      if (a !== b) break;
      same++;
    }
    length = same;
  }
  return end === 0 ? first.slice(0, length) : first.slice(first.length - length);
}

/**
 * Removes a prefix or suffix that the names of all joints share if they have a meaning, where it would be read as a part of the names: a word for a body part (`Big_Foot_`, `Body_`), or a
 * number (`_lod0`). Other prefixes and suffixes identify conventions. Names of chains (`spine1`, `spine2` …), which mean nothing without it, keep it.
 */
function withoutSharedText(
  names: readonly string[],
  means: (word: string) => boolean,
  joints: Uint8Array,
): readonly string[] {
  const areJoints = joints.includes(1);
  const isNamed = (name: string, node: number): boolean =>
    (!areJoints || joints[node] === 1) && splitWords(name).some(means);
  let left = names;
  for (const end of [0, -1] as const) {
    const named = left.filter(isNamed);
    if (named.length < ENOUGH) return left;
    const shared = sharedText(named, end);
    const words = splitWords(shared);
    const isMisread =
      words.some((word) => word.length > 1 && means(word)) || (end < 0 && /\d$/.test(shared) && words.length > 0);
    if (!isMisread) continue;
    const cut = left.map((name) => {
      // The armature may have only the first part of it: `Body_Armature` beside `Body_rig:Hips`.
      const own = sharedText([shared, name], end);
      const isWhole = own === shared || /[^\p{L}\p{N}]/u.test(own.at(end === 0 ? -1 : 0) ?? '');
      if (!isWhole || own === '') return name;
      return end === 0 ? name.slice(own.length) : name.slice(0, name.length - own.length);
    });
    const hasWord = (name: string, node: number): boolean =>
      isNamed(name, node) && splitWords(name).some((word) => word.length > 1 && means(word));
    if (cut.filter(hasWord).length >= named.length / 2) left = cut;
  }
  return left;
}

export interface RigNames {
  /** Normalized names, see {@link cleanName}. */
  readonly clean: readonly string[];
  /** Keys of the normalized names, see {@link nameKey}. */
  readonly keys: readonly string[];
  /** Words of each name, without the words at both ends that most names of the rig share. */
  readonly words: readonly string[][];
  /** The joined words: a second key, for rigs with a prefix or suffix of their own. */
  readonly wordKeys: readonly string[];
}

/**
 * Normalizes all names of a rig. Removes what all or most of them share: a prefix like `Alice_` or `Body_`, a suffix like `_jnt` or `_lod0`, the
 * unique numbers of Sketchfab. `joints`: 1 for nodes that are joints, whose names must share a prefix; by default all are.
 */
export function rigNames(
  names: readonly string[],
  means: (word: string) => boolean,
  joints: Uint8Array = new Uint8Array(0),
): RigNames {
  const clean = withoutUniqueNumbers(withoutSharedText(names, means, joints), joints).map(cleanName);
  const words = clean.map(splitWords);
  for (const end of [0, -1] as const) {
    for (let round = 0; round < MAX_WORDS; round++) {
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
