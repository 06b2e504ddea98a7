/** Plays VRMs of both versions in three-vrm: a converted VRM must show the poses of the original. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { BONES, type BoneName } from '../../../src/core/humanoid/bones.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { DEMO_CHARACTERS, DEMO_MOTIONS } from '../../../src/demo/index.ts';
import { makeRandom, randomRotation } from '../../../src/demo/random.ts';
import { concatParts, convertVrm, parseGltf, readGltf, serializeGltf } from '../../../src/formats/gltf/index.ts';
import type { VrmVersion } from '../../../src/formats/gltf/vrm-convert/convert-vrm.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { POSE_DEGREES } from '../../support/tolerances.ts';
import { loadVrma, loadVrmPose, playInThreeVrm, type VrmPlayer } from './three-vrm.ts';

const DEGREES = Math.PI / 180;

// three-vrm warns about features that are missing without a screen.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  return () => vi.restoreAllMocks();
});

function toVersion(bytes: Uint8Array, version: VrmVersion): Uint8Array {
  const doc = parseGltf(bytes);
  expect(convertVrm(doc, version).isConverted).toBe(true);
  return concatParts(serializeGltf(doc).parts);
}

/** Bones of a file, but the eyes, which VRMA does not animate. */
function bonesOf(bytes: Uint8Array): BoneName[] {
  const [{ declared }] = readGltf(parseGltf(bytes)).skeletons;
  return BONES.filter((bone, b) => (declared?.nodes[b] ?? -1) >= 0 && !bone.endsWith('Eye'));
}

/** A player, and the world rotations of its bones in the rest pose. */
interface Rested {
  readonly player: VrmPlayer;
  readonly rest: readonly number[][];
}

function atRest(player: VrmPlayer, bones: readonly BoneName[]): Rested {
  return { player, rest: bones.map((bone) => player.rotation(bone)) };
}

/**
 * Largest angle between how far the bones of two players are from rest, radians; those of the second one are rotated by
 * 180°. Bones of VRM 0.x have other axes than those of VRM 1.0, so their own rotations differ.
 */
function difference(a: Rested, b: Rested, bones: readonly BoneName[]): number {
  const angles = bones.map((bone, k) => {
    const [fromA, fromB] = [a, b].map(({ player, rest }) => {
      const delta = new Float64Array(4);
      quat.conjugate(delta, 0, rest[k], 0);
      quat.multiply(delta, 0, player.rotation(bone), 0, delta, 0);
      return delta;
    });
    const [x, y, z, w] = fromB;
    return quat.angleBetween(fromA, 0, [-x, y, -z, w], 0);
  });
  return Math.max(...angles);
}

/** Expects the same poses of a file and its conversion: of a clip, and of random rotations of all normalized bones. */
async function expectSamePoses(bytes: Uint8Array, version: VrmVersion, vrma: Uint8Array): Promise<void> {
  const converted = toVersion(bytes, version);
  const bones = bonesOf(bytes);
  expect(bonesOf(converted)).toEqual(bones);
  const motion = await loadVrma(vrma);
  const [before, after] = [await playInThreeVrm(bytes, motion), await playInThreeVrm(converted, motion)];
  const [restBefore, restAfter] = [atRest(before, bones), atRest(after, bones)];
  for (const time of [0, 0.3, 0.9, 1.7]) {
    before.show(time);
    after.show(time);
    expect(difference(restBefore, restAfter, bones)).toBeLessThan(POSE_DEGREES * DEGREES);
    const [x, y, z] = before.hips();
    const [ox, oy, oz] = after.hips();
    expect(Math.hypot(x + ox, y - oy, z + oz)).toBeLessThan(1e-5);
  }
  const random = makeRandom(7);
  const [posed, posedAfter] = [await loadVrmPose(bytes), await loadVrmPose(converted)];
  const [restPosed, restPosedAfter] = [atRest(posed, bones), atRest(posedAfter, bones)];
  for (let k = 0; k < 10; k++) {
    for (const bone of bones) {
      const [x, y, z, w] = randomRotation(random);
      posed.rotate(bone, [x, y, z, w]);
      posedAfter.rotate(bone, [-x, y, -z, w]);
    }
    posed.show(0);
    posedAfter.show(0);
    expect(difference(restPosed, restPosedAfter, bones)).toBeLessThan(POSE_DEGREES * DEGREES);
  }
}

const WAVE = DEMO_MOTIONS.find(({ name }) => name === 'wave.vrma')!;
const DEMO_VRM0 = DEMO_CHARACTERS.find(({ name }) => name === 'chibi.vrm')!;
const DEMO_VRM1 = DEMO_CHARACTERS.find(({ name }) => name === 'child.vrm')!;

describe('converted VRMs beside three-vrm', () => {
  it('show the same poses: VRM 0.x of the demo as VRM 1.0', async () => {
    await expectSamePoses(DEMO_VRM0.bytes(), 1, WAVE.bytes());
  });

  it('show the same poses: VRM 1.0 of the demo as VRM 0.x', async () => {
    await expectSamePoses(DEMO_VRM1.bytes(), 0, WAVE.bytes());
  });

  it.skipIf(!HAS_ASSETS)('show the same poses: third-party files as the other version', async () => {
    const vrma = readFileSync(asset('assets', 'vrma', 'saturday06_hips_spine_twisting.vrma'));
    for (const path of assetFiles('assets/vrm', 'vrm')) {
      const bytes = readFileSync(path);
      const version = readGltf(parseGltf(bytes)).format === 'vrm0' ? 1 : 0;
      await expectSamePoses(bytes, version, vrma).catch((error: Error) => {
        throw new Error(`${basename(path)}: ${error.message}`);
      });
    }
  });
});
