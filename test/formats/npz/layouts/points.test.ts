import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type NumpyArray, readNumbers } from '../../../../src/formats/npz/container/numpy-array.ts';
import { parseNumpy } from '../../../../src/formats/npz/container/parse-numpy.ts';
import { positionsOfVectors } from '../../../../src/formats/npz/layouts/humanml-vectors.ts';
import { readNpz } from '../../../../src/formats/npz/read-npz.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { walkNpz } from '../../../support/make/demo-npz.ts';
import { type MakeArray, makeNpy, makeNpz, makeObjectNpy } from '../../../support/make/numpy-files.ts';
import { posed } from '../posed.ts';

/** Places of the joints of SMPL in a walk: frames × 22 points. */
const walk = ((): number[][][] => {
  const read = readNpz(walkNpz());
  const frames = read.clips[0].clips[0].tracks[0].times.length;
  return Array.from({ length: frames }, (_, frame) => posed(read, 0, frame).places.slice(0, 22));
})();
const T = walk.length;

const joints = (frames: number[][][], change: (point: number[]) => number[] = (point) => point): MakeArray => ({
  shape: [frames.length, frames[0].length, 3],
  values: frames.flatMap((points) => points.flatMap((point) => change(point))),
});

/** Directions of left thigh, shin, upper arm and forearm: joints from and to. */
const LIMBS = [
  [1, 4, 'leftUpperLeg', 'leftLowerLeg'],
  [4, 7, 'leftLowerLeg', 'leftFoot'],
  [16, 18, 'leftUpperArm', 'leftLowerArm'],
  [18, 20, 'leftLowerArm', 'leftHand'],
] as const;

const directionOf = (from: readonly number[], to: readonly number[]): number[] => {
  const way = to.map((value, axis) => value - from[axis]);
  return way.map((value) => value / Math.hypot(...way));
};

/** Checks that the limbs of a file point where those of the walk do. */
function expectWalk(bytes: Uint8Array, frame: number, clip = 0): void {
  const read = readNpz(bytes);
  const { names } = read.skeletons[0].skeleton;
  const { places } = posed(read, clip, frame);
  for (const [from, to, bone, next] of LIMBS) {
    const ours = directionOf(places[names.indexOf(bone)], places[names.indexOf(next)]);
    const theirs = directionOf(walk[frame][from], walk[frame][to]);
    expect(ours, bone).toEqual(theirs.map((value) => expect.closeTo(value, 4)));
  }
}

/** The vectors of HumanML3D of frames, by its definition. The last frame has no speed and is left out. */
function vectorsOf(frames: number[][][]): { vectors: number[][]; headings: number[] } {
  const headings = frames.map((points) => {
    const across = [0, 2].map((axis) => points[2][axis] - points[1][axis] + points[17][axis] - points[16][axis]);
    // Forward is up × across.
    return Math.atan2(across[1], -across[0]);
  });
  const turnedBy = (angle: number, [x, y, z]: readonly number[]): number[] => [
    x * Math.cos(angle) + z * Math.sin(angle),
    y,
    z * Math.cos(angle) - x * Math.sin(angle),
  ];
  const vectors = frames.slice(0, -1).map((points, k) => {
    const next = frames[k + 1];
    const speed = turnedBy(
      -headings[k + 1],
      next[0].map((value, axis) => value - points[0][axis]),
    );
    const others = points
      .slice(1)
      .flatMap(([x, y, z]) => turnedBy(-headings[k], [x - points[0][0], y, z - points[0][2]]));
    const row = [(headings[k] - headings[k + 1]) / 2, speed[0], speed[2], points[0][1], ...others];
    return [...row, ...new Array<number>(259 - row.length).fill(0.3), k % 2, 1, 0, 1];
  });
  return { vectors, headings };
}

describe('readNpz: positions of joints', () => {
  it('reads HumanML3D joints, alone or by name, at 20 frames per second', () => {
    expectWalk(makeNpy(joints(walk)), 10);
    expectWalk(makeNpz({ joints: joints(walk) }), 20);
    expect(readNpz(makeNpy(joints(walk))).clips[0].duration).toBeCloseTo((T - 1) / 20, 9);
  });

  it('reads HumanML3D vectors, to 1e-5 m', () => {
    const { vectors, headings } = vectorsOf(walk);
    const bytes = makeNpy({ shape: [T - 1, 263], values: vectors.flat(), descr: '<f8' });
    const array = parseNumpy(bytes).get('') as NumpyArray;
    const places = positionsOfVectors(array);
    const [cos, sin] = [Math.cos(-headings[0]), Math.sin(-headings[0])];
    for (const [frame, points] of walk.slice(0, -1).entries()) {
      for (const [joint, [x, y, z]] of points.entries()) {
        const [dx, dz] = [x - walk[0][0][0], z - walk[0][0][2]];
        const expected = [dx * cos + dz * sin, y, dz * cos - dx * sin];
        for (let axis = 0; axis < 3; axis++)
          expect(Math.abs(places[3 * (22 * frame + joint) + axis] - expected[axis])).toBeLessThan(1e-5);
      }
    }
    expect(readNpz(bytes).clips[0].clips[0].tracks.length).toBeGreaterThan(15);
  });

  const normalized = Array.from({ length: 263 * 4 }, (_, k) => Math.sin(k));
  it.each([
    ['normalized vectors', makeNpy({ shape: [4, 263], values: normalized })],
    [
      'vectors with the axes of a model',
      makeObjectNpy({ dict: { motion: { array: { shape: [263, 1, 4], values: normalized } }, fps: 20 } }),
    ],
  ])('refuses %s with what to do', (_, bytes) => {
    expect(() => readNpz(bytes)).toThrow(/Std\.npy and add Mean\.npy/);
  });

  it('reads samples of MDM as clips, cut at their lengths', () => {
    const frames = 8;
    const values: number[] = [];
    for (let sample = 0; sample < 2; sample++)
      for (let joint = 0; joint < 22; joint++)
        for (let axis = 0; axis < 3; axis++)
          for (let frame = 0; frame < frames; frame++)
            values.push(sample === 1 && frame >= 5 ? 99 : walk[frame][joint][axis]);
    const bytes = makeObjectNpy({
      dict: {
        motion: { array: { shape: [2, 22, 3, frames], values, descr: '<f8' } },
        text: ['a person walks', 'a person stops'],
        lengths: { array: { shape: [2], values: [8, 5], descr: '<i8' } },
      },
    });
    const { clips } = readNpz(bytes);
    expect(clips.map(({ name, duration }) => [name, duration])).toEqual([
      ['0 a person walks', expect.closeTo(7 / 20, 9)],
      ['1 a person stops', 4 / 20],
    ]);
    expectWalk(bytes, 4, 1);
  });

  it('reads one sample of MDM, whose last axis are the frames', () => {
    const values = Array.from({ length: 66 * T }, (_, k) => {
      const [joint, axis, frame] = [Math.floor(k / (3 * T)), Math.floor(k / T) % 3, k % T];
      return walk[frame][joint][axis];
    });
    const bytes = makeNpy({ shape: [22, 3, T], values, descr: '<f4' });
    expect(readNpz(bytes).clips.map(({ name }) => name)).toEqual(['']);
    expectWalk(bytes, 4);
  });

  it('reads places in rows of numbers, and rotations in others', () => {
    const { values } = joints(walk);
    const places = makeNpy({ shape: [T, 66], values, descr: '<f4' });
    expectWalk(places, 3);
    expect(readNpz(places).skeletons[0].declared).not.toBeNull();
    const bent = walk.map((_, frame) => Array.from({ length: 66 }, (_, k) => Math.sin(k + frame / 4)));
    const rotations = makeNpy({ shape: [T, 66], values: bent.flat(), descr: '<f4' });
    expect(readNpz(rotations).skeletons[0].declared).toBeNull();
  });

  it('mirrors left-handed positions, so that feet point forward', () => {
    const bytes = makeNpy({ ...joints(walk, ([x, y, z]) => [-x, y, z]), descr: '<f4' });
    const isLeftHanded = (file: Uint8Array): boolean =>
      readNpz(file).issues.some(({ message }) => message.includes('left-handed'));
    expect(isLeftHanded(bytes)).toBe(true);
    expectWalk(bytes, 3);
    // Knees bent by 120°, as in a jump: feet point down and back.
    const jumping = walk.map((points) =>
      points.map((point, joint) => {
        const knee = points[[4, 7, 10].includes(joint) ? 4 : 5];
        if (![7, 8, 10, 11].includes(joint)) return point;
        const [x, y, z] = point.map((value, axis) => value - knee[axis]);
        return [knee[0] + x, knee[1] - 0.5 * y - 0.866 * z, knee[2] + 0.866 * y - 0.5 * z];
      }),
    );
    expect(isLeftHanded(makeNpy({ ...joints(jumping), descr: '<f4' }))).toBe(false);
  });

  it('reads the joint lists of detectors by their number', () => {
    const names = ['shoulder', 'elbow', 'wrist', 'hip', 'knee', 'ankle'];
    const smpl = { shoulder: 16, elbow: 18, wrist: 20, hip: 1, knee: 4, ankle: 7 } as Record<string, number>;
    const sided = names.flatMap((name) => [smpl[name], smpl[name] + 1]);
    const coco = walk.map((points) => [...Array.from({ length: 5 }, () => points[15]), ...sided.map((k) => points[k])]);
    expectWalk(makeNpy({ ...joints(coco), descr: '<f4' }), 3);
  });

  it('bridges zeros, which detectors write for points that they lost', () => {
    const smpl = [16, 17, 18, 19, 20, 21, 1, 2, 4, 5, 7, 8];
    const coco = walk.map((points, frame) => [
      ...Array.from({ length: 5 }, () => points[15]),
      ...smpl.map((joint) => (joint === 20 && frame === 3 ? [0, 0, 0] : points[joint])),
    ]);
    expect(readNpz(makeNpy({ ...joints(coco), descr: '<f4' })).issues.map(({ code }) => code)).toContain(
      'POINTS_BRIDGED',
    );
  });

  it('keeps the pelvis of a model that begins at the origin', () => {
    const [start] = walk[0];
    const bytes = makeNpy({
      ...joints(walk, (point) => point.map((value, axis) => value - start[axis])),
      descr: '<f4',
    });
    expect(readNpz(bytes).issues.map(({ code }) => code)).not.toContain('POINTS_BRIDGED');
  });

  it('reads landmarks of MediaPipe of somebody who lies across the picture with Y down', () => {
    const smpl = [
      ...new Array<number>(11).fill(15),
      16,
      17,
      18,
      19,
      20,
      21,
      20,
      21,
      20,
      21,
      20,
      21,
      1,
      2,
      4,
      5,
      7,
      8,
      7,
      8,
      10,
      11,
    ];
    const lying = walk.map((points) => smpl.map((joint) => points[joint]));
    const read = readNpz(makeNpy({ ...joints(lying, ([x, y, z]) => [y, x, -z]), descr: '<f4' }));
    expect(read.issues.map(({ code }) => code)).not.toContain('NPZ_AXES');
  });

  it.each([[[24, 3, 4]], [[55, 3, 10]], [[17, 3, 16]]])(
    'refuses numbers of the shape %j that are no places',
    (shape) => {
      const values = Array.from({ length: shape[0] * shape[1] * shape[2] }, (_, k) => 0.5 * Math.sin(1.7 * k));
      expect(() => readNpz(makeNpy({ shape, values, descr: '<f4' }))).toThrow(/no motion that anyrig knows/);
    },
  );

  it('reads takes of JDM, and names one by its label', () => {
    const bytes = makeNpz({
      data: { shape: [1, T, 22, 3], values: joints(walk).values, descr: '<f8' },
      label: { shape: [], values: ['walking'], descr: '<U9' },
    });
    expect(readNpz(bytes).clips.map(({ name }) => name)).toEqual(['walking']);
    expectWalk(bytes, 3);
  });

  it.each([
    ['millimeters with Z up', ([x, y, z]: number[]) => [1000 * x, -1000 * z, 1000 * y], /millimeters/],
    [
      'centimeters with Y down',
      ([x, y, z]: number[]) => [100 * x, -100 * y, -100 * z],
      /centimeters.*relative to a camera/s,
    ],
    ['units of the body', ([x, y, z]: number[]) => [0.2 * x, 0.2 * y, 0.2 * z], /no unit that is known/],
  ])('reads %s, and says so', (_, change, message) => {
    const bytes = makeNpy({ ...joints(walk, change), descr: '<f8' });
    expectWalk(bytes, 12);
    expect(
      readNpz(bytes)
        .issues.map((issue) => issue.message)
        .join('\n'),
    ).toMatch(message);
  });

  it('takes rotations of as many joints for rotations', () => {
    const values = Array.from({ length: 6 * 24 * 3 }, (_, k) => 0.3 * Math.sin(k * k));
    expect(readNpz(makeNpy({ shape: [6, 24, 3], values })).issues.map(({ code }) => code)).toContain('NPZ_BODY');
  });

  it('refuses HumanData, which has bodies in images', () => {
    const bytes = makeNpz({
      keypoints3d: { shape: [2, 144, 4], values: new Array<number>(2 * 144 * 4).fill(0) },
      image_path: { shape: [2], values: ['a', 'b'], descr: '<U4' },
    });
    expect(() => readNpz(bytes)).toThrow(/HumanData.*not a motion/);
  });

  it('names the arrays where no joint list has as many joints', () => {
    const bytes = makeNpy({ shape: [4, 19, 3], values: new Array<number>(4 * 57).fill(1) });
    expect(() => readNpz(bytes)).toThrow(/an array \(4, 19, 3\)/);
  });
});

describe.skipIf(!HAS_ASSETS)('readNpz: files with positions', () => {
  const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(asset('assets', path)));

  it('keeps the directions of limbs of lifted poses, Z up and in millimeters, on the ground in all frames', () => {
    const bytes = bytesOf('npy/twin_video2bvh_3d_pose_900x17x3.npy');
    const numbers = readNumbers(parseNumpy(bytes).get('') as NumpyArray);
    const read = readNpz(bytes);
    const { names } = read.skeletons[0].skeleton;
    // Z up becomes Y up.
    const at = (frame: number, joint: number): number[] => {
      const [x, y, z] = numbers.subarray(3 * (17 * frame + joint), 3 * (17 * frame + joint) + 3);
      return [x, z, -y];
    };
    const limbs = [
      [4, 5, 'leftUpperLeg', 'leftLowerLeg'],
      [2, 3, 'rightLowerLeg', 'rightFoot'],
      [12, 13, 'leftLowerArm', 'leftHand'],
    ] as const;
    const restAnkle = posed(
      { ...read, clips: [{ ...read.clips[0], clips: [{ ...read.clips[0].clips[0], tracks: [] }] }] },
      0,
      0,
    );
    const lowestOf = (places: readonly (readonly number[])[]): number => Math.min(...places.map(([, y]) => y));
    for (let frame = 0; frame < 900; frame += 31) {
      const { places } = posed(read, 0, frame);
      expect(lowestOf(places)).toBeCloseTo(lowestOf(restAnkle.places), 4);
      for (const [from, to, bone, next] of limbs) {
        const ours = directionOf(places[names.indexOf(bone)], places[names.indexOf(next)]);
        expect(ours).toEqual(directionOf(at(frame, from), at(frame, to)).map((value) => expect.closeTo(value, 4)));
      }
    }
  });

  it('reads the pose of SAM 3D Body upright', () => {
    const read = readNpz(bytesOf('npz/sam3dbody_img_subj00.npz'));
    const { names } = read.skeletons[0].skeleton;
    const { places } = posed(read, 0, 0);
    expect(places[names.indexOf('head')][1]).toBeGreaterThan(places[names.indexOf('hips')][1] + 0.3);
    expect(read.clips[0].duration).toBe(0);
  });

  it.each([
    ['npz/pybvh_foot_contacts_notmotion.npz', /no motion that anyrig knows/],
    ['npz/smplcodec_avatar_vertexoffsets.smpl', /T-pose and no motion/],
    ['npy/mdmfork_gen263D_normalised.npy', /normalized/],
  ])('refuses %s', (path, message) => {
    expect(() => readNpz(bytesOf(path))).toThrow(message);
  });
});
