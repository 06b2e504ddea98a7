import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../src/core/asset/asset.ts';
import { readFbx } from '../../../src/formats/fbx/read-fbx.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';

const read = (...path: readonly string[]): Asset => readFbx(readFileSync(asset(...path)));
const codes = ({ issues }: Asset): string[] => issues.map(({ code }) => code);
const keyCount = ({ clips }: Asset): number =>
  clips[0].clips[0].tracks.reduce((sum, { times }) => sum + times.length, 0);

describe.skipIf(!HAS_ASSETS)('readFbx: files of public reports', () => {
  it('reads all keys of a take that declares its first frame only', () => {
    const file = read('cases', '01-take-range', 'decl_first_frame.fbx');
    expect(file.clips[0].duration).toBeCloseTo(2.2, 6);
    expect(codes(file)).toContain('FBX_TAKE_RANGE');
  });

  it('reads a rotation space for limits only as none', () => {
    const limited = read('cases', '09-fbx-limit-only', 'pre_limit_only.fbx');
    const plain = read('cases', '09-fbx-limit-only', 'plain.fbx');
    expect(limited.skeletons[0].skeleton.rest).toEqual(plain.skeletons[0].skeleton.rest);
    expect(limited.clips[0].clips).toEqual(plain.clips[0].clips);
  });

  it('reports no missing objects where Maya left out empty curve nodes', () => {
    expect(codes(read('assets', 'fbx', 'mayalt2017_Neo_skinned.fbx'))).not.toContain('FBX_SCENE');
  });

  it("reads the keys of Unity's baked curves without more between them", () => {
    const file = read('cases', '18-weighted-tangents', 'unity_baked.fbx');
    expect(keyCount(file)).toBe(9180);
    expect(codes(file)).toEqual([]);
  });
});
