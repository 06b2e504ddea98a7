/** The studio with real files in a real browser: a bone is changed, the pose edited, the motion trimmed, every format taken away. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { convertFile, openBytes } from 'anyrig/files';
import { concatParts } from 'anyrig/gltf';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../../studio/src/app/outputs.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { dracoGlb } from '../../support/make/draco-glb.ts';
import { CHROMIUM } from './chromium.ts';
import {
  type NamedFile,
  openFiles,
  PATIENCE,
  removeFiles,
  type StudioBrowser,
  settle,
  startStudio,
  takeAway,
} from './studio-page.ts';

/** Seconds that the trim keeps. */
const KEPT = 0.5;
/** Degrees by which a bone of the reference pose is rotated. */
const TURN = -15;

function read(path: string): NamedFile {
  return { name: basename(path), bytes: readFileSync(asset('assets', path)) };
}

/** A real character as USDZ: the third-party files have USD without packages only. */
async function asUsdz(path: string): Promise<NamedFile> {
  const { name, bytes } = read(path);
  const output = name.replace(/\.glb$/, '.usdz');
  const { outputs } = await convertFile(await openBytes(bytes, { name }), { output });
  return { name: output, bytes: concatParts(outputs[0].parts) };
}

/** Motion and character, and the formats that are taken away; null for all. */
type Pair = readonly [title: string, motion: string, character: string, formats: readonly OutputFormat[] | null];

const PAIRS: readonly Pair[] = [
  ['a Mixamo FBX on a VRM', 'fbx/mixamo_Walking.fbx', 'vrm/Godette_vrm_v4.vrm', null],
  ['a clip of a GLB on a GLB', 'glb/Xbot.glb', 'glb/m2m_human-zombie.glb', ['glb', 'gltf', 'usda']],
  ['a VRM Animation on a VRM', 'vrma/ChatVRM_idle_loop.vrma', 'vrm/cool_loops.vrm', ['vrm']],
  // Not VRMA, whose JSON has all digits: the map and the pose are those of the GLB that is shown for a USDZ, which has rounded rest rotations.
  ['a BVH on a USDZ', 'bvh/pybvh_cmu_12_01_walk.bvh', 'usdz:glb/m2m_human-male.glb', ['usdz', 'usdc', 'glb']],
];

/** Takes the left toes off the map. */
async function changeBone(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Bones' }).click();
  const toes = page.getByLabel('leftToes', { exact: true });
  // The list stays open for the next character.
  if (!(await toes.isVisible())) await page.getByText('All bones').click();
  await toes.selectOption('');
  await settle(page);
}

/** Rotates the left upper arm of the reference pose. */
async function editPose(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Pose' }).click();
  await page.getByLabel('Bone', { exact: true }).selectOption('leftUpperArm');
  await page.getByLabel('leftUpperArm about z').fill(`${TURN}`);
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await settle(page);
}

async function trim(page: Page): Promise<void> {
  await page.getByLabel('End of the trim').fill(`${KEPT}`);
  await settle(page);
}

/** The map without the left toes, as the page writes it beside the result. */
function mapIn(files: readonly NamedFile[]): Record<string, string | number> {
  const file = files.find(({ name }) => name.endsWith('.map.json')) as NamedFile;
  return JSON.parse(Buffer.from(file.bytes).toString()).bones;
}

describe.skipIf(CHROMIUM === null || !HAS_ASSETS || !IS_FULL_RUN)('studio with real files', () => {
  let studio: StudioBrowser;
  // One page for all files, which goes on as for a person: a visit takes as long as opening, editing and writing a pair.
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    studio = (await startStudio()) as StudioBrowser;
    ({ page, complaints } = await studio.visit());
  }, 4 * PATIENCE);
  afterEach(async () => {
    await removeFiles(page);
  }, PATIENCE);
  afterAll(() => studio?.close());

  it.each(PAIRS)(
    '%s: bone, pose and trim are changed, and what is taken away has the bytes of the library',
    async (_, motionPath, characterPath, some) => {
      const motion = read(motionPath);
      const character = characterPath.startsWith('usdz:') ? await asUsdz(characterPath.slice(5)) : read(characterPath);
      await openFiles(page, motion, character);
      // Fitted keys follow the last digits of rest rotations, and the GLB that is shown for a USDZ has them rounded.
      const fps = characterPath.startsWith('usdz:') ? { fps: 30 } : {};
      if (fps.fps !== undefined) {
        await page.getByRole('tab', { name: 'Motion' }).click();
        await page.getByText('File size', { exact: true }).click();
        await page.getByLabel('Frame rate').selectOption(`${fps.fps}`);
      }
      await changeBone(page);
      await editPose(page);
      await trim(page);
      await page.getByRole('tab', { name: 'Export', exact: true }).click();
      const offered = page.getByLabel('Format').locator('option');
      const formats = some ?? (await offered.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)));
      const differences: string[] = [];
      for (const format of formats) {
        await page.getByLabel('Format').selectOption(format);
        const files = await takeAway(page);
        const pose = files.find(({ name }) => name.endsWith('.pose.glb')) as NamedFile;
        const output = (files.find(({ name }) => name.endsWith(`.${format}`)) as NamedFile).name;
        const expected = await studio.retarget(
          motion,
          character,
          {
            output,
            ...fps,
            ...(inspectsManyClips(motion) ? { clips: [0] } : {}),
            edits: { trim: { from: 0, to: KEPT } },
            target: { map: mapIn(files) },
          },
          pose,
        );
        for (const { name, bytes } of expected) {
          const own = files.find((one) => one.name === name);
          if (own === undefined) differences.push(`${name} was not downloaded`);
          else if (Buffer.compare(own.bytes, bytes) !== 0)
            differences.push(`${name}: ${own.bytes.length} and ${bytes.length} bytes`);
        }
      }
      expect(differences).toEqual([]);
      if (some === null) expect(formats.length).toBeGreaterThan(6);
      expect(complaints).toEqual([]);
    },
    4 * PATIENCE,
  );

  it('shows a mesh that is compressed by Draco', async () => {
    await openFiles(page, { name: 'draco.glb', bytes: await dracoGlb(read('glb/Xbot.glb').bytes) });
    await page.waitForFunction(() => {
      const stage = document.querySelector('anyrig-stage')?.shadowRoot;
      return [...(stage?.querySelectorAll('.label') ?? [])].some(({ textContent }) => textContent === 'draco.glb');
    });
    expect(complaints).toEqual([]);
  });
});

/** Whether the page takes one clip of several. */
function inspectsManyClips({ name }: NamedFile): boolean {
  return name === 'Xbot.glb';
}
