/** Naming conventions of authoring tools for the joints of a rig. */
import type { BoneName } from '../../core/humanoid/bones.ts';

export interface Naming {
  bone(bone: BoneName): string;
  /** Name of the leaf joint at the far end of a bone. */
  end(bone: BoneName): string;
  /** Name of a non-humanoid joint between a bone and its parent. */
  between(bone: BoneName): string;
  twist(bone: BoneName): string;
}

export type NamingName = 'mixamo' | 'plain' | 'unreal' | 'vrm' | 'blender' | 'cmu' | 'biped' | 'none';

const FINGERS = { Thumb: 'Thumb', Index: 'Index', Middle: 'Middle', Ring: 'Ring', Little: 'Pinky' } as const;
type Finger = keyof typeof FINGERS;

interface BoneParts {
  readonly side: 'left' | 'right' | null;
  /** The name without its side: `upperArm`, `hips`, `thumb`. */
  readonly part: string;
  readonly finger: Finger | null;
  /** 1, 2, 3 along a finger; 0 for other bones. */
  readonly joint: number;
}

function partsOf(bone: BoneName): BoneParts {
  const side = bone.startsWith('left') ? 'left' : bone.startsWith('right') ? 'right' : null;
  const rest = side === null ? bone : bone.slice(side.length);
  const match = /^(Thumb|Index|Middle|Ring|Little)(Metacarpal|Proximal|Intermediate|Distal)$/.exec(rest);
  const part = rest.charAt(0).toLowerCase() + rest.slice(1);
  if (match === null) return { side, part, finger: null, joint: 0 };
  const finger = match[1] as Finger;
  const phalanges = finger === 'Thumb' ? ['Metacarpal', 'Proximal', 'Distal'] : ['Proximal', 'Intermediate', 'Distal'];
  return { side, part: finger.toLowerCase(), finger, joint: 1 + phalanges.indexOf(match[2]) };
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const MIXAMO: Readonly<Record<string, string>> = {
  hips: 'Hips',
  spine: 'Spine',
  chest: 'Spine1',
  upperChest: 'Spine2',
  neck: 'Neck',
  head: 'Head',
  eye: 'Eye',
  jaw: 'Jaw',
  shoulder: 'Shoulder',
  upperArm: 'Arm',
  lowerArm: 'ForeArm',
  hand: 'Hand',
  upperLeg: 'UpLeg',
  lowerLeg: 'Leg',
  foot: 'Foot',
  toes: 'ToeBase',
};

function mixamo(namespace: string): Naming {
  const sided = (side: string | null): string => (side === null ? '' : side === 'left' ? 'Left' : 'Right');
  const bone = (name: BoneName): string => {
    const { side, part, finger, joint } = partsOf(name);
    const base = finger === null ? MIXAMO[part] : `Hand${FINGERS[finger]}${joint}`;
    return `${namespace}${sided(side)}${base}`;
  };
  return {
    bone,
    end(name) {
      const { side, part, finger } = partsOf(name);
      if (finger !== null) return `${namespace}${sided(side)}Hand${FINGERS[finger]}4`;
      if (part === 'head') return `${namespace}HeadTop_End`;
      return `${namespace}${sided(side)}${part === 'toes' ? 'Toe' : MIXAMO[part]}_End`;
    },
    between: (name) => `${bone(name)}_Adjust`,
    twist: (name) => `${bone(name)}Roll`,
  };
}

const UNREAL: Readonly<Record<string, string>> = {
  hips: 'pelvis',
  spine: 'spine_01',
  chest: 'spine_02',
  upperChest: 'spine_03',
  neck: 'neck_01',
  head: 'head',
  eye: 'eye',
  jaw: 'jaw',
  shoulder: 'clavicle',
  upperArm: 'upperarm',
  lowerArm: 'lowerarm',
  hand: 'hand',
  upperLeg: 'thigh',
  lowerLeg: 'calf',
  foot: 'foot',
  toes: 'ball',
};

function unreal(): Naming {
  const stem = (name: BoneName): string => {
    const { part, finger, joint } = partsOf(name);
    return finger === null ? UNREAL[part] : `${FINGERS[finger].toLowerCase()}_0${joint}`;
  };
  const sided = (name: BoneName, base: string): string => {
    const { side } = partsOf(name);
    return side === null ? base : `${base}_${side.charAt(0)}`;
  };
  return {
    bone: (name) => sided(name, stem(name)),
    end: (name) => sided(name, `${stem(name)}_leaf`),
    between: (name) => sided(name, `${stem(name)}_helper`),
    twist: (name) => sided(name, `${stem(name)}_twist_01`),
  };
}

const vrm: Naming = {
  bone: (name) => name,
  end: (name) => `${name}_end`,
  between: (name) => `${name}_helper`,
  twist: (name) => `${name}_twist`,
};

function blender(): Naming {
  const named = (name: BoneName, suffix: string): string => {
    const { side } = partsOf(name);
    if (side === null) return `${snake(name)}${suffix}`;
    return `${snake(name.slice(side.length)).slice(1)}${suffix}${side === 'left' ? '.L' : '.R'}`;
  };
  return {
    bone: (name) => named(name, ''),
    end: (name) => `${named(name, '')}_end`,
    between: (name) => named(name, '.001'),
    twist: (name) => named(name, '_twist'),
  };
}

const CMU_SPINE: Partial<Record<BoneName, string>> = { spine: 'LowerBack', chest: 'Spine', upperChest: 'Spine1' };

/** CMU mocap library: different spine names, a joint above each leg and a second neck joint. */
function cmu(): Naming {
  const plain = mixamo('');
  const bone = (name: BoneName): string => CMU_SPINE[name] ?? plain.bone(name);
  return {
    ...plain,
    bone,
    between(name) {
      if (name === 'leftUpperLeg') return 'LHipJoint';
      if (name === 'rightUpperLeg') return 'RHipJoint';
      return name === 'head' ? 'Neck1' : `${bone(name)}_dummy`;
    },
  };
}

const BIPED: Readonly<Record<string, string>> = {
  hips: 'Pelvis',
  spine: 'Spine',
  chest: 'Spine1',
  upperChest: 'Spine2',
  neck: 'Neck',
  head: 'Head',
  eye: 'Eye',
  jaw: 'Jaw',
  shoulder: 'Clavicle',
  upperArm: 'UpperArm',
  lowerArm: 'Forearm',
  hand: 'Hand',
  upperLeg: 'Thigh',
  lowerLeg: 'Calf',
  foot: 'Foot',
  toes: 'Toe0',
};

/** 3ds Max Biped: fingers are numbered, the thumb is 0. */
function biped(): Naming {
  const bone = (name: BoneName): string => {
    const { side, part, finger, joint } = partsOf(name);
    const number = finger === null ? 0 : Object.keys(FINGERS).indexOf(finger);
    const base = finger === null ? BIPED[part] : `Finger${number}${joint === 1 ? '' : joint - 1}`;
    return `Bip001 ${side === null ? '' : side === 'left' ? 'L ' : 'R '}${base}`;
  };
  return {
    bone,
    end: (name) => `${bone(name)}Nub`,
    between: (name) => `${bone(name)} Link`,
    twist: (name) => `${bone(name)} Twist`,
  };
}

const none: Naming = { bone: () => '', end: () => '', between: () => '', twist: () => '' };

/** Naming conventions by name; `none` leaves every joint unnamed. */
export const NAMINGS: Readonly<Record<NamingName, Naming>> = {
  mixamo: mixamo('mixamorig:'),
  plain: mixamo(''),
  unreal: unreal(),
  vrm,
  blender: blender(),
  cmu: cmu(),
  biped: biped(),
  none,
};
