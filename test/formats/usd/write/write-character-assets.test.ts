import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { describe, expect, it } from 'vitest';
import { wholeAnimation } from '../../../../src/files/whole-animation.ts';
import { attachDecoder, parseGltf, readGeometry, readGltf } from '../../../../src/formats/gltf/index.ts';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { printUsdc } from '../../../../src/formats/usd/crate/print-usdc.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { printUsda } from '../../../../src/formats/usd/text/print-usda.ts';
import { assetFiles, HAS_ASSETS } from '../../../assets.ts';
import { USD_HALF_SCALES, USD_WRITTEN } from '../../../tolerances.ts';
import { bindClip, declaredBones, largestMiss, METERS_Y, pointsByCore, pointsByUsd, written } from './shown.ts';

const FILES = [
  ...assetFiles('assets/glb', 'glb'),
  ...assetFiles('assets/vrm', 'vrm'),
  ...assetFiles('assets/negative', 'glb'),
];
/** Its clips stretch limbs all the time, by scales that are no halves. */
const STRETCHED = 'pc_lumberjack.glb';

async function characterOf(path: string) {
  const document = parseGltf(new Uint8Array(readFileSync(path)));
  await attachDecoder(document, MeshoptDecoder);
  const asset = readGltf(document);
  const animations = asset.clips.map((clip) => wholeAnimation(clip, asset.skeletons));
  return {
    geometry: readGeometry(document, []),
    bones: declaredBones(asset),
    animations: [...animations.slice(0, 1), ...animations.slice(-1)].slice(0, animations.length),
  };
}

describe.skipIf(!HAS_ASSETS)('characters of glTF as USD', () => {
  it.each(FILES.map((path) => [basename(path), path]))(
    'shows %s as glTF does, at rest and in its first and last clip',
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

  it('writes the same as text and as binary', async () => {
    for (const path of FILES.filter((file) => /CesiumMan|Godette/.test(file))) {
      const { geometry, bones, animations } = await characterOf(path);
      const { layer } = written(geometry, animations, METERS_Y, bones);
      const text = printUsda(layer);
      expect(printUsda(parseUsda(text)) === text).toBe(true);
      expect(printUsda(parseUsdc(printUsdc(layer))) === text).toBe(true);
    }
  });
});
