import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { misplacedBones, rehungTracks } from '../../../src/core/conform/rehang.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { clipOf, tBody, track } from '../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../near.ts';
import { worldPose } from '../../reference/plain.ts';

const HALF = Math.SQRT1_2;

/** A body whose left foot has a root of its own, and whose right arm hangs at the head. */
function scattered(): Humanoid {
  const whole = tBody();
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

/** The body with its nodes hung as was found. */
function rehung(body: Humanoid): Humanoid {
  const parents = Int32Array.from(body.skeleton.parents);
  const rest = Float64Array.from(body.skeleton.rest);
  for (const one of misplacedBones(body)) {
    parents[one.node] = one.parent;
    rest.set(one.rest, 10 * one.node);
  }
  return { ...body, skeleton: { ...body.skeleton, parents, rest } };
}

/** World pose of a skeleton whose parents need not come first. */
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
  const placeOf = new Map(order.map((node, place) => [node, place]));
  const sorted = worldPose(
    Int32Array.from(order, (node) => (parents[node] < 0 ? -1 : (placeOf.get(parents[node]) as number))),
    order.flatMap((node) => Array.from({ length: 10 }, (_, c) => local[10 * node + c])),
  );
  return {
    ...sorted,
    positions:
      parents.length === 0 ? [] : Array.from(parents.keys(), (node) => sorted.positions[placeOf.get(node) as number]),
    rotations: Array.from(parents.keys(), (node) => sorted.rotations[placeOf.get(node) as number]),
  };
}

describe('misplacedBones', () => {
  it('finds none in a body whose bones hang as they should, with nodes between them or without', () => {
    expect(misplacedBones(tBody())).toEqual([]);
    expect(misplacedBones(tBody({}, { name: 'tail', parent: 'hips' }))).toEqual([]);
  });

  it('finds bones that hang elsewhere, with the transform that keeps them where they are', () => {
    const body = scattered();
    const found = misplacedBones(body);
    const { names } = body.skeleton;
    expect(found.map(({ bone, parent }) => [bone, names[parent]])).toEqual([
      ['leftFoot', 'leftLowerLeg'],
      ['rightUpperArm', 'spine'],
    ]);
    const before = worldOf(body, body.skeleton.rest);
    const after = worldOf(rehung(body), rehung(body).skeleton.rest);
    before.positions.forEach((place, node) => {
      expectNear(after.positions[node], place, 1e-12);
    });
  });
});

describe('rehungTracks', () => {
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

  it('keep a bone where the clip has it, between keys too', () => {
    const foot = misplacedBones(body)[0];
    const tracks = rehungTracks(body.skeleton, clip, foot, body.height);
    expect(tracks.map(({ path }) => path)).toEqual(['translation', 'rotation', 'scale']);
    const other = rehung(body);
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

  it('are none for a clip that moves neither the bone nor its new parent', () => {
    const still = clipOf(track(body, 'rightHand', 'rotation', 'STEP', [0], [[0, 0, 0, 1]]));
    expect(rehungTracks(body.skeleton, still, misplacedBones(body)[0], body.height)).toEqual([]);
  });
});
