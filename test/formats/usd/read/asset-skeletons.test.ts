import { describe, expect, it } from 'vitest';
import { expectNear } from '../../../near.ts';
import { USD_STAGE_F64 } from '../../../tolerances.ts';
import { assetOf, skeletonText } from './clip-scene.ts';

describe('skeletons of an asset', () => {
  it('are the prims above a Skeleton and its joints, bound where the Skeleton stands', () => {
    const { skeletons } = assetOf(`
def Xform "World" {
  double3 xformOp:translate = (0, 5, 0)
  token[] xformOpOrder = ["xformOp:translate"]
  def Xform "Beside" {
  }
  def SkelRoot "Root" {
    def Skeleton "Skel" {
      uniform token[] joints = ["Hip", "Hip/Knee"]
      uniform matrix4d[] restTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 3, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, -1, 0, 1))]
      uniform matrix4d[] bindTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 3, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 2, 0, 1))]
    }
  }
}`);
    expect(skeletons).toHaveLength(1);
    const [{ skeleton, sourceNodes, declared }] = skeletons;
    expect(skeleton.names).toEqual(['World', 'Root', 'Skel', 'Hip', 'Knee']);
    expect(skeleton.name).toBe('Skel');
    expect([...skeleton.parents]).toEqual([-1, 0, 1, 2, 3]);
    expect([...skeleton.joints]).toEqual([0, 0, 0, 1, 1]);
    expect([...sourceNodes]).toEqual([0, 2, 3, 4, 5]);
    expect(declared).toBeNull();
    const origin = (node: number): number[] => [...(skeleton.bind?.slice(16 * node + 12, 16 * node + 15) ?? [])];
    expectNear(origin(2), [0, 5, 0], USD_STAGE_F64);
    expectNear(origin(3), [0, 8, 0], USD_STAGE_F64);
    expectNear(origin(4), [0, 7, 0], USD_STAGE_F64);
  });

  it('have no bind pose where the Skeleton has none', () => {
    const text = skeletonText('S', ['A']).replace('bindTransforms', 'notBound');
    expect(assetOf(text).skeletons[0].skeleton.bind).toBeNull();
  });

  it('are trees of prims that move where there are no joints', () => {
    const move =
      'double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 1: (1, 0, 0) }\n token[] xformOpOrder = ["xformOp:translate"]';
    const { skeletons, clips } = assetOf(`
def Xform "Robot" {
  def Xform "Arm" {
    ${move}
    def Mesh "Hand" {
    }
  }
}
def Xform "House" {
  def Mesh "Wall" {
  }
}
def Xform "Ball" {
  ${move}
}`);
    expect(skeletons.map(({ skeleton }) => skeleton.names)).toEqual([['Robot', 'Arm', 'Hand']]);
    expect([...skeletons[0].skeleton.joints]).toEqual([0, 0, 0]);
    expect(clips.map(({ name, clips: [clip], otherChannels }) => [name, clip.tracks.length, otherChannels])).toEqual([
      ['', 1, 1],
    ]);
  });
});
