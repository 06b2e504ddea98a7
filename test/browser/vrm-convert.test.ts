/** Draws a VRM 0.x and its conversions with three-vrm in Chromium: the pictures must not differ. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { concatParts, convertVrm, parseGltf, serializeGltf } from '../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../assets.ts';
import { IS_FULL_RUN } from '../law-runs.ts';
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

describe.skipIf(CHROMIUM === null || !HAS_ASSETS || !IS_FULL_RUN)('convertVrm in three-vrm', () => {
  it('looks the same: face, toon shading, outlines, springs, pose', async () => {
    const old = readFileSync(asset('assets', 'vrm', 'Godette_vrm_v4.vrm'));
    const doc = parseGltf(old);
    convertVrm(doc, 1);
    const text = JSON.stringify({ files: ['old.vrm', 'new.vrm'], views: VIEWS });
    const files = {
      'job.json': new TextEncoder().encode(text),
      'old.vrm': new Uint8Array(old),
      'new.vrm': concatParts(serializeGltf(doc).parts),
    };
    const sheets = (await runInChromium(PAGE, files)) as Sheet[];
    expect(sheets.map(({ view }) => view)).toEqual(['body', 'face']);
    for (const { covered, different } of sheets) {
      expect(covered).toBeGreaterThan(0.1);
      expect(Math.max(...different)).toBeLessThan(0.001);
    }
  });
});
