import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import { localToModelMatrices, restPose } from '../../../../src/core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../../src/core/skeleton/skeleton.ts';
import { stageTimeCodes } from '../../../../src/formats/usd/read/animation/sampled-keys.ts';
import { readUsdAsset } from '../../../../src/formats/usd/read/read-usd-asset.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-usd-scene.ts';
import { animationTimes } from '../../../../src/formats/usd/skel/skel-animation.ts';
import { sampleSkeleton } from '../../../../src/formats/usd/skel/skeleton-sample.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { localToWorld, transformTimes } from '../../../../src/formats/usd/stage/xform-ops.ts';
import { secondsOf } from '../../../../src/formats/usd/time-codes.ts';
import { assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { USD_CLIP_MATRICES, USD_ROUGH_QUATERNIONS } from '../../../support/tolerances.ts';
import { validateClip } from '../../../support/validate-clip.ts';
import { stageOf, stageOfFile } from '../skel/scene.ts';
import { stageOf as stageOfTexts } from '../stage/scene.ts';

/** Samples closer to the next sample than this, in time codes, are the left limit of a jump. */
const SEAM = 1e-6;

/** Compares the world matrices of joints from the clips of the asset with those that UsdSkel computes from the stage. */
function compareWithStage(stage: Stage, tolerance: number): number {
  const scene = readUsdScene(stage);
  const animations = scene.skeletons.flatMap(({ animated }) => animated.animation ?? []);
  const samples = [
    ...animations.flatMap((animation) => [...animationTimes(stage, animation)]),
    ...scene.prims.flatMap((prim) => [...transformTimes(stage, prim)]),
  ];
  const timeCodes = stageTimeCodes(stage, Math.min(...samples));
  const { skeletons, clips } = readUsdAsset(scene);
  let compared = 0;
  for (const [s, { animated }] of scene.skeletons.entries()) {
    const { animation } = animated;
    if (animation === null) continue;
    const { skeleton } = skeletons[s];
    const clip = clips.find((each) => each.clips[s].tracks.length > 0)?.clips[s];
    // The left limit of a jump has a key one float32 step earlier.
    const times = [...animationTimes(stage, animation)].filter((time, k, all) => !(all[k + 1] - time < SEAM));
    const first = skeleton.parents.length - animated.definition.joints.length;
    expect(clip === undefined || validateClip(clip, skeleton.parents.length).valid).toBe(true);
    for (const code of times.flatMap((time, k) => [time, time + 0.3 * ((times[k + 1] ?? time) - time)])) {
      const sample = sampleSkeleton(stage, animated, code);
      if (sample.skel === null) continue;
      const pose = restPose(skeleton);
      if (clip !== undefined) sampleClip(clip, secondsOf(timeCodes, code), pose);
      const found = new Float64Array(skeleton.parents.length * MATRIX_STRIDE);
      localToModelMatrices(found, skeleton.parents, pose);
      const world = localToWorld(stage, animated.prim, code);
      const expected = new Float64Array(sample.skel.length);
      for (let at = 0; at < expected.length; at += MATRIX_STRIDE)
        mat4.multiply(expected, at, world, 0, sample.skel, at);
      const joints = found.subarray(first * MATRIX_STRIDE);
      const size = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
      for (const [i, value] of expected.entries()) {
        const off = Math.abs(joints[i] - value);
        if (!(off <= tolerance * size)) expect.fail(`${animated.prim} at ${code}: ${i} is ${joints[i]}, not ${value}`);
      }
      compared++;
    }
  }
  return compared;
}

describe.skipIf(!HAS_ASSETS)('readUsdAsset with the scenes of OpenUSD', () => {
  const files = [
    ...assetFiles('conformance/usd/openusd/pxr/usd/usdSkel', 'usda'),
    ...assetFiles('conformance/usd/reference-results', 'usda'),
    ...assetFiles('conformance/usd/retarget-triplet', 'usda'),
  ];
  it('reads clips with the joint transforms of UsdSkel', () => {
    let compared = 0;
    for (const file of files) {
      const isRough = basename(file) === 'skinnedArm.usda';
      compared += compareWithStage(stageOfFile(file), isRough ? USD_ROUGH_QUATERNIONS : USD_CLIP_MATRICES);
    }
    expect(compared).toBeGreaterThan(200);
  });
});

describe('readUsdAsset with animations that are sequenced by value clips', () => {
  const published = (
    height: number,
    rotation: string,
  ): string => `def SkelAnimation "Anim" { uniform token[] joints = ["Hips", "Hips/Spine"]
    float3[] translations.timeSamples = { 0: [(0, ${height}, 0), (0, 0.5, 0)], 10: [(0, ${height}, 1), (0, 0.5, 0)] }
    quatf[] rotations.timeSamples = { 0: [(1, 0, 0, 0), (1, 0, 0, 0)], 5: [(1, 0, 0, 0), ${rotation}], 10: [(1, 0, 0, 0), (1, 0, 0, 0)] }
    half3[] scales.timeSamples = { 0: [(1, 1, 1), (1, 1, 1)] } }`;
  const rest = '((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0.5,0,1))';
  const stage = stageOfTexts(
    `(
      timeCodesPerSecond = 10
      startTimeCode = 100
    )
    def SkelRoot "Hero" (prepend apiSchemas = ["SkelBindingAPI"]) {
      def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"]) {
        rel skel:animationSource = </Hero/Anim>
        uniform token[] joints = ["Hips", "Hips/Spine"]
        uniform matrix4d[] restTransforms = [${rest}]
        uniform matrix4d[] bindTransforms = [${rest}] }
      def SkelAnimation "Anim" (clips = { dictionary default = {
          asset[] assetPaths = [@./walk.usda@, @./wave.usda@]
          double2[] active = [(100, 0), (120, 1)]
          double2[] times = [(100, 0), (110, 10), (110, 0), (120, 10), (120, 0), (136, 8)]
          string primPath = "/Anim" } }) {
        uniform token[] joints = ["Hips", "Hips/Spine"]
        float3[] translations
        quatf[] rotations
        half3[] scales } }`,
    { 'walk.usda': published(1, '(0.8, 0, 0.6, 0)'), 'wave.usda': published(2, '(0, 1, 0, 0)') },
  );

  it('reads clips with the joint transforms of UsdSkel, across seams and repetitions', () => {
    expect(stage.issues).toEqual([]);
    expect(compareWithStage(stage, USD_CLIP_MATRICES)).toBe(14);
    const [{ name, duration, clips }] = readUsdAsset(readUsdScene(stage)).clips;
    expect([name, duration]).toEqual(['Anim', expect.closeTo(3.6, 6)]);
    const pose = new Float32Array(40);
    // In the second half of the repeated walk and in the wave, the hips have heights of 1 and 2.
    for (const [seconds, height, advance] of [
      [1.5, 1, 0.5],
      [2.8, 2, 0.4],
    ]) {
      sampleClip(clips[0], seconds, pose);
      expect([pose[21], pose[22]]).toEqual([expect.closeTo(height, 6), expect.closeTo(advance, 6)]);
    }
  });
});

describe('readUsdAsset metrics', () => {
  const read = (metadata: string) => readUsdAsset(readUsdScene(stageOf(`#usda 1.0\n(\n ${metadata}\n)\n`)));

  it('reads the authored unit and up axis', () => {
    const { format, metersPerUnit, up } = read('metersPerUnit = 0.1\n upAxis = "Z"');
    expect([format, metersPerUnit, up]).toEqual(['usd', 0.1, [0, 0, 1]]);
    expect(read('upAxis = "Y"').up).toEqual([0, 1, 0]);
  });

  it('returns null without authored metrics', () => {
    const { metersPerUnit, up, skeletons, clips, issues } = read('doc = "empty"');
    expect([metersPerUnit, up, skeletons, clips, issues]).toEqual([null, null, [], [], []]);
  });
});
