import {
  Animation,
  AnimationGroup,
  AnimationKeyInterpolation,
  type IAnimationKey,
  Quaternion,
  SineEase,
  TransformNode,
  Vector3,
} from '@babylonjs/core';
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { readGroup } from '../../../src/engines/babylon/read-group.ts';
import { readScene } from '../../../src/engines/babylon/read-scene.ts';
import { writeGroup } from '../../../src/engines/babylon/write-group.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { RESAMPLED_RADIANS, SECOND_OPINION } from '../../support/tolerances.ts';
import { emptyScene, show } from './scenes.ts';

const FPS = 30;
const FRAMES = [0, 12, 30, 60];
const MOMENTS = [0, 0.1, 0.4, 0.71, 1, 1.5, 2];
const rotationOf = (angle: number): Quaternion => Quaternion.RotationYawPitchRoll(angle, angle / 2, 0.3);
const ROTATIONS = [0, 1, 2.2, -0.7].map(rotationOf);
const POINTS = [new Vector3(0, 0, 0), new Vector3(1, 2, 3), new Vector3(-1, 0, 5), new Vector3(2, 2, 2)];

function keysOf(
  values: readonly (Vector3 | Quaternion)[],
  more: (key: number) => object = () => ({}),
): IAnimationKey[] {
  return values.map((value, key) => ({ frame: FRAMES[key], value, ...more(key) }));
}

/** Creates a root with one child in a right-handed scene, and a group that animates the child. */
function tiny(animations: readonly (readonly [string, number, IAnimationKey[], SineEase?])[]) {
  const scene = emptyScene(true);
  const root = new TransformNode('root', scene);
  const node = new TransformNode('node', scene);
  node.parent = root;
  const group = new AnimationGroup('group', scene);
  for (const [property, type, keys, easing] of animations) {
    const animation = new Animation(property, property, FPS, type);
    animation.setKeys(keys);
    if (easing !== undefined) animation.setEasingFunction(easing);
    group.addTargetedAnimation(animation, node);
  }
  return { scene, root, node, group };
}

function poseOf(node: TransformNode): number[] {
  const rotation = node.rotationQuaternion ?? node.rotation.toQuaternion();
  return [...node.position.asArray(), ...rotation.normalizeToNew().asArray()];
}

function expectShown(animations: Parameters<typeof tiny>[0], tolerance: number): void {
  const { scene, root, node, group } = tiny(animations);
  const graph = readScene(root);
  const { clip, others, issues } = readGroup(group, graph);
  expect([others.size, issues.length, graph.mirrored]).toEqual([0, 0, false]);
  const again = writeGroup(clip, [root, node], scene, { fps: FPS, from: 0, to: 60 });
  for (const time of MOMENTS) {
    const local = graph.rest.slice();
    sampleClip(clip, time, local);
    show(group, time);
    const expected = poseOf(node);
    expectNear(local.subarray(10, 13), expected.slice(0, 3), tolerance);
    expectSameRotation(local.subarray(13, 17), expected.slice(3), tolerance);
    show(again, time);
    expectNear(poseOf(node).slice(0, 3), expected.slice(0, 3), tolerance);
    expectSameRotation(poseOf(node).slice(3), expected.slice(3), tolerance);
    group.stop();
  }
}

describe('readGroup and writeGroup give the same poses as Babylon.js', () => {
  const { ANIMATIONTYPE_QUATERNION: QUATERNION, ANIMATIONTYPE_VECTOR3: VECTOR } = Animation;

  it('for linear keys', () => {
    expectShown(
      [
        ['rotationQuaternion', QUATERNION, keysOf(ROTATIONS)],
        ['position', VECTOR, keysOf(POINTS)],
      ],
      SECOND_OPINION,
    );
  });

  it('for stepped keys', () => {
    const step = (): object => ({ interpolation: AnimationKeyInterpolation.STEP });
    expectShown(
      [
        ['rotationQuaternion', QUATERNION, keysOf(ROTATIONS, step)],
        ['position', VECTOR, keysOf(POINTS, step)],
      ],
      SECOND_OPINION,
    );
  });

  it('for cubic keys, with tangents per frame', () => {
    const slope = (key: number): object => ({
      inTangent: new Vector3(0.1, -0.2, 0.05 * key),
      outTangent: new Vector3(-0.1, 0.1 * key, 0),
    });
    const spin = (key: number): object => ({
      inTangent: new Quaternion(0.02, 0.01 * key, 0, -0.01),
      outTangent: new Quaternion(0, 0.02, -0.01, 0.01 * key),
    });
    expectShown(
      [
        ['rotationQuaternion', QUATERNION, keysOf(ROTATIONS, spin)],
        ['position', VECTOR, keysOf(POINTS, slope)],
      ],
      SECOND_OPINION,
    );
  });

  it('for easing, which is resampled', () => {
    expectShown([['position', VECTOR, keysOf(POINTS), new SineEase()]], 6e-5);
  });

  it('for Euler angles, which become quaternions', () => {
    const angles = [0, 1, 2.2, -0.7].map((angle) => new Vector3(angle / 2, angle, 0.3));
    expectShown([['rotation', VECTOR, keysOf(angles)]], SECOND_OPINION + RESAMPLED_RADIANS);
  });
});

describe('readGroup', () => {
  it('counts animations outside the skeleton by kind', () => {
    const { root, group, scene } = tiny([['rotation.y', Animation.ANIMATIONTYPE_FLOAT, [{ frame: 0, value: 1 }]]]);
    const stranger = new Animation('position', 'position', FPS, Animation.ANIMATIONTYPE_VECTOR3);
    stranger.setKeys(keysOf(POINTS));
    group.addTargetedAnimation(stranger, new TransformNode('stranger', scene));
    const { clip, others } = readGroup(group, readScene(root));
    expect(clip.tracks).toEqual([]);
    expect([...others]).toEqual([
      ['rotation.y', 1],
      ['nodes outside the skeleton', 1],
    ]);
  });
});
