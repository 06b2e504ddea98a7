import { describe, expect, it } from 'vitest';
import { expectNear } from '../../../../support/near.ts';
import { USD_STAGE_F64 } from '../../../../support/tolerances.ts';
import { assetOf, skeletonText } from '../clip-scene.ts';

describe('assetSkeletons', () => {
  it('contain the ancestors of a Skeleton and its joints, with a bind pose in world space', () => {
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

  it('have no bind pose if the Skeleton has none', () => {
    const text = skeletonText('S', ['A']).replace('bindTransforms', 'notBound');
    expect(assetOf(text).skeletons[0].skeleton.bind).toBeNull();
  });

  it('find a bind pose in the space of an ancestor; joints without a bind matrix keep their rest transform', () => {
    const scaled = (s: number, ...xyz: number[]): string =>
      `((${s}, 0, 0, 0), (0, ${s}, 0, 0), (0, 0, ${s}, 0), (${xyz.join(', ')}, 1))`;
    const at = (...xyz: number[]): string => scaled(1, ...xyz);
    const one = at(0, 0, 0);
    // Two helper joints have no bind matrix. The arms of the other joints point down at rest and are level in the bind pose.
    const joints = ['"Helper"', '"Helper/Hip"', '"Helper/Hip/Arm"', '"Helper/Hip/Arm/Hand"', '"Helper/Hip/End"'];
    const rest = [at(0, 1, 0), at(0, 2, 0), at(1, 0, 0), at(0, -2, 0), at(0, 1, 0)];
    const bind = [one, scaled(100, 0, 300, 0), scaled(100, 100, 300, 0), scaled(100, 300, 300, 0), one];
    const [{ skeleton }] = assetOf(`
def Xform "Centimeters" {
  double3 xformOp:scale = (0.01, 0.01, 0.01)
  uniform token[] xformOpOrder = ["xformOp:scale"]
  def SkelRoot "Root" {
    double3 xformOp:scale = (100, 100, 100)
    uniform token[] xformOpOrder = ["xformOp:scale"]
    def Skeleton "Skel" {
      uniform token[] joints = [${joints.join(', ')}]
      uniform matrix4d[] restTransforms = [${rest.join(', ')}]
      uniform matrix4d[] bindTransforms = [${bind.join(', ')}]
    }
  }
}`).skeletons;
    const origin = (name: string): number[] => {
      const node = skeleton.names.indexOf(name);
      return [...(skeleton.bind?.slice(16 * node + 12, 16 * node + 15) ?? [])];
    };
    const origins = ['Helper', 'Hip', 'Arm', 'Hand', 'End'].flatMap(origin);
    expectNear(origins, [0, 1, 0, 0, 3, 0, 1, 3, 0, 3, 3, 0, 0, 4, 0], USD_STAGE_F64);
  });

  it('are the trees of more than one prim if there are no joints', () => {
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
    expect(skeletons.map(({ skeleton }) => skeleton.names)).toEqual([
      ['Robot', 'Arm', 'Hand'],
      ['House', 'Wall'],
    ]);
    expect([...skeletons[0].skeleton.joints]).toEqual([0, 0, 0]);
    expect(
      clips.map(({ name, clips: parts, otherChannels }) => [
        name,
        parts.map((clip) => clip.tracks.length),
        otherChannels,
      ]),
    ).toEqual([['', [1, 0], 1]]);
  });
});
