/** Plays what `anyrig retarget … -o out.vrm --vrma` writes in three-vrm, the way its own examples do. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { BONE, BONES, type BoneName } from '../../../src/core/humanoid/bones.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { concatParts } from '../../../src/formats/gltf/document/glb.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { POSE_DEGREES, SECOND_OPINION } from '../../support/tolerances.ts';
import { type AssetHumanoid, findAssetHumanoid, worldPose } from './retargeted.ts';
import { loadVrma, playInThreeVrm, playOwnClipInThreeVrm, type VrmPlayer } from './three-vrm.ts';

const DEGREES = Math.PI / 180;
/** Seconds, inside the walk. */
const TIMES = [0, 0.31, 0.77, 1.2];

// three-vrm warns about features that are missing without a screen.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  return () => vi.restoreAllMocks();
});

/** Writes the walk into a VRM, and as a VRMA beside it. */
async function writeBoth(character: OpenFile): Promise<{ readonly vrm: Uint8Array; readonly vrma: Uint8Array }> {
  const options = { output: 'out.vrm', vrma: true, replace: true };
  const { outputs } = await retargetMotions([await openDemo('walk.glb')], character, options);
  expect(outputs.map(({ path }) => path).sort()).toEqual(['out.vrm', 'out.vrma']);
  const bytesOf = (path: string): Uint8Array => concatParts(outputs.find((one) => one.path === path)?.parts ?? []);
  return { vrm: bytesOf('out.vrm'), vrma: bytesOf('out.vrma') };
}

/** Returns the largest angle in radians between the bones of a player and of the library's pose of its clip, or of its rest. */
function differenceTo(player: VrmPlayer, own: AssetHumanoid, isRest: boolean): number {
  const { nodes } = own.humanoid.map;
  const shared = BONES.filter((bone) => nodes[BONE[bone]] >= 0 && !bone.endsWith('Eye'));
  expect(shared.length).toBeGreaterThan(15);
  const clip = isRest ? { ...own.clips[0], tracks: [] } : own.clips[0];
  const largest = TIMES.map((time) => {
    const { rotations } = worldPose(own, clip, time);
    player.show(time);
    const angle = (bone: BoneName): number =>
      quat.angleBetween(rotations, 4 * nodes[BONE[bone]], player.rotation(bone), 0);
    return Math.max(...shared.map(angle));
  });
  return Math.max(...largest);
}

/** Expects that a walk plays as a VRMA and inside the VRM, and that three-vrm overwrites the latter by default. */
async function expectBothPlay(character: OpenFile): Promise<void> {
  const { vrm, vrma } = await writeBoth(character);
  const own = findAssetHumanoid((await openBytes(vrm, { name: 'out.vrm' })).asset);
  const ofVrma = await playInThreeVrm(vrm, await loadVrma(vrma));
  expect(differenceTo(ofVrma, own, false)).toBeLessThan(POSE_DEGREES * DEGREES);
  const raw = await playOwnClipInThreeVrm(vrm, false);
  expect(differenceTo(raw, own, false)).toBeLessThan(SECOND_OPINION);
  const overwritten = await playOwnClipInThreeVrm(vrm, true);
  expect(differenceTo(overwritten, own, true)).toBeLessThan(SECOND_OPINION);
  expect(differenceTo(overwritten, own, false)).toBeGreaterThan(20 * DEGREES);
}

const TITLE =
  'plays as a VRMA, and inside the VRM with autoUpdateHumanBones: false; by default the VRM shows its rest pose';

describe('a walk for a VRM in three-vrm', () => {
  it.each(['child.vrm', 'chibi.vrm'])(`%s: ${TITLE}`, async (name) => expectBothPlay(await openDemo(name)));
});

describe.skipIf(!HAS_ASSETS)('a walk for a third-party VRM in three-vrm', () => {
  it.each(['cool_loops.vrm', 'saturday06_debug_robot.vrm'])(`%s: ${TITLE}`, async (name) =>
    expectBothPlay(await openBytes(new Uint8Array(readFileSync(asset('assets/vrm', name))), { name })),
  );
});
