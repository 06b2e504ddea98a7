/** The words that node names consist of, and what each of them means. */

/** Body parts as words name them. The other nodes of a rig decide which bone a part is. */
export type AnatomyPart =
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

/** The words for each part, separated by spaces. */
const PART_WORDS: Readonly<Record<AnatomyPart, string>> = {
  hips: 'hips pelvis 下半身',
  hip: 'hip',
  spine:
    'spine spines chest upperchest torso thorax abdomen ab abs belly tummy stomach waist back lowerback upperback body trunk lumbar ' +
    'ribcage sternum 上半身 胸',
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

/** Matches names that have a word for the head. */
export const HEAD_WORD: RegExp = new RegExp(PART_WORDS.head.replaceAll(' ', '|'), 'i');

export const UPPER = 1;
export const LOWER = 2;
/** Flag: part of an animal, or one of several pairs of legs. */
export const ANIMAL = 4;
export const METACARPAL = 8;
/** Flag: layer of a control rig, with a copy of the bone. */
export const LAYER = 16;
/** Flag: not a bone. A control, an end marker, clothing, hair, a prop, or a part of the face. */
export const HELPER = 32;
export const TIP = 64;
export const LEFT = 128;
export const RIGHT = 256;

const FLAGGED: readonly (readonly [number, string])[] = [
  [UPPER, 'upper up'],
  [LOWER, 'lower low lo fore'],
  [ANIMAL, 'front hind rear back fore paw hoof wing tail tentacle fin fetlock hock snout muzzle beak'],
  [METACARPAL, 'metacarpal meta carpal cup'],
  [LAYER, 'org fk ref'],
  [TIP, 'tip'],
  [LEFT, 'left lft lt lf l 左'],
  [RIGHT, 'right rgt rt r 右'],
  [
    HELPER,
    'ik pole target ctrl ctl control controller twist roll helper hlp end nub leaf effector eff aux share null ' +
      'locator loc dummy handle goal hint aim lookat slot socket attach attachment mount weapon sword shield gun ' +
      'prop props item grip physics phys jiggle dyn dynamic sim collider collision mch wgt tweak vis sec spring ' +
      'heel breast breasts boob bust nipple glute butt buttock hair bang pony skirt cloth cape scarf ribbon rope ' +
      'ear brow eyebrow lid eyelid lash eyelash tongue teeth tooth lip lips mouth cheek nose nostril beard hat ' +
      'helmet cap bag backpack belt pouch strap armor armour plate muscle corrective driver sensor mesh geo scale ' +
      'pivot offset extra wire ' +
      'quiver sheath scabbard holster braid ponytail pigtail fringe strand hood coat robe hem tie glasses goggles mask crown horn antenna ' +
      'feather tassel spur skate',
  ],
  // Words without a meaning for mapping.
  [
    0,
    'joint jnt jt bone bn bind skin def deform bend stretch node object main base root rig armature center center ' +
      'cog com reference start face proximal prox intermediate inter medial distal dist segment character skeleton ' +
      'biped bip mixamorig model scene sketchfab rootnode cc adj std sk',
  ],
];

/** Meaning of a word. */
interface Word {
  part: AnatomyPart | null;
  /** Sum of the flags above. */
  flags: number;
}

/** All known words with their meanings. */
export const WORDS: ReadonlyMap<string, Word> = (() => {
  const words = new Map<string, Word>();
  const wordOf = (text: string): Word => {
    const known = words.get(text) ?? { part: null, flags: 0 };
    words.set(text, known);
    return known;
  };
  for (const part of Object.keys(PART_WORDS) as AnatomyPart[]) {
    for (const text of PART_WORDS[part].split(' ')) wordOf(text).part = part;
  }
  for (const [flag, list] of FLAGGED) for (const text of list.split(' ')) wordOf(text).flags |= flag;
  return words;
})();

/** Tests whether a word names a body part, a side, or an upper or lower part. */
export function isAnatomyWord(text: string): boolean {
  const word = WORDS.get(text);
  return word !== undefined && (word.part !== null || (word.flags & (UPPER | LOWER | LEFT | RIGHT)) !== 0);
}
