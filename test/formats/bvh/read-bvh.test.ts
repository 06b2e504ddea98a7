import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseBvh, readBvh } from 'anyrig/bvh';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { BVH_CHANNELS } from '../../../src/formats/bvh/bvh-tree.ts';
import { readBvhFile } from '../../../src/formats/bvh/read-bvh.ts';
import { writeBvhClip } from '../../../src/formats/bvh/write-clip.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { cpuTimer } from '../../support/cpu-time.ts';
import { IS_FULL_RUN, lawRuns } from '../../support/law-runs.ts';
import { SECOND_OPINION } from '../../support/tolerances.ts';
import { bvhText, PLAIN, SMALL, writtenFiles } from './bvh-text.ts';
import { poseBetweenKeys, poseDifference, threePoses } from './poses.ts';
import { expectValidAsset } from './valid-asset.ts';

describe('readBvh', () => {
  it('builds the skeleton from the OFFSETs, with End Sites as non-joint leaf nodes', () => {
    const { skeletons, format } = readBvh(SMALL);
    expect(format).toBe('bvh');
    expect(skeletons.length).toBe(1);
    const { skeleton, sourceNodes, declared } = skeletons[0]!;
    expect(skeleton.name).toBe('Hips');
    expect(skeleton.names).toEqual(['Hips', 'Right Leg', 'Right Leg_end', 'Head', 'Head_end']);
    expect([...skeleton.parents]).toEqual([-1, 0, 1, 0, 3]);
    expect([...skeleton.joints]).toEqual([1, 1, 0, 1, 0]);
    expect([...skeleton.rest.slice(POSE_STRIDE, 2 * POSE_STRIDE)]).toEqual([-8, 0, 0.1, 0, 0, 0, 1, 1, 1, 1]);
    expect(skeleton.bind).toBeNull();
    expect(declared).toBeNull();
    expect([...sourceNodes]).toEqual([0, 1, 2, 3, 4]);
  });

  it('builds one unnamed clip, with keys at multiples of the frame time', () => {
    const { clips } = readBvh(SMALL);
    expect(clips.map(({ name, duration, morphs, otherChannels }) => [name, duration, morphs, otherChannels])).toEqual([
      ['', 0.04, [], 0],
    ]);
    const { tracks, duration } = clips[0]!.clips[0]!;
    expect(duration).toBe(0.04);
    expect(tracks.map(({ target, path }) => [target, path])).toEqual([
      [0, 'translation'],
      [0, 'rotation'],
      [1, 'rotation'],
      [3, 'translation'],
      [3, 'rotation'],
    ]);
    expect([...tracks[0]!.times]).toEqual([0, 0.04]);
    expect([...tracks[0]!.values]).toEqual([0, 91, 2, 1, 92, 3]);
    expect([...tracks[3]!.values]).toEqual([0, 60, 0, 0, 61, 0]);
  });

  it('builds one skeleton per ROOT, and one clip for all of them', () => {
    const { skeletons, clips } = readBvh(
      'HIERARCHY ROOT A { OFFSET 0 0 0 CHANNELS 1 Xrotation End Site { OFFSET 0 1 0 } } ' +
        'ROOT { OFFSET 5 0 0 JOINT C { OFFSET 0 1 0 CHANNELS 1 Zrotation } } ROOT D { OFFSET 0 0 0 } ' +
        'MOTION Frames: 1 Frame Time: 1 90 180',
    );
    expect(skeletons.map(({ skeleton }) => skeleton.name)).toEqual(['A', 'root 2', 'D']);
    expect(skeletons.map(({ skeleton }) => [...skeleton.parents])).toEqual([[-1, 0], [-1, 0], [-1]]);
    expect(skeletons.map(({ sourceNodes }) => [...sourceNodes])).toEqual([[0, 1], [2, 3], [4]]);
    expect(clips.length).toBe(1);
    expect(clips[0]!.clips.map(({ tracks }) => tracks.map(({ target }) => target))).toEqual([[0], [1], []]);
    expect(clips[0]!.clips[1]!.tracks[0]!.values[2]).toBeCloseTo(1, 12);
  });

  it('returns no clip without MOTION or without frames', () => {
    expect(readBvh(SMALL.slice(0, SMALL.indexOf('MOTION'))).clips).toEqual([]);
    const empty = readBvh(`${SMALL.slice(0, SMALL.indexOf('MOTION'))}MOTION\nFrames: 0\nFrame Time: 1\n`);
    expect(empty.clips).toEqual([]);
    expect(empty.issues).toEqual([]);
  });

  it('drops positions below the root that repeat the OFFSET, and keeps the others', () => {
    const file = (y: number): string =>
      'HIERARCHY ROOT A { OFFSET 0 1 0 CHANNELS 3 Xposition Yposition Zposition ' +
      'JOINT B { OFFSET 0 1 0 CHANNELS 2 Yposition Xrotation JOINT C { OFFSET 0 1 0 } } } ' +
      `MOTION Frames: 2 Frame Time: 1 0 1 0 1 5 0 1 0 ${y} 5`;
    expect(readBvh(file(1)).clips[0]!.clips[0]!.tracks.map(({ path }) => path)).toEqual(['translation', 'rotation']);
    expect(readBvh(file(1.001)).clips[0]!.clips[0]!.tracks.map(({ path }) => path)).toEqual([
      'translation',
      'translation',
      'rotation',
    ]);
  });

  it('adds positions near 0 to the OFFSET, and reports it', () => {
    const { clips, issues } = readBvh(
      'HIERARCHY ROOT A { OFFSET 0 95 0 CHANNELS 3 Xposition Yposition Zposition JOINT B { OFFSET 0 40 0 } } ' +
        'MOTION Frames: 2 Frame Time: 1 0 0 0 0 1 100',
    );
    expect([...clips[0]!.clips[0]!.tracks[0]!.values]).toEqual([0, 95, 0, 0, 96, 100]);
    expect(issues).toMatchObject([{ code: 'BVH_POSITIONS_ADDED', severity: 'warning' }]);
    expect(issues[0]!.message).toContain('The position channels of "A" stay near 0');
  });

  it('reads positions in the space of the file where the skeleton would be torn apart otherwise, and writes them back', () => {
    const six = 'CHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation';
    const text =
      `HIERARCHY ROOT hips { OFFSET 0 0 0 ${six} JOINT chest { OFFSET 0 30 0 ${six} JOINT head { OFFSET 0 40 0 ${six} } } } ` +
      'MOTION Frames: 2 Frame Time: 1 0 90 10 0 0 0 0 120 10 0 0 90 1 160 10 0 0 0 ' +
      '5 90 10 0 0 90 -25 90 10 0 0 0 -65 91 10 0 0 0';
    const { asset, tree } = readBvhFile(text);
    const [, head] = asset.clips[0]!.clips[0]!.tracks.filter(({ path }) => path === 'translation');
    expect(asset.issues).toMatchObject([{ code: 'BVH_POSITIONS_WORLD', severity: 'warning' }]);
    // The hips turn about z by 90° in the second frame, the chest in the first; the chest keeps its OFFSET.
    expect(head!.values.map((value) => Math.round(1e6 * value) / 1e6 + 0)).toEqual(
      Float64Array.of(40, -1, 0, 1, 40, 0),
    );
    const written = writeBvhClip(tree, asset.skeletons[0]!, asset.clips[0]!.clips[0]!, { fps: 1 });
    expect(written.issues).toEqual([]);
    for (const [k, value] of written.tree.motion!.values.entries())
      expect(value).toBeCloseTo(tree.motion!.values[k]!, 9);
  });

  it('reads bytes like text', () => {
    expect(readBvh(Buffer.from(SMALL))).toEqual(readBvh(SMALL));
    expect(readBvh(Buffer.from(`\ufeff${SMALL}`, 'utf16le'))).toEqual(readBvh(SMALL));
  });

  it('passes on the issues of the parser', () => {
    expect(readBvh(SMALL.replace('Frames: 2', 'Frames: 3')).issues).toMatchObject([{ code: 'BVH_MOTION' }]);
  });

  it('reads every random file as a valid asset', () => {
    fc.assert(
      fc.property(writtenFiles(), (written) => expectValidAsset(readBvh(bvhText(written)))),
      { seed: 2, numRuns: lawRuns(300) },
    );
  });

  it.runIf(IS_FULL_RUN)('reads 100,000 roots in linear time', () => {
    const file = `HIERARCHY\n${'ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation }\n'.repeat(100_000)}MOTION Frames: 1 Frame Time: 1 ${'5 '.repeat(100_000)}`;
    const spent = cpuTimer();
    expect(readBvh(file).skeletons.length).toBe(100_000);
    expect(spent()).toBeLessThan(5000);
  });

  it('poses random rigs like three.js at the keys, without the OFFSETs that three.js adds to positions', () => {
    let compared = 0;
    fc.assert(
      fc.property(writtenFiles({ roots: 1 }), (written) => {
        const joints = written.joints.map((joint, i) => ({ ...joint, name: `n${i}` }));
        const text = bvhText({ ...written, joints }, { ...PLAIN, emptyChannels: true });
        const ours = readBvh(text);
        if (ours.issues.length > 0 || ours.clips.length === 0) return;
        const three = threePoses(text, (bone, axis) => joints[bone]!.channels.includes(BVH_CHANNELS[axis]!));
        for (const key of written.frames.keys()) {
          const pose = poseBetweenKeys(ours, key, 0);
          const { position, rotation } = poseDifference(pose, three.poseBetweenKeys(key, 0));
          const size = Math.max(1, ...pose.positions.map(Math.abs));
          expect(position).toBeLessThan(SECOND_OPINION * size);
          expect(rotation).toBeLessThan(SECOND_OPINION);
          compared++;
        }
      }),
      { seed: 13, numRuns: lawRuns(400) },
    );
    expect(compared).toBeGreaterThan(lawRuns(400));
  });
});

describe.skipIf(!HAS_ASSETS)('readBvh on third-party files', () => {
  const read = (name: string): { text: string; ours: ReturnType<typeof readBvh> } => {
    const text = readFileSync(asset('assets/bvh', name), 'utf8');
    return { text, ours: readBvh(text) };
  };

  /** Compares poses at and between keys over the whole clip; positions relative to the height. */
  function expectSamePoses(name: string, replacesOffset: 'root' | 'all' | 'none'): void {
    const { text, ours } = read(name);
    const { joints } = parseBvh(text);
    const counted = { root: (bone: number) => bone === 0, all: () => true, none: () => false }[replacesOffset];
    const three = threePoses(text, (bone) => joints[bone]!.kind !== 'end' && counted(bone));
    expect(three.bones.length).toBe(ours.skeletons[0]!.skeleton.names.length);
    const rest = poseBetweenKeys({ ...ours, clips: [] }, 0, 0).positions;
    const height = Math.max(...[0, 1, 2].map((axis) => extent(rest, axis)));
    const keys = ours.clips[0]!.clips[0]!.tracks[0]!.times.length;
    let position = 0;
    let rotation = 0;
    for (let k = 0; k < 60; k++) {
      const key = Math.min(keys - 1, Math.floor((k / 59) * keys));
      const part = key < keys - 1 && k % 2 === 1 ? 0.5 : 0;
      const difference = poseDifference(poseBetweenKeys(ours, key, part), three.poseBetweenKeys(key, part));
      position = Math.max(position, difference.position / height);
      rotation = Math.max(rotation, difference.rotation);
    }
    expect(position).toBeLessThan(SECOND_OPINION);
    expect(rotation).toBeLessThan(SECOND_OPINION);
  }

  function extent(positions: Float64Array, axis: number): number {
    const along = positions.filter((_, i) => i % 3 === axis);
    return Math.max(...along) - Math.min(...along);
  }

  it('finds all files that the comparisons with three.js use', () => {
    expect(assetFiles('assets/bvh', 'bvh').map((file) => basename(file))).toEqual(
      expect.arrayContaining([
        'AD_cmu1_jumping_jacks.bvh',
        'AD_fair1_dab.bvh',
        'AD_rokoko_jesse_dance.bvh',
        'makehuman_tpose.bvh',
        'makehuman_walk1.bvh',
        'mocopi_arm-raise-turn.bvh',
        'pybvh_cmu_12_01_walk.bvh',
      ]),
    );
  });

  it.each(['AD_cmu1_jumping_jacks.bvh', 'AD_fair1_dab.bvh', 'pybvh_cmu_12_01_walk.bvh'])(
    'poses %s over time like three.js',
    (name) => {
      expectSamePoses(name, 'none');
      expect(read(name).ours.issues).toEqual([]);
    },
  );

  it('poses makehuman_walk1.bvh like three.js: both add the root position, near 0, to the OFFSET', () => {
    expectSamePoses('makehuman_walk1.bvh', 'none');
    expect(read('makehuman_walk1.bvh').ours.issues.map(({ code }) => code)).toEqual(['BVH_POSITIONS_ADDED']);
  });

  it('poses AD_rokoko_jesse_dance.bvh like three.js, except for the root OFFSET that three.js adds twice', () => {
    expectSamePoses('AD_rokoko_jesse_dance.bvh', 'root');
  });

  it('poses makehuman_tpose.bvh like three.js, except for the root OFFSET that three.js adds twice', () => {
    expectSamePoses('makehuman_tpose.bvh', 'root');
    const { issues } = read('makehuman_tpose.bvh').ours;
    expect(issues.map(({ code }) => code)).toEqual(['BVH_POSITIONS_ADDED']);
    expect(issues[0]!.message).toContain('"upperleg01.R" and 142 more joints');
  });

  it('poses mocopi_arm-raise-turn.bvh like three.js, except for the OFFSETs of all joints that three.js adds twice', () => {
    expectSamePoses('mocopi_arm-raise-turn.bvh', 'all');
  });

  it('drops the positions of joints that keep their OFFSET, but not those that differ by a rounding error of the exporter', () => {
    const translated = (name: string): number[] => {
      const { tracks } = read(name).ours.clips[0]!.clips[0]!;
      return tracks.filter(({ path }) => path === 'translation').map(({ target }) => target);
    };
    expect(translated('mocopi_arm-raise-turn.bvh')).toEqual([0]);
    expect(translated('makehuman_tpose.bvh').length).toBeLessThan(30);
  });

  it('returns valid assets', () => {
    for (const file of assetFiles('assets/bvh', 'bvh')) expectValidAsset(readBvh(readFileSync(file)));
  });
});
