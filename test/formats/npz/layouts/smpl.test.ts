import { describe, expect, it } from 'vitest';
import type { AssetClip } from '../../../../src/core/asset/asset.ts';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { POSE_STRIDE } from '../../../../src/core/skeleton/skeleton.ts';
import { readNpz } from '../../../../src/formats/npz/read-npz.ts';
import { type MakeArray, makeNpy, makeNpz, makePickle } from '../../../support/make/numpy-files.ts';

const T = 4;
const HALF = Math.PI / 2;

/** An array of T frames, with a row or the numbers of a function of frame and column. */
function rows(width: number, at: (frame: number, column: number) => number = () => 0, descr = '<f8'): MakeArray {
  const values = Array.from({ length: T * width }, (_, k) => at(Math.floor(k / width), k % width));
  return { shape: [T, width], values, descr };
}

/** Rotations of the root alone: axis and angle. */
const turned = (width: number, x: number, y = 0, z = 0): MakeArray => rows(width, (_, c) => [x, y, z][c] ?? 0);
const number = (value: number, descr = '<f8'): MakeArray => ({ shape: [], values: [value], descr });
const place = (x: number, y: number, z: number): MakeArray => rows(3, (_, c) => [x, y, z][c]);

function track(clip: AssetClip, target: number, path: 'rotation' | 'translation'): number[] {
  const found = clip.clips[0].tracks.find((one) => one.target === target && one.path === path);
  return [...(found?.values.subarray(0, path === 'rotation' ? 4 : 3) ?? [])];
}

/** The first keys of the pelvis, as they are in a file that is made of arrays. */
function pelvis(arrays: Record<string, MakeArray>): { rotation: number[]; place: number[] } {
  const clip = readNpz(makeNpz(arrays)).clips[0];
  return { rotation: track(clip, 0, 'rotation'), place: track(clip, 0, 'translation') };
}

const near = (values: readonly number[]): unknown[] => values.map((value) => expect.closeTo(value, 5));
const layoutFault = (message: RegExp): unknown =>
  expect.objectContaining({ constructor: FormatError, code: 'NPZ_LAYOUT', message: expect.stringMatching(message) });
const codes = (bytes: Uint8Array): string[] => readNpz(bytes).issues.map(({ code }) => code);

describe('readNpz: SMPL', () => {
  it('reads AMASS: SMPL-H, Z up, with the frame rate of the file', () => {
    const arrays = {
      poses: turned(156, HALF),
      trans: place(1, 2, 0.93),
      betas: { shape: [16], values: new Array<number>(16).fill(0) },
      dmpls: rows(8),
      gender: { shape: [], values: ['male'], descr: '<U4' },
      mocap_framerate: number(120.00004577636719),
      marker_data: { shape: [T, 2, 3], values: new Array<number>(24).fill(Number.NaN) },
    };
    const { skeletons, clips, up, metersPerUnit } = readNpz(makeNpz(arrays));
    expect([skeletons[0].skeleton.names.length, up, metersPerUnit]).toEqual([52, [0, 1, 0], 1]);
    expect(clips[0].duration).toBe((T - 1) / 120);
    // The body stands along Z of the file: a quarter turn about X. It stands along Y now.
    expect(track(clips[0], 0, 'rotation')).toEqual(near([0, 0, 0, 1]));
    const [x, , z] = track(clips[0], 0, 'translation');
    expect([x, z]).toEqual(near([1, -(2 - 0.223)]));
  });

  it('reads SMPL-X with arrays for each part, some without columns', () => {
    const asset = readNpz(
      makeNpz({
        poses: rows(165, (_, c) => (c === 3 ? 0.5 : 0)),
        root_orient: rows(3),
        pose_body: rows(63),
        pose_foot: { shape: [T, 0], values: [], descr: '<f8' },
        trans: place(0, 1.31, 0),
      }),
    );
    expect(asset.skeletons[0].skeleton.names).toHaveLength(55);
    expect(track(asset.clips[0], 1, 'rotation')).toEqual(near([Math.sin(0.25), 0, 0, Math.cos(0.25)]));
    expect(asset.issues.map(({ code }) => code)).toEqual(['NPZ_BODY', 'NPZ_AXES', 'NPZ_AXES', 'NPZ_FRAME_RATE']);
  });

  const body = { body_pose: rows(63, (_, c) => (c === 0 ? 0.5 : 0), '<f4'), betas: rows(10) };
  it('reads GVHMR: the world and not the camera, with a translation in Fortran order', () => {
    const columns = Array.from({ length: 3 * T }, (_, k) => (k < T ? k : k < 2 * T ? 1.3 : 2));
    const arrays = {
      ...body,
      global_orient: rows(3),
      transl: { shape: [T, 3], values: columns, fortran: true },
      global_orient_incam: turned(3, Math.PI),
      transl_incam: place(9, 9, 9),
    };
    const { clips, skeletons } = readNpz(makeNpz(arrays));
    expect(skeletons[0].skeleton.names).toHaveLength(22);
    expect(track(clips[0], 0, 'rotation')).toEqual(near([0, 0, 0, 1]));
    const values = clips[0].clips[0].tracks.find(({ path }) => path === 'translation')?.values ?? [];
    expect([values[0], values[3], values[6]]).toEqual(near([0.003, 1.003, 2.003]));
  });

  it('turns what only a camera saw upright, and says so', () => {
    const bytes = makeNpz({ ...body, global_orient: turned(3, Math.PI), transl: place(0, 0.2, 3) });
    const { clips, issues } = readNpz(bytes);
    expect(track(clips[0], 0, 'rotation').map(Math.abs)).toEqual(near([0, 0, 0, 1]));
    expect(issues.map(({ message }) => message).join()).toMatch(/relative to a camera/);
    expect(track(clips[0], 0, 'translation')[2]).toBeCloseTo(-3.012, 4);
  });

  it('takes people from dicts, the world before the camera', () => {
    const person = (x: number): object => ({
      smpl_params_incam: { dict: { global_orient: { array: turned(3, 1) }, body_pose: { array: rows(63) } } },
      smpl_params_global: {
        dict: {
          global_orient: { array: rows(3) },
          body_pose: { array: rows(63) },
          transl: { array: place(x, 1.3, 0) },
        },
      },
    });
    const one = readNpz(makePickle({ dict: person(0) as never }));
    expect(one.clips.map(({ name }) => name)).toEqual(['']);
    const two = readNpz(makePickle({ dict: { a: { dict: person(0) as never }, b: { dict: person(2) as never } } }));
    expect(two.clips.map((clip) => track(clip, 0, 'translation')[0])).toEqual(near([0.003, 2.003]));
  });

  it('reads the people that ROMP found in an image as a pose each, upright', () => {
    const dict = {
      smpl_thetas: { array: turned(72, Math.PI) },
      cam_trans: { array: place(0, 0, 4) },
      global_orient: { array: turned(3, Math.PI) },
      body_pose: { array: rows(69) },
    };
    const { clips, issues } = readNpz(makePickle({ dict: { results: { dict } } }));
    expect(clips.map(({ name, duration }) => [name, duration])).toEqual(['0', '1', '2', '3'].map((name) => [name, 0]));
    expect(track(clips[3], 0, 'rotation').map(Math.abs)).toEqual(near([0, 0, 0, 1]));
    expect(issues.map(({ message }) => message).join()).toMatch(/relative to a camera/);
  });

  it('reads GLAMR: a person of a pickle, Z up, with matrices as well as vectors', () => {
    const quarter = [1, 0, 0, 0, 0, -1, 0, 1, 0];
    const matrices = { shape: [T, 3, 3], values: Array.from({ length: 9 * T }, (_, k) => quarter[k % 9]) };
    const dict = {
      smpl_pose: { array: rows(69) },
      smpl_orient_world: { array: matrices },
      root_trans_world: { array: place(0, 0, 1.15) },
      scale: null,
    };
    const { clips } = readNpz(makePickle({ dict: { person_data: { dict: { 0: { dict } } } } }));
    expect(track(clips[0], 0, 'rotation')).toEqual(near([0, 0, 0, 1]));
  });

  it('reads AIST++: lengths by its scaling, 60 frames per second, on the ground', () => {
    const bytes = makePickle({
      dict: {
        smpl_loss: 1.5,
        smpl_poses: { array: rows(72) },
        smpl_trans: { array: place(93.8, 187.6, 0) },
        smpl_scaling: { array: { shape: [1], values: [93.8] } },
      },
    });
    const { clips, skeletons } = readNpz(bytes);
    const [x, y] = track(clips[0], 0, 'translation');
    expect([x, clips[0].duration]).toEqual(near([1, (T - 1) / 60]));
    // The pelvis is as high as in the rest pose, which stands on the ground.
    expect(y).toBeCloseTo(skeletons[0].skeleton.rest[1], 4);
    expect(codes(bytes)).toContain('NPZ_FRAME_RATE');
  });

  it('reads .smpl with all parts, and one with a single frame', () => {
    const whole = {
      smplVersion: number(2, '<i4'),
      frameRate: number(24, '<f4'),
      bodyTranslation: place(0, 1.3, 0),
      bodyPose: { shape: [T, 22, 3], values: new Array<number>(T * 66).fill(0.1) },
      headPose: { shape: [T, 3, 3], values: new Array<number>(T * 9).fill(0) },
      leftHandPose: { shape: [T, 15, 3], values: new Array<number>(T * 45).fill(0) },
      rightHandPose: { shape: [T, 15, 3], values: new Array<number>(T * 45).fill(0) },
    };
    const { skeletons, clips } = readNpz(makeNpz(whole));
    expect([skeletons[0].skeleton.names.length, clips[0].duration]).toEqual([55, (T - 1) / 24]);
    const single = {
      smplVersion: number(1, '<i4'),
      bodyPose: { shape: [1, 22, 3], values: new Array<number>(66).fill(0.1) },
    };
    expect(readNpz(makeNpz(single)).clips[0].duration).toBe(0);
  });

  it.each([
    ['of another model', { smplVersion: number(5, '<i4'), bodyPose: rows(46) }, /SKEL.*anyrig reads/],
    ['without a pose', { smplVersion: number(2, '<i4'), shapeParameters: rows(10) }, /no pose/],
    [
      'with the T-pose of an avatar',
      { smplVersion: number(2, '<i4'), bodyPose: { shape: [1, 22, 3], values: new Array<number>(66).fill(0) } },
      /T-pose and no motion/,
    ],
  ])('refuses .smpl %s', (_, arrays, message) => {
    expect(() => readNpz(makeNpz(arrays))).toThrow(layoutFault(message) as Error);
  });

  it('refuses arrays that all have the shape of one of them', () => {
    const wrong = { body_pose: rows(63), global_orient: rows(63), transl: rows(63), betas: rows(63) };
    expect(() => readNpz(makeNpz(wrong))).toThrow(layoutFault(/global_orient.*\(4, 63\).*\(frames, 3\)/) as Error);
  });

  it('refuses a translation of another number of frames', () => {
    const arrays = { poses: rows(72), trans: { shape: [7, 3], values: new Array<number>(21).fill(0) } };
    expect(() => readNpz(makeNpz(arrays))).toThrow(layoutFault(/trans.*\(7, 3\)/) as Error);
  });

  it.each([72, 66, 156, 165])('reads an array of %d numbers per frame alone, with feet on the ground', (width) => {
    const bytes = makeNpy(rows(width));
    const { clips, skeletons } = readNpz(bytes);
    expect(track(clips[0], 0, 'translation')[1]).toBeCloseTo(skeletons[0].skeleton.rest[1], 5);
    expect(readNpz(bytes, { up: 'z' }).clips[0].clips[0].tracks.length).toBeGreaterThan(20);
  });

  it.each(['x', 'y', 'z', '-x', '-y', '-z'] as const)('stands upright with %s up', (up) => {
    const turns = {
      x: [0, 0, -HALF],
      y: [0, 0, 0],
      z: [HALF, 0, 0],
      '-x': [0, 0, HALF],
      '-y': [Math.PI, 0, 0],
      '-z': [-HALF, 0, 0],
    };
    const poses = turned(72, ...(turns[up] as [number, number, number]));
    const measured = readNpz(makeNpz({ poses, trans: place(0, 0, 0) }));
    const given = readNpz(makeNpz({ poses, trans: place(0, 0, 0) }), { up });
    for (const { clips } of [measured, given])
      expect(track(clips[0], 0, 'rotation').map(Math.abs)).toEqual(near([0, 0, 0, 1]));
    expect(given.issues.filter(({ message }) => message.includes('which axis is up'))).toEqual([]);
  });

  it('believes the producer where bodies lie, and the body where it stands', () => {
    const trans = place(0, 0, 0);
    const lying = pelvis({ poses: rows(72), trans, mocap_framerate: number(60) });
    // Bodies stand along Y in spite of the names of AMASS.
    expect(lying.rotation).toEqual(near([0, 0, 0, 1]));
    const rolling = rows(72, (frame, column) => (column === 0 ? HALF * frame : 0));
    const rolled = pelvis({ poses: rolling, trans, mocap_framerate: number(60) });
    expect(rolled.rotation).toEqual(near([-Math.SQRT1_2, 0, 0, Math.SQRT1_2]));
  });

  it('takes the frame rate of the caller', () => {
    expect(readNpz(makeNpy(rows(72)), { frameRate: 10 }).clips[0].duration).toBeCloseTo(0.3, 9);
    expect(() => readNpz(makeNpy(rows(72)), { frameRate: 0 })).toThrow(RangeError);
  });

  it.each([
    [29.998859, 29.998859],
    [120.00004577636719, 120],
    [0, 30],
    [Number.NaN, 30],
  ])('takes the frame rate %d of the file as %d', (stored, expected) => {
    const { clips } = readNpz(makeNpz({ poses: rows(72), fps: number(stored) }));
    expect((T - 1) / clips[0].duration).toBeCloseTo(expected, 9);
  });

  it('says that hands as principal components were left out', () => {
    const bytes = makeNpz({ ...body, global_orient: rows(3), left_hand_pose: rows(6), right_hand_pose: rows(6) });
    expect(
      readNpz(bytes)
        .issues.map(({ message }) => message)
        .join(),
    ).toMatch(/left_hand_pose \(4, 6\), right_hand_pose/);
  });

  it('leaves out frames that are not numbers', () => {
    const poses = rows(72, (frame) => (frame === 2 ? Number.NaN : 0));
    const { clips, issues } = readNpz(makeNpz({ poses, trans: place(0, 0.9, 0) }));
    expect(
      clips[0].clips[0].tracks.every(({ path, times }) => times.length === (path === 'rotation' ? T - 1 : T)),
    ).toBe(true);
    expect(issues.map(({ code }) => code)).toContain('NUMBERS_OUT_OF_RANGE');
  });

  it('names the arrays of a file that is no motion', () => {
    const bytes = makeNpz({ 'run1/contacts': rows(2), meta: { shape: [], values: ['x'], descr: '<U1' } });
    expect(() => readNpz(bytes)).toThrow(layoutFault(/run1\/contacts \(4, 2\), meta/) as Error);
  });

  it('rests on the ground, facing +Z, with left at +X', () => {
    const { skeleton } = readNpz(makeNpy(rows(165))).skeletons[0];
    const restAt = (name: string): number[] => {
      let node = skeleton.names.indexOf(name);
      const out = [0, 0, 0];
      for (; node >= 0; node = skeleton.parents[node])
        for (let axis = 0; axis < 3; axis++) out[axis] += skeleton.rest[POSE_STRIDE * node + axis];
      return out;
    };
    expect(restAt('left_foot')[1]).toBeCloseTo(0.02, 5);
    expect(restAt('left_foot')[2]).toBeGreaterThan(restAt('left_ankle')[2]);
    expect(restAt('left_wrist')[0]).toBeGreaterThan(0.6);
    expect(restAt('right_index3')[0]).toBeLessThan(restAt('right_wrist')[0]);
  });
});
