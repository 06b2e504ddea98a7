import { describe, expect, it } from 'vitest';
import { SHOW_FILES } from '../../../studio/build/make-show.ts';
import { readClip, SHOW_FOLDER, SHOW_KEYS, SHOW_LIST, type ShowList } from '../../../studio/src/app/opening.ts';

describe('the files of the first view', () => {
  it('have every character with its bytes, its joints and a motion of one length', async () => {
    const files = SHOW_FILES;
    const bytesOf = (name: string): Uint8Array => files.get(`${SHOW_FOLDER}/${name}`) as Uint8Array;
    const { members } = JSON.parse(new TextDecoder().decode(bytesOf(SHOW_LIST))) as ShowList;
    const keys = new Float32Array(bytesOf(SHOW_KEYS).slice().buffer);
    expect(members.map(({ title }) => title)).toEqual(['Kid', 'Robot', 'Runner', 'Giant', 'Chibi']);
    for (const member of members) {
      const { duration, tracks } = readClip(member, keys);
      expect(duration).toBeCloseTo(members[0].clip.duration, 6);
      expect(bytesOf(member.file).length).toBeGreaterThan(100_000);
      expect(member.data.humanoid).not.toBeNull();
      for (const { times, values, path } of tracks) {
        // The weights of a face are those of its two expressions.
        expect(values.length).toBe(times.length * { rotation: 4, translation: 3, scale: 3, weights: 2 }[path]);
        expect(times.at(-1)).toBeLessThanOrEqual(duration + 1e-6);
      }
    }
  }, 60_000);
});
