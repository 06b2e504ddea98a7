import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { describe, expect, it } from 'vitest';
import { mergeSkeletonClips } from '../../../../src/files/clips/merge-skeleton-clips.ts';
import { attachMeshoptDecoder, parseGltf, readGeometry, readGltf } from '../../../../src/formats/gltf/index.ts';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { serializeUsda } from '../../../../src/formats/usd/text/serialize-usda.ts';
import { assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { sampledCases } from '../../../support/law-runs.ts';
import { USD_HALF_SCALES, USD_WRITTEN } from '../../../support/tolerances.ts';
import {
  bindClip,
  declaredBones,
  largestMiss,
  METERS_Y,
  pointsByCore,
  pointsByUsd,
  written,
} from './written-points.ts';

const FILES = [
  ...assetFiles('assets/glb', 'glb'),
  ...assetFiles('assets/vrm', 'vrm'),
  ...assetFiles('assets/negative', 'glb'),
];
/** Its clips animate scales that half precision cannot store. */
const STRETCHED = 'pc_lumberjack.glb';

async function characterOf(path: string) {
  const document = parseGltf(new Uint8Array(readFileSync(path)));
  await attachMeshoptDecoder(document, MeshoptDecoder);
  const asset = readGltf(document);
  const animations = asset.clips.map((clip) => mergeSkeletonClips(clip, asset.skeletons));
  return {
    geometry: readGeometry(document).geometry,
    bones: declaredBones(asset),
    animations: [...animations.slice(0, 1), ...animations.slice(-1)].slice(0, animations.length),
  };
}

describe.skipIf(!HAS_ASSETS)('writeCharacterLayer with glTF characters', () => {
  it.each(sampledCases(FILES).map((path) => [basename(path), path]))(
    '%s: has the same world points, at rest and in its first and last clip',
    async (name, path) => {
      const { geometry, bones, animations } = await characterOf(path);
      const { layer } = written(geometry, animations, METERS_Y, bones);
      const tolerance = name === STRETCHED ? USD_HALF_SCALES : USD_WRITTEN;
      if (geometry.instances.length === 0) return;
      if (animations.length === 0) {
        expect(largestMiss(pointsByUsd(openStage(layer), 0).values(), pointsByCore(geometry, null, 0))).toBeLessThan(
          tolerance,
        );
      }
      for (const [k, animation] of animations.entries()) {
        if (k > 0) bindClip(layer, animation.name);
        const stage = openStage(layer);
        for (const part of [0, 0.37]) {
          const seconds = part * animation.clip.duration;
          const shown = pointsByUsd(stage, seconds);
          expect(largestMiss(shown.values(), pointsByCore(geometry, animation, seconds))).toBeLessThan(tolerance);
        }
      }
    },
  );

  it('writes layers that text and binary files round-trip', async () => {
    for (const path of FILES.filter((file) => /CesiumMan|Godette/.test(file))) {
      const { geometry, bones, animations } = await characterOf(path);
      const { layer } = written(geometry, animations, METERS_Y, bones);
      const text = serializeUsda(layer);
      expect(serializeUsda(parseUsda(text)) === text).toBe(true);
      expect(serializeUsda(parseUsdc(serializeUsdc(layer))) === text).toBe(true);
    }
  });
});
