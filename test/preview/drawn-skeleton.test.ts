import { describe, expect, it } from 'vitest';
import { BONE } from '../../src/core/humanoid/bones.ts';
import * as quat from '../../src/core/math/quat.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { type OpenFile, openBytes } from '../../src/files/open.ts';
import {
  type DrawnSkeleton,
  drawnPositions,
  drawnReference,
  drawnSkeletons,
} from '../../src/preview/drawn-skeleton.ts';
import { openDemo } from '../support/make/demo-files.ts';
import { rigOf } from '../support/make/rig-text.ts';
import { gltfWithCharacters, PROP } from '../support/make/two-characters.ts';
import { expectNear } from '../support/near.ts';
import { EXACT_CHAIN } from '../support/tolerances.ts';

async function openText(text: string): Promise<OpenFile> {
  return openBytes(new TextEncoder().encode(text), { name: 'made' });
}

function pointsOf(positions: Float64Array): number[][] {
  return Array.from({ length: positions.length / 3 }, (_, k) => Array.from(positions.subarray(3 * k, 3 * k + 3)));
}

/** A BVH of a joint with two arms. */
const BVH = (offset: string): string => `HIERARCHY
ROOT base
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT middle
  {
    OFFSET ${offset}
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET ${offset}
    }
  }
}
MOTION
Frames: 1
Frame Time: 0.1
0 0 0 0 0 0 0 0 0
`;

describe('drawnSkeletons', () => {
  it('lists every humanoid of a file and nothing else', async () => {
    const bodies = drawnSkeletons(await openText(gltfWithCharacters([{}, {}], [PROP])));
    expect(bodies.map(({ index, humanoid }) => [index, humanoid !== null])).toEqual([
      [0, true],
      [1, true],
    ]);
    const [body] = bodies;
    expect(body).toMatchObject({ ground: body.humanoid!.ground, height: body.humanoid!.height, reason: null });
  });

  it('lists the skeleton with most joints if none is humanoid, with the reason', async () => {
    const small = [{ name: 'a', children: [1] }, { name: 'b' }];
    const bodies = drawnSkeletons(await openText(gltfWithCharacters([], [small, PROP])));
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatchObject({ index: 1, humanoid: null, bones: null, reason: expect.stringMatching(/./) });
    expect(bodies[0].nodes.length).toBe(4);
  });

  it('is empty for a file without a skeleton', async () => {
    expect(drawnSkeletons(await openText('{"asset":{"version":"2.0"}}'))).toEqual([]);
  });

  it('measures ground and height of a non-humanoid skeleton from its joints', async () => {
    const pole = [
      { name: 'a', translation: [0, 2, 0], children: [1] },
      { name: 'b', translation: [0, 3, 0] },
    ];
    const [body] = drawnSkeletons(await openText(gltfWithCharacters([], [pole])));
    expect([body.ground, body.height]).toEqual([2, 3]);
    expect(pointsOf(drawnPositions(body, restPose(body.skeleton)))).toEqual([
      [0, 2, 0],
      [0, 5, 0],
    ]);
    const flat = [
      { name: 'a', children: [1] },
      { name: 'b', translation: [10, 0, 0] },
    ];
    expect(drawnSkeletons(await openText(gltfWithCharacters([], [flat])))[0].height).toBeGreaterThan(3);
    const point = [{ name: 'a', children: [1] }, { name: 'b' }];
    expect(drawnSkeletons(await openText(gltfWithCharacters([], [point])))[0].height).toBe(1);
  });

  it('takes the up axis from the file, else from the proportions of the skeleton', async () => {
    const [lying] = drawnSkeletons(await openText(BVH('0 0 5')));
    expectNear(drawnPositions(lying, restPose(lying.skeleton)).subarray(6, 9), [0, 10, 0], EXACT_CHAIN);
    const [upright] = drawnSkeletons(await openText(BVH('0 5 1')));
    expectNear(drawnPositions(upright, restPose(upright.skeleton)).subarray(6, 9), [0, 10, 2], EXACT_CHAIN);
    const file = await openText(BVH('0 5 1'));
    const told: OpenFile = { ...file, asset: { ...file.asset, up: [0, 0, 1] } };
    const [body] = drawnSkeletons(told);
    expectNear(drawnPositions(body, restPose(body.skeleton)).subarray(6, 9), [0, 2, -10], EXACT_CHAIN);
  });

  it('draws the skin joints, or all nodes of a file without skins', async () => {
    const file = await openText(gltfWithCharacters([], [PROP]));
    const skeleton = rigOf(`
      scene !
       base > arm
        lamp !
         bulb
        screw !
    `);
    const [part] = file.asset.skeletons;
    const sourceNodes = skeleton.parents.map((_, node) => node);
    const bodyOf = (bind: Float64Array | null): DrawnSkeleton => {
      const skeletons = [{ ...part, skeleton: { ...skeleton, bind }, sourceNodes }];
      return drawnSkeletons({ ...file, asset: { ...file.asset, skeletons } })[0];
    };
    const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const body = bodyOf(Float64Array.from(skeleton.names.flatMap(() => matrix)));
    expect(bodyOf(null).nodes.length).toBe(skeleton.names.length);
    expect(Array.from(body.nodes, (node) => skeleton.names[node])).toEqual(['base', 'arm', 'bulb']);
    expect(Array.from(body.parents)).toEqual([-1, 0, 1]);
  });
});

describe('drawnPositions: the head', () => {
  it.each(['mixamo.glb', 'turn.bvh', 'child.vrm', 'odd-axes.glb'])('of %s rotates with its bone', async (name) => {
    const [body] = drawnSkeletons(await openDemo(name));
    const { crown, nose } = body.head!;
    const node = body.humanoid!.map.nodes[BONE.head];
    const reference = drawnReference(body)!;
    const from = (positions: Float64Array, joint: number): number[] => {
      return [0, 1, 2].map((axis) => positions[3 * joint + axis] - positions[3 * node + axis]);
    };
    // Upright and to the front in the reference pose.
    expect(from(reference, crown)[1]).toBeGreaterThan(0.9 * Math.hypot(...from(reference, crown)));
    expect(from(reference, nose)[2]).toBeGreaterThan(0.05);

    // Half a turn about the axis that is up in the head's own axes: the nose points back, the crown stays.
    const pose = restPose(body.skeleton);
    const before = drawnPositions(body, pose);
    const axis = Array.from(body.face!.crown);
    const turn = new Float64Array(4);
    const length = Math.hypot(...axis);
    quat.fromAxisAngle(
      turn,
      0,
      axis.map((v) => v / length),
      0,
      Math.PI,
    );
    quat.multiply(pose, 10 * node + 3, pose, 10 * node + 3, turn, 0);
    const after = drawnPositions(body, pose);
    expectNear(from(after, crown), from(before, crown), 1e-9);
    expect(from(after, nose)[2]).toBeLessThan(from(before, nose)[2] - 0.1);
  });
});
