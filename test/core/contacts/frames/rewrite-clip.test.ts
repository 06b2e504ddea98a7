import { describe, expect, it } from 'vitest';
import type { Track } from '../../../../src/core/animation/clip.ts';
import { thinKeys } from '../../../../src/core/contacts/frames/rewrite-clip.ts';

describe('thinKeys', () => {
  it('leaves out every second key of tracks that the other clip does not have, but not the last', () => {
    const raised: Track = {
      target: 0,
      path: 'translation',
      interpolation: 'LINEAR',
      times: Float64Array.of(0, 1, 2, 3),
      values: Float64Array.of(0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0),
    };
    const same: Track = { ...raised, target: 1 };
    const clip = { name: '', duration: 3, tracks: [same, raised] };
    const { tracks } = thinKeys(clip, { ...clip, tracks: [same] });
    expect(tracks[0]).toBe(same);
    expect([...tracks[1].times]).toEqual([0, 2, 3]);
    expect([...tracks[1].values]).toEqual([0, 0, 0, 0, 2, 0, 0, 3, 0]);
  });
});
