import { expect } from 'vitest';
import type { Asset } from '../../../src/core/asset/asset.ts';
import { EXACT } from '../../support/tolerances.ts';

/** Expects finite values, parents before children, ascending keys, and unit quaternions in one hemisphere. */
export function expectValidAsset(asset: Asset): void {
  for (const { skeleton, sourceNodes } of asset.skeletons) {
    const count = skeleton.names.length;
    expect([skeleton.parents.length, skeleton.joints.length, sourceNodes.length]).toEqual([count, count, count]);
    if (!skeleton.parents.every((parent, i) => parent >= -1 && parent < i))
      expect.fail('a parent is not before its child');
    if (!skeleton.rest.every(Number.isFinite)) expect.fail('the rest pose is not finite');
  }
  for (const { clips, duration } of asset.clips) {
    expect(clips.length).toBe(asset.skeletons.length);
    expect(Number.isFinite(duration)).toBe(true);
    for (const { times, values, path, interpolation } of clips.flatMap(({ tracks }) => tracks)) {
      if (
        !times.every(
          (time, k) =>
            Number.isFinite(time) && time >= 0 && (k === 0 || Math.fround(time) > Math.fround(times[k - 1]!)),
        )
      )
        expect.fail('times do not rise');
      const width = path === 'rotation' ? 4 : 3;
      const isCubic = interpolation === 'CUBICSPLINE';
      const stride = isCubic ? 3 * width : width;
      expect(values.length).toBe(times.length * stride);
      if (!values.every(Number.isFinite)) expect.fail('a value is not finite');
      if (path !== 'rotation') continue;
      const first = isCubic ? width : 0;
      for (let o = first; o < values.length; o += stride) {
        const [x, y, z, w] = values.subarray(o, o + 4);
        if (Math.abs(Math.hypot(x!, y!, z!, w!) - 1) > EXACT) expect.fail('a quaternion is not of length 1');
        if (o === first) continue;
        const [px, py, pz, pw] = values.subarray(o - stride, o - stride + 4);
        if (x! * px! + y! * py! + z! * pz! + w! * pw! < 0) expect.fail('quaternions change hemisphere');
      }
    }
  }
}
