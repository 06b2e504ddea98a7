/** What the words of a node name say about the body: part, side, finger, and whether the node is a bone at all. */
import {
  ANIMAL,
  type BodyPart,
  HELPER,
  LAYER,
  LEFT,
  LOWER,
  METACARPAL,
  RIGHT,
  TIP,
  UPPER,
  WORDS,
} from './word-list.ts';

export type Side = 'left' | 'right' | '';

/** What a name says. */
export interface Reading {
  readonly part: BodyPart | null;
  readonly side: Side;
  /** 1, less where there are words that are not of the body (`robo_hand`), or that name a layer of a control rig. */
  readonly strength: number;
  /** An IK target, control, twist joint, end marker, or a thing that is worn: never a bone. */
  readonly helper: boolean;
  /** Named as the tip of something: an end marker where nothing hangs below it. */
  readonly tip: boolean;
  /** The bone of the palm before the first joint of a finger. */
  readonly metacarpal: boolean;
  /** Numbers in the name, as written. */
  readonly numbers: readonly string[];
}

const LAYER_PREFIX = /^(?:.*[:|])?org[-_]/i;
const HELPER_PREFIX = /^(?:.*[:|])?mch[-_]|\$AssimpFbx\$/i;

function isNumber(text: string): boolean {
  return text.charCodeAt(0) >= 48 && text.charCodeAt(0) <= 57;
}

/** Longest word that is taken apart; nothing that is longer names a bone. */
const LONGEST = 32;

/**
 * Whether a text may be a piece of a word: a word of three letters or more, few of two, a lone `l` or `r` at an end.
 */
function isPiece(text: string, isEnd: boolean): boolean {
  if (text.length === 1) return isEnd && (text === 'l' || text === 'r');
  const word = WORDS.get(text);
  if (word === undefined) return false;
  return text.length > 2 || (word.flags & (UPPER | LOWER)) !== 0 || text === 'ik';
}

/**
 * A word that was written in one (`upperarml`, `lefthand`, `handslot`) as the words it is made of, as few as will do;
 * the word itself where it cannot be taken apart.
 */
function takeApart(text: string): readonly string[] {
  const { length } = text;
  if (WORDS.has(text) || isNumber(text) || length > LONGEST || length < 3) return [text];
  /** For every end that pieces can fill: how many they are, and where the last one starts. */
  const counts = new Uint8Array(length + 1);
  const starts = new Uint8Array(length + 1);
  for (let end = 1; end <= length; end++) {
    for (let start = 0; start < end; start++) {
      if (start > 0 && counts[start] === 0) continue;
      if (counts[end] !== 0 && counts[start] + 1 >= counts[end]) continue;
      if (!isPiece(text.slice(start, end), start === 0 || end === length)) continue;
      counts[end] = counts[start] + 1;
      starts[end] = start;
    }
  }
  if (counts[length] === 0) return [text];
  const pieces: string[] = [];
  for (let end = length; end > 0; end = starts[end]) pieces.unshift(text.slice(starts[end], end));
  return pieces;
}

const FINGERS: ReadonlySet<BodyPart> = new Set(['thumb', 'index', 'middle', 'ring', 'little', 'finger']);
/** Beside these, `mid` and `little` are no fingers. */
const TRUNK: ReadonlySet<BodyPart> = new Set(['hips', 'spine', 'neck', 'head', 'eye', 'jaw']);

/** The part that several part words stand for together. `flags` is what the other words say. */
function joinParts(all: readonly BodyPart[], flags: number, pieces: readonly string[]): BodyPart | null {
  const parts: readonly BodyPart[] = all.some((part) => TRUNK.has(part))
    ? all.filter((part) => !FINGERS.has(part))
    : all;
  if (parts.length === 0) return null;
  const has = (part: BodyPart): boolean => parts.includes(part);
  const isUpper = (flags & UPPER) !== 0;
  const isLower = (flags & LOWER) !== 0;
  const fingers = parts.filter((part) => FINGERS.has(part));
  if (has('toes') && !has('eye')) return 'toes';
  if (fingers.length > 0) {
    if (has('foot')) return 'toes';
    // `index_middle`: the middle joint of the index finger. Of two fingers the last is meant: `HandRingPinky`.
    const named = fingers.filter((finger) => finger !== 'finger');
    return named.filter((finger) => finger !== 'middle').at(-1) ?? named[0] ?? 'finger';
  }
  if (has('eye')) return 'eye';
  if (has('jaw')) return isUpper ? null : 'jaw';
  // Arm and leg name the whole limb where another word names the joint: `arm_elbow_l`.
  const specific: readonly BodyPart[] = parts.filter((part) => part !== 'arm' && part !== 'leg');
  const part = specific.at(-1) ?? parts[parts.length - 1];
  if (part === 'arm') return isUpper ? 'upperArm' : isLower ? 'lowerArm' : 'arm';
  if (part === 'leg') return isUpper ? 'upperLeg' : isLower ? 'lowerLeg' : 'leg';
  if (part === 'spine' && isLower && pieces.includes('body')) return 'hips';
  return part;
}

function sideOf(flags: number): Side {
  const sides = flags & (LEFT | RIGHT);
  return sides === LEFT ? 'left' : sides === RIGHT ? 'right' : '';
}

function readPieces(raw: string, pieces: readonly string[]): Reading {
  const parts: BodyPart[] = [];
  const numbers: string[] = [];
  let flags = 0;
  let unknown = 0;
  for (const piece of pieces) {
    const word = WORDS.get(piece);
    if (word !== undefined) {
      if (word.part !== null) parts.push(word.part);
      flags |= word.flags;
    } else if (isNumber(piece)) numbers.push(piece);
    else if (piece.length > 1) unknown++;
  }
  const side = sideOf(flags);
  const isMetacarpal = (flags & METACARPAL) !== 0 || (pieces.includes('in') && parts.includes('hand'));
  const isAnimal = (flags & ANIMAL) !== 0;
  let part = joinParts(parts, flags, pieces);
  // `Back` alone is a spine and `ForeArm` an arm; `Back_Leg` and `ForeLeg` are of animals.
  const isHuman = (part === 'spine' && parts.length === 1) || (part === 'lowerArm' && pieces.includes('fore'));
  if (isAnimal && !isHuman) part = null;
  // CMU: the joint between the hips and the thigh.
  const isHipJoint = part === 'hip' && side !== '' && pieces.includes('joint');
  const isLayer = (flags & LAYER) !== 0 || LAYER_PREFIX.test(raw);
  if (part === 'hip' && side === '') part = 'hips';
  const isHelper = (flags & HELPER) !== 0 || HELPER_PREFIX.test(raw);
  return {
    part,
    side,
    strength: (unknown > 0 ? 0.5 : 1) * (isLayer ? 0.8 : 1) * (isHipJoint ? 0.7 : 1),
    helper: isHelper || (isMetacarpal && part === 'palm'),
    tip: (flags & TIP) !== 0,
    metacarpal: isMetacarpal,
    numbers,
  };
}

/** Reads the names of a rig. `raws` are the names as the file has them, `words` their words (rigNames). */
export function readNames(raws: readonly string[], words: readonly (readonly string[])[]): Reading[] {
  const apart = new Map<string, readonly string[]>();
  return raws.map((raw, node) => {
    const pieces: string[] = [];
    for (const word of words[node]) {
      let taken = apart.get(word);
      if (taken === undefined) {
        taken = takeApart(word);
        apart.set(word, taken);
      }
      pieces.push(...taken);
    }
    return readPieces(raw, pieces);
  });
}
