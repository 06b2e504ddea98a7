/** Parses node names by their words: body part, side, finger, and whether the node can be a bone. */
import {
  ANIMAL,
  type AnatomyPart,
  HELPER,
  LAYER,
  LEFT,
  LOWER,
  METACARPAL,
  RIGHT,
  TIP,
  UPPER,
  WORDS,
} from './lexicon.ts';

/** Side of a node; empty for the middle or without a side. */
export type Side = 'left' | 'right' | '';

export interface NameReading {
  readonly part: AnatomyPart | null;
  readonly side: Side;
  /** How well the name fits its part, 0…1. Lower with unrelated words (`robo_hand`) and for layers of a control rig. */
  readonly strength: number;
  /** True for IK targets, controls, twist joints, end markers and things that are worn: never a bone. */
  readonly helper: boolean;
  /** True when it is named as a tip: an end marker if it has no children. */
  readonly tip: boolean;
  /** True when it has a word that means nothing here. */
  readonly unknown: boolean;
  /** True for the bone in the palm before the first joint of a finger. */
  readonly metacarpal: boolean;
  readonly numbers: readonly string[];
}

const LAYER_PREFIX = /^(?:.*[:|])?org[-_]/i;
const HELPER_PREFIX = /^(?:.*[:|])?mch[-_]|\$AssimpFbx\$/i;

function isNumber(text: string): boolean {
  return text.charCodeAt(0) >= 48 && text.charCodeAt(0) <= 57;
}

/** Maximum length of a compound word that is split; longer words do not name bones. */
const LONGEST = 32;

/** Tests whether a text may be a piece of a compound word: a known word of three letters or more, a few of two letters, or `l` and `r` at an end. */
function isPiece(text: string, isEnd: boolean): boolean {
  if (text.length === 1) return isEnd && (text === 'l' || text === 'r');
  const word = WORDS.get(text);
  if (word === undefined) return false;
  return text.length > 2 || (word.flags & (UPPER | LOWER)) !== 0 || text === 'ik';
}

/** Splits a compound word (`upperarml`, `lefthand`, `handslot`) into as few known words as possible; returns the word itself where that fails. */
function splitCompound(text: string): readonly string[] {
  const { length } = text;
  if (WORDS.has(text) || isNumber(text) || length > LONGEST || length < 3) return [text];
  /** For each end that pieces can reach: their number, and where the last one starts. */
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

const FINGERS: ReadonlySet<AnatomyPart> = new Set(['thumb', 'index', 'middle', 'ring', 'little', 'finger']);
/** With these parts, `mid` and `little` do not name fingers. */
const TRUNK: ReadonlySet<AnatomyPart> = new Set(['hips', 'spine', 'neck', 'head', 'eye', 'jaw']);

/** Finds the part that several part words name together. `flags` has the flags of the other words. */
function joinParts(all: readonly AnatomyPart[], flags: number, pieces: readonly string[]): AnatomyPart | null {
  const parts: readonly AnatomyPart[] = all.some((part) => TRUNK.has(part))
    ? all.filter((part) => !FINGERS.has(part))
    : all;
  if (parts.length === 0) return null;
  const has = (part: AnatomyPart): boolean => parts.includes(part);
  const isUpper = (flags & UPPER) !== 0;
  const isLower = (flags & LOWER) !== 0;
  const fingers = parts.filter((part) => FINGERS.has(part));
  if (has('toes') && !has('eye')) return 'toes';
  if (fingers.length > 0) {
    if (has('foot')) return 'toes';
    // `index_middle` is the middle joint of the index finger. With two fingers the last one counts: `HandRingPinky`.
    const named = fingers.filter((finger) => finger !== 'finger');
    return named.filter((finger) => finger !== 'middle').at(-1) ?? named[0] ?? 'finger';
  }
  if (has('eye')) return 'eye';
  if (has('jaw')) return isUpper ? null : 'jaw';
  // Arm and leg name the whole limb when another word names the joint: `arm_elbow_l`.
  const specific: readonly AnatomyPart[] = parts.filter((part) => part !== 'arm' && part !== 'leg');
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

function readPieces(raw: string, pieces: readonly string[]): NameReading {
  const parts: AnatomyPart[] = [];
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
  // `Back` alone is a spine and `ForeArm` an arm; `Back_Leg` and `ForeLeg` belong to animals.
  const isHuman = (part === 'spine' && parts.length === 1) || (part === 'lowerArm' && pieces.includes('fore'));
  if (isAnimal && !isHuman) part = null;
  // CMU: a joint between the hips and the thigh.
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
    unknown: unknown > 0,
    metacarpal: isMetacarpal,
    numbers,
  };
}

export function readNames(raws: readonly string[], words: readonly (readonly string[])[]): NameReading[] {
  const apart = new Map<string, readonly string[]>();
  return raws.map((raw, node) => {
    const pieces: string[] = [];
    for (const word of words[node]) {
      let taken = apart.get(word);
      if (taken === undefined) {
        taken = splitCompound(word);
        apart.set(word, taken);
      }
      pieces.push(...taken);
    }
    return readPieces(raw, pieces);
  });
}
