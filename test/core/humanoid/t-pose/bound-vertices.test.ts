import { describe, expect, test } from 'vitest';
import { markSubtree, poseVertices } from '../../../../src/core/humanoid/t-pose/bound-vertices.ts';
import { restModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { about, pointsOf } from '../../../support/make/estimate.ts';
import { tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../../support/near.ts';

const body = tPoseHumanoid({ leftFoot: { turn: about.y(Math.PI / 2), scale: [2, 2, 2] } });
const { skeleton } = body;
const nodeOf = (name: string): number => skeleton.names.indexOf(name);
const names = (below: Uint8Array): string[] => skeleton.names.filter((_, node) => below[node] === 1);

describe('markSubtree', () => {
  test('marks a node and its descendants', () => {
    expect(names(markSubtree(skeleton, nodeOf('leftLowerLeg'), []))).toEqual(['leftLowerLeg', 'leftFoot', 'leftToes']);
  });

  test('excludes the subtrees of stop nodes; marks nothing for node −1', () => {
    expect(names(markSubtree(skeleton, nodeOf('leftUpperLeg'), [nodeOf('leftFoot')]))).toEqual([
      'leftUpperLeg',
      'leftLowerLeg',
    ]);
    expect(names(markSubtree(skeleton, -1, []))).toEqual([]);
  });
});

describe('poseVertices', () => {
  test('poses vertices with scale and rotates them about the origin', () => {
    const points = pointsOf(body, 'leftFoot', [[0, 0, 0.1]]);
    const wanted = markSubtree(skeleton, nodeOf('leftFoot'), []);
    const origin = [0.1, 0.1, 0];
    const posed = poseVertices(skeleton, restModelPose(skeleton), points, wanted, origin, about.y(Math.PI / 2));
    expectNear(posed, [0, 0, -0.2], 1e-7);
  });

  test('leaves out vertices of unwanted nodes', () => {
    const points = pointsOf(body, 'leftHand', [[0, 0, 0.1]]);
    const wanted = markSubtree(skeleton, nodeOf('leftFoot'), []);
    expect(poseVertices(skeleton, restModelPose(skeleton), points, wanted, [0, 0, 0], [0, 0, 0, 1])).toHaveLength(0);
  });
});
