/** Compares the faces of VRMAs on VRMs with three-vrm. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { CAST } from '../../../site/cast/cast.ts';
import type { Keys, Track } from '../../../src/core/animation/clip.ts';
import { sampleKeys } from '../../../src/core/animation/sample.ts';
import type { ExpressionTrack, FaceTracks } from '../../../src/core/face/face-tracks.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { createNormalizedHumanoid } from '../../../src/core/humanoid/normalized-humanoid.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { DANCE } from '../../../src/demo/index.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { type RetargetedClip, retargetClips } from '../../../src/files/jobs/retarget-clips.ts';
import type { OpenFile } from '../../../src/files/open.ts';
import { openBytes } from '../../../src/files/open.ts';
import { concatParts, parseGltf, serializeGltf, writeVrma } from '../../../src/formats/gltf/index.ts';
import { readFace } from '../../../src/formats/gltf/read/read-face.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { type FaceVrmOptions, makeFaceVrm } from '../../support/make/face-vrm.ts';
import { FACE_WEIGHT, SECOND_OPINION } from '../../support/tolerances.ts';
import { type FacePlayer, playFace } from './three-vrm-face.ts';

/** Times over a clip of three seconds and beyond its ends, between its keys. */
const TIMES = Array.from({ length: 61 }, (_, k) => k * 0.05 + 0.003);

beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  return () => vi.restoreAllMocks();
});

function valueAt(keys: Keys, width: number, isRotation: boolean, time: number): number[] {
  const out = new Float64Array(width);
  sampleKeys(keys, width, isRotation, time, out, 0);
  return [...out];
}

const track = (name: string, values: number[], interpolation: Keys['interpolation'] = 'LINEAR'): ExpressionTrack => ({
  name,
  sourceNode: -1,
  interpolation,
  times: Float32Array.from(values, (_, k) => (3 * k) / (values.length - 1)),
  values: Float64Array.from(values),
});

/** A look-at track from yaw and pitch in degrees. */
function lookAtTrack(angles: readonly (readonly [yaw: number, pitch: number])[]): NonNullable<FaceTracks['lookAt']> {
  const values = new Float64Array(4 * angles.length);
  const pitchRotation = new Float64Array(4);
  for (const [k, [yaw, pitch]] of angles.entries()) {
    quat.fromAxisAngle(values, 4 * k, [0, 1, 0], 0, (yaw * Math.PI) / 180);
    quat.fromAxisAngle(pitchRotation, 0, [1, 0, 0], 0, (pitch * Math.PI) / 180);
    quat.multiply(values, 4 * k, values, 4 * k, pitchRotation, 0);
  }
  const times = Float32Array.from(angles, (_, k) => (3 * k) / (angles.length - 1));
  return { sourceNode: -1, offsetFromHeadBone: null, interpolation: 'LINEAR', times, values };
}

/** Serializes a VRMA for the humanoid of a file, with only face tracks. */
function vrmaOf(file: OpenFile, face: FaceTracks): Uint8Array {
  const humanoid = createNormalizedHumanoid(chooseHumanoid(file, 'only', {}).found!.humanoid);
  return concatParts(
    serializeGltf(writeVrma(humanoid, { name: 'face', duration: 0, tracks: [] }, face).document).parts,
  );
}

interface Pair {
  readonly character: OpenFile;
  readonly clip: RetargetedClip;
  readonly player: FacePlayer;
}

async function openPair(character: Uint8Array, motion: Uint8Array): Promise<Pair> {
  const target = await openBytes(character, { name: 'character' });
  const { clips } = await retargetClips([await openBytes(motion, { name: 'motion' })], target);
  expect(clips).toHaveLength(1);
  return { character: target, clip: clips[0], player: await playFace(character, motion) };
}

/** Returns the largest difference of weights over time, with those of three-vrm clamped to 0…1 like ours, and the largest weight. */
function compareWeights({ clip, player }: Pair): { apart: number; most: number } {
  let [apart, most] = [0, 0];
  for (const time of TIMES) {
    player.show(time);
    for (const morph of clip.morphs) {
      const others = player.influences(morph.sourceNode)!;
      const ours = valueAt(morph, morph.targetCount, false, time);
      for (const [k, weight] of ours.entries()) {
        apart = Math.max(apart, Math.abs(weight - Math.min(1, Math.max(0, others[k]))));
        most = Math.max(most, weight);
      }
    }
  }
  return { apart, most };
}

/** Returns the largest angle between the eye rotations over time, and the largest eye rotation, radians. */
function compareEyes({ character, clip, player }: Pair): { apart: number; most: number } {
  const { humanoid } = chooseHumanoid(character, 'only', {}).found!;
  let [apart, most] = [0, 0];
  for (const side of ['leftEye', 'rightEye'] as const) {
    const node = humanoid.map.nodes[BONE[side]];
    const eye = clip.clip.tracks.find(({ target, path }) => target === node && path === 'rotation') as Track;
    for (const time of TIMES) {
      player.show(time);
      const ours = valueAt(eye, 4, true, time);
      apart = Math.max(apart, quat.angleBetween(ours, 0, player.eye(side)!, 0));
      most = Math.max(
        most,
        quat.angleBetween(ours, 0, humanoid.skeleton.rest, POSE_STRIDE * node + PATH_OFFSET.rotation),
      );
    }
  }
  return { apart, most };
}

const FACE: FaceTracks = {
  expressions: [
    track('happy', [0, 1, 0.2, 0.7, 0]),
    track('blink', [0, 0.4, 1, 0.3, 0.6, 0.8, 0]),
    track('aa', [0, 0.5, 1]),
    track('angry', [1, 0.4, 0], 'LINEAR'),
    track('smirk', [0, 1, 0]),
    track('surprised', [1, 0, 1]),
  ],
  lookAt: lookAtTrack([
    [0, 0],
    [40, -20],
    [-70, 30],
    [-120, -80],
    [10, 5],
  ]),
};

describe('face of a generated VRM', () => {
  const versions: readonly FaceVrmOptions['version'][] = ['0', '1'];

  it.each(versions)('has the expression weights of three-vrm: VRM %s', async (version) => {
    const character = makeFaceVrm({ version, lookAtType: 'bone' });
    const pair = await openPair(character, vrmaOf(await openBytes(character), { ...FACE, lookAt: null }));
    expect(pair.clip.morphs.map(({ nodeName }) => nodeName)).toEqual(['Face', 'Teeth']);
    const { apart, most } = compareWeights(pair);
    expect(apart).toBeLessThan(FACE_WEIGHT);
    expect(most).toBe(1);
    expect(pair.clip.droppedFace).toEqual(version === '0' ? ['surprised'] : []);
  });

  it.each(['isBinary', 'blend', 'block', 'binaryOverridden'] as const)(
    'applies the expression rule %s like three-vrm',
    async (rule) => {
      const character = makeFaceVrm({ version: '1', lookAtType: 'bone', rule });
      const pair = await openPair(character, vrmaOf(await openBytes(character), FACE));
      expect(compareWeights(pair).apart).toBeLessThan(FACE_WEIGHT);
      const plain = await openPair(
        makeFaceVrm({ version: '1', lookAtType: 'bone' }),
        vrmaOf(await openBytes(character), FACE),
      );
      expect(compareWeights({ ...pair, player: plain.player }).apart).toBeGreaterThan(0.2);
    },
  );

  it.each(['kid.vrm', 'chibi.vrm'])('has those of the built-in dance on %s', async (name) => {
    const pair = await openPair(CAST.find((one) => one.name === name)!.bytes(), DANCE.bytes());
    const { apart, most } = compareWeights(pair);
    expect(apart).toBeLessThan(FACE_WEIGHT);
    expect(most).toBeGreaterThan(0.9);
  });

  it.each(versions)('rotates the eyes like three-vrm: VRM %s', async (version) => {
    const character = makeFaceVrm({ version, lookAtType: 'bone' });
    const pair = await openPair(
      character,
      vrmaOf(await openBytes(character), { expressions: [], lookAt: FACE.lookAt }),
    );
    const { apart, most } = compareEyes(pair);
    // Keys of outputs are within 0.1° of the motion.
    expect(apart).toBeLessThan((0.1 * Math.PI) / 180 + SECOND_OPINION);
    expect(most).toBeGreaterThan(0.1);
  });

  it.each(versions)('applies look-at expressions like three-vrm: VRM %s', async (version) => {
    const character = makeFaceVrm({ version, lookAtType: 'expression' });
    const pair = await openPair(
      character,
      vrmaOf(await openBytes(character), { expressions: [], lookAt: FACE.lookAt }),
    );
    expect(pair.clip.clip.tracks).toEqual([]);
    const { apart, most } = compareWeights(pair);
    expect(apart).toBeLessThan(FACE_WEIGHT);
    expect(most).toBeGreaterThan(0.5);
  });
});

describe.skipIf(!HAS_ASSETS)('face of threevrm_test.vrma on third-party VRMs', () => {
  const motion = HAS_ASSETS ? readFileSync(asset('assets/vrma/threevrm_test.vrma')) : new Uint8Array();

  it('has the expression weights of three-vrm over time', async () => {
    const [clip] = (await openBytes(motion)).asset.clips;
    expect(clip.expressions?.map(({ name }) => name)).toEqual(['happy']);
    const file = readFileSync(asset('assets/vrm/Godette_vrm_v4.vrm'));
    const player = await playFace(file, motion);
    let most = 0;
    for (const time of TIMES) {
      player.show(time);
      const [weight] = valueAt(clip.expressions![0], 1, false, time);
      expect(weight).toBeCloseTo(player.weight('happy')!, 5);
      most = Math.max(most, weight);
    }
    expect(most).toBeGreaterThan(0.5);
  });

  it.each(sampledCases(assetFiles('assets/vrm', 'vrm')))(
    'has the same morph weights and eye rotations as three-vrm: %s',
    async (path) => {
      const bytes = readFileSync(path);
      const pair = await openPair(bytes, motion);
      if (basename(path).startsWith('Godette')) expect(pair.clip.morphs).toHaveLength(1);
      // Only Godette has look-at curves, which three-vrm does not support: its eyes are not compared.
      const looks = ['look_up', 'look_down', 'look_left', 'look_right'];
      const morphs = pair.clip.morphs.map((morph) => {
        const width = morph.targetCount;
        const kept = (morph.targetNames ?? []).map((name) => !looks.includes(name));
        return { morph, kept, width };
      });
      for (const time of TIMES) {
        pair.player.show(time);
        for (const { morph, kept, width } of morphs) {
          const others = pair.player.influences(morph.sourceNode)!;
          for (const [k, weight] of valueAt(morph, width, false, time).entries()) {
            if (kept[k]) expect(Math.abs(weight - others[k])).toBeLessThan(FACE_WEIGHT);
          }
        }
      }
      const { map } = chooseHumanoid(pair.character, 'only', {}).found!.humanoid;
      const eyes = pair.clip.clip.tracks.filter(({ target }) => target === map.nodes[BONE.leftEye]);
      // Without look-at settings in the file, three-vrm does not rotate the eyes; anyrig rotates them by the look-at angles.
      const { lookAt: own } = readFace(parseGltf(bytes)).rig;
      if (eyes.length > 0 && own !== null)
        expect(compareEyes(pair).apart).toBeLessThan((0.006 * Math.PI) / 180 + SECOND_OPINION);
    },
  );
});
