/** What the words of a node name say about the body: part, side, finger, and whether the node is a bone at all. */

/** Parts of the body as words tell them; what they are bone by bone is decided by what else is there. */
export type BodyPart =
  | 'hips'
  | 'hip'
  | 'spine'
  | 'neck'
  | 'head'
  | 'eye'
  | 'jaw'
  | 'clavicle'
  | 'shoulder'
  | 'shldr'
  | 'arm'
  | 'upperArm'
  | 'lowerArm'
  | 'elbow'
  | 'wrist'
  | 'hand'
  | 'palm'
  | 'leg'
  | 'upperLeg'
  | 'lowerLeg'
  | 'knee'
  | 'ankle'
  | 'foot'
  | 'toes'
  | 'thumb'
  | 'index'
  | 'middle'
  | 'ring'
  | 'little'
  | 'finger';

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
  /** Neither word nor number says anything: `Bone.012`, `node_7`, nothing at all. */
  readonly blank: boolean;
}

const PART_WORDS: Readonly<Record<BodyPart, string>> = {
  hips: 'hips pelvis 下半身',
  hip: 'hip',
  spine:
    'spine spines chest torso thorax abdomen belly tummy waist back lowerback upperback body trunk lumbar ribcage sternum upperchest 上半身 胸',
  neck: 'neck 首',
  head: 'head skull cranium 頭',
  eye: 'eye eyeball 目',
  jaw: 'jaw lowerjaw あご 顎',
  clavicle: 'clavicle clav collar collarbone scapula',
  shoulder: 'shoulder 肩',
  shldr: 'shldr',
  arm: 'arm 腕',
  upperArm: 'upperarm uparm humerus bicep',
  lowerArm: 'lowerarm loarm forearm radius ulna',
  elbow: 'elbow ひじ 肘',
  wrist: 'wrist 手首',
  hand: 'hand',
  palm: 'palm fist',
  leg: 'leg 足',
  upperLeg: 'thigh femur upleg upperleg',
  lowerLeg: 'lowerleg loleg calf shin shank tibia',
  knee: 'knee ひざ 膝',
  ankle: 'ankle 足首',
  foot: 'foot feet',
  toes: 'toe toes toebase ball つま先',
  thumb: 'thumb 親指',
  index: 'index pointer forefinger 人指 人差指',
  middle: 'middle mid 中指',
  ring: 'ring 薬指',
  little: 'pinky pinkie pinkey little 小指',
  finger: 'finger fingers',
};

const SIDE_WORDS: Readonly<Record<string, Side>> = {
  left: 'left',
  lft: 'left',
  lt: 'left',
  lf: 'left',
  l: 'left',
  左: 'left',
  right: 'right',
  rgt: 'right',
  rt: 'right',
  r: 'right',
  右: 'right',
};

const UPPER = new Set(['upper', 'up']);
const LOWER = new Set(['lower', 'low', 'lo', 'fore']);
/** Which legs: only animals have several pairs. */
const ANIMAL = new Set(
  'front hind rear back fore paw hoof wing tail tentacle fin fetlock hock snout muzzle beak'.split(' '),
);
const METACARPAL = new Set(['metacarpal', 'meta', 'carpal', 'cup']);
/** Layers of a control rig that carry a copy of the bone. */
const LAYER = new Set(['org', 'fk', 'ref']);
const LAYER_PREFIX = /^(?:.*[:|])?org[-_]/i;
const HELPER_PREFIX = /^(?:.*[:|])?mch[-_]|\$AssimpFbx\$/i;

const HELPER = new Set(
  (
    'ik pole target ctrl ctl control controller twist roll helper hlp end nub leaf effector eff aux share null locator loc ' +
    'dummy handle goal hint aim lookat slot socket attach attachment mount weapon sword shield gun prop props item grip ' +
    'physics phys jiggle dyn dynamic sim collider collision mch wgt tweak vis sec spring heel breast breasts boob bust ' +
    'nipple glute butt buttock hair bang pony skirt cloth cape scarf ribbon rope ear brow eyebrow lid eyelid lash eyelash ' +
    'tongue teeth tooth lip lips mouth cheek nose nostril beard hat helmet cap bag backpack belt pouch strap armor armour ' +
    'plate muscle corrective driver sensor mesh geo scale pivot offset extra wire'
  ).split(' '),
);

/** Words that say nothing. Single letters, `l` and `r` apart, are of this kind too. */
const FILLER = new Set(
  (
    'joint jnt jt bone bn bind skin def deform bend stretch node object main base root rig armature center centre cog com ' +
    'reference start face proximal prox intermediate inter medial distal dist segment character skeleton biped bip ' +
    'mixamorig model scene sketchfab rootnode cc adj std sk'
  ).split(' '),
);

const PARTS = new Map<string, BodyPart>();
for (const part of Object.keys(PART_WORDS) as BodyPart[]) {
  for (const word of PART_WORDS[part].split(' ')) PARTS.set(word, part);
}

const isNumber = (word: string): boolean => /^\d/.test(word);
const isKnown = (word: string): boolean =>
  PARTS.has(word) ||
  Object.hasOwn(SIDE_WORDS, word) ||
  [UPPER, LOWER, ANIMAL, METACARPAL, LAYER, HELPER, FILLER].some((words) => words.has(word)) ||
  word === 'tip';

/** Whether a word speaks of the body: a part, a side, upper or lower. */
export function isBodyWord(word: string): boolean {
  return PARTS.has(word) || Object.hasOwn(SIDE_WORDS, word) || UPPER.has(word) || LOWER.has(word);
}

/** Longest word that is taken apart; nothing that is longer names a bone. */
const LONGEST = 32;

/**
 * A word that was written in one (`upperarml`, `lefthand`, `handslot`) as the words it is made of; `l` and `r` only at its ends.
 * The word itself where that fails. Fewest pieces win.
 */
function takeApart(word: string): string[] {
  if (isKnown(word) || isNumber(word) || word.length > LONGEST || word.length < 3) return [word];
  const best: (string[] | null)[] = [[]];
  for (let end = 1; end <= word.length; end++) {
    best.push(null);
    for (let start = 0; start < end; start++) {
      const before = best[start];
      if (before === null) continue;
      const piece = word.slice(start, end);
      const isEnd = start === 0 || end === word.length;
      const fits = piece.length > 2 ? isKnown(piece) : isEnd ? piece === 'l' || piece === 'r' : false;
      if (fits || (piece.length === 2 && (UPPER.has(piece) || LOWER.has(piece) || piece === 'ik'))) {
        const known = best[end];
        if (known === null || before.length + 1 < known.length) best[end] = [...before, piece];
      }
    }
  }
  return best[word.length] ?? [word];
}

const FINGERS: ReadonlySet<BodyPart> = new Set(['thumb', 'index', 'middle', 'ring', 'little', 'finger']);
/** Beside these, `mid` and `little` are no fingers. */
const TRUNK: ReadonlySet<BodyPart> = new Set(['hips', 'spine', 'neck', 'head', 'eye', 'jaw']);

/** The part that several part words stand for together. */
function joinParts(all: readonly BodyPart[], words: ReadonlySet<string>): BodyPart | null {
  const parts = all.some((part) => TRUNK.has(part)) ? all.filter((part) => !FINGERS.has(part)) : all;
  const has = (part: BodyPart): boolean => parts.includes(part);
  const isUpper = [...UPPER].some((word) => words.has(word));
  const isLower = [...LOWER].some((word) => words.has(word));
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
  const specific = parts.filter((part) => part !== 'arm' && part !== 'leg');
  const part = specific.at(-1) ?? parts.at(-1) ?? null;
  if (part === 'arm') return isUpper ? 'upperArm' : isLower ? 'lowerArm' : 'arm';
  if (part === 'leg') return isUpper ? 'upperLeg' : isLower ? 'lowerLeg' : 'leg';
  if (part === 'spine' && words.has('body') && isLower) return 'hips';
  return part;
}

/** Reads a name. `raw` is the name as the file has it, `words` its words (rigNames). */
export function readName(raw: string, words: readonly string[]): Reading {
  const pieces = words.flatMap(takeApart);
  const set = new Set(pieces);
  const parts: BodyPart[] = [];
  const numbers: string[] = [];
  const sides = new Set<Side>();
  let unknown = 0;
  let helper = HELPER_PREFIX.test(raw);
  for (const piece of pieces) {
    const part = PARTS.get(piece);
    if (part !== undefined) parts.push(part);
    else if (Object.hasOwn(SIDE_WORDS, piece)) sides.add(SIDE_WORDS[piece]);
    else if (HELPER.has(piece)) helper = true;
    else if (isNumber(piece)) numbers.push(piece);
    else if (piece.length > 1 && !isKnown(piece)) unknown++;
  }
  const isAnimal = [...ANIMAL].some((word) => set.has(word));
  const isMetacarpal = [...METACARPAL].some((word) => set.has(word)) || (set.has('in') && set.has('hand'));
  let part = joinParts(parts, set);
  if (isAnimal && (part !== 'spine' || parts.length > 1) && !(set.has('fore') && part === 'lowerArm')) part = null;
  // CMU: the joint between the hips and the thigh.
  const isHipJoint = part === 'hip' && sides.size === 1 && set.has('joint');
  const isLayer = LAYER_PREFIX.test(raw) || [...LAYER].some((word) => set.has(word));
  if (part === 'hip' && sides.size === 0) part = 'hips';
  return {
    part,
    side: sides.size === 1 ? ([...sides][0] as Side) : '',
    strength: (unknown > 0 ? 0.5 : 1) * (isLayer ? 0.8 : 1) * (isHipJoint ? 0.7 : 1),
    helper: helper || (isMetacarpal && part === 'palm'),
    tip: set.has('tip'),
    metacarpal: isMetacarpal,
    numbers,
    blank: parts.length === 0 && unknown === 0 && !helper && !isAnimal && sides.size === 0,
  };
}
