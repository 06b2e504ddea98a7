/**
 * Draws the pictures of README and docs into docs/images: `npm run pictures`, or `npm run pictures reference-glb fbx-run` for some of
 * them. Characters and motions are those of the demo. Some pictures show real files from outside the project; without these files
 * they are skipped.
 */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clip } from '../src/core/animation/clip.ts';
import { LIMBS, type ReferencePose } from '../src/core/humanoid/humanoid.ts';
import { restPose } from '../src/core/skeleton/pose.ts';
import { makeCharacter } from '../src/demo/characters/make-character.ts';
import { ADULT, CHILD, type Proportions } from '../src/demo/figure/proportions.ts';
import { characterDocument, glbBytes } from '../src/demo/files/glb.ts';
import { DEMO_CHARACTERS, demoFiles } from '../src/demo/index.ts';
import type { ClipEdits } from '../src/files/clips/clip-edits.ts';
import { convertFile } from '../src/files/jobs/convert-file.ts';
import { mapFile } from '../src/files/jobs/map-file.ts';
import { retargetMotions } from '../src/files/jobs/retarget-motions.ts';
import { openFile } from '../src/files/node.ts';
import { type OpenFile, openBytes } from '../src/files/open.ts';
import type { OutputFile } from '../src/files/outputs/output-file.ts';
import { concatParts } from '../src/formats/gltf/document/glb.ts';
import { type DrawnSkeleton, drawnPositions, drawnSkeletons } from '../src/preview/drawn-skeleton.ts';
import { drawSheet, type SheetOptions, type SheetRow } from '../src/preview/sheet.ts';
import { clipRow, columnTimes, largeRow, posesRow } from '../src/preview/sheet-row.ts';
import { distinctPoses } from '../src/preview/skeleton-poses.ts';
import { demoBody } from '../test/contacts/demo-pair.ts';
import { type TouchKind, touchMotion } from '../test/contacts/touch-motions.ts';
import { CHROMIUM, runInChromium } from '../test/external/browser/chromium.ts';
import type { CrowdResult } from '../test/external/browser/crowd-page.ts';
import { asset, assetFiles, HAS_ASSETS } from '../test/support/assets.ts';
import { drawContacts, findPairs, SHOWN_PAIRS } from './contact-pictures.ts';
import { type RenderedPair, renderMotion, renderPair, type SheetLayout } from './render-contacts.ts';
import { usdCharacters } from './usd-character-pictures.ts';
import { usdCrowd, usdInBetweens, usdPoses } from './usd-pictures.ts';

/** Columns of a motion. */
const COLUMNS = 6;
/** Height of figures from real files, pixels. */
const FIGURE = 110;

async function demo(name: string): Promise<OpenFile> {
  const file = demoFiles().find((one) => one.name === name);
  if (file === undefined) throw new Error(`The demo has no file ${name}.`);
  return openBytes(file.bytes(), { name });
}

function aboutDemo(name: string): string {
  return demoFiles().find((file) => file.name === name)?.about ?? '';
}

/** Opens the last output of a job. */
async function reopened(outputs: readonly OutputFile[]): Promise<OpenFile> {
  const { path, parts } = outputs[outputs.length - 1];
  return openBytes(concatParts(parts), { name: path });
}

async function retargeted(motion: OpenFile, character: OpenFile, output: string): Promise<OpenFile> {
  return reopened((await retargetMotions([motion], character, { output })).outputs);
}

/** Returns the drawn skeleton of a file; the files here have one. */
function drawnOf(file: OpenFile): DrawnSkeleton {
  return drawnSkeletons(file)[0];
}

function motionRow(file: OpenFile, subtitle: string, options: { title?: string; source?: boolean } = {}): SheetRow {
  const [{ clips, duration }] = file.asset.clips;
  const drawn = drawnOf(file);
  return clipRow(drawn, clips[drawn.index], columnTimes(duration, COLUMNS), { title: file.name, subtitle, ...options });
}

function writeSvg(name: string, svg: string): void {
  writeFileSync(new URL(`../docs/images/${name}.svg`, import.meta.url), svg);
}

function write(name: string, rows: readonly SheetRow[], options: SheetOptions): void {
  writeSvg(name, drawSheet(rows, options));
}

async function oneMotionFourCharacters(): Promise<void> {
  const walk = await demo('walk.glb');
  const rows = [motionRow(walk, aboutDemo(walk.name), { source: true })];
  for (const name of ['unreal.glb', 'chibi.vrm', 'odd-axes.glb', 'giant.glb']) {
    rows.push(motionRow(await retargeted(walk, await demo(name), name), aboutDemo(name)));
  }
  write('one-motion-four-characters', rows, { title: 'One walk on four characters' });
}

async function referencePoses(): Promise<void> {
  const names = ['blender.glb', 'fighter.glb', 'giant.glb'];
  const shown = DEMO_CHARACTERS.filter(({ name }) => names.includes(name));
  const rows: SheetRow[] = [];
  for (const { name, about } of shown) rows.push(posesRow(drawnOf(await demo(name)), { title: name, subtitle: about }));
  const subtitle =
    'reference: what motions are measured from; node: rest pose of the nodes; bind: pose that the skin was bound in';
  write('reference-poses', rows, { title: 'The same T-pose found in three characters', subtitle });
}

/** The joint, without its side, that each bone of the arm gets in {@link wrongMap}: one joint too far up. */
const SHIFTED_ARMS: Readonly<Record<string, string>> = {
  UpperArm: 'clavicle',
  LowerArm: 'upperarm',
  Hand: 'lowerarm',
};

/** Draws a motion on a character whose bone map is wrong, and with the map that is detected. */
async function wrongMap(): Promise<void> {
  const wave = await demo('wave.vrma');
  const hero = await demo('unreal.glb');
  const { bones } = mapFile(hero);
  const shifted = Object.fromEntries(
    Object.entries(bones).flatMap(([bone, { name }]) => {
      const arm = /^(left|right)(Shoulder|UpperArm|LowerArm|Hand)$/.exec(bone);
      if (arm === null) return /Thumb|Index|Middle|Ring|Little/.test(bone) ? [] : [[bone, name] as const];
      const joint = SHIFTED_ARMS[arm[2]];
      return joint === undefined ? [] : [[bone, `${joint}_${arm[1][0]}`] as const];
    }),
  );
  const mapped = async (map?: Readonly<Record<string, string>>): Promise<OpenFile> => {
    const options = { output: 'hero.glb', ...(map && { target: { map } }) };
    return reopened((await retargetMotions([wave], hero, options)).outputs);
  };
  const rows = [
    motionRow(wave, 'the motion', { source: true }),
    motionRow(await mapped(shifted), 'leftUpperArm is clavicle_l, leftLowerArm is upperarm_l, leftHand is lowerarm_l', {
      title: 'wrong map',
    }),
    motionRow(await mapped(), 'leftUpperArm is upperarm_l, leftLowerArm is lowerarm_l, leftHand is hand_l', {
      title: 'right map',
    }),
  ];
  write('wrong-map', rows, { title: 'A wave with a wrong and with the right bone map' });
}

/** Draws a motion on a character that is measured from a pose that is no T-pose, and from its T-pose. */
async function wrongPose(): Promise<void> {
  const wave = await demo('wave.vrma');
  const fighter = await demo('fighter.glb');
  const posed = async (pose?: 'node'): Promise<OpenFile> => {
    const options = { output: 'fighter.glb', ...(pose && { target: { pose } }) };
    return reopened((await retargetMotions([wave], fighter, options)).outputs);
  };
  const rows = [
    motionRow(wave, 'the motion', { source: true }),
    motionRow(await posed('node'), '--target-pose node: measured from the fighting stance of the file', {
      title: 'wrong pose',
    }),
    motionRow(await posed(), 'measured from the T-pose that anyrig finds', { title: 'right pose' }),
  ];
  write('wrong-pose', rows, { title: 'A wave with a wrong and with the right reference pose' });
}

async function vrmAnimation(): Promise<void> {
  const pivot = await demo('turn.bvh');
  const vrma = await reopened((await convertFile(pivot, { output: 'turn.vrma' })).outputs);
  const rows = [
    motionRow(pivot, aboutDemo(pivot.name), { source: true }),
    motionRow(vrma, 'written by anyrig convert: bones without rotations at rest, facing +Z, meters'),
  ];
  for (const name of ['child.vrm', 'chibi.vrm']) {
    rows.push(motionRow(await retargeted(vrma, await demo(name), name), `retargeted; ${aboutDemo(name)}`));
  }
  write('bvh-to-vrma', rows, { title: 'A BVH converted to a VRM Animation, retargeted onto two VRMs' });
}

async function bvhCharacter(): Promise<void> {
  const pivot = await demo('turn.bvh');
  const walk = await demo('walk.glb');
  const rows = [
    posesRow(drawnOf(pivot), {
      title: pivot.name,
      subtitle: 'the zero pose (node) is not a T-pose; the reference pose is corrected to one',
    }),
    motionRow(walk, aboutDemo(walk.name), { source: true }),
    motionRow(
      await retargeted(walk, pivot, 'walk-on-turn.bvh'),
      'the hierarchy, the OFFSETs and the channels of turn.bvh',
    ),
    motionRow(
      await reopened((await convertFile(walk, { output: 'walk.bvh' })).outputs),
      'a new BVH with the skeleton of walk.glb; its zero pose is a T-pose',
    ),
  ];
  write('bvh-character', rows, { title: 'A walk written into an existing BVH and into a new one' });
}

async function clipEdits(): Promise<void> {
  const edits: readonly (readonly [string, string, ClipEdits])[] = [
    ['--mirror', 'left and right are swapped', { mirror: true }],
    ['--trim 0.4:1.5 --speed 0.5', '1.1 s of the walk at half speed', { trim: { from: 0.4, to: 1.5 }, speed: 0.5 }],
    [
      '--trim 0.4:1.5 --loop',
      'first and last pose match; root motion is preserved',
      { trim: { from: 0.4, to: 1.5 }, loop: true },
    ],
    ['--reduce 1', '', { reduce: 1 }],
  ];
  const walk = await demo('walk.glb');
  const keysOf = (file: OpenFile): number => {
    return file.asset.clips[0].clips[0].tracks.reduce((sum, { times }) => sum + times.length, 0);
  };
  const rows = [motionRow(walk, `${keysOf(walk)} keys`, { source: true })];
  for (const [title, about, edit] of edits) {
    const file = await reopened((await convertFile(await demo('walk.glb'), { output: 'x.glb', edits: edit })).outputs);
    const keys = `${keysOf(file)} keys`;
    rows.push(motionRow(file, about === '' ? keys : `${about}; ${keys}`, { title }));
  }
  write('clip-edits', rows, {
    title: 'A walk, edited',
    subtitle: 'anyrig convert walk.glb -o edited.glb with these flags',
  });
}

async function fbxRun(): Promise<void> {
  const run = await openFile(asset('assets/fbx/ufbx_maya_kenney_character_7700_binary.fbx'));
  const named = { ...run, name: 'run.fbx' };
  const rows = [
    posesRow(drawnOf(named), {
      title: 'run.fbx',
      subtitle: 'the node transforms are a running pose, the bind pose is not',
    }),
    motionRow(named, 'binary FBX 7.7 from Maya; character by Kenney, CC0', { source: true }),
  ];
  for (const name of ['child.vrm', 'unreal.glb']) {
    rows.push(motionRow(await retargeted(named, await demo(name), name), aboutDemo(name)));
  }
  write('fbx-run', rows, { title: 'A run from an FBX on two demo characters' });
}

/** Describes how far the limbs were from a T-pose, by the worse side: `arms 40°, legs 15°`. */
function offBefore({ startDeviationDegrees }: ReferencePose): string {
  const kinds = [...new Set(LIMBS.map((limb) => limb.replace(/^(?:left|right)/, '')))];
  const worst = kinds.map((kind) => {
    const degrees = (['left', 'right'] as const).map((side) => {
      return startDeviationDegrees[`${side}${kind}` as (typeof LIMBS)[number]] ?? 0;
    });
    return [kind.replace(/s$/, ''), Math.round(Math.max(...degrees))] as const;
  });
  const off = worst.filter(([, degrees]) => degrees > 0).map(([kind, degrees]) => `${kind.toLowerCase()}s ${degrees}°`);
  return off.length === 0 ? 'already a T-pose' : off.join(', ');
}

/** Returns the pose that the reference pose was estimated from, moved to the same ground; empty if it was not estimated. */
function startPose(drawn: DrawnSkeleton): Float64Array[] {
  const { humanoid } = drawn;
  if (humanoid?.reference.kind !== 'estimated') return [];
  const positions = drawnPositions(drawn, humanoid.basePose ?? restPose(drawn.skeleton));
  const joints = Array.from(humanoid.map.nodes).filter((node) => node >= 0);
  const lowest = (of: Float64Array): number => Math.min(...joints.map((joint) => of[3 * joint + 1]));
  const lift = lowest(distinctPoses(drawn)[0].positions) - lowest(positions);
  for (let i = 1; i < positions.length; i += 3) positions[i] += lift;
  return [positions];
}

/** Draws characters in their reference pose and in the pose that it was estimated from. */
async function realReferencePoses(name: string, title: string, paths: readonly string[]): Promise<void> {
  const rows: SheetRow[] = [];
  for (const path of paths) {
    const drawn = drawnOf(await openFile(path));
    const { humanoid } = drawn;
    if (humanoid === null) throw new Error(`${path} is not humanoid: ${drawn.reason}`);
    const { kind, from } = humanoid.reference;
    const subtitle = kind === 'estimated' ? `from ${from}: ${offBefore(humanoid.reference)}` : `${kind} (${from})`;
    const [reference] = distinctPoses(drawn);
    const row = largeRow(drawn, [reference], { title: basename(path), subtitle });
    const frames = [...row.frames, ...startPose(drawn)];
    rows.push({ ...row, figure: FIGURE, frames, labels: ['reference', 'before'].slice(0, frames.length) });
  }
  write(name, rows, {
    title,
    subtitle: 'the reference pose, what it was estimated from, and the hands of the reference pose',
  });
}

/** Draws pairs with and without contacts. */
async function contacts(): Promise<void> {
  for (const [index, pair] of (await findPairs(SHOWN_PAIRS)).entries()) {
    writeSvg(`contacts-${index + 1}`, await drawContacts(pair));
  }
}

/** Live contacts in three.js, of motions and characters in the public domain. */
const LIVE_PAIRS: readonly RenderedPair[] = [
  ['glb/RobotExpressive.glb', 'Walking', 'glb/m2m_human-male.glb'],
  ['glb/KayKit_Knight.glb', 'Sit_Floor_Down', 'glb/m2m_human-male.glb'],
  ['glb/KayKit_Knight.glb', 'Lie_Down', 'glb/m2m_human-female.glb'],
];
const LIVE: SheetLayout = {
  rows: ['source', 'off', 'live'],
  views: ['side'],
  columns: 6,
  cell: [160, 130],
  image: 'jpeg',
};
/** Hands of a demo adult that touch, on other characters of the demo. */
const HANDS_ON: readonly (readonly [kind: TouchKind, about: string, proportions: Proportions])[] = [
  ['clap', 'wide shoulders', { ...ADULT, shoulderWidth: 0.5 }],
  ['knees', 'child', CHILD],
];
const HANDS: SheetLayout = {
  rows: ['source', 'auto', 'hands'],
  views: ['hands'],
  columns: 5,
  cell: [150, 150],
  image: 'jpeg',
};

async function contactsHands(): Promise<void> {
  if (CHROMIUM === null) return;
  const adult = await demoBody();
  for (const [index, [kind, about, proportions]] of HANDS_ON.entries()) {
    const file = (name: string, of: Proportions, clips: readonly Clip[]) => {
      const document = characterDocument(makeCharacter({ proportions: of }), { color: [0.75, 0.62, 0.5], clips });
      return { name, bytes: glbBytes(document) };
    };
    const motion = file('source.glb', ADULT, [touchMotion(kind, adult, 1)]);
    const character = file('target.glb', proportions, []);
    const image = await renderMotion({ title: `${kind}: adult on ${about}`, motion, clip: kind, character }, HANDS);
    writeFileSync(new URL(`../docs/images/contacts-hands-${index + 1}.jpg`, import.meta.url), image);
  }
}

/** Draws pairs with their meshes, rendered by Chromium without a graphics card. */
async function rendered(name: string, pairs: readonly RenderedPair[], layout: SheetLayout): Promise<void> {
  if (CHROMIUM === null) return;
  for (const [index, pair] of pairs.entries()) {
    const image = await renderPair(pair, layout);
    writeFileSync(new URL(`../docs/images/${name}-${index + 1}.jpg`, import.meta.url), image);
  }
}

function files(folder: string, ...extensions: string[]): string[] {
  return assetFiles(`assets/${folder}`, ...extensions);
}

/** The crowd of examples/crowd, drawn by Chromium without a graphics card. */
async function crowd(): Promise<void> {
  if (CHROMIUM === null) return;
  const page = fileURLToPath(new URL('../test/external/browser/crowd-page.ts', import.meta.url));
  const demo = Object.fromEntries(demoFiles().map((file) => [file.name, file.bytes()]));
  const { pictures } = (await runInChromium(page, demo)) as CrowdResult;
  const [picture] = pictures;
  const bytes = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
  writeFileSync(new URL('../docs/images/crowd.jpg', import.meta.url), bytes);
}

const PICTURES: Readonly<Record<string, () => Promise<void>>> = {
  'one-motion-four-characters': oneMotionFourCharacters,
  'reference-poses': referencePoses,
  'wrong-map': wrongMap,
  'wrong-pose': wrongPose,
  'bvh-to-vrma': vrmAnimation,
  'bvh-character': bvhCharacter,
  'clip-edits': clipEdits,
  'fbx-run': fbxRun,
  contacts,
  'contacts-live': () => rendered('contacts-live', LIVE_PAIRS, LIVE),
  'contacts-hands': contactsHands,
  crowd,
  'usd-poses': async () => writeSvg('usd-poses', usdPoses()),
  'usd-crowd': async () => writeSvg('usd-crowd', usdCrowd()),
  'usd-in-betweens': async () => writeSvg('usd-in-betweens', usdInBetweens()),
  'usd-characters': async () => writeSvg('usd-characters', await usdCharacters()),
  'reference-glb': () => realReferencePoses('reference-glb', 'Reference poses of GLB files', files('glb', 'glb')),
  'reference-vrm': () =>
    realReferencePoses('reference-vrm', 'Reference poses of VRM and VRMA files', [
      ...files('vrm', 'vrm'),
      ...files('vrma', 'vrma'),
    ]),
  'reference-bvh': () => realReferencePoses('reference-bvh', 'Reference poses of BVH files', files('bvh', 'bvh')),
  'reference-fbx': () => {
    // Without those that rest in a T-pose: there is nothing to see in them.
    const shown = files('fbx', 'fbx').filter((path) => !/ufbx_|unity421_|mayalt2017_/.test(path));
    return realReferencePoses('reference-fbx', 'Reference poses of FBX files', shown);
  },
};
/** Pictures that need files from outside the project. */
const REAL = /^fbx-run$|^contacts(?:-live)?$|^usd-characters$|^reference-(?:glb|vrm|bvh|fbx)$/;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(PICTURES, name));
if (unknown.length > 0)
  throw new Error(`There is no picture ${unknown.join(', ')}. Choose from: ${Object.keys(PICTURES).join(', ')}.`);
for (const [name, draw] of Object.entries(PICTURES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  if (HAS_ASSETS || !REAL.test(name)) await draw();
}
