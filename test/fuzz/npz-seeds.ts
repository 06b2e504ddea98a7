/** Small files of NumPy of every layout. */
import { JOINT_SETS, parentsOf } from '../../src/core/points/joint-sets.ts';
import { POSE_STRIDE } from '../../src/core/skeleton/skeleton.ts';
import { readNpz } from '../../src/formats/npz/read-npz.ts';
import { posed } from '../formats/npz/posed.ts';
import { walkArrays } from '../support/make/demo-npz.ts';
import {
  type MakeArray,
  type MakeObject,
  makeNpy,
  makeNpz,
  makeObjectNpy,
  makePickle,
} from '../support/make/numpy-files.ts';

const FPS = 4;

/** Columns of an array with a row per frame. */
function columns({ shape, values, descr = '<f8' }: MakeArray, from: number, to: number): MakeArray {
  const [frames, width] = shape;
  const numbers = Array.from(values as ArrayLike<number>);
  const rows = Array.from({ length: frames }, (_, row) => numbers.slice(row * width + from, row * width + to));
  return { shape: [frames, to - from], values: rows.flat(), descr };
}

/** Makes the files, by name. */
export function npzSeeds(): Record<string, Uint8Array> {
  const arrays = walkArrays(FPS);
  const { poses, trans } = arrays;
  const amass = makeNpz(arrays);
  const read = readNpz(amass);
  const [frames] = poses.shape;
  const places = Array.from({ length: frames }, (_, frame) => posed(read, 0, frame).places.slice(0, 22));
  const joints: MakeArray = { shape: [frames, 22, 3], values: places.flat(2) };
  const samples: number[] = [];
  for (let joint = 0; joint < 22; joint++)
    for (let axis = 0; axis < 3; axis++)
      for (let frame = 0; frame < frames; frame++) samples.push(places[frame][joint][axis]);
  const soma = JOINT_SETS.soma30;
  const parents = parentsOf('soma30') as Int32Array;
  const { rest } = read.skeletons[0].skeleton;
  const somaPlaces = Array.from(soma, () => [0, 1, 0]);
  for (const [joint, parent] of parents.entries()) {
    const isLeg = /Leg|Shin|Foot|Toe/.test(soma[joint]);
    const side = soma[joint].startsWith('Left') ? 0.1 : soma[joint].startsWith('Right') ? -0.1 : 0;
    if (parent >= 0)
      somaPlaces[joint] = somaPlaces[parent].map((value, axis) => value + [side, isLeg ? -0.3 : 0.1, 0.02][axis]);
  }
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const two = <T>(row: T[]): T[] => [...row, ...row];
  const tensor = (shape: number[], values: ArrayLike<number>, descr = '<f4'): MakeObject => ({
    dict: { arr: { array: { shape, values, descr } } },
  });
  const { names, parents: bones } = read.skeletons[0].skeleton;
  const offsets = names.flatMap((_, node) => Array.from(rest.subarray(POSE_STRIDE * node, POSE_STRIDE * node + 3)));
  return {
    'amass.npz': amass,
    'packed.npz': makeNpz(arrays, { deflate: true, zip64: true }),
    'parts.npz': makeNpz({
      global_orient: columns(poses, 0, 3),
      body_pose: columns(poses, 3, 66),
      transl: { ...trans, fortran: true },
      left_hand_pose: columns(poses, 75, 120),
      betas: columns(poses, 0, 10),
    }),
    'walk.smpl': makeNpz({
      smplVersion: { shape: [], values: [2], descr: '<i4' },
      frameRate: { shape: [], values: [FPS], descr: '<f4' },
      bodyPose: { ...columns(poses, 0, 66), shape: [frames, 22, 3] },
      bodyTranslation: trans,
    }),
    'poses.npy': makeNpy(columns(poses, 0, 72)),
    'joints.npy': makeNpy(joints),
    'vectors.npy': makeNpy({
      shape: [frames, 263],
      values: places.flatMap((points) => [
        0.01,
        0,
        0.1,
        points[0][1],
        ...points.slice(1).flat(),
        ...new Array<number>(196).fill(1),
      ]),
    }),
    'aist.pkl': makePickle({
      dict: {
        smpl_loss: 1.5,
        smpl_poses: { array: columns(poses, 0, 72) },
        smpl_trans: { array: trans },
        smpl_scaling: { array: { shape: [1], values: [1] } },
      },
    }),
    'people.pkl': makePickle({
      dict: {
        a: { dict: { poses: { array: poses }, trans: { array: trans } } },
        b: { dict: { poses: { array: poses }, trans: { array: trans } } },
      },
    }),
    'mdm.npy': makeObjectNpy({
      dict: {
        motion: { array: { shape: [1, 22, 3, frames], values: samples } },
        text: ['a person walks'],
        lengths: { array: { shape: [1], values: [frames - 1], descr: '<i8' } },
      },
    }),
    'kimodo.npz': makeNpz({
      posed_joints: { shape: [2, 30, 3], values: two(somaPlaces.flat()) },
      global_rot_mats: { shape: [2, 30, 3, 3], values: two(soma.flatMap(() => identity)) },
      foot_contacts: { shape: [2, 4], values: new Array<number>(8).fill(1), descr: '|b1' },
    }),
    'poselib.npy': makeObjectNpy({
      dict: {
        rotation: tensor(
          [1, 55, 4],
          names.flatMap(() => [0, 0, 0, 1]),
        ),
        root_translation: tensor([1, 3], [0, 0, 0.9]),
        skeleton_tree: {
          dict: {
            node_names: [...names],
            parent_indices: tensor([55], bones, '<i8'),
            local_translation: tensor([55, 3], offsets),
          },
        },
        is_local: true,
        fps: 30,
      },
    }),
  };
}
