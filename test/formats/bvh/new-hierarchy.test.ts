import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { mapNodesToBones } from '../../../src/core/humanoid/node-bones.ts';
import { planHierarchy } from '../../../src/formats/bvh/new-hierarchy.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';

/** `parent > name (tip)` of every joint of a humanoid. */
function linesOf({ skeleton, map }: Humanoid, clip: Clip | null = null): string[] {
  const bones = mapNodesToBones(map.nodes, skeleton.names.length);
  const { names, parents, tips } = planHierarchy(skeleton, bones, map.nodes, clip);
  return names.map((name, k) => {
    const parent = parents[k]! < 0 ? '' : names[parents[k]!];
    return `${parent} > ${name}${tips[k]! < 0 ? '' : ` (${skeleton.names[tips[k]!]})`}`;
  });
}

const nodeOf = ({ skeleton }: Humanoid, name: string): number => skeleton.names.indexOf(name);

/** The humanoid with a skin that has its bones and these nodes as joints. */
function skinned(humanoid: Humanoid, ...others: readonly string[]): Humanoid {
  const joints = Uint8Array.from(humanoid.skeleton.names, (name, node) =>
    humanoid.map.nodes.includes(node) || others.includes(name) ? 1 : 0,
  );
  return { ...humanoid, skeleton: { ...humanoid.skeleton, joints } };
}

describe('planHierarchy', () => {
  it('has the hips as root and lists joints depth first', () => {
    const humanoid = tPoseHumanoid({}, { name: 'armature' }, { name: 'camera', parent: 'armature' });
    const lines = linesOf(humanoid);
    expect(lines[0]).toBe(' > hips');
    expect(lines.slice(1, 7)).toEqual([
      'hips > spine',
      'spine > head',
      'spine > leftUpperArm',
      'leftUpperArm > leftLowerArm',
      'leftLowerArm > leftHand',
      'spine > rightUpperArm',
    ]);
    expect(lines.some((line) => /armature|camera/.test(line))).toBe(false);
  });

  it('converts leaves with tip names, and leaves that are not skin joints, to End Sites', () => {
    const tips = ['Head_End', 'LFinger0Nub', 'toe_end_012', 'handEnd'] as const;
    const humanoid = tPoseHumanoid(
      {},
      ...tips.map((name, k) => ({ name, parent: ['head', 'leftHand', 'leftToes', 'rightHand'][k]!, at: [0, 0.1, 0] })),
      { name: 'socket', parent: 'rightToes', at: [0, 0, 0.1] },
      { name: 'legend', parent: 'rightToes', at: [0, 0, 0.1] },
    );
    const lines = linesOf(skinned(humanoid, ...tips, 'legend'));
    expect(lines).toContain('spine > head (Head_End)');
    expect(lines).toContain('leftLowerArm > leftHand (LFinger0Nub)');
    expect(lines).toContain('leftFoot > leftToes (toe_end_012)');
    expect(lines).toContain('rightLowerArm > rightHand (handEnd)');
    expect(lines).toContain('rightToes > legend');
    expect(lines.some((line) => line.includes('socket'))).toBe(false);
    expect(linesOf(skinned(tPoseHumanoid({}, { name: 'socket', parent: 'rightToes' })))).toContain(
      'rightFoot > rightToes (socket)',
    );
  });

  it('keeps animated nodes and their ancestors, and leaves out meshes and props', () => {
    const humanoid = skinned(
      tPoseHumanoid(
        {},
        { name: 'holder', parent: 'leftHand' },
        { name: 'sword', parent: 'holder' },
        { name: 'shirt', parent: 'spine' },
      ),
    );
    const move: Track = {
      target: nodeOf(humanoid, 'sword'),
      path: 'rotation',
      interpolation: 'LINEAR',
      times: Float64Array.of(0, 1),
      values: Float64Array.of(0, 0, 0, 1, 1, 0, 0, 0),
    };
    const lines = linesOf(humanoid, { name: '', duration: 1, tracks: [move] });
    expect(lines).toContain('leftHand > holder');
    expect(lines).toContain('holder > sword');
    expect(lines.some((line) => line.includes('shirt'))).toBe(false);
    expect(linesOf(humanoid).some((line) => line.includes('holder'))).toBe(false);
  });

  it('parents a detached bone to its humanoid parent', () => {
    const humanoid = tPoseHumanoid({ leftFoot: { parent: 'hips' } });
    const parents = humanoid.skeleton.parents.slice();
    parents[nodeOf(humanoid, 'leftFoot')] = -1;
    const lines = linesOf({ ...humanoid, skeleton: { ...humanoid.skeleton, parents } });
    expect(lines).toContain('leftLowerLeg > leftFoot');
    expect(lines).toContain('leftFoot > leftToes');
  });

  it('makes a tree for any bone map, even with bones above the hips', () => {
    const humanoid = tPoseHumanoid();
    const { skeleton, map } = humanoid;
    const parents = Int32Array.from(skeleton.names, (_, node) => node - 1);
    for (let shift = 0; shift < skeleton.names.length; shift++) {
      const nodes = map.nodes.map((node) => (node < 0 ? -1 : (node + shift) % skeleton.names.length));
      const bones = mapNodesToBones(nodes, skeleton.names.length);
      const plan = planHierarchy({ ...skeleton, parents }, bones, nodes, null);
      expect([...plan.nodes].sort((a, b) => a - b)).toEqual(skeleton.names.map((_, node) => node));
      expect(plan.parents.every((parent, k) => (k === 0 ? parent === -1 : parent >= 0 && parent < k))).toBe(true);
    }
  });

  it('gives every joint a unique name without spaces', () => {
    const humanoid = tPoseHumanoid(
      {},
      ...['a b', 'a\tb', 'a_b', '', '{x}\n', ' '].map((name) => ({ name, parent: 'hips' })),
    );
    // tPoseHumanoid finds parents by name; all new nodes are children of the hips.
    const bones = mapNodesToBones(humanoid.map.nodes, humanoid.skeleton.names.length);
    const { names } = planHierarchy(humanoid.skeleton, bones, humanoid.map.nodes, null);
    const count = humanoid.skeleton.names.length;
    const added = names.filter((name) => !humanoid.skeleton.names.includes(name) || name === 'a_b');
    expect(added).toEqual(['a_b', 'a_b_2', 'a_b_3', `joint_${count - 3}`, '_x_', `joint_${count - 1}`]);
    const unnamed = humanoid.skeleton.names.map((name) => (name === 'leftHand' ? '' : name));
    expect(planHierarchy({ ...humanoid.skeleton, names: unnamed }, bones, humanoid.map.nodes, null).names).toContain(
      'leftHand',
    );
  });
});
