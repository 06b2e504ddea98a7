/** The names that conventions.ts abbreviates: in full, and as keys to look node names up by. */
import { BONE, type BoneName } from './bones.ts';
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
  const colon = convention.fingers.indexOf(': ');
  const words = convention.fingers.slice(0, colon).split(' ');
  const line = convention.fingers.slice(colon + 2);
  const fingers = FINGERS.slice(FINGERS.length - words.length);
  for (const [i, finger] of fingers.entries()) visit(finger, line.replaceAll('#', words[i]));
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

/** Every name that a convention has for every bone, in full, preferred first. Bones that it does not name are left out. */
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

/** One bone that a key stands for in one convention. */
export interface KeyMeaning {
  /** Index into CONVENTION_NAMES. */
  readonly convention: number;
  readonly bone: number;
  /** 0 for the name that the convention prefers. */
  readonly alternative: number;
}

/** Lower case, without anything that separates words; signs of sides and alternatives stay. */
function keysOf(line: string): string {
  return line
    .normalize('NFKC')
    .replace(KNOWN_SUFFIX, '')
    .toLowerCase()
    .replace(/[\s_.:-]+/g, '');
}

const KEY_SIDES: Readonly<Record<string, readonly [string, string]>> = {
  '@': ['left', 'right'],
  '&': ['left', 'right'],
  '*': ['l', 'r'],
  '^': ['l', 'r'],
  '%': ['左', '右'],
};

let index: Map<string, KeyMeaning[]> | null = null;

/** What every key (nameKey of a cleaned name) means, in all conventions. Built at the first call: some thousand entries. */
export function conventionKeys(): ReadonlyMap<string, readonly KeyMeaning[]> {
  if (index !== null) return index;
  const keys = new Map<string, KeyMeaning[]>();
  const add = (key: string, convention: number, bone: number, alternative: number): void => {
    const meanings = keys.get(key);
    const meaning = { convention, bone, alternative };
    if (meanings === undefined) keys.set(key, [meaning]);
    else if (!meanings.some((known) => known.convention === convention && known.bone === bone)) meanings.push(meaning);
  };
  for (const [convention, name] of CONVENTION_NAMES.entries()) {
    eachPart(CONVENTIONS[name], (part, line) => {
      const items = keysOf(line).split(',');
      for (let i = 0; i < items.length; i++) {
        if (items[i] === '') continue;
        const names = items[i].split('|');
        const bone = PARTS[part][i];
        const left = BONE[`left${bone}` as BoneName];
        for (let alternative = 0; alternative < names.length; alternative++) {
          const written = names[alternative];
          const at = written.search(SIDE_SIGN);
          if (at < 0) {
            add(written, convention, BONE[bone as BoneName], alternative);
            continue;
          }
          const sides = KEY_SIDES[written[at]];
          const right = BONE[`right${bone}` as BoneName];
          add(written.slice(0, at) + sides[0] + written.slice(at + 1), convention, left, alternative);
          add(written.slice(0, at) + sides[1] + written.slice(at + 1), convention, right, alternative);
        }
      }
    });
  }
  index = keys;
  return keys;
}
