import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import { hangOnBones } from '../../../src/core/humanoid/hang-joints.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { tBody } from '../../make/tiny-humanoid.ts';

const Y = [0, 1, 0];

/** The nodes of a body beside each other, their local transforms as they were. */
function flat({ skeleton }: Humanoid): Skeleton {
  return { ...skeleton, parents: skeleton.parents.map(() => -1), bind: null };
}

describe('joints that hang on nothing', () => {
  it('hang on the bones above where only that makes a body', () => {
    const body = tBody();
    const hung = hangOnBones(flat(body), body.map.nodes, Y);
    expect(hung?.parents).toEqual(body.skeleton.parents);
    const { humanoid, issues } = describeHumanoid(flat(body), { map: body.map, pose: 'node', metersPerUnit: 1 });
    expect(issues.map(({ code }) => code)).toContain('JOINT_HIERARCHY_INFERRED');
    const { humanoid: whole } = describeHumanoid(body.skeleton, { map: body.map, pose: 'node', metersPerUnit: 1 });
    expect(humanoid?.reference.positions).toEqual(whole?.reference.positions);
    expect(humanoid?.height).toBeGreaterThan(1);
  });

  it('stay where they are when they stand there as a body', () => {
    const body = tBody();
    const { positions } = body.reference;
    const rest = Float64Array.from(body.skeleton.rest);
    for (const [bone, node] of body.map.nodes.entries()) {
      if (node >= 0) rest.set(positions.subarray(3 * bone, 3 * bone + 3), 10 * node);
    }
    expect(hangOnBones({ ...flat(body), rest }, body.map.nodes, Y)).toBeNull();
    const lying = rest.map((_, i) => (i % 10 === 1 ? -rest[i + 1] : i % 10 === 2 ? rest[i - 1] : rest[i]));
    expect(hangOnBones({ ...flat(body), rest: lying }, body.map.nodes, [0, 0, 1])).toBeNull();
  });

  it('stay what they are where one hangs on another, a bind pose tells their places, or parents would come last', () => {
    const body = tBody();
    const { nodes } = body.map;
    expect(hangOnBones(body.skeleton, nodes, Y)).toBeNull();
    const bind = new Float64Array(16 * body.skeleton.parents.length);
    expect(hangOnBones({ ...flat(body), bind }, nodes, Y)).toBeNull();
    const turned = Int32Array.from(nodes);
    [turned[BONE.hips], turned[BONE.head]] = [nodes[BONE.head], nodes[BONE.hips]];
    expect(hangOnBones(flat(body), turned, Y)).toBeNull();
  });
});
