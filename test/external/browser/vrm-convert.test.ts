/** Draws VRMs of both versions, and what they become, with three-vrm in Chromium: the pictures must not differ. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { concatParts, convertVrm, parseGltf, serializeGltf } from '../../../src/formats/gltf/index.ts';
import type { VrmVersion } from '../../../src/formats/gltf/vrm-convert/convert-vrm.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { CHROMIUM, runInChromium } from './chromium.ts';
import type { Sheet } from './vrm-render-page.ts';

const PAGE = fileURLToPath(new URL('./vrm-render-page.ts', import.meta.url));

const VIEWS = [
  {
    name: 'body',
    height: 2.2,
    center: 0.9,
    pose: {
      leftUpperArm: [10, 20, -60],
      rightUpperArm: [-10, 40, 50],
      head: [10, 25, 10],
      leftUpperLeg: [-30, 10, 5],
      spine: [5, 20, 0],
      leftHand: [30, 0, 20],
    },
    expressions: {},
    seconds: 1,
  },
  {
    name: 'face',
    height: 0.5,
    center: 1.1,
    pose: { head: [0, 20, 0] },
    expressions: { aa: 1, blinkLeft: 1 },
    seconds: 0.5,
  },
];

/** The view for characters of about 1.7 m. */
const [BODY, FACE] = VIEWS;
const TALL = [BODY, { ...FACE, center: 1.4 }];

/** A real file, the version it has, and how to look at it. */
const FILES: readonly (readonly [string, VrmVersion, typeof VIEWS])[] = [
  ['Godette_vrm_v4.vrm', 0, VIEWS],
  ['saturday06_debug_robot.vrm', 1, TALL],
  ['spec_isBinary_Overrides.vrm', 1, TALL],
  ['spec_mtoon_UV.vrm', 1, [BODY]],
];

function converted(bytes: Uint8Array, version: VrmVersion): Uint8Array {
  const doc = parseGltf(bytes);
  expect(convertVrm(doc, version).isConverted).toBe(true);
  return concatParts(serializeGltf(doc).parts);
}

describe.skipIf(CHROMIUM === null || !HAS_ASSETS || !IS_FULL_RUN)('convertVrm in three-vrm', () => {
  it.each(FILES)('looks the same in the other version and back again: %s', async (name, version, views) => {
    const original = new Uint8Array(readFileSync(asset('assets', 'vrm', name)));
    const other = converted(original, version === 0 ? 1 : 0);
    const text = JSON.stringify({ files: ['original.vrm', 'other.vrm', 'back.vrm'], views });
    const files = {
      'job.json': new TextEncoder().encode(text),
      'original.vrm': original,
      'other.vrm': other,
      'back.vrm': converted(other, version),
    };
    const sheets = (await runInChromium(PAGE, files)) as Sheet[];
    expect(sheets.map(({ view }) => view)).toEqual(views.map(({ name: view }) => view));
    for (const { covered, different } of sheets) {
      expect(covered).toBeGreaterThan(0.03);
      expect(different).toHaveLength(3);
      expect(Math.max(...different)).toBeLessThan(0.001);
    }
  });
});
