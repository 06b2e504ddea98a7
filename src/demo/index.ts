/** Content of the demo: procedural characters and motions that were never made for each other. */
import type { CharacterOptions, DemoCharacter } from './characters/character.ts';
import { makeCharacter } from './characters/make-character.ts';
import * as rigs from './characters/rigs.ts';
import type { Figure } from './figure/figure.ts';
import { bvhText } from './files/bvh.ts';
import { encodeMotion } from './files/encode.ts';
import { characterDocument, glbBytes } from './files/glb.ts';
import { vrm0Document, vrm1Document, vrmaDocument } from './files/vrm.ts';
import { makeDance } from './motions/dance.ts';
import type { Motion } from './motions/motion.ts';
import { makePivot } from './motions/pivot.ts';
import { makeWalk } from './motions/walk.ts';
import { makeWave } from './motions/wave.ts';

/** A procedural file of the demo. */
export interface DemoFile {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  character(): DemoCharacter;
  bytes(): Uint8Array;
}

interface DemoMotion extends DemoFile {
  motion(): Motion;
}

function characterFile(
  name: string,
  about: string,
  rig: CharacterOptions,
  color: readonly [number, number, number],
  document: typeof characterDocument = characterDocument,
): DemoFile {
  const character = (): DemoCharacter => makeCharacter(rig);
  return { name, title: rig.name ?? name, about, character, bytes: () => glbBytes(document(character(), { color })) };
}

/** Eight characters that differ in proportions, names, local axes, rest pose, unit, facing and bones. */
export const DEMO_CHARACTERS: readonly DemoFile[] = [
  characterFile(
    'mixamo.glb',
    '1.75 m, T-pose, joints in cm below an armature of 0.01',
    rigs.MIXAMO_RIG,
    [0.14, 0.24, 0.42],
  ),
  characterFile(
    'unreal.glb',
    'broad, A-pose, root and twist joints, +X along the bones',
    rigs.UNREAL_RIG,
    [0.36, 0.13, 0.09],
  ),
  characterFile('child.vrm', 'faces +Z, 1.1 m, axes along the bones', rigs.VRM1_RIG, [0.48, 0.3, 0.06], vrm1Document),
  characterFile(
    'chibi.vrm',
    'faces −Z, no rest rotations, a head of 40 cm',
    rigs.VRM0_RIG,
    [0.42, 0.12, 0.28],
    vrm0Document,
  ),
  characterFile('blender.glb', '2.05 m, bound in an A-pose, saved in mid-walk', rigs.BLENDER_RIG, [0.1, 0.34, 0.2]),
  characterFile('odd-axes.glb', 'axes at random, no neck, shoulders, hands or toes', rigs.RANDOM_RIG, [0.3, 0.3, 0.32]),
  characterFile('giant.glb', '2.3 m in bare cm, arms down, faces −Z', rigs.GIANT_RIG, [0.2, 0.15, 0.36]),
  characterFile(
    'fighter.glb',
    'bound in a crouch, palms rotated, faces 35° to the side',
    rigs.FIGHTER_RIG,
    [0.05, 0.3, 0.36],
  ),
];

function motionFile(
  name: string,
  title: string,
  about: string,
  rig: CharacterOptions,
  make: (figure: Figure) => Motion,
  serialize: (character: DemoCharacter, motion: Motion) => Uint8Array,
): DemoMotion {
  const character = (): DemoCharacter => makeCharacter(rig);
  const motion = (): Motion => make(character().figure);
  return { name, title, about, character, motion, bytes: () => serialize(character(), motion()) };
}

/** Three motions, each on a different skeleton and in a different format. */
export const DEMO_MOTIONS: readonly DemoMotion[] = [
  motionFile('walk.glb', 'Walk', 'GLB: Mixamo-like, 67 joints in cm', rigs.MIXAMO_RIG, makeWalk, (character, walk) =>
    glbBytes(characterDocument(character, { clips: [encodeMotion(character, walk)] })),
  ),
  motionFile('wave.vrma', 'Wave', 'VRMA: 52 bones, meters', rigs.VRMA_RIG, makeWave, (character, wave) =>
    glbBytes(vrmaDocument(character, { clips: [encodeMotion(character, wave)], face: wave.face })),
  ),
  motionFile(
    'turn.bvh',
    'Turn',
    'BVH: mocap-like, arms down in the zero pose, cm',
    rigs.BVH_RIG,
    makePivot,
    (character, pivot) => new TextEncoder().encode(bvhText(character, encodeMotion(character, pivot))),
  ),
];

/** The motion of the studio's first view: it loops. */
export const DANCE: DemoMotion = motionFile(
  'dance.vrma',
  'Dance',
  'VRMA: step and touch, 8 beats',
  rigs.VRMA_RIG,
  makeDance,
  (character, dance) =>
    glbBytes(vrmaDocument(character, { clips: [encodeMotion(character, dance)], face: dance.face })),
);

/** Lists all files of the demo, motions first. Nothing is generated before `bytes` is called. */
export function demoFiles(): readonly DemoFile[] {
  return [...DEMO_MOTIONS, ...DEMO_CHARACTERS];
}
