import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type BvhTree, readBvh, readBvhFile, serializeBvh, writeBvhClip } from 'anyrig/bvh';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import { type ModelPose, toModelPose } from '../../../src/core/humanoid/t-pose/model-pose.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import type { BvhContent } from '../../../src/formats/bvh/read-bvh.ts';
import { assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { lawRuns, sampledCases } from '../../support/law-runs.ts';
import { BVH_CHAIN, LAW_F32 } from '../../support/tolerances.ts';
import { bvhText, SMALL, writtenFiles } from './bvh-text.ts';

function poseAt(skeleton: Skeleton, clip: Clip, time: number): ModelPose {
  const local = restPose(skeleton);
  sampleClip(clip, time, local);
  return toModelPose('frame', skeleton.parents, local);
}

/** Returns the largest differences of world rotations (radians) and positions of some nodes over all frames. */
function differences(
  skeleton: Skeleton,
  a: Clip,
  b: Clip,
  times: ArrayLike<number>,
  nodes: readonly number[] = skeleton.names.map((_, node) => node),
): { rotation: number; position: number } {
  let rotation = 0;
  let position = 0;
  for (const time of Array.from(times)) {
    const p = poseAt(skeleton, a, time);
    const q = poseAt(skeleton, b, time);
    for (const node of nodes) {
      rotation = Math.max(rotation, quat.angleBetween(p.rotations, 4 * node, q.rotations, 4 * node));
      position = Math.max(position, vec3.distance(p.positions, 3 * node, q.positions, 3 * node));
    }
  }
  return { rotation, position };
}

function rewritten({ tree, asset }: BvhContent, clip: Clip, digits: 'shortest' | number = 6): BvhTree {
  const text = serializeBvh(writeBvhClip(tree, asset.skeletons[0]!, clip).tree, { digits });
  return readBvhFile(text).tree;
}

function frameClock({ motion }: BvhTree): Float64Array {
  return Float64Array.from({ length: motion!.frameCount }, (_, k) => k * motion!.frameTime);
}

const file = (text: string): BvhContent => readBvhFile(text);
const first = ({ asset }: BvhContent): Clip => asset.clips[0]!.clips[0]!;

function rotationOf(target: number, axis: readonly number[], degrees: readonly number[]): Track {
  const values = new Float64Array(4 * degrees.length);
  degrees.forEach((angle, k) => {
    quat.fromAxisAngle(values, 4 * k, axis, 0, (angle * Math.PI) / 180);
  });
  const times = Float64Array.from(degrees, (_, k) => k / 30);
  return { target, path: 'rotation', interpolation: 'LINEAR', times, values };
}

function clipOf(...tracks: Track[]): Clip {
  return { name: 'new', duration: Math.max(...tracks.map(({ times }) => times.at(-1)!)), tracks };
}

describe('writeBvhClip', () => {
  it('writes the motion of a file back into it, for any channels in any order', () => {
    let compared = 0;
    const property = fc.property(writtenFiles({ roots: 1 }), (written) => {
      const source = file(bvhText(written));
      if (source.asset.clips.length === 0) return;
      // Keys that far apart are not taken as the frame rate.
      const options = written.frameTime > 0.1 ? { fps: 1 / written.frameTime } : {};
      const { tree, issues } = writeBvhClip(source.tree, source.asset.skeletons[0]!, first(source), options);
      expect(issues).toEqual([]);
      expect(tree.joints).toEqual(source.tree.joints);
      expect(tree.motion!.frameCount).toBe(written.frames.length);
      const again = file(serializeBvh(tree, { digits: 'shortest' }));
      const { skeleton } = source.asset.skeletons[0]!;
      const size = 1 + written.frames.flat().reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      const { rotation, position } = differences(skeleton, first(source), first(again), frameClock(source.tree));
      expect(rotation).toBeLessThan(BVH_CHAIN);
      expect(position / size).toBeLessThan(BVH_CHAIN);
      compared++;
    });
    fc.assert(property, { seed: 31, numRuns: lawRuns(400) });
    expect(compared).toBeGreaterThan(lawRuns(200));
  });

  it('keeps hierarchy, names, End Sites and channels, and replaces the motion', () => {
    const small = file(SMALL);
    const { tree, issues } = writeBvhClip(
      small.tree,
      small.asset.skeletons[0]!,
      clipOf(rotationOf(1, [0, 1, 0], [0, 30])),
    );
    expect(issues).toEqual([]);
    expect(tree.joints).toEqual(small.tree.joints);
    expect(tree.motion!.frameTime).toBeCloseTo(1 / 30, 12);
    expect([...tree.motion!.values].map((value) => Math.round(value * 1e9) / 1e9 + 0)).toEqual([
      ...[0, 90.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60, 0],
      ...[0, 90.5, 0, 0, 0, 0, 30, 0, 0, 0, 0, 60, 0],
    ]);
  });

  it('continues angles past 180°, so that players that interpolate them take the short way', () => {
    const small = file(SMALL);
    const degrees = Array.from({ length: 60 }, (_, k) => 20 * k);
    const { motion, channelCount } = rewritten(small, clipOf(rotationOf(1, [1, 0, 0], degrees)));
    const column = small.tree.joints[1]!.column + 1;
    degrees.forEach((angle, frame) => {
      expect(motion!.values[frame * channelCount + column]).toBeCloseTo(angle, 6);
    });
  });

  it('uses the requested frame rate, covers the clip, and repeats its end', () => {
    const small = file(SMALL);
    const clip = clipOf(rotationOf(1, [1, 0, 0], [0, 10, 20, 30]));
    for (const fps of [24, 60, 7]) {
      const { motion } = writeBvhClip(small.tree, small.asset.skeletons[0]!, clip, { fps }).tree;
      expect(motion!.frameTime).toBe(1 / fps);
      expect(motion!.frameCount).toBe(Math.ceil(0.1 * fps) + 1);
      expect(motion!.values.at(-6)).toBeCloseTo(30, 9);
    }
  });

  it('keeps the frame time of the file for a constant clip', () => {
    const small = file(SMALL);
    const still = clipOf(rotationOf(1, [1, 0, 0], [5]));
    const { motion } = writeBvhClip(small.tree, small.asset.skeletons[0]!, still).tree;
    expect([motion!.frameTime, motion!.frameCount]).toEqual([0.04, 1]);
    const bare = file(SMALL.slice(0, SMALL.indexOf('MOTION')));
    expect(writeBvhClip(bare.tree, bare.asset.skeletons[0]!, still).tree.motion!.frameTime).toBe(1 / 60);
  });

  it('writes the nearest rotation for joints with one or two rotation channels, and reports the error', () => {
    const hinge = file(
      'HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation JOINT knee { OFFSET 0 1 0 CHANNELS 1 Xrotation } }',
    );
    const part = hinge.asset.skeletons[0]!;
    const bent = writeBvhClip(hinge.tree, part, clipOf(rotationOf(1, [1, 0, 0], [0, 40])));
    expect(bent.issues).toEqual([]);
    expect(bent.tree.motion!.values.at(-1)).toBeCloseTo(40, 9);
    const twisted = writeBvhClip(hinge.tree, part, clipOf(rotationOf(1, [0, 1, 0], [0, 25])));
    expect(twisted.tree.motion!.values.at(-1)).toBeCloseTo(0, 9);
    expect(twisted.issues).toMatchObject([{ code: 'BVH_CHANNELS_MISSING', severity: 'warning' }]);
    expect(twisted.issues[0]!.message).toMatch(/"knee" cannot represent .* error of up to 25\.00°/);
  });

  it('reports joints that move on axes without a position channel', () => {
    const small = file(SMALL);
    const values = Float64Array.of(-8, 0, 0.1, -8, 5, 0.1);
    const move: Track = {
      target: 1,
      path: 'translation',
      interpolation: 'LINEAR',
      times: Float64Array.of(0, 1),
      values,
    };
    const { issues } = writeBvhClip(small.tree, small.asset.skeletons[0]!, clipOf(move));
    expect(issues).toMatchObject([{ code: 'BVH_CHANNELS_MISSING' }]);
    expect(issues[0]!.message).toContain('"Right Leg" up to 5.00 units');
  });

  it('drops animated scale and reports it; constant scale is not reported', () => {
    const small = file(SMALL);
    const scale = (last: number): Track => {
      const values = Float64Array.of(1, 1, 1, 1, last, 1);
      return { target: 1, path: 'scale', interpolation: 'LINEAR', times: Float64Array.of(0, 1), values };
    };
    const issuesOf = (last: number) => writeBvhClip(small.tree, small.asset.skeletons[0]!, clipOf(scale(last))).issues;
    expect(issuesOf(1.5).map(({ code }) => code)).toEqual(['CHANNELS_DROPPED']);
    expect(issuesOf(1.000001)).toEqual([]);
  });

  it('adds positions to the OFFSET if the file does, and warns when readers cannot detect it', () => {
    const moves = file(
      'HIERARCHY ROOT A { OFFSET 0 95 0 CHANNELS 3 Xposition Yposition Zposition JOINT B { OFFSET 0 40 0 } } ' +
        'MOTION Frames: 2 Frame Time: 1 0 0 0 0 1 100',
    );
    const part = moves.asset.skeletons[0]!;
    const hop = (height: number): Clip => {
      const values = Float64Array.of(0, 95, 0, 0, height, 0);
      return clipOf({
        target: 0,
        path: 'translation',
        interpolation: 'LINEAR',
        times: Float64Array.of(0, 0.1),
        values,
      });
    };
    const low = writeBvhClip(moves.tree, part, hop(97), { fps: 10 });
    expect([...low.tree.motion!.values]).toEqual([0, 0, 0, 0, 2, 0]);
    expect(low.issues).toEqual([]);
    expect([...first(file(serializeBvh(low.tree))).tracks[0]!.values]).toEqual([0, 95, 0, 0, 97, 0]);
    const high = writeBvhClip(moves.tree, part, hop(150), { fps: 10 });
    expect([...high.tree.motion!.values]).toEqual([0, 0, 0, 0, 55, 0]);
    expect(high.issues).toMatchObject([{ code: 'BVH_POSITIONS_AMBIGUOUS', severity: 'warning' }]);
    expect(high.issues[0]!.message).toContain('"A" are added to the OFFSET');
  });

  it('animates one of several skeletons; the others keep their zero pose', () => {
    const two = file(
      'HIERARCHY ROOT A { OFFSET 1 2 3 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation } ' +
        'ROOT B { OFFSET 4 5 6 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation } ' +
        'MOTION Frames: 1 Frame Time: 1 7 7 7 7 7 7 8 8 8 8 8 8',
    );
    const { tree } = writeBvhClip(two.tree, two.asset.skeletons[1]!, clipOf(rotationOf(0, [0, 1, 0], [10])));
    expect([...tree.motion!.values].map((value) => Math.round(value * 1e9) / 1e9 + 0)).toEqual([
      ...[1, 2, 3, 0, 0, 0],
      ...[4, 5, 6, 0, 0, 10],
    ]);
  });

  it('refuses skeletons and clips of another file, and invalid frame rates', () => {
    const small = file(SMALL);
    const part = small.asset.skeletons[0]!;
    const clip = clipOf(rotationOf(9, [1, 0, 0], [5]));
    expect(() => writeBvhClip(small.tree, part, clip)).toThrow(/node 9, the skeleton has 5 nodes/);
    const other = { ...part, sourceNodes: Int32Array.of(0, 1, 2, 3, 7) };
    expect(() => writeBvhClip(small.tree, other, first(small))).toThrow(RangeError);
    for (const fps of [0, -1, Number.NaN, 1e12]) {
      expect(() => writeBvhClip(small.tree, part, first(small), { fps })).toThrow(RangeError);
    }
  });
});

describe.skipIf(!HAS_ASSETS)('writeBvhClip on third-party files', () => {
  const files = assetFiles('assets/bvh', 'bvh').map((path) => [basename(path), path] as const);

  it('finds files', () => {
    expect(files.length).toBeGreaterThanOrEqual(7);
  });

  it.each(files)('writes %s unchanged: all joints at all frames, to the serialized decimals', (_, path) => {
    const source = file(readFileSync(path, 'utf8'));
    const { skeleton } = source.asset.skeletons[0]!;
    const tree = rewritten(source, first(source));
    expect(tree.motion!.frameCount).toBe(source.tree.motion!.frameCount);
    expect(Math.abs(tree.motion!.frameTime - source.tree.motion!.frameTime)).toBeLessThan(5e-10);
    expect(tree.joints).toEqual(source.tree.joints.map((joint) => ({ ...joint, offset: rounded(joint.offset) })));
    const again = readBvh(serializeBvh(tree)).clips[0]!.clips[0]!;
    const clock = { ...tree, motion: { ...tree.motion!, frameTime: source.tree.motion!.frameTime } };
    const sameClock = { ...again, tracks: again.tracks.map((track) => ({ ...track, times: frameClock(clock) })) };
    const { rotation, position } = differences(skeleton, first(source), sameClock, frameClock(source.tree));
    expect(rotation).toBeLessThan(BVH_CHAIN);
    expect(position / heightOf(skeleton)).toBeLessThan(BVH_CHAIN);
  });

  it.each(sampledCases(files))('writes %s unchanged after retargeting it to itself', (_, path) => {
    const source = file(readFileSync(path, 'utf8'));
    const { skeleton } = source.asset.skeletons[0]!;
    const { humanoid } = describeHumanoid(skeleton, { motion: first(source) });
    const clip = retargetClip(planRetarget(humanoid!, humanoid!), first(source));
    const { tree, issues } = writeBvhClip(source.tree, source.asset.skeletons[0]!, clip);
    expect(issues).toEqual([]);
    expect(tree.motion!.frameCount).toBe(source.tree.motion!.frameCount);
    const again = file(serializeBvh(tree));
    const bones = [...humanoid!.map.nodes].filter((node) => node >= 0);
    const clock = frameClock(source.tree);
    const sameClock = { ...first(again), tracks: first(again).tracks.map((track) => ({ ...track, times: clock })) };
    expect(differences(skeleton, first(source), sameClock, clock, bones).rotation).toBeLessThan(LAW_F32);
    const hips = differences(skeleton, first(source), sameClock, clock, [humanoid!.map.nodes[0]!]);
    expect(hips.position / heightOf(skeleton)).toBeLessThan(BVH_CHAIN);
  });

  function rounded(offset: Float64Array): Float64Array {
    return offset.map((value) => Math.round(value * 1e6) / 1e6 + 0);
  }

  function heightOf(skeleton: Skeleton): number {
    const { positions } = toModelPose('rest', skeleton.parents, restPose(skeleton));
    return Math.max(...positions) - Math.min(...positions);
  }
});
