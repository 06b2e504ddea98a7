import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { hasEdits } from '../../../src/files/clips/clip-edits.ts';
import {
  applyLoop,
  applyMirrorToClip,
  applyMirrorToHumanoid,
  chooseKeys,
  reduceMorphTracks,
} from '../../../src/files/clips/edit-clips.ts';
import { editMotion } from '../../../src/files/clips/edit-motion.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { openDemo } from '../../support/make/demo-files.ts';

const walk = await openDemo('walk.glb');
const { humanoid, index } = chooseHumanoid(walk, 'only', {}).found!;
const { skeleton } = humanoid;
const [clip] = walk.asset.clips;
const motion = clip.clips[index];
const keysOf = ({ tracks }: typeof motion): number => tracks.reduce((sum, { times }) => sum + times.length, 0);

describe('hasEdits', () => {
  it('is true for any edit', () => {
    expect([{}, { mirror: false, loop: false }].map(hasEdits)).toEqual([false, false]);
    const edits = [{ trim: {} }, { speed: 1 }, { mirror: true }, { loop: true }, { reduce: 1 }];
    expect(edits.map(hasEdits)).toEqual([true, true, true, true, true]);
  });
});

describe('editMotion', () => {
  it('trims before it changes the speed', () => {
    const { clip: edited } = editMotion([], clip, { trim: { from: 0.5, to: 1.5 }, speed: 4 });
    expect(edited.duration).toBeCloseTo(0.25, 9);
    expect(edited.clips[index].duration).toBeCloseTo(0.25, 9);
    expect(editMotion([], clip, {}).clip).toBe(clip);
  });

  it('throws with option and clip name for a range outside of the clip', () => {
    const cut = () => editMotion([], clip, { trim: { from: 100 } });
    expect(cut).toThrow(OptionError);
    expect(cut).toThrow(/"walk".*100 s/);
  });

  it('throws with the option for a speed that leaves no duration', () => {
    expect(() => editMotion([], clip, { speed: 1e12 })).toThrow(expect.objectContaining({ option: 'speed' }));
  });
});

describe('applyMirrorToHumanoid and applyMirrorToClip', () => {
  it('mirror humanoid and motion, or return them unchanged', () => {
    const mirrored = applyMirrorToHumanoid(humanoid, { mirror: true });
    expect(mirrored.map.nodes[BONE.leftHand]).toBe(humanoid.map.nodes[BONE.rightHand]);
    expect(applyMirrorToClip(motion, { mirror: true })).not.toEqual(motion);
    expect([applyMirrorToHumanoid(humanoid, {}), applyMirrorToClip(motion, {})]).toEqual([humanoid, motion]);
  });
});

describe('loopAndReduce', () => {
  const keys = { motion, fps: undefined, keys: 'any' } as const;

  it('returns the clip unchanged without edits', async () => {
    expect(await chooseKeys(skeleton, humanoid, motion, {}, keys)).toBe(motion);
  });

  it('removes redundant keys', async () => {
    const reduced = await chooseKeys(skeleton, humanoid, motion, { reduce: 2 }, keys);
    expect(keysOf(reduced)).toBeLessThan(keysOf(motion) * 0.8);
  });

  it('preserves root motion of a humanoid, and closes all tracks of other skeletons', async () => {
    const hips = humanoid.map.nodes[BONE.hips];
    const rootTravelOf = async (target: typeof humanoid | null): Promise<number> => {
      const { tracks } = await applyLoop(skeleton, target, motion, { loop: true });
      const track = tracks.find(({ target, path }) => target === hips && path === 'translation')!;
      const { values } = track;
      return Math.hypot(...[0, 1, 2].map((axis) => values[values.length - 3 + axis] - values[axis]));
    };
    expect(await rootTravelOf(humanoid)).toBeGreaterThan(0.5);
    expect(await rootTravelOf(null)).toBeLessThan(1e-6);
  });
});

describe('reduceMorphTracks', () => {
  it('removes weights that lie on a line, with `reduce` only', async () => {
    const morph = {
      sourceNode: 0,
      nodeName: 'face',
      targetCount: 1,
      interpolation: 'LINEAR' as const,
      times: Float64Array.of(0, 1, 2, 3),
      values: Float64Array.of(0, 0.25, 0.5, 0),
    };
    expect(await reduceMorphTracks([morph], {})).toEqual([morph]);
    const [reduced] = await reduceMorphTracks([morph], { reduce: 1 });
    expect([...reduced.times]).toEqual([0, 2, 3]);
  });
});
