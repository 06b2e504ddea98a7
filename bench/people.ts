/**
 * What people wait for. Commands as they are typed, each in a new process, against an empty Node process. The built studio in Chromium: from dropped files to
 * the first frame of the result, and from a changed option to its final result, against the same job in Node. On the demo's files, whose hands do not touch; where the asset folder is, also on
 * clips of Xbot whose hands touch, and the studio on a dance of 10 s and Xbot.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openBytes, retargetMotions } from '../src/files/index.ts';
import { type StudioBrowser, settle, startStudio } from '../test/external/browser/studio-page.ts';
import { asset, HAS_ASSETS } from '../test/support/assets.ts';
import { compare, type Row, rowOfRounds, runNode } from './measure.ts';

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

const XBOT = asset('assets', 'glb/Xbot.glb');

/** Commands in the folder of the demo, by what a person wants. */
const COMMANDS = [
  ['the version', '--version'],
  ['the demo', 'demo -o again --force'],
  ['what is this rig', 'inspect characters/child.vrm'],
  ['a motion on a GLB', 'retarget motions/walk.glb characters/unreal.glb -o out.glb --force'],
  ['the same without contacts', 'retarget motions/walk.glb characters/unreal.glb -o out.glb --contacts off --force'],
  ['a motion for an avatar', 'retarget motions/turn.bvh characters/child.vrm -o out.vrma --force'],
  ['a motion for an engine', 'retarget motions/turn.bvh --to unity -o out.fbx --force'],
  ['a character as USDZ', 'convert characters/unreal.glb -o out.usdz --force'],
] as const;

/** The same with real files: a motion with a mesh, whose hands are near its hips, on a realistic adult and on a wide knight. */
const REAL_COMMANDS = [
  ['a real walk', `retarget ${XBOT} --clip walk ${asset('assets', 'glb/m2m_human-female.glb')} -o out.glb --force`],
  [
    'a gesture on a wide body',
    `retarget ${XBOT} --clip agree ${asset('assets', 'glb/KayKit_Knight.glb')} -o out.glb --force`,
  ],
] as const;

async function measureCommands(folder: string, rounds: number): Promise<Row[]> {
  const against = { name: 'node -e 0', run: () => runNode(['-e', '0'], folder) };
  const comparisons = [...COMMANDS, ...(HAS_ASSETS ? REAL_COMMANDS : [])].map(([name, command]) => {
    const args = [CLI, ...command.split(' ')];
    return {
      name: `command: ${name}`,
      own: { name, run: () => runNode(args, folder) },
      against,
      kind: 'cost' as const,
    };
  });
  return compare(comparisons, rounds, { time: 0, calls: 1 });
}

/** Milliseconds from an action in the studio until results are on their figure and drawn: the first one, and the last one. */
async function timeResults(page: Page, act: () => Promise<unknown>): Promise<[first: number, last: number]> {
  await page.evaluate(() => {
    type Stage = HTMLElement & { setClip(id: string, clip: unknown): void };
    const stage = document.querySelector('anyrig-stage') as Stage;
    const { setClip } = stage;
    const shown: number[] = [];
    Object.assign(globalThis, { shown });
    stage.setClip = (id, clip) => {
      setClip.call(stage, id, clip);
      // The frame after the next one begins when that with the clip is drawn.
      if (id !== 'source' && clip !== null)
        requestAnimationFrame(() => requestAnimationFrame(() => shown.push(Date.now())));
    };
  });
  const start = Date.now();
  await act();
  await settle(page);
  const shown = await page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
    Reflect.deleteProperty(document.querySelector('anyrig-stage') as HTMLElement, 'setClip');
    return (globalThis as unknown as { shown: number[] }).shown;
  });
  return [shown[0] - start, shown[shown.length - 1] - start];
}

async function measureStudio({ visit }: StudioBrowser, folder: string, rounds: number): Promise<Row[]> {
  const paths = HAS_ASSETS
    ? [asset('assets', 'bvh/AD_rokoko_jesse_dance.bvh'), XBOT]
    : [join(folder, 'motions/walk.glb'), join(folder, 'characters/unreal.glb')];
  const files = paths.map((path) => ({ name: basename(path), bytes: readFileSync(path) }));
  const times: Readonly<Record<string, number[]>> = {
    'files dropped, first result': [],
    'option changed, first result': [],
    'option changed, final result': [],
  };
  const [dropped, firsts, finals] = Object.values(times);
  const inNode: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { page } = await visit();
    const input = page.locator('input[type=file][multiple]').first();
    dropped.push((await timeResults(page, () => input.setInputFiles(paths)))[0]);
    const space = page.getByLabel('Arm space');
    await space.fill('3');
    await settle(page);
    const [first, last] = await timeResults(page, () => space.fill('6'));
    firsts.push(first);
    finals.push(last);
    await page.context().close();
    const start = performance.now();
    const [motion, character] = await Promise.all(files.map(({ name, bytes }) => openBytes(bytes, { name })));
    await retargetMotions([motion], character, { output: 'out.glb' });
    inNode.push(performance.now() - start);
  }
  const against = { name: 'the job in Node', times: inNode };
  return Object.entries(times).map(([name, values]) => rowOfRounds(`studio: ${name}`, values, against, 'cost'));
}

/** Measures what people wait for. The rows of the studio are left out without Chromium. */
export async function people(rounds: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-bench-'));
  try {
    runNode([CLI, 'demo', '-o', '.', '--force'], folder);
    const commands = await measureCommands(folder, rounds);
    const studio = await startStudio();
    if (studio === null) return commands;
    try {
      return [...commands, ...(await measureStudio(studio, folder, rounds))];
    } finally {
      await studio.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
