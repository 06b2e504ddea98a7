/**
 * Draws the pictures of README and docs into docs/images: `npx tsx --conditions=@anyrig/source scripts/docs-pictures.ts`. Bodies and
 * motions are those of the demo, but for one real FBX, which is not part of the project: without it that picture is left as it is.
 */
import { writeFileSync } from 'node:fs';
import { DEMO_CHARACTERS, demoFiles } from '../src/demo/index.ts';
import type { ClipEdits } from '../src/files/clip-edits.ts';
import { convertFile } from '../src/files/convert-file.ts';
import { openFile } from '../src/files/node.ts';
import { type OpenFile, openBytes } from '../src/files/open.ts';
import type { OutputFile } from '../src/files/output-file.ts';
import { retargetMotions } from '../src/files/retarget-motions.ts';
import { concatParts } from '../src/formats/gltf/glb.ts';
import { type DrawnBody, drawnBodies } from '../src/preview/drawn-body.ts';
import { drawSheet, type SheetOptions, type SheetRow } from '../src/preview/sheet.ts';
import { clipRow, columnTimes, posesRow } from '../src/preview/sheet-row.ts';
import { asset, HAS_ASSETS } from '../test/assets.ts';

/** Moments of a motion. */
const COLUMNS = 6;

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
function bodyOf(file: OpenFile): DrawnBody {
  return drawnBodies(file)[0];
}

function motionRow(file: OpenFile, subtitle: string, options: { title?: string; source?: boolean } = {}): SheetRow {
  const [{ clips, duration }] = file.asset.clips;
  const body = bodyOf(file);
  return clipRow(body, clips[body.index], columnTimes(duration, COLUMNS), { title: file.name, subtitle, ...options });
}

function write(name: string, rows: readonly SheetRow[], options: SheetOptions): void {
  writeFileSync(new URL(`../docs/images/${name}.svg`, import.meta.url), drawSheet(rows, options));
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
  const subtitle = 'reference: what motions are measured from; rest: how the nodes stand; bind: how the skin was bound';
  write('reference-poses', rows, { title: 'The same T-pose found in three characters', subtitle });
}

async function vrmAnimation(): Promise<void> {
  const turn = await demo('turn.bvh');
  const vrma = await reopened((await convertFile(turn, { output: 'turn.vrma' })).outputs);
  const rows = [
    motionRow(turn, aboutDemo(turn.name), { source: true }),
    motionRow(vrma, 'written by anyrig convert: bones without rotations at rest, facing +Z, metres'),
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
    posesRow(bodyOf(turn), { title: turn.name, subtitle: 'its zero pose (rest) is no T; the reference is made one' }),
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
  if (!HAS_ASSETS) return;
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

await oneMotionFourCharacters();
await referencePoses();
await vrmAnimation();
await bvhCharacter();
await clipEdits();
await fbxRun();
