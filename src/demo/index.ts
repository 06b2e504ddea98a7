/** What the demo shows: characters and motions that were never made for each other, all made by the code of this folder. */

import { type CharacterOptions, type DemoCharacter, makeCharacter } from './characters/make-character.ts';
import { bvhText } from './files/bvh.ts';
import { encodeMotion } from './files/encode.ts';
import type { Figure } from './figure/figure.ts';
import { characterDocument, glbBytes } from './files/glb.ts';
import type { Motion } from './motions/motion.ts';
import * as rigs from './characters/rigs.ts';
import { makePivot } from './motions/pivot.ts';
import { vrm0Document, vrm1Document, vrmaDocument } from './files/vrm.ts';
import { makeWalk } from './motions/walk.ts';
import { makeWave } from './motions/wave.ts';

/** A file of the demo: `bytes` makes it. */
export interface DemoFile {
  readonly name: string;
  /** What it is, for people. */
  readonly title: string;
  readonly about: string;
  /** The body that is in it. */
  character(): DemoCharacter;
  bytes(): Uint8Array;
}

export interface DemoMotion extends DemoFile {
  /** The motion on the proportions of its body. */
  motion(): Motion;
}

type Color = readonly [number, number, number];

function character(
  name: string,
  about: string,
  rig: CharacterOptions,
  color: Color,
  document: typeof characterDocument = characterDocument,
): DemoFile {
  const body = (): DemoCharacter => makeCharacter(rig);
  return { name, title: rig.name ?? name, about, character, bytes: () => glbBytes(document(body(), { color })) };
}

/** Eight characters that differ in proportions, names, local axes, rest pose, unit, facing and bones. */
export const DEMO_CHARACTERS: readonly DemoFile[] = [
  character(
    'mixamo.glb',
    '1.75 m, T-pose, joints in cm below an armature of 0.01',
    rigs.MIXAMO_RIG,
    [0.14, 0.24, 0.42],
  ),
  character(
    'unreal.glb',
    'broad, A-pose, root and twist joints, +X along the bones',
    rigs.UNREAL_RIG,
    [0.36, 0.13, 0.09],
  ),
  character('child.vrm', 'faces +Z, 1.1 m, axes along the bones', rigs.VRM1_RIG, [0.48, 0.3, 0.06], vrm1Document),
  character(
    'chibi.vrm',
    'faces −Z, no rest rotations, a head of 40 cm',
    rigs.VRM0_RIG,
    [0.42, 0.12, 0.28],
    vrm0Document,
  ),
  character('blender.glb', '2.05 m, bound in an A-pose, saved in mid-walk', rigs.BLENDER_RIG, [0.1, 0.34, 0.2]),
  character('odd-axes.glb', 'axes at random, no neck, shoulders, hands or toes', rigs.RANDOM_RIG, [0.3, 0.3, 0.32]),
  character('giant.glb', '2.3 m in bare cm, arms hang, faces −Z', rigs.GIANT_RIG, [0.2, 0.15, 0.36]),
  character('fighter.glb', 'bound in a crouch, palms turned, faces 35° aside', rigs.FIGHTER_RIG, [0.05, 0.3, 0.36]),
];

function motion(
  name: string,
  title: string,
  about: string,
  rig: CharacterOptions,
  make: (figure: Figure) => Motion,
  print: (body: DemoCharacter, motion: Motion) => Uint8Array,
): DemoMotion {
  const body = (): DemoCharacter => makeCharacter(rig);
  const made = (): Motion => make(body().figure);
  return { name, title, about, character, motion: made, bytes: () => print(body(), made()) };
}

/** Three motions, each on a body and in a format of its own. */
export const DEMO_MOTIONS: readonly DemoMotion[] = [
  motion('walk.glb', 'Walk', 'GLB: Mixamo-like, 67 joints in cm', rigs.MIXAMO_RIG, makeWalk, (body, walk) =>
    glbBytes(characterDocument(body, { clips: [encodeMotion(body, walk)] })),
  ),
  motion('wave.vrma', 'Wave', 'VRMA: 52 bones, meters', rigs.VRMA_RIG, makeWave, (body, wave) =>
    glbBytes(vrmaDocument(body, { clips: [encodeMotion(body, wave)] })),
  ),
  motion('turn.bvh', 'Turn', 'BVH: mocap-like, arms down in the zero pose, cm', rigs.BVH_RIG, makePivot, (body, turn) =>
    new TextEncoder().encode(bvhText(body, encodeMotion(body, turn))),
  ),
];

/** All files of the demo, motions first. Nothing is made before `bytes` is called. */
export function demoFiles(): readonly DemoFile[] {
  return [...DEMO_MOTIONS, ...DEMO_CHARACTERS];
}
