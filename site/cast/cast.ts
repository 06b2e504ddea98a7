/** The cast of the studio: five characters that one likes to look at. Their rigs are those of the demo, so nothing about them is easy. */
import type { CharacterOptions, DemoCharacter } from '../../src/demo/characters/character.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { bindParts, byteWeights, type ColoredPart } from '../../src/demo/characters/mesh.ts';
import { GIANT_RIG, MIXAMO_RIG, RANDOM_RIG, VRM0_RIG, VRM1_RIG } from '../../src/demo/characters/rigs.ts';
import type { Figure } from '../../src/demo/figure/figure.ts';
import { ADULT, CHIBI, CHILD, HEAVY } from '../../src/demo/figure/proportions.ts';
import { type Costume, characterDocument, glbBytes } from '../../src/demo/files/glb.ts';
import { vrm0Document, vrm1Document } from '../../src/demo/files/vrm.ts';
import type { DemoFile } from '../../src/demo/index.ts';
import { EXPRESSIONS, type Expressions } from '../../src/demo/motions/motion.ts';
import { bodyOf, buttons, type Clothes } from './body.ts';
import { beard, buns, cap, type Face, faceOf, headOf, ponytail, robotHead } from './head.ts';
import { rgb } from './shapes.ts';

interface Member {
  readonly title: string;
  readonly name: string;
  readonly about: string;
  readonly rig: CharacterOptions;
  readonly material: { readonly roughness: number; readonly metalness: number };
  readonly document: typeof characterDocument;
  readonly parts: (figure: Figure) => ColoredPart[];
  /** Its head; without one, it is among the parts. */
  readonly face?: Face;
}

const CLOTH = { roughness: 0.62, metalness: 0 };

const runner: Clothes = {
  skin: rgb('#b9744a'),
  shirt: rgb('#ff5a4f'),
  trim: rgb('#fff3e6'),
  trousers: rgb('#27324f'),
  belt: rgb('#fff3e6'),
  shoes: rgb('#fdfdfd'),
  soles: rgb('#ff5a4f'),
  socks: rgb('#fdfdfd'),
  gloves: rgb('#b9744a'),
  sleeve: 0.22,
  trouserLeg: 0.3,
};

const chibi: Clothes = {
  skin: rgb('#ffd9c2'),
  shirt: rgb('#fff6fa'),
  trim: rgb('#ff8fb8'),
  trousers: rgb('#fff6fa'),
  skirt: rgb('#ff6fa3'),
  belt: rgb('#ff8fb8'),
  shoes: rgb('#c2366f'),
  soles: rgb('#fff6fa'),
  socks: rgb('#fff6fa'),
  gloves: rgb('#ffd9c2'),
  sleeve: 0.26,
  trouserLeg: 0.08,
};

const giant: Clothes = {
  skin: rgb('#e7ae85'),
  shirt: rgb('#d9472f'),
  trim: rgb('#b8351f'),
  trousers: rgb('#3f5f96'),
  belt: rgb('#3a2416'),
  shoes: rgb('#6b4226'),
  soles: rgb('#2c1c12'),
  socks: rgb('#4a3020'),
  gloves: rgb('#e7ae85'),
  sleeve: 0.62,
  trouserLeg: 0.97,
  belly: 0.3,
};

const robot: Clothes = {
  skin: rgb('#39424f'),
  shirt: rgb('#e9eef3'),
  trim: rgb('#20b8c4'),
  trousers: rgb('#39424f'),
  belt: rgb('#20b8c4'),
  shoes: rgb('#e9eef3'),
  soles: rgb('#39424f'),
  socks: rgb('#20b8c4'),
  gloves: rgb('#e9eef3'),
  sleeve: 0.42,
  trouserLeg: 0.36,
};

const kid: Clothes = {
  skin: rgb('#8a5436'),
  shirt: rgb('#ffc531'),
  trim: rgb('#ffffff'),
  trousers: rgb('#3c7a5a'),
  belt: rgb('#27324f'),
  shoes: rgb('#3457d5'),
  soles: rgb('#ffffff'),
  socks: rgb('#ffffff'),
  gloves: rgb('#8a5436'),
  sleeve: 0.94,
  trouserLeg: 0.9,
};

const MEMBERS: readonly Member[] = [
  {
    title: 'Kid',
    name: 'kid.vrm',
    about: 'VRM 1.0 of 1.2 m, axes along the bones',
    rig: {
      ...VRM1_RIG,
      name: 'Kid',
      proportions: { ...CHILD, head: 0.27, hand: 0.13, foot: 0.19, girth: 0.82, spine: 0.33 },
    },
    material: CLOTH,
    document: vrm1Document,
    parts: (figure) => [...bodyOf(figure, kid), ...cap(figure, rgb('#3457d5'), rgb('#ffc531'), rgb('#241611'))],
    face: {
      skin: kid.skin,
      lips: rgb('#6a2f24'),
      brows: rgb('#1e1210'),
      iris: rgb('#3a2416'),
      eyes: 1.12,
    },
  },
  {
    title: 'Robot',
    name: 'robot.glb',
    about: 'no neck, shoulders, hands or toes; axes at random',
    rig: {
      ...RANDOM_RIG,
      name: 'Robot',
      proportions: { ...ADULT, leg: 0.74, spine: 0.5, arm: 0.56, head: 0.3, girth: 1.05, shoulderWidth: 0.4 },
    },
    material: { roughness: 0.32, metalness: 0.1 },
    document: characterDocument,
    parts: (figure) => [
      ...bodyOf(figure, robot),
      ...robotHead(figure, rgb('#e9eef3'), rgb('#141a24'), rgb('#35f0f6')),
      ...buttons(figure, rgb('#35f0f6'), [2.95], 0.135),
    ],
  },
  {
    title: 'Runner',
    name: 'runner.glb',
    about: 'as Mixamo exports: T-pose, cm below an armature',
    rig: {
      ...MIXAMO_RIG,
      name: 'Runner',
      proportions: { ...ADULT, leg: 0.8, head: 0.265, hand: 0.2, foot: 0.27, girth: 0.97, neck: 0.08, arm: 0.5 },
    },
    material: CLOTH,
    document: characterDocument,
    parts: (figure) => [...bodyOf(figure, runner), ...ponytail(figure, rgb('#2b1712'), rgb('#ff5a4f'))],
    face: {
      skin: runner.skin,
      lips: rgb('#7d3a2b'),
      brows: rgb('#2b1712'),
      iris: rgb('#5b3a1e'),
      eyes: 0.95,
    },
  },
  {
    title: 'Giant',
    name: 'giant.glb',
    about: '2.4 m in bare cm, arms down, faces −Z',
    rig: { ...GIANT_RIG, name: 'Giant', proportions: { ...HEAVY, head: 0.36, girth: 1.7 } },
    material: { roughness: 0.75, metalness: 0 },
    document: characterDocument,
    parts: (figure) => [
      ...bodyOf(figure, giant),
      ...beard(figure, rgb('#7a3c1c')),
      ...buttons(figure, rgb('#ffd75e'), [0.62], 0.315),
    ],
    face: {
      skin: giant.skin,
      lips: rgb('#7d3a2b'),
      brows: rgb('#5d2c15'),
      iris: rgb('#2d5a7d'),
      eyes: 0.8,
    },
  },
  {
    title: 'Chibi',
    name: 'chibi.vrm',
    about: 'VRM 0.x that faces −Z, a head of 40 cm',
    rig: { ...VRM0_RIG, name: 'Chibi', proportions: { ...CHIBI, girth: 0.8, foot: 0.17 } },
    material: CLOTH,
    document: vrm0Document,
    parts: (figure) => [...bodyOf(figure, chibi), ...buns(figure, rgb('#8a5a34'), rgb('#ff6fa3'))],
    face: {
      skin: chibi.skin,
      lips: rgb('#c2366f'),
      brows: rgb('#7a4b2a'),
      iris: rgb('#7a3fd0'),
      eyes: 1.5,
      cheeks: rgb('#ffab9e'),
    },
  },
];

/** Binds parts to a character, with small weights. */
const bound = (character: DemoCharacter, parts: readonly ColoredPart[]) => {
  const mesh = bindParts(character, parts);
  return { ...mesh, weights: byteWeights(mesh.weights) };
};

/** The face of a member, with a shape for each expression. */
function faceMesh(character: DemoCharacter, face: Face): Costume['face'] & object {
  const calm: Expressions = { blink: 0, happy: 0 };
  const shown = (expressions: Expressions) => bound(character, faceOf(character.figure, face, expressions));
  const mesh = shown(calm);
  const shapes = EXPRESSIONS.map((expression) => {
    const { positions } = shown({ ...calm, [expression]: 1 });
    return [expression, positions.map((value, c) => value - mesh.positions[c])] as const;
  });
  return { mesh, shapes: Object.fromEntries(shapes) };
}

/** The five characters of the studio's first view, from left to right. */
export const CAST: readonly DemoFile[] = MEMBERS.map(({ title, name, about, rig, material, document, parts, face }) => {
  const character = () => makeCharacter(rig);
  const bytes = (): Uint8Array => {
    const made = character();
    const head = face === undefined ? [] : headOf(made.figure, face);
    const mesh = bound(made, [...parts(made.figure), ...head]);
    const costume = { material: title, ...material, mesh, face: face && faceMesh(made, face) };
    return glbBytes(document(made, { costume }));
  };
  return { name, title, about, character, bytes };
});
