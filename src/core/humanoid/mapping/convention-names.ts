/** The names that conventions.ts abbreviates: in full, and as keys to look node names up by. */
import { BONE, type BoneName } from '../bones.ts';
import { CONVENTION_NAMES, CONVENTIONS, type Convention, type ConventionName } from './conventions.ts';
import { KNOWN_SUFFIX } from './names.ts';

/** The bones of a part in the order of its line; those that start with a capital are on both sides. */
const PARTS = {
  body: ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head', 'Eye', 'jaw'],
  arm: ['Shoulder', 'UpperArm', 'LowerArm', 'Hand'],
  leg: ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'],
  thumb: ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'],
  index: ['IndexProximal', 'IndexIntermediate', 'IndexDistal'],
  middle: ['MiddleProximal', 'MiddleIntermediate', 'MiddleDistal'],
  ring: ['RingProximal', 'RingIntermediate', 'RingDistal'],
  little: ['LittleProximal', 'LittleIntermediate', 'LittleDistal'],
} as const;
type Part = keyof typeof PARTS;
const FINGERS: readonly Part[] = ['thumb', 'index', 'middle', 'ring', 'little'];

/** What a sign of a side stands for, left and right. */
const SIDES: Readonly<Record<string, readonly [string, string]>> = {
  '@': ['Left', 'Right'],
  '&': ['left', 'right'],
  '*': ['L', 'R'],
  '^': ['l', 'r'],
  '%': ['左', '右'],
};
const SIDE_SIGN = /[@&*^%]/;

/** Calls `visit` with every part that a convention names and the text of its line, `fingers` taken apart. */
function eachPart(convention: Convention, visit: (part: Part, line: string) => void): void {
  for (const part of Object.keys(PARTS) as Part[]) {
    const line = convention[part];
    if (line !== undefined) visit(part, line);
  }
  if (convention.fingers === undefined) return;
  const { fingers, words, line } = takeFingers(convention.fingers);
  for (const [i, finger] of fingers.entries()) visit(finger, line.replaceAll('#', words[i]));
}

/** The fingers, their words and the line of a `fingers` entry. */
function takeFingers(entry: string): { fingers: readonly Part[]; words: readonly string[]; line: string } {
  const colon = entry.indexOf(': ');
  const words = entry.slice(0, colon).split(' ');
  return { fingers: FINGERS.slice(FINGERS.length - words.length), words, line: entry.slice(colon + 2) };
}

/** Puts a side, 0 left or 1 right, into a name. */
function withSide(name: string, side: 0 | 1): string {
  return name.replace(SIDE_SIGN, (sign) => SIDES[sign][side]);
}

/** Both sides of a list of names, as conventions.ts writes them. */
function bothSides(list: string): string[] {
  const names = list.split(', ');
  return [...new Set([...names.map((name) => withSide(name, 0)), ...names.map((name) => withSide(name, 1))])];
}

function spellings(convention: Convention, name: string): string[] {
  const all: string[] = [];
  for (const prefix of convention.prefixes ?? ['']) {
    all.push(prefix + name);
    for (const turn of convention.turns ?? []) {
      const at = turn.indexOf('>');
      all.push((prefix + name).replaceAll(turn.slice(0, at), turn.slice(at + 1)));
    }
  }
  return all;
}

/**
 * Every name that a convention has for every bone, in full, preferred first. Bones that it does not name are left out.
 */
export function expandConvention(name: ConventionName): Partial<Record<BoneName, string[]>> {
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

/** Nodes that give a convention away (`signs`) or are never bones (`skip`), in full. */
export function otherNames(name: ConventionName, what: 'signs' | 'skip'): string[] {
  const list = (CONVENTIONS[name] as Convention)[what];
  return list === undefined ? [] : bothSides(list);
}

/** Lower case, without anything that separates words; signs of sides and alternatives stay. */
function keysOf(line: string): string {
  const folded = ASCII.test(line) ? line : line.normalize('NFKC');
  const plain = folded.includes('_joint') ? folded.replace(KNOWN_SUFFIX, '') : folded;
  return plain.toLowerCase().replace(SEPARATORS, '');
}
const ASCII = /^[\0-\x7f]*$/;
const SEPARATORS = /[\s_.:-]+/g;

/** What the signs of sides stand for in keys. */
const KEY_SIDES: Readonly<Record<string, readonly [string, string]>> = {
  '@': ['left', 'right'],
  '&': ['left', 'right'],
  '*': ['l', 'r'],
  '^': ['l', 'r'],
  '%': ['左', '右'],
};

/**
 * Adds what the names of one part mean. `bones` are the bones of its line, left and right of each (equal in the
 * middle).
 */
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
 * What every key (nameKey of a cleaned name) means, in all conventions; read the numbers with {@link meaningOf}. Built
 * at the first call: some thousand entries.
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
    const { fingers, words, line } = takeFingers(convention.fingers);
    const keyed = keysOf(line);
    for (let f = 0; f < fingers.length; f++) {
      addPart(keys, keyed.replaceAll('#', keysOf(words[f])), bones.get(fingers[f]) as number[], c);
    }
  }
  index = keys;
  return keys;
}

/** One bone that a key stands for in one convention. */
export interface KeyMeaning {
  /** Index into CONVENTION_NAMES. */
  readonly convention: number;
  readonly bone: number;
  /** 0 for the name that the convention prefers. */
  readonly alternative: number;
}

/** Takes a number of {@link conventionKeys} apart. */
export function meaningOf(meaning: number): KeyMeaning {
  return { convention: meaning >> 9, bone: (meaning >> 3) & 63, alternative: meaning & 7 };
}
