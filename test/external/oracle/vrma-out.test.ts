/** Plays written VRMAs on VRMs with three-vrm-animation, and compares with retargeting the same motions directly. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import { driverOf } from '../../../src/core/retarget/driver-bones.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { VRM0_RIG, VRM1_RIG } from '../../../src/demo/characters/rigs.ts';
import { glbBytes } from '../../../src/demo/files/glb.ts';
import { vrm0Document, vrm1Document } from '../../../src/demo/files/vrm.ts';
import { DEMO_CHARACTERS, DEMO_MOTIONS } from '../../../src/demo/index.ts';
import { readBvh } from '../../../src/formats/bvh/index.ts';
import { parseGltf, readGltf } from '../../../src/formats/gltf/index.ts';
import { validatorCodes } from '../../formats/gltf/validator.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { apart } from '../../support/reference/plain.ts';
import { POSE_DEGREES, SECOND_OPINION } from '../../support/tolerances.ts';
import { type AssetHumanoid, findAssetHumanoid, retargeted } from './retargeted.ts';
import {
  differenceToThreeVrm,
  hipsApart,
  isAtOrBelow,
  lostInThreeVrm,
  openPair,
  PARTS,
  restOffset,
  type VrmPair,
} from './vrm-pair.ts';
import { vrmaOf } from './vrma-of.ts';

const GESTURE = (POSE_DEGREES * Math.PI) / 180;
/** Every motion here rotates some bone by at least this many radians, so that agreement is meaningful. */
const PLAIN_TO_SEE = 0.05;

// three-vrm warns about features that are missing without a screen.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  return () => vi.restoreAllMocks();
});

function open(bytes: Uint8Array, name: string): AssetHumanoid {
  return findAssetHumanoid(name.endsWith('.bvh') ? readBvh(bytes) : readGltf(parseGltf(bytes)));
}

/** Returns whether a finger that the motion lacks follows its neighbor in anyrig. In three-vrm it stays straight. */
function followsNeighbor({ source }: VrmPair, bone: number): boolean {
  const driver = driverOf(bone, source.humanoid.map.nodes);
  return driver >= 0 && !isAtOrBelow(bone, [driver]);
}

/**
 * Expects three-vrm to show the VRMA like anyrig, and like the original motion retargeted directly, with the poses that both files declare. It
 * compares all bones except those that three-vrm loses because the character lacks a bone above them (three-vrm-limits.test.ts), fingers that
 * the motion lacks, and the eyes, which a VRMA must not rotate.
 */
async function expectAgreement(source: AssetHumanoid, clip: number, character: Uint8Array): Promise<void> {
  const { bytes } = vrmaOf(source, clip);
  const pair = await openPair(bytes, character);
  const lost = lostInThreeVrm(pair);
  const compared = (bone: number): boolean =>
    !isAtOrBelow(bone, lost) && !BONES[bone].endsWith('Eye') && !followsNeighbor(pair, bone);
  const ofVrma = differenceToThreeVrm(pair, compared);
  expect(ofVrma.largest).toBeLessThan(SECOND_OPINION);
  // At least the hips and the legs.
  expect(ofVrma.compared).toBeGreaterThanOrEqual(PARTS.length * 7);
  const still = { ...pair, clip: { ...pair.clip, tracks: [] } };
  expect(differenceToThreeVrm(still, compared).largest).toBeGreaterThan(PLAIN_TO_SEE);
  const direct = { ...pair, clip: retargeted(source, pair.target, clip) };
  expect(direct.clip.duration).toBeCloseTo(pair.clip.duration, 5);
  expect(differenceToThreeVrm(direct, compared).largest).toBeLessThan(GESTURE);
  // three-vrm scales the position of the hips, anyrig their displacement from rest: the results differ by a constant offset.
  const moves = pair.source.clips[0].tracks.some(({ path }) => path === 'translation');
  const offset = moves ? restOffset(pair) : [0, 0, 0];
  for (const part of PARTS) {
    const time = part * pair.clip.duration;
    expect(apart(hipsApart(pair, time), offset) / pair.target.humanoid.hipsHeight).toBeLessThan(SECOND_OPINION);
  }
}

describe('written VRMAs in three-vrm', () => {
  const vrms = DEMO_CHARACTERS.filter(({ name }) => name.endsWith('.vrm'));
  const pairs = DEMO_MOTIONS.flatMap((motion) =>
    vrms.map((character) => [motion.name, character.name, motion, character] as const),
  );

  it.each(pairs)('match direct retargeting of %s to %s', async (name, _, motion, character) =>
    expectAgreement(open(motion.bytes(), name), 0, character.bytes()),
  );
});

describe('a VRMA written for an avatar that is not quite in a T-pose', () => {
  const bindPose = { arms: 7, elbows: 5, palms: 15, fingers: 12, legs: 4 };
  const source = open(demoBytes('turn.bvh'), 'turn.bvh');

  it.each([
    ['VRM 1.0', glbBytes(vrm1Document(makeCharacter({ ...VRM1_RIG, bindPose })))],
    ['VRM 0.x', glbBytes(vrm0Document(makeCharacter({ ...VRM0_RIG, bindPose })))],
  ])('shows in three-vrm what was retargeted to the avatar: %s', async (_, character) => {
    const target = open(character, 'avatar.vrm');
    expect(target.humanoid.declaredPose).toBeDefined();
    const clip = retargeted(source, target);
    const pair = await openPair(vrmaOf({ ...target, clips: [clip] }).bytes, character);
    expect(differenceToThreeVrm({ ...pair, clip }, (bone) => !BONES[bone].endsWith('Eye')).largest).toBeLessThan(
      GESTURE,
    );
    // The motion without the avatar is shown from its declared pose, as the standard has it.
    const plain = await openPair(vrmaOf(source).bytes, character);
    expect(differenceToThreeVrm({ ...plain, clip }, () => true).largest).toBeGreaterThan(PLAIN_TO_SEE);
  });
});

describe.skipIf(!HAS_ASSETS)('written VRMAs of third-party files in three-vrm', () => {
  const motions: readonly (readonly [file: string, clip: number])[] = [
    ['assets/bvh/AD_fair1_dab.bvh', 0],
    ['assets/bvh/makehuman_walk1.bvh', 0],
    ['assets/glb/Xbot.glb', 2],
    ['assets/glb/KayKit_Knight.glb', 3],
    ['assets/glb/RobotExpressive.glb', 0],
    ['assets/glb/m2mold_human-addon-animations.glb', 0],
    ['assets/vrma/ChatVRM_idle_loop.vrma', 0],
    ['assets/vrma/saturday06_hips_spine_twisting.vrma', 0],
    ['assets/vrma/threevrm_test.vrma', 0],
  ];
  const characters = assetFiles('assets/vrm', 'vrm');

  it.each(sampledCases(motions, 3))('match direct retargeting of %s (clip %i) to every VRM', async (file, clip) => {
    const source = open(readFileSync(asset(file)), file);
    expect(source.clips.length).toBeGreaterThan(clip);
    expect(characters.length).toBeGreaterThanOrEqual(6);
    for (const character of characters) {
      await expectAgreement(source, clip, readFileSync(character)).catch((error: Error) => {
        throw new Error(`${basename(character)}: ${error.message}`, { cause: error });
      });
    }
  });

  it.each(motions)('are valid for the Khronos validator: %s (clip %i)', async (file, clip) => {
    const { bytes } = vrmaOf(open(readFileSync(asset(file)), file), clip);
    expect([...(await validatorCodes(bytes))].filter(([, severity]) => severity < 2)).toEqual([]);
  });
});
