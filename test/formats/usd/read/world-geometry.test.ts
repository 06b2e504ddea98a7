import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../src/core/asset/geometry.ts';
import { stageTimeCodes } from '../../../../src/formats/usd/read/animation/sampled-keys.ts';
import { readUsdAsset } from '../../../../src/formats/usd/read/read-usd-asset.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-usd-scene.ts';
import type { UsdScene } from '../../../../src/formats/usd/read/scene.ts';
import { animationTimes } from '../../../../src/formats/usd/skel/skel-animation.ts';
import { timeSamplesOf } from '../../../../src/formats/usd/stage/attribute-values.ts';
import { createFileResolver } from '../../../../src/formats/usd/stage/file-resolver.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import type { Time } from '../../../../src/formats/usd/stage/stage.ts';
import { secondsOf } from '../../../../src/formats/usd/time-codes.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { USD_SEEN } from '../../../support/tolerances.ts';
import {
  clipPose,
  geometryAndPoints,
  type ScenePose,
  stagePose,
  worldByCore,
  worldByUsdSkel,
} from './world-geometry.ts';

function sceneOfFile(path: string): UsdScene {
  const resolve = createFileResolver((name) => readFileSync(name));
  const opened = resolve(path, '');
  if (opened === null) throw new Error(`${path} is not there`);
  return readUsdScene(openStage(opened.layer, { id: opened.id, resolve }));
}

/** Returns the default time, the first, middle and last sample, and a time between two samples. */
function sampleTimes({ stage, skeletons }: UsdScene): Time[] {
  const all = skeletons.flatMap(({ animated: { animation } }) =>
    animation === null ? [] : [...animationTimes(stage, animation)],
  );
  const some = [all[0], all[Math.floor(all.length / 2)], all[all.length - 1], (all[0] + all[1]) / 2];
  return ['default', ...some.filter(Number.isFinite)];
}

/** Number of prims, and numbers of skinned prims and compared numbers over all times. */
interface Compared {
  readonly prims: number;
  readonly skinned: number;
  readonly compared: number;
}

/** Compares positions and normals of every instance at every time. `poseOf`: the pose at a time. */
function compare(
  scene: UsdScene,
  times: readonly Time[],
  poseOf: (geometry: Geometry, time: Time) => ScenePose,
): Compared {
  const { geometry, points } = geometryAndPoints(scene);
  let skinned = 0;
  let compared = 0;
  for (const time of times) {
    const pose = poseOf(geometry, time);
    for (const [i, { node, mesh }] of geometry.instances.entries()) {
      const prim = scene.prims[node];
      // Animated points are not read.
      if (timeSamplesOf(scene.stage, prim, 'points').length > 1) continue;
      const { primitives } = geometry.meshes[mesh];
      const expected = worldByUsdSkel(scene, prim, time, primitives[0].positions);
      if (expected.isSkinned) skinned++;
      let size = 0;
      for (const value of expected.points) size = Math.max(size, Math.abs(value));
      for (const [p, { positions, normals }] of worldByCore(geometry, i, pose).entries()) {
        // The vertices of other gprims than meshes are their points.
        const pointOf = (vertex: number): number => (expected.isMesh ? points[mesh][p][vertex] : vertex);
        for (let vertex = 0; vertex < primitives[p].vertexCount; vertex++) {
          for (let c = 0; c < 3; c++) {
            const at = 3 * pointOf(vertex) + c;
            const error = Math.abs(positions[3 * vertex + c] - expected.points[at]) / size;
            if (!(error <= USD_SEEN)) expect.fail(`${prim} at ${time}: vertex ${vertex} is off by ${error}`);
            compared++;
            if (normals === null || expected.normals === null) continue;
            const difference = Math.abs(normals[3 * vertex + c] - expected.normals[at]);
            if (!(difference <= USD_SEEN)) expect.fail(`${prim} at ${time}: normal ${vertex} is off by ${difference}`);
          }
        }
      }
    }
  }
  return { prims: geometry.instances.length, skinned, compared };
}

const USD = 'conformance/usd/openusd/pxr';

describe.skipIf(!HAS_ASSETS)(
  'readUsdGeometry and readUsdAsset: world points and normals equal those of UsdSkel',
  () => {
    it.each([
      [`${USD}/usd/usdSkel/testenv/testUsdSkelBakeSkinning/lbs.usda`, { prims: 6, skinned: 30, compared: 12660 }],
      [`${USD}/usd/usdSkel/testenv/testUsdSkelBakeSkinning/blendshapes.usda`, { prims: 2, skinned: 0, compared: 1815 }],
      [
        `${USD}/usd/usdSkel/testenv/testUsdSkelBakeSkinning/blendshapesWithNormals.usda`,
        { prims: 1, skinned: 0, compared: 1500 },
      ],
      [`${USD}/usd/usdSkel/doxygen/skinnedArm.usda`, { prims: 1, skinned: 5, compared: 180 }],
      [
        `${USD}/usdImaging/usdImagingGL/testenv/testUsdImagingGLSkelBlendShapes/blendshapes.usda`,
        { prims: 2, skinned: 0, compared: 1815 },
      ],
      [
        `${USD}/usdImaging/usdImagingGL/testenv/testUsdImagingGLSkelSkinning/test_lbs.usda`,
        { prims: 1, skinned: 5, compared: 1290 },
      ],
      [
        `${USD}/usdImaging/usdImagingGL/testenv/testUsdImagingGLUsdSkel/arm.usda`,
        { prims: 1, skinned: 5, compared: 180 },
      ],
      [
        `${USD}/usdImaging/usdImagingGL/testenv/testUsdImagingGLUsdSkel/twoBends.usda`,
        { prims: 2, skinned: 2, compared: 2532 },
      ],
      ['assets/usd/openusd_arm.usda', { prims: 1, skinned: 5, compared: 180 }],
      ['assets/usd/openusd_lbs.usda', { prims: 6, skinned: 30, compared: 12660 }],
      ['assets/usd/tinyusdz_skeleton-purpose.usda', { prims: 1, skinned: 1, compared: 462 }],
      [
        'conformance/usd/retarget-triplet/tests/baseline/usda/fixtures/multiskin_ibm.usda',
        { prims: 2, skinned: 2, compared: 18 },
      ],
    ])('of %s, at rest and in motion', (path, counts) => {
      const scene = sceneOfFile(asset(path));
      const found = compare(scene, sampleTimes(scene), (geometry, time) => stagePose(scene, geometry, time));
      expect(found).toEqual(counts);
    });

    it.each([
      [`${USD}/usd/usdSkel/testenv/testUsdSkelBakeSkinning/lbs.usda`],
      [`${USD}/usd/usdSkel/testenv/testUsdSkelBakeSkinning/blendshapes.usda`],
      [`${USD}/usd/usdSkel/testenv/testUsdSkelBakeSkinning/blendshapesWithNormals.usda`],
      [`${USD}/usdImaging/usdImagingGL/testenv/testUsdImagingGLSkelSkinning/test_lbs.usda`],
    ])('of %s, animated by the clip that is read from it', (path) => {
      const scene = sceneOfFile(asset(path));
      const read = readUsdAsset(scene);
      const [clip] = read.clips;
      const codes = sampleTimes(scene).slice(1);
      const first = Math.min(
        ...scene.skeletons.flatMap(({ animated: { animation } }) =>
          animation === null ? [] : [...animationTimes(scene.stage, animation)],
        ),
      );
      const timeCodes = stageTimeCodes(scene.stage, first);
      const found = compare(scene, codes, (_, code) => clipPose(scene, read, clip, secondsOf(timeCodes, Number(code))));
      expect(found.compared).toBeGreaterThan(100);
    });
  },
);
