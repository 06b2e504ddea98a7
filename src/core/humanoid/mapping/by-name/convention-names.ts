/** Expands the abbreviated names of conventions.ts: to full names, and to keys that node names are looked up by. */

import { getOrCreate } from '../../../math/get-or-create.ts';
import { BONE, type BoneName, FINGER_SEGMENTS, FINGERS, type Finger, THUMB_SEGMENTS } from '../../bones.ts';
import { CONVENTION_NAMES, CONVENTIONS, type Convention, type ConventionName } from './conventions.ts';
import { ASCII, KNOWN_SUFFIX } from './node-names.ts';

/** The bones of each part in the order of its line. Bones that start with a capital exist on both sides. */
const PARTS = {
  trunk: ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head', 'Eye', 'jaw'],
  arm: ['Shoulder', 'UpperArm', 'LowerArm', 'Hand'],
  leg: ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'],
  thumb: THUMB_SEGMENTS.map((segment) => `Thumb${segment}` as const),
  index: fingerBones('Index'),
  middle: fingerBones('Middle'),
  ring: fingerBones('Ring'),
  little: fingerBones('Little'),
} as const;

function fingerBones(finger: Finger): string[] {
  return FINGER_SEGMENTS.map((segment) => finger + segment);
}

type Part = keyof typeof PARTS;
const DIGITS: readonly Part[] = ['thumb', ...FINGERS.map((finger) => finger.toLowerCase() as Lowercase<Finger>)];

/** What each side placeholder stands for, left and right. */
const SIDES: Readonly<Record<string, readonly [string, string]>> = {
  '@': ['Left', 'Right'],
  '&': ['left', 'right'],
  '*': ['L', 'R'],
  '^': ['l', 'r'],
  '%': ['左', '右'],
};
const SIDE_SIGN = /[@&*^%]/;

/** Calls `visit` with each part that a convention names and the text of its line; `fingers` is split into its fingers. */
function eachPart(convention: Convention, visit: (part: Part, line: string) => void): void {
  for (const part of Object.keys(PARTS) as Part[]) {
    const line = convention[part];
    if (line !== undefined) visit(part, line);
  }
  if (convention.fingers === undefined) return;
  const { fingers, words, line } = parseFingers(convention.fingers);
  for (const [i, finger] of fingers.entries()) visit(finger, line.replaceAll('#', words[i]));
}

function parseFingers(entry: string): { fingers: readonly Part[]; words: readonly string[]; line: string } {
  const colon = entry.indexOf(': ');
  const words = entry.slice(0, colon).split(' ');
  return { fingers: DIGITS.slice(DIGITS.length - words.length), words, line: entry.slice(colon + 2) };
}

/** Replaces the side placeholder of a name; side 0 is left, 1 is right. */
function withSide(name: string, side: 0 | 1): string {
  return name.replace(SIDE_SIGN, (sign) => SIDES[sign][side]);
}

/** Expands a list of names to both sides. */
function bothSides(list: string): string[] {
  const names = list.split(', ');
  return [...new Set([...names.map((name) => withSide(name, 0)), ...names.map((name) => withSide(name, 1))])];
}

function spellings(convention: Convention, name: string): string[] {
  const all: string[] = [];
  for (const prefix of convention.prefixes ?? ['']) {
    all.push(prefix + name);
    for (const rule of convention.replacements ?? []) {
      const at = rule.indexOf('>');
      all.push((prefix + name).replaceAll(rule.slice(0, at), rule.slice(at + 1)));
    }
  }
  return all;
}

/** Results of {@link expandConvention}: every file with the same names needs the same. */
const expanded = new Map<ConventionName, Partial<Record<BoneName, string[]>>>();

export function expandConvention(name: ConventionName): Readonly<Partial<Record<BoneName, readonly string[]>>> {
  return getOrCreate(expanded, name, () => expand(name));
}

function expand(name: ConventionName): Partial<Record<BoneName, string[]>> {
  const convention: Convention = CONVENTIONS[name];
  const out: Partial<Record<BoneName, string[]>> = {};
  const add = (bone: BoneName, names: readonly string[]): void => {
    out[bone] = [...new Set(names.flatMap((written) => spellings(convention, written)))];
  };
  eachPart(convention, (part, line) => {
    for (const [i, item] of line.split(', ').entries()) {
      if (item === '-') continue;
      const bone = PARTS[part][i];
      const names = item.split('|');
      if (BONE[bone as BoneName] !== undefined) add(bone as BoneName, names);
      else {
        add(
          `left${bone}` as BoneName,
          names.map((written) => withSide(written, 0)),
        );
        add(
          `right${bone}` as BoneName,
          names.map((written) => withSide(written, 1)),
        );
      }
    }
  });
  return out;
}

/** Expands the names of non-bone nodes of a convention. */
export function expandNodeNames(name: ConventionName, what: 'markers' | 'skip'): string[] {
  const list = (CONVENTIONS[name] as Convention)[what];
  return list === undefined ? [] : bothSides(list);
}

/** Converts a line of names to keys: lower case without separators; side placeholders and `|` remain. */
function keysOf(line: string): string {
  const plainForms = ASCII.test(line) ? line : line.normalize('NFKC');
  const plain = plainForms.includes('_joint') ? plainForms.replace(KNOWN_SUFFIX, '') : plainForms;
  return plain.toLowerCase().replace(SEPARATORS, '');
}
const SEPARATORS = /[\s_.:-]+/g;

const KEY_SIDES: Readonly<Record<string, readonly [string, string]>> = {
  '@': ['left', 'right'],
  '&': ['left', 'right'],
  '*': ['l', 'r'],
  '^': ['l', 'r'],
  '%': ['左', '右'],
};

/** Adds the meanings of the names of one part. `bones` has the left and the right bone of each item, equal in the middle of the body parts. */
function addPart(keys: Map<string, number[]>, keyed: string, bones: ArrayLike<number>, convention: number): void {
  const add = (key: string, bone: number, alternative: number): void => {
    const meaning = ((convention << 6) | bone) * 8 + alternative;
    const meanings = keys.get(key);
    if (meanings === undefined) keys.set(key, [meaning]);
    else meanings.push(meaning);
  };
  const items = keyed.split(',');
  for (let i = 0; i < items.length; i++) {
    if (items[i] === '') continue;
    const names = items[i].split('|');
    for (let alternative = 0; alternative < names.length; alternative++) {
      const name = names[alternative];
      const at = name.search(SIDE_SIGN);
      if (at < 0) add(name, bones[2 * i], alternative);
      else {
        const [left, right] = KEY_SIDES[name[at]];
        const start = name.slice(0, at);
        const end = name.slice(at + 1);
        add(start + left + end, bones[2 * i], alternative);
        add(start + right + end, bones[2 * i + 1], alternative);
      }
    }
  }
}

function bonesOfPart(part: Part): number[] {
  return PARTS[part].flatMap((name) => {
    const middle: number | undefined = BONE[name as BoneName];
    return middle === undefined
      ? [BONE[`left${name}` as BoneName], BONE[`right${name}` as BoneName]]
      : [middle, middle];
  });
}

let index: Map<string, number[]> | null = null;

/**
 * Returns the meanings of each key in all conventions, encoded as numbers for {@link decodeMeaning}. The table has
 * several thousand entries and is built at the first call.
 */
export function conventionKeys(): ReadonlyMap<string, readonly number[]> {
  if (index !== null) return index;
  const keys = new Map<string, number[]>();
  const parts = Object.keys(PARTS) as Part[];
  const bones = new Map(parts.map((part) => [part, bonesOfPart(part)]));
  for (let c = 0; c < CONVENTION_NAMES.length; c++) {
    const convention: Convention = CONVENTIONS[CONVENTION_NAMES[c]];
    for (const part of parts) {
      const line = convention[part];
      if (line !== undefined) addPart(keys, keysOf(line), bones.get(part) as number[], c);
    }
    if (convention.fingers === undefined) continue;
    const { fingers, words, line } = parseFingers(convention.fingers);
    const keyed = keysOf(line);
    for (let f = 0; f < fingers.length; f++) {
      addPart(keys, keyed.replaceAll('#', keysOf(words[f])), bones.get(fingers[f]) as number[], c);
    }
  }
  index = keys;
  return keys;
}

/** Returns the bone that a key stands for in a convention. The preferred name is alternative 0. */
export function decodeMeaning(meaning: number): { convention: number; bone: number; alternative: number } {
  return { convention: meaning >> 9, bone: (meaning >> 3) & 63, alternative: meaning & 7 };
}
