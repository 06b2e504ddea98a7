import {
  AnimationClip,
  AnimationMixer,
  Bone,
  BooleanKeyframeTrack,
  Euler,
  Group,
  InterpolateDiscrete,
  InterpolateSmooth,
  LoopOnce,
  NumberKeyframeTrack,
  type Object3D,
  Quaternion,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { makeCubicSpline } from '../../../src/engines/three/cubic-spline.ts';
import { movesRoot, readClip } from '../../../src/engines/three/read-clip.ts';
import { readScene } from '../../../src/engines/three/read-scene.ts';
import { writeClip } from '../../../src/engines/three/write-clip.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { SECOND_OPINION } from '../../support/tolerances.ts';

/** Creates a root with one child bone. */
function tiny(): { root: Group; bone: Bone; indexOf: ReadonlyMap<Object3D, number> } {
  const root = new Group();
  const bone = new Bone();
  bone.name = 'bone';
  root.add(bone);
  return { root, bone, indexOf: readScene(root, false).indexOf };
}

const TIMES = [0, 0.4, 1, 2];
const ROTATIONS = [0, 1, 2.2, -0.7].flatMap((angle) =>
  new Quaternion().setFromEuler(new Euler(angle, angle / 2, 0.3)).toArray(),
);
const POINTS = [0, 0, 0, 1, 2, 3, -1, 0, 5, 2, 2, 2];
const MOMENTS = [0, 0.1, 0.4, 0.71, 1, 1.5, 2];

/** Adds an in-tangent and an out-tangent to each value. */
function spline(values: readonly number[], width: number): number[] {
  const out: number[] = [];
  for (let key = 0; key < values.length; key += width) {
    const value = values.slice(key, key + width);
    const slope = value.map((_, c) => Math.sin(3 * key + c));
    out.push(...slope, ...value, ...slope.map((one) => -0.5 * one));
  }
  return out;
}

/** Returns position and quaternion of an object while three.js plays a clip. */
function played(root: Object3D, object: Object3D, clip: AnimationClip, time: number): number[] {
  const mixer = new AnimationMixer(root);
  const action = mixer.clipAction(clip);
  action.setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  mixer.setTime(time);
  const pose = [...object.position.toArray(), ...object.quaternion.toArray()];
  mixer.stopAllAction();
  return pose;
}

function expectShown(tracks: AnimationClip['tracks'], tolerance: number): void {
  const { root, bone, indexOf } = tiny();
  const clip = new AnimationClip('clip', -1, tracks);
  const { clip: core, others, issues } = readClip(clip, root, indexOf);
  expect([others.size, issues.length]).toEqual([0, 0]);
  const again = writeClip(core, root, [root, bone], clip.duration).clip;
  for (const time of MOMENTS) {
    const local = readScene(root, false).rest;
    sampleClip(core, time, local);
    const expected = played(root, bone, clip, time);
    expectNear(local.subarray(10, 13), expected.slice(0, 3), tolerance);
    expectSameRotation(local.subarray(13, 17), expected.slice(3), tolerance);
    expectNear(played(root, bone, again, time), [...local.subarray(10, 17)], tolerance);
  }
}

describe('readClip and writeClip give the same poses as three.js', () => {
  it('for linear keys', () => {
    expectShown(
      [
        new QuaternionKeyframeTrack('bone.quaternion', TIMES, ROTATIONS),
        new VectorKeyframeTrack('bone.position', TIMES, POINTS),
      ],
      SECOND_OPINION,
    );
  });

  it('for discrete keys', () => {
    expectShown(
      [
        new QuaternionKeyframeTrack('bone.quaternion', TIMES, ROTATIONS, InterpolateDiscrete),
        new VectorKeyframeTrack('bone.position', TIMES, POINTS, InterpolateDiscrete),
      ],
      SECOND_OPINION,
    );
  });

  it('for glTF cubic splines', () => {
    const tracks = [
      new QuaternionKeyframeTrack('bone.quaternion', TIMES, spline(ROTATIONS, 4)),
      new VectorKeyframeTrack('bone.position', TIMES, spline(POINTS, 3)),
    ];
    for (const track of tracks) makeCubicSpline(track);
    expectShown(tracks, SECOND_OPINION);
  });

  it('for smooth curves, which are resampled', () => {
    // The tolerance is 1e-5 of the largest value, which is 5.
    expectShown([new VectorKeyframeTrack('bone.position', TIMES, POINTS, InterpolateSmooth)], 6e-5);
  });
});

describe('readClip', () => {
  const rotationTrack = (name: string): QuaternionKeyframeTrack => new QuaternionKeyframeTrack(name, TIMES, ROTATIONS);

  it('resolves tracks by name, uuid and bone index', () => {
    const { root, bone, indexOf } = tiny();
    Object.assign(root, { skeleton: { bones: [bone], getBoneByName: () => undefined } });
    for (const name of ['bone', bone.uuid, '.bones[bone]', '.bones[0]', 'folder/bone']) {
      const { clip } = readClip(new AnimationClip('', -1, [rotationTrack(`${name}.quaternion`)]), root, indexOf);
      expect(clip.tracks.map(({ target, path }) => [target, path])).toEqual([[1, 'rotation']]);
    }
  });

  it('counts tracks outside the skeleton by kind', () => {
    const { root, bone, indexOf } = tiny();
    const stranger = new Bone();
    stranger.name = 'late';
    root.add(stranger);
    const clip = new AnimationClip('', -1, [
      new NumberKeyframeTrack('bone.morphTargetInfluences[smile]', [0], [1]),
      new NumberKeyframeTrack('bone.position[x]', [0], [1]),
      new BooleanKeyframeTrack('bone.visible', [0], [true]),
      rotationTrack('nobody.quaternion'),
      rotationTrack('bone.material[0].quaternion'),
      rotationTrack('late.quaternion'),
    ]);
    const { clip: core, others } = readClip(clip, root, indexOf);
    expect(core.tracks).toEqual([]);
    expect([...others]).toEqual([
      ['morphTargetInfluences', 1],
      ['position', 1],
      ['visible', 1],
      ['quaternion of objects that do not exist', 1],
      ['quaternion of material', 1],
      ['objects outside the skeleton', 1],
    ]);
    expect(bone.name).toBe('bone');
  });

  it('uses the last of several tracks on one property', () => {
    const { root, indexOf } = tiny();
    const last = new QuaternionKeyframeTrack('bone.quaternion', [0], [1, 0, 0, 0]);
    const { clip } = readClip(new AnimationClip('', -1, [rotationTrack('bone.quaternion'), last]), root, indexOf);
    expect(clip.tracks.map(({ values }) => [...values])).toEqual([[1, 0, 0, 0]]);
  });

  it('repairs invalid keys and reports KEYS_REPAIRED', () => {
    const { root, indexOf } = tiny();
    const broken = new VectorKeyframeTrack('bone.position', [0, 1], [0, 0, 0, Number.NaN, 0, 0]);
    const { clip, issues } = readClip(new AnimationClip('', 1, [broken]), root, indexOf);
    expect(clip.tracks[0].times.length).toBe(1);
    expect(issues.map(({ code }) => code)).toEqual(['KEYS_REPAIRED']);
  });

  it('movesRoot detects tracks of the root by name, uuid and empty name', () => {
    const { root } = tiny();
    root.name = 'stage';
    expect(movesRoot(new AnimationClip('', -1, [rotationTrack('bone.quaternion')]), root)).toBe(false);
    for (const name of ['.quaternion', 'stage.quaternion', `${root.uuid}.quaternion`]) {
      expect(movesRoot(new AnimationClip('', -1, [rotationTrack(name)]), root)).toBe(true);
    }
  });
});
