import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changeSpeed } from '../../../../src/core/animation/change-speed.ts';
import { mirrorClip } from '../../../../src/core/animation/mirror-clip.ts';
import { trimClip } from '../../../../src/core/animation/trim-clip.ts';
import { JOINT_SETS, parentsOf } from '../../../../src/core/points/joint-sets.ts';
import { findHumanoid } from '../../../../src/files/humanoid/find-humanoid.ts';
import { retargetClips } from '../../../../src/files/jobs/retarget-clips.ts';
import { openBytes } from '../../../../src/files/open.ts';
import { readBvh } from '../../../../src/formats/bvh/read-bvh.ts';
import { type NumpyArray, readNumbers } from '../../../../src/formats/npz/container/numpy-array.ts';
import { parseNumpy } from '../../../../src/formats/npz/container/parse-numpy.ts';
import { readNpz } from '../../../../src/formats/npz/read-npz.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { openDemo } from '../../../support/make/demo-files.ts';
import { type MakeArray, makeNpz } from '../../../support/make/numpy-files.ts';
import { farthest, type Matrix, matrixOf, posed, product, turned } from '../posed.ts';

const T = 5;
const names = JOINT_SETS.soma77;
const parents = parentsOf('soma77') as Int32Array;
const [PLACES_TOLERANCE, ROTATION_TOLERANCE] = [1e-5, 1e-6];

/** A full file of Kimodo with any rotations, and lengths that no body has. */
function somaArrays(): { arrays: Record<string, MakeArray>; places: number[][][]; matrices: Matrix[][] } {
  const places: number[][][] = [];
  const matrices: Matrix[][] = [];
  const locals: Matrix[][] = [];
  for (let frame = 0; frame < T; frame++) {
    const worlds: Matrix[] = [];
    const points: number[][] = [];
    locals.push([]);
    for (let joint = 0; joint < names.length; joint++) {
      const angle = 0.3 * Math.sin(joint + frame);
      const own = matrixOf([Math.sin(angle) * 0.6, Math.sin(angle) * 0.8, 0, Math.cos(angle)]);
      locals[frame].push(own);
      const parent = parents[joint];
      worlds.push(parent < 0 ? own : product(worlds[parent], own));
      const offset = [0.01 * (joint % 3), joint < 67 ? 0.1 : -0.2, 0.02];
      points.push(
        parent < 0 ? [frame, 1, 0] : turned(worlds[parent], offset).map((value, k) => value + points[parent][k]),
      );
    }
    places.push(points);
    matrices.push(worlds);
  }
  const array = (shape: number[], values: unknown[]): MakeArray => ({
    shape,
    values: values.flat(3) as number[],
    descr: '<f8',
  });
  return {
    places,
    matrices,
    arrays: {
      posed_joints: array([T, 77, 3], places),
      global_rot_mats: array([T, 77, 3, 3], matrices),
      local_rot_mats: array([T, 77, 3, 3], locals),
      root_positions: array(
        [T, 3],
        places.map(([root]) => root),
      ),
      foot_contacts: { shape: [T, 6], values: new Array<number>(6 * T).fill(1), descr: '|b1' },
    },
  };
}

describe('readNpz: Kimodo', () => {
  const { arrays, places, matrices } = somaArrays();
  const { global_rot_mats: _, ...local } = arrays;
  it.each([
    ['global', arrays],
    ['local', local],
  ])('reads places and rotations of 77 joints from %s matrices', (_kind, file) => {
    const read = readNpz(makeNpz(file));
    expect(read.skeletons[0].skeleton.names).toEqual(names);
    for (let frame = 0; frame < T; frame++) {
      const ours = posed(read, 0, frame);
      expect(farthest(ours.places, places[frame])).toBeLessThan(PLACES_TOLERANCE);
      expect(farthest(ours.matrices, matrices[frame])).toBeLessThan(ROTATION_TOLERANCE);
    }
  });

  it('refuses arrays of different motions', () => {
    const single = Array.from(arrays['global_rot_mats'].values as number[]).slice(0, 9 * 77);
    const file = { ...arrays, global_rot_mats: { shape: [1, 77, 3, 3], values: single, descr: '<f8' } };
    expect(() => readNpz(makeNpz(file))).toThrow(/posed_joints has 5 frames, the rotations have 1/);
  });
});

describe.skipIf(!HAS_ASSETS)('readNpz: files of Kimodo', () => {
  const soma = asset('assets/npz/kimodo_soma30_01_run_leap.npz');
  const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(path));

  it('has the places and rotations of the file, to 1e-6 m and 0.01°', () => {
    const bytes = bytesOf(soma);
    const values = parseNumpy(bytes);
    const stored = readNumbers(values.get('posed_joints') as NumpyArray);
    const rotations = readNumbers(values.get('global_rot_mats') as NumpyArray);
    const read = readNpz(bytes);
    for (const frame of [0, 40, 77, 149]) {
      const ours = posed(read, 0, frame);
      const points = Array.from({ length: 30 }, (_, joint) => [
        ...stored.subarray(3 * (30 * frame + joint), 3 * (30 * frame + joint) + 3),
      ]);
      const turns = Array.from({ length: 30 }, (_, joint) => [
        ...rotations.subarray(9 * (30 * frame + joint), 9 * (30 * frame + joint) + 9),
      ]);
      expect(farthest(ours.places, points)).toBeLessThan(1e-6);
      // The norm of the difference of two rotations is √2 times twice the sine of half the angle: 2.5e-4 at 0.01°.
      expect(farthest(ours.matrices, turns)).toBeLessThan(2.4e-4);
    }
  });

  it('rests as the BVH of its skeleton does, to 1e-4 of the height; LeftLeg is the thigh', async () => {
    const read = readNpz(bytesOf(soma));
    const { skeleton: bvh } = readBvh(bytesOf(asset('assets/bvh/soma77_standard_tpose.bvh'))).skeletons[0];
    const restAt = (
      { parents: above, rest }: { parents: Int32Array; rest: ArrayLike<number> },
      joint: number,
    ): number[] => {
      const out = [0, 0, 0];
      for (let node = joint; above[node] >= 0; node = above[node])
        for (let axis = 0; axis < 3; axis++) out[axis] += rest[10 * node + axis];
      return out;
    };
    const { skeleton } = read.skeletons[0];
    const hips = restAt(bvh, bvh.names.indexOf('Hips'));
    for (const [joint, name] of skeleton.names.entries()) {
      const other = restAt(bvh, bvh.names.indexOf(name)).map((value, axis) => (value - hips[axis]) / 100);
      expect(farthest([restAt(skeleton, joint)], [other]), name).toBeLessThan(1.6e-4);
    }
    const file = await openBytes(bytesOf(soma), { name: 'soma.npz' });
    const { humanoid } = findHumanoid(file);
    expect(humanoid.map.nodes.includes(skeleton.names.indexOf('LeftLeg'))).toBe(true);
  });

  it('reads the robot as a person without a head, and says that it is one', async () => {
    const file = await openBytes(bytesOf(asset('assets/npz/kimodo_g1_01_run_leap.npz')), { name: 'g1.npz' });
    expect(file.asset.issues.map(({ message }) => message).join()).toMatch(/robot Unitree G1/);
    const { humanoid } = findHumanoid(file);
    expect(humanoid.map.nodes.filter((node) => node >= 0)).toHaveLength(16);
  });
});

describe('foot_contacts of Kimodo', () => {
  const withContacts = (columns: number, stands: (frame: number, column: number) => boolean) => {
    const { arrays } = somaArrays();
    const values = Array.from({ length: T * columns }, (_, k) =>
      stands(Math.floor(k / columns), k % columns) ? 1 : 0,
    );
    return readNpz(makeNpz({ ...arrays, foot_contacts: { shape: [T, columns], values, descr: '|u1' } }));
  };

  it('are plants of heels and toes, left before right', () => {
    // The left heel stands in frames 1 and 2, the right toes in the last frame.
    const { clips } = withContacts(
      4,
      (frame, column) => (column === 0 && (frame === 1 || frame === 2)) || (column === 3 && frame === T - 1),
    );
    const at = (frame: number) => expect.closeTo(frame / 30, 9);
    expect(clips[0].clips[0].plants).toEqual([
      { side: 'left', part: 'heel', from: at(1), to: at(2) },
      { side: 'right', part: 'ball', from: at(T - 1), to: at(T - 1) },
    ]);
  });

  it('join toes and their ends in files of six columns, and others are ignored', () => {
    const { clips } = withContacts(
      6,
      (frame, column) => (column === 1 && frame === 0) || (column === 2 && frame === 1),
    );
    expect(clips[0].clips[0].plants).toMatchObject([{ side: 'left', part: 'ball', from: 0 }]);
    expect(withContacts(5, () => true).clips[0].clips[0]).not.toHaveProperty('plants');
  });

  it('go with trim, speed and mirror', () => {
    const [{ clips }] = withContacts(4, (frame, column) => column === 0 && frame > 0 && frame < 4).clips;
    const [clip] = clips;
    const at = (frame: number) => expect.closeTo(frame / 30, 6);
    expect(trimClip(clip, 2 / 30).plants).toEqual([{ side: 'left', part: 'heel', from: 0, to: at(1) }]);
    expect(changeSpeed(clip, 2).plants).toEqual([{ side: 'left', part: 'heel', from: at(0.5), to: at(1.5) }]);
    expect(mirrorClip(clip).plants).toEqual([{ side: 'right', part: 'heel', from: at(1), to: at(3) }]);
  });
});

describe.skipIf(!HAS_ASSETS)('contacts of a leap of Kimodo', () => {
  it('are the plants of the retargeted clip', async () => {
    const path = asset('assets', 'npz', 'kimodo_soma30_01_run_leap.npz');
    const leap = await openBytes(readFileSync(path), { name: 'leap.npz' });
    const { plants = [] } = leap.asset.clips[0].clips[0];
    expect(plants.length).toBeGreaterThan(6);
    const { clips } = await retargetClips([leap], await openDemo('giant.glb'));
    const left = plants.filter(({ side, part }) => side === 'left' && part === 'ball');
    expect(clips[0].contacts?.plants.left).toBe(left.length);
  });
});
