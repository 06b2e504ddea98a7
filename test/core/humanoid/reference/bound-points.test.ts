import { describe, expect, test } from 'vitest';
import { nodesBelow, posedPoints } from '../../../../src/core/humanoid/reference/bound-points.ts';
import { nodePose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import { about, pointsOf } from '../../../make/estimate.ts';
import { tBody } from '../../../make/tiny-humanoid.ts';
import { expectNear } from '../../../near.ts';

const body = tBody({ leftFoot: { turn: about.y(Math.PI / 2), scale: [2, 2, 2] } });
const { skeleton } = body;
const place = (name: string): number => skeleton.names.indexOf(name);
const names = (below: Uint8Array): string[] => skeleton.names.filter((_, node) => below[node] === 1);

describe('nodesBelow', () => {
  test('are a node and all that hangs on it', () => {
    expect(names(nodesBelow(skeleton, place('leftLowerLeg'), []))).toEqual(['leftLowerLeg', 'leftFoot', 'leftToes']);
  });

  test('end where they are told to', () => {
    expect(names(nodesBelow(skeleton, place('leftUpperLeg'), [place('leftFoot')]))).toEqual([
      'leftUpperLeg',
      'leftLowerLeg',
    ]);
    expect(names(nodesBelow(skeleton, -1, []))).toEqual([]);
  });
});

describe('posedPoints', () => {
  test('are where a pose puts the points of nodes, scale included, turned about a point', () => {
    const points = pointsOf(body, 'leftFoot', [[0, 0, 0.1]]);
    const wanted = nodesBelow(skeleton, place('leftFoot'), []);
    const origin = [0.1, 0.1, 0];
    const posed = posedPoints(skeleton, nodePose(skeleton), points, wanted, origin, about.y(Math.PI / 2));
    expectNear(posed, [0, 0, -0.2], 1e-7);
  });

  test('of other nodes are left out', () => {
    const points = pointsOf(body, 'leftHand', [[0, 0, 0.1]]);
    const wanted = nodesBelow(skeleton, place('leftFoot'), []);
    expect(posedPoints(skeleton, nodePose(skeleton), points, wanted, [0, 0, 0], [0, 0, 0, 1])).toHaveLength(0);
  });
});
