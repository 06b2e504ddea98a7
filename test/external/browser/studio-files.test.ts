/**
 * The studio with real files in a real browser: a bone is changed, the pose edited, the motion trimmed, every format taken away; and the ways of docs/studio.md, action
 * by action: from two files to a GLB in two, and from a wrong map to a right result.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { BoneAssignments } from 'anyrig';
import { convertFile, openBytes } from 'anyrig/files';
import { concatParts, serializeGltf } from 'anyrig/gltf';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GltfFile } from '../../../src/files/open-file.ts';
import type { OutputFormat } from '../../../studio/src/app/outputs.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { dracoGlb } from '../../support/make/draco-glb.ts';
import { unnamedRig } from '../../support/make/unnamed-rig.ts';
import { CHROMIUM } from './chromium.ts';
import {
  downloaded,
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

const MOTION = 'fbx/m2m_CMU_91_48.fbx';
const JACKS = 'bvh/AD_cmu1_jumping_jacks.bvh';
const KNIGHT = 'glb/KayKit_Knight.glb';
const WOMAN = 'glb/m2m_human-female.glb';

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

/** Serves files on another port of this machine, which is another origin, and lets other pages read those whose name does not begin with `closed`. */
async function otherOrigin(files: readonly NamedFile[]): Promise<{ address: string; server: Server }> {
  const server = createServer(({ url = '' }, response) => {
    const name = decodeURIComponent(url.slice(1));
    const file = files.find((one) => one.name === name);
    const cors = name.startsWith('closed') ? {} : { 'access-control-allow-origin': '*' };
    response.writeHead(file === undefined ? 404 : 200, cors).end(file?.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** A GLB whose nodes have other names. */
async function renamed(path: string, name: string, rename: (old: string) => string): Promise<NamedFile> {
  const { document } = (await openBytes(read(path).bytes, { name })) as GltfFile;
  for (const node of document.json['nodes'] as { name?: string }[]) {
    if (node.name !== undefined) node.name = rename(node.name);
  }
  return { name, bytes: concatParts(serializeGltf(document, { binName: 'unused.bin' }).parts) };
}

/** Exchanges left and right in names that end with the side. */
function withOtherSide(name: string): string {
  return name.replace(/\.(l|r)$/, (_, side: string) => (side === 'l' ? '.r' : '.l'));
}

/** The last clip of a GLB as numbers, by name of the node. */
async function lastClip(
  { name, bytes }: NamedFile,
  rename = (old: string): string => old,
): Promise<Map<string, number[]>> {
  const { asset: content } = await openBytes(bytes, { name });
  const clip = content.clips[content.clips.length - 1];
  const tracks = clip.clips.flatMap(({ tracks: own }, k) =>
    own.map(({ target, path, values }): [string, number[]] => {
      return [`${rename(content.skeletons[k].skeleton.names[target])} ${path}`, [...values]];
    }),
  );
  return new Map(tracks);
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
    complaints.length = 0;
  }, PATIENCE);
  afterAll(() => studio?.close());

  const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
  const press = (page: Page, name: RegExp | string) => page.getByRole('button', { name, exact: true }).click();

  it(
    'a link puts a motion and a character of another host on stage, in the format that it asks for, and can be made again',
    async () => {
      const [motion, character] = [read(JACKS), read(KNIGHT)];
      const { address, server } = await otherOrigin([motion, character]);
      const query = `?motion=${address}${motion.name}&character=${address}${character.name}&format=fbx&contacts=off`;
      const { page: linked, complaints: own } = await studio.visitLink(query);
      await linked.locator('.verdict .light').first().waitFor();
      await tab(linked, 'Export');
      const [result] = await downloaded(linked, () => press(linked, /^Export \.\w+$/));
      expect(result.name).toBe('KayKit_Knight-AD_cmu1_jumping_jacks.fbx');
      await linked.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await press(linked, 'Copy: The setup as a link');
      const link = new URL(await linked.evaluate(() => navigator.clipboard.readText()));
      expect([...link.searchParams]).toEqual([...new URLSearchParams(query)]);
      // The page of `anyrig studio` has a secret address, which leads nowhere elsewhere.
      await linked.evaluate(() => {
        document.head.append(
          Object.assign(document.createElement('script'), { id: 'anyrig-files', type: 'application/json' }),
        );
      });
      await tab(linked, 'Motion');
      await tab(linked, 'Export');
      await linked.getByRole('button', { name: 'Copy: The same on the command line' }).waitFor();
      expect(await linked.getByRole('button', { name: 'Copy: The setup as a link' }).count()).toBe(0);
      expect(own).toEqual([]);
      server.close();
      await linked.context().close();
    },
    3 * PATIENCE,
  );

  it(
    'the first view says what a dropped file is that is of no use, and stays until one is',
    async () => {
      const { page: shown, complaints: own } = await studio.visitLink('');
      const target = shown.locator('.show-targets').getByLabel('Motion', { exact: true });
      const drop = (name: string, bytes: Uint8Array) =>
        target.setInputFiles({ name, mimeType: '', buffer: Buffer.from(bytes) });
      await drop('photo.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a));
      await shown.getByRole('alert').filter({ hasText: 'photo.png: The file is a PNG image' }).waitFor();
      await drop('walk.fbx', new Uint8Array());
      await shown.getByRole('alert').filter({ hasText: 'walk.fbx: The file is empty' }).waitFor();
      await press(shown, 'Close');
      expect(await shown.getByRole('alert').count()).toBe(0);
      await shown.getByRole('heading', { name: 'Drop a motion and a character' }).waitFor();
      await drop('AD_cmu1_jumping_jacks.bvh', read(JACKS).bytes);
      await shown.locator('.verdict .light').first().waitFor();
      expect(own).toEqual([]);
      await shown.context().close();
    },
    3 * PATIENCE,
  );

  it(
    'an address that is pasted is opened, one that cannot be read is named with what to do; characters that are dropped together dance together',
    async () => {
      const { address, server } = await otherOrigin([read(KNIGHT), { name: 'closed.glb', bytes: new Uint8Array(4) }]);
      const paste = (text: string) =>
        page.evaluate((pasted) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', pasted);
          document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
        }, text);
      await paste(`${address}closed.glb`);
      await page.getByRole('alert').filter({ hasText: 'Download the file and drop it here' }).waitFor();
      await paste(`${address}gone.glb`);
      const refused = page.getByRole('alert').filter({ hasText: 'answered 404' });
      await refused.waitFor();
      // It is there to be read, not for a moment.
      await settle(page);
      expect(await refused.count()).toBe(1);
      const { page: linked } = await studio.visitLink(`?character=${address}gone.glb`);
      await linked.getByRole('alert').filter({ hasText: 'answered 404' }).waitFor();
      await linked.waitForTimeout(300);
      expect(await linked.getByRole('alert').count()).toBe(1);
      await linked.context().close();
      await paste(`${address}KayKit_Knight.glb`);
      await page.getByRole('button', { name: 'Remove KayKit_Knight.glb' }).first().waitFor();
      server.close();
      await page.getByRole('button', { name: 'Remove KayKit_Knight.glb' }).first().click();
      await settle(page);

      await openFiles(page, read(JACKS), read(KNIGHT), read(WOMAN));
      const figures = () => page.evaluate(() => document.querySelector('anyrig-stage')?.figures.length);
      expect(await figures()).toBe(2);
      await page.locator('aside .picture img').nth(1).waitFor();
      await page.locator('nav .picture img').first().waitFor();
      for (const name of ['KayKit_Knight.glb', 'm2m_human-female.glb']) {
        await page
          .getByRole('button', { name: `Remove ${name}` })
          .first()
          .click();
        await settle(page);
      }
      await page.locator('.verdict .light').first().waitFor();
      expect(await figures()).toBe(1);
    },
    3 * PATIENCE,
  );

  it(
    'a rig whose names have left and right exchanged moves like the rig with right names, until they are swapped by hand',
    async () => {
      const motion = read(MOTION);
      const character = await renamed(KNIGHT, 'knight.glb', withOtherSide);
      await openFiles(page, motion, character); // 1
      const [result] = await downloaded(page, () => press(page, /^Export \.\w+$/)); // 2
      expect(result.name).toBe('knight-m2m_CMU_91_48.glb');
      const [same] = await studio.retarget(motion, character, { output: result.name });
      expect(Buffer.compare(result.bytes, same.bytes)).toBe(0);
      const [right] = await studio.retarget(motion, read(KNIGHT), { output: 'right.glb' });
      expect(await lastClip(result, withOtherSide)).toEqual(await lastClip(right));
      await tab(page, 'Bones');
      await press(page, 'Swap left and right');
      await settle(page);
      const files = await downloaded(page, () => press(page, /^Export \.\w+$/));
      const swapped = files.find(({ name }) => name === 'knight-m2m_CMU_91_48.glb') as NamedFile;
      expect(await lastClip(swapped)).not.toEqual(await lastClip(result));
      expect(complaints).toEqual([]);
    },
    4 * PATIENCE,
  );

  it(
    'a rig whose bones are not recognized opens with an empty map, and moves when its bones have joints',
    async () => {
      const { text, truth } = unnamedRig();
      const [motion, character] = [read(MOTION), { name: 'robot.gltf', bytes: Buffer.from(text) }];
      await openFiles(page, motion, character);
      await page.getByText('The bones were not recognized').waitFor();
      const all = page.getByText('All bones');
      // The list stays open for the next character.
      if (!(await page.locator('table').getByLabel('hips', { exact: true }).isVisible())) await all.click();
      for (const [bone, index] of Object.entries(truth)) {
        await page.locator('table').getByLabel(bone, { exact: true }).selectOption(`${index}`);
      }
      await settle(page);
      await tab(page, 'Export');
      const files = await downloaded(page, () => press(page, /^Export \.\w+$/));
      const result = files.find(({ name }) => name.startsWith('robot-') && name.endsWith('.glb')) as NamedFile;
      const map = Object.fromEntries(Object.entries(truth)) as BoneAssignments;
      const [expected] = await studio.retarget(motion, character, { output: result.name, target: { map } });
      expect(Buffer.compare(result.bytes, expected.bytes)).toBe(0);
    },
    4 * PATIENCE,
  );

  it(
    'one wrong bone is right after five actions',
    async () => {
      // The neck has the name of the head, and the head one that says little.
      const names: Readonly<Record<string, string>> = { head: 'skull', neck_01: 'head' };
      const [motion, character] = [read(MOTION), await renamed(WOMAN, 'woman.glb', (name) => names[name] ?? name)];
      await openFiles(page, motion, character); // 1
      await tab(page, 'Bones'); // 2
      await page.locator('.body-diagram circle', { has: page.locator('title', { hasText: /^head$/ }) }).click(); // 3
      await page.getByLabel('Type the joint of head').fill('skull'); // 4
      await settle(page);
      const files = await downloaded(page, () => press(page, /^Export \.\w+$/)); // 5
      const map = files.find(({ name }) => name === 'woman.map.json') as NamedFile;
      const { bones } = JSON.parse(Buffer.from(map.bytes).toString()) as { bones: BoneAssignments };
      expect(bones.head).toBe('skull');
      const result = files.find(({ name }) => name === 'woman-m2m_CMU_91_48.glb') as NamedFile;
      const [expected] = await studio.retarget(motion, character, { output: result.name, target: { map: bones } });
      expect(Buffer.compare(result.bytes, expected.bytes)).toBe(0);
    },
    4 * PATIENCE,
  );

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
