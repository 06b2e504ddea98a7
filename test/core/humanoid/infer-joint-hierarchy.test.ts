import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { inferJointHierarchy } from '../../../src/core/humanoid/infer-joint-hierarchy.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';

const Y = [0, 1, 0];

/** The skeleton with all nodes as roots and unchanged local transforms. */
function flat({ skeleton }: Humanoid): Skeleton {
  return { ...skeleton, parents: skeleton.parents.map(() => -1), bind: null };
}

describe('inferJointHierarchy', () => {
  it('parents bones to the bones above when the flat rest pose is not upright', () => {
    const body = tPoseHumanoid();
    const inferred = inferJointHierarchy(flat(body), body.map.nodes, Y);
    expect(inferred?.parents).toEqual(body.skeleton.parents);
    const { humanoid, issues } = describeHumanoid(flat(body), { map: body.map, pose: 'node', metersPerUnit: 1 });
    expect(issues.map(({ code }) => code)).toContain('JOINT_HIERARCHY_INFERRED');
    const { humanoid: whole } = describeHumanoid(body.skeleton, { map: body.map, pose: 'node', metersPerUnit: 1 });
    expect(humanoid?.reference.positions).toEqual(whole?.reference.positions);
    expect(humanoid?.height).toBeGreaterThan(1);
  });

  it('keeps a flat hierarchy whose rest pose is upright', () => {
    const body = tPoseHumanoid();
    const { positions } = body.reference;
    const rest = Float64Array.from(body.skeleton.rest);
    for (const [bone, node] of body.map.nodes.entries()) {
      if (node >= 0) rest.set(positions.subarray(3 * bone, 3 * bone + 3), 10 * node);
    }
    expect(inferJointHierarchy({ ...flat(body), rest }, body.map.nodes, Y)).toBeNull();
    const lying = rest.map((_, i) => (i % 10 === 1 ? -rest[i + 1] : i % 10 === 2 ? rest[i - 1] : rest[i]));
    expect(inferJointHierarchy({ ...flat(body), rest: lying }, body.map.nodes, [0, 0, 1])).toBeNull();
  });

  it('keeps the hierarchy with a parented bone, or parents after children', () => {
    const body = tPoseHumanoid();
    const { nodes } = body.map;
    expect(inferJointHierarchy(body.skeleton, nodes, Y)).toBeNull();
    const swapped = Int32Array.from(nodes);
    [swapped[BONE.hips], swapped[BONE.head]] = [nodes[BONE.head], nodes[BONE.hips]];
    expect(inferJointHierarchy(flat(body), swapped, Y)).toBeNull();
  });
});
