/**
 * Draws the pictures of README and docs into docs/images: `npm run pictures`, or `npm run pictures reference-glb fbx-run` for some of them.
 * Bodies and motions are those of the demo; some show real files, which are not part of the project: without them these pictures stay as
 * they are.
 */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { LIMBS, type ReferencePose } from '../src/core/humanoid/humanoid.ts';
import { restPose } from '../src/core/skeleton/pose.ts';
import { DEMO_CHARACTERS, demoFiles } from '../src/demo/index.ts';
import type { ClipEdits } from '../src/files/clips/clip-edits.ts';
import { convertFile } from '../src/files/jobs/convert-file.ts';
import { openFile } from '../src/files/node.ts';
import { type OpenFile, openBytes } from '../src/files/open.ts';
import type { OutputFile } from '../src/files/outputs/output-file.ts';
import { retargetMotions } from '../src/files/jobs/retarget-motions.ts';
import { concatParts } from '../src/formats/gltf/document/glb.ts';
import { distinctPoses } from '../src/preview/skeleton-poses.ts';
import { type DrawnSkeleton, drawnSkeletons, drawnPositions } from '../src/preview/drawn-skeleton.ts';
import { drawSheet, type SheetOptions, type SheetRow } from '../src/preview/sheet.ts';
import { clipRow, columnTimes, largeRow, posesRow } from '../src/preview/sheet-row.ts';
import { asset, assetFiles, HAS_ASSETS } from '../test/assets.ts';
import { usdCharacters } from './usd-character-pictures.ts';
import { usdCrowd, usdInBetweens, usdPoses } from './usd-pictures.ts';

/** Moments of a motion. */
const COLUMNS = 6;
/** Pixels that the bodies of real files are tall. */
const FIGURE = 110;

async function demo(name: string): Promise<OpenFile> {
  const file = demoFiles().find((one) => one.name === name);
  if (file === undefined) throw new Error(`the demo has no ${name}`);
  return openBytes(file.bytes(), { name });
}

function aboutDemo(name: string): string {
  return demoFiles().find((file) => file.name === name)?.about ?? '';
}

/** What a job wrote, read again. */
async function reopened(outputs: readonly OutputFile[]): Promise<OpenFile> {
  const { path, parts } = outputs[outputs.length - 1];
  return openBytes(concatParts(parts), { name: path });
}

async function retargeted(motion: OpenFile, character: OpenFile, output: string): Promise<OpenFile> {
  return reopened((await retargetMotions([motion], character, { output })).outputs);
}

/** The body of a file; the files here have one. */
function bodyOf(file: OpenFile): DrawnSkeleton {
  return drawnSkeletons(file)[0];
}

function motionRow(file: OpenFile, subtitle: string, options: { title?: string; source?: boolean } = {}): SheetRow {
  const [{ clips, duration }] = file.asset.clips;
  const body = bodyOf(file);
  return clipRow(body, clips[body.index], columnTimes(duration, COLUMNS), { title: file.name, subtitle, ...options });
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
  for (const { name, about } of shown) rows.push(posesRow(bodyOf(await demo(name)), { title: name, subtitle: about }));
  const subtitle = 'reference: what motions are measured from; node: how the nodes stand; bind: how the skin was bound';
  write('reference-poses', rows, { title: 'The same T-pose found in three characters', subtitle });
}

async function vrmAnimation(): Promise<void> {
  const turn = await demo('turn.bvh');
  const vrma = await reopened((await convertFile(turn, { output: 'turn.vrma' })).outputs);
  const rows = [
    motionRow(turn, aboutDemo(turn.name), { source: true }),
    motionRow(vrma, 'written by anyrig convert: bones without rotations at rest, facing +Z, meters'),
  ];
  for (const name of ['child.vrm', 'chibi.vrm']) {
    rows.push(motionRow(await retargeted(vrma, await demo(name), name), `played on it; ${aboutDemo(name)}`));
  }
  write('bvh-to-vrma', rows, { title: 'A BVH as a VRM Animation, and that on two VRMs' });
}

async function bvhCharacter(): Promise<void> {
  const turn = await demo('turn.bvh');
  const walk = await demo('walk.glb');
  const rows = [
    posesRow(bodyOf(turn), { title: turn.name, subtitle: 'its zero pose (node) is no T; the reference is made one' }),
    motionRow(walk, aboutDemo(walk.name), { source: true }),
    motionRow(
      await retargeted(walk, turn, 'walk-on-turn.bvh'),
      'the hierarchy, the OFFSETs and the channels of turn.bvh',
    ),
    motionRow(
      await reopened((await convertFile(walk, { output: 'walk.bvh' })).outputs),
      'a new BVH of the body of walk.glb; its zero pose is its T-pose',
    ),
  ];
  write('bvh-character', rows, { title: 'A walk written into a BVH, and into a new one' });
}

async function clipEdits(): Promise<void> {
  const edits: readonly (readonly [string, string, ClipEdits])[] = [
    ['--mirror', 'left is right; the other foot goes first', { mirror: true }],
    ['--trim 0.4:1.5 --speed 0.5', '1.1 s of it, at half the speed', { trim: { from: 0.4, to: 1.5 }, speed: 0.5 }],
    [
      '--trim 0.4:1.5 --loop',
      'the last pose is the first one; the way is kept',
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
    posesRow(bodyOf(named), { title: 'run.fbx', subtitle: 'the nodes stand in the run, the bind pose does not' }),
    motionRow(named, 'FBX 7.7, binary, out of Maya; character by Kenney, CC0', { source: true }),
  ];
  for (const name of ['child.vrm', 'unreal.glb']) {
    rows.push(motionRow(await retargeted(named, await demo(name), name), aboutDemo(name)));
  }
  write('fbx-run', rows, { title: 'The run of an FBX on two characters of the demo' });
}

/** Limbs that were off a T before, the worse side of each: `arms 40°, legs 15°`. */
function offBefore({ startDeviationDegrees }: ReferencePose): string {
  const kinds = [...new Set(LIMBS.map((limb) => limb.replace(/^(?:left|right)/, '')))];
  const worst = kinds.map((kind) => {
    const degrees = (['left', 'right'] as const).map((side) => {
      return startDeviationDegrees[`${side}${kind}` as (typeof LIMBS)[number]] ?? 0;
    });
    return [kind.replace(/s$/, ''), Math.round(Math.max(...degrees))] as const;
  });
  const off = worst.filter(([, degrees]) => degrees > 0).map(([kind, degrees]) => `${kind.toLowerCase()}s ${degrees}°`);
  return off.length === 0 ? 'a T already' : off.join(', ');
}

/** The pose that a reference pose was estimated from, on the ground of the body; none where it was taken as it is. */
function startPose(body: DrawnSkeleton): Float64Array[] {
  const { humanoid } = body;
  if (humanoid?.reference.kind !== 'estimated') return [];
  const positions = drawnPositions(body, humanoid.basePose ?? restPose(body.skeleton));
  const joints = Array.from(humanoid.map.nodes).filter((node) => node >= 0);
  const lowest = (of: Float64Array): number => Math.min(...joints.map((joint) => of[3 * joint + 1]));
  const lift = lowest(distinctPoses(body)[0].positions) - lowest(positions);
  for (let at = 1; at < positions.length; at += 3) positions[at] += lift;
  return [positions];
}

/** Every character of a kind of files in its reference pose, and in the pose that that was estimated from. */
async function realReferencePoses(name: string, title: string, paths: readonly string[]): Promise<void> {
  const rows: SheetRow[] = [];
  for (const path of paths) {
    const body = bodyOf(await openFile(path));
    const { humanoid } = body;
    if (humanoid === null) throw new Error(`${path} is not humanoid: ${body.reason}`);
    const { kind, from } = humanoid.reference;
    const subtitle = kind === 'estimated' ? `from ${from}: ${offBefore(humanoid.reference)}` : `${kind} (${from})`;
    const [reference] = distinctPoses(body);
    const row = largeRow(body, [reference], { title: basename(path), subtitle });
    const frames = [...row.frames, ...startPose(body)];
    rows.push({ ...row, figure: FIGURE, frames, labels: ['reference', 'before'].slice(0, frames.length) });
  }
  write(name, rows, {
    title,
    subtitle: 'the reference pose, what it was estimated from, and the hands of the reference pose',
  });
}

function files(folder: string, ...extensions: string[]): string[] {
  return assetFiles(`assets/${folder}`, ...extensions);
}

const PICTURES: Readonly<Record<string, () => Promise<void>>> = {
  'one-motion-four-characters': oneMotionFourCharacters,
  'reference-poses': referencePoses,
  'bvh-to-vrma': vrmAnimation,
  'bvh-character': bvhCharacter,
  'clip-edits': clipEdits,
  'fbx-run': fbxRun,
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
  'reference-fbx': () => realReferencePoses('reference-fbx', 'Reference poses of FBX files', files('fbx', 'fbx')),
};
/** Pictures of files that are not part of the project. */
const REAL = /^fbx-run$|^usd-characters$|^reference-(?:glb|vrm|bvh|fbx)$/;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(PICTURES, name));
if (unknown.length > 0)
  throw new Error(`there is no picture ${unknown.join(', ')}; there are ${Object.keys(PICTURES).join(', ')}`);
for (const [name, draw] of Object.entries(PICTURES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  if (HAS_ASSETS || !REAL.test(name)) await draw();
}
