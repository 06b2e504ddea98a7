import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { createReparentedTracks, findMisplacedBones } from '../../../src/core/normalize/reparent-bones.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { clipOf, tPoseHumanoid, track } from '../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { worldPose } from '../../support/reference/plain.ts';

const HALF = Math.SQRT1_2;

/** A humanoid whose left foot is a root and whose right arm is parented to the head. */
function scattered(): Humanoid {
  const whole = tPoseHumanoid();
  const { parents, rest, names } = whole.skeleton;
  const world = worldPose(parents, rest);
  const foot = whole.map.nodes[BONE.leftFoot];
  const arm = whole.map.nodes[BONE.rightUpperArm];
  const head = world.positions[whole.map.nodes[BONE.head]];
  const moved = Int32Array.from(parents);
  moved[foot] = -1;
  moved[arm] = names.indexOf('head');
  const local = Float64Array.from(rest);
  local.set(world.positions[foot], 10 * foot);
  local.set(
    world.positions[arm].map((x, c) => x - head[c]),
    10 * arm,
  );
  return { ...whole, skeleton: { ...whole.skeleton, parents: moved, rest: local } };
}

/** The humanoid with its misplaced bones reparented. */
function reparented(body: Humanoid): Humanoid {
  const parents = Int32Array.from(body.skeleton.parents);
  const rest = Float64Array.from(body.skeleton.rest);
  for (const one of findMisplacedBones(body)) {
    parents[one.node] = one.parent;
    rest.set(one.rest, 10 * one.node);
  }
  return { ...body, skeleton: { ...body.skeleton, parents, rest } };
}

/** World pose of a skeleton with nodes in any order. */
function worldOf({ skeleton }: Humanoid, local: ArrayLike<number>): ReturnType<typeof worldPose> {
  const { parents } = skeleton;
  const order: number[] = [];
  const visit = (parent: number): void => {
    parents.forEach((own, node) => {
      if (own !== parent) return;
      order.push(node);
      visit(node);
    });
  };
  visit(-1);
  const indexOf = new Map(order.map((node, index) => [node, index]));
  const sorted = worldPose(
    Int32Array.from(order, (node) => (parents[node] < 0 ? -1 : (indexOf.get(parents[node]) as number))),
    order.flatMap((node) => Array.from({ length: 10 }, (_, c) => local[10 * node + c])),
  );
  return {
    ...sorted,
    positions:
      parents.length === 0 ? [] : Array.from(parents.keys(), (node) => sorted.positions[indexOf.get(node) as number]),
    rotations: Array.from(parents.keys(), (node) => sorted.rotations[indexOf.get(node) as number]),
  };
}

describe('findMisplacedBones', () => {
  it('returns nothing for bones below their parent bones, with or without nodes between', () => {
    expect(findMisplacedBones(tPoseHumanoid())).toEqual([]);
    expect(findMisplacedBones(tPoseHumanoid({}, { name: 'tail', parent: 'hips' }))).toEqual([]);
  });

  it('returns misplaced bones with the rest transforms that keep their positions', () => {
    const body = scattered();
    const found = findMisplacedBones(body);
    const { names } = body.skeleton;
    expect(found.map(({ bone, parent }) => [bone, names[parent]])).toEqual([
      ['leftFoot', 'leftLowerLeg'],
      ['rightUpperArm', 'spine'],
    ]);
    const before = worldOf(body, body.skeleton.rest);
    const after = worldOf(reparented(body), reparented(body).skeleton.rest);
    before.positions.forEach((position, node) => {
      expectNear(after.positions[node], position, 1e-12);
    });
  });
});

describe('createReparentedTracks', () => {
  const body = scattered();
  const clip = clipOf(
    track(
      body,
      'leftFoot',
      'translation',
      'LINEAR',
      [0, 1, 2],
      [
        [0.1, 0.1, 0],
        [0.1, 0.4, 0.3],
        [0.2, 0, 0],
      ],
    ),
    track(
      body,
      'leftUpperLeg',
      'rotation',
      'CUBICSPLINE',
      [0, 2],
      [
        [0, 0, 0, 0],
        [0, 0, 0, 1],
        [0.2, 0, 0, 0],
        [0.1, 0, 0.2, 0],
        [-HALF, 0, 0, HALF],
        [0, 0, 0, 0],
      ],
    ),
    track(
      body,
      'hips',
      'translation',
      'STEP',
      [0, 1],
      [
        [0, 1, 0],
        [0.3, 0.9, 0],
      ],
    ),
  );

  it('keeps the world transform of a bone at and between keys', () => {
    const foot = findMisplacedBones(body)[0];
    const tracks = createReparentedTracks(body.skeleton, clip, foot, body.height);
    expect(tracks.map(({ path }) => path)).toEqual(['translation', 'rotation', 'scale']);
    const other = reparented(body);
    const kept = clip.tracks.filter(({ target }) => target !== foot.node);
    for (let time = 0; time <= 2; time += 0.0371) {
      const before = restPose(body.skeleton);
      sampleClip(clip, time, before);
      const after = restPose(other.skeleton);
      sampleClip({ ...clip, tracks: [...kept, ...tracks] }, time, after);
      const [a, b] = [worldOf(body, before), worldOf(other, after)];
      expectNear(b.positions[foot.node], a.positions[foot.node], 1e-5 * body.height);
      expectSameRotation(b.rotations[foot.node], a.rotations[foot.node], 2e-5);
    }
  });

  it('returns no tracks for a clip that moves neither the bone nor its new parent', () => {
    const still = clipOf(track(body, 'rightHand', 'rotation', 'STEP', [0], [[0, 0, 0, 1]]));
    expect(createReparentedTracks(body.skeleton, still, findMisplacedBones(body)[0], body.height)).toEqual([]);
  });
});
