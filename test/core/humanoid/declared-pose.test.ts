import { describe, expect, it } from 'vitest';
import { selectReferencePoses, withDeclaredPose } from '../../../src/core/humanoid/declared-pose.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import type { DeclaredHumanoid, Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';
import { aboutAxis } from '../../support/reference/plain.ts';

/** Returns a humanoid whose arm is lowered by `angle`, with a declared pose or without. */
function humanoidOf(format: DeclaredHumanoid['format'] | null, angle = 0.2): Humanoid {
  const { skeleton, map } = tPoseHumanoid({ leftUpperArm: { turn: aboutAxis([0, 0, 1], -angle) } });
  const declared = format === null ? null : { format, nodes: map.nodes, facing: '+Z' as const };
  const { humanoid } = describeHumanoid(skeleton, { declared, metersPerUnit: 1 });
  if (humanoid === null) throw new Error('not humanoid');
  return humanoid;
}

describe('selectReferencePoses', () => {
  it.each([
    ['vrma', 'vrm0'],
    ['vrma', 'vrm1'],
    ['vrm0', 'vrma'],
    ['vrma', 'vrma'],
  ] as const)('uses both poses as declared from %s to %s', (from, to) => {
    const { source, target } = selectReferencePoses(humanoidOf(from), humanoidOf(to));
    expect([source.reference.kind, target.reference.kind]).toEqual(['declared', 'declared']);
  });

  it.each([
    ['vrm1', 'vrm1'],
    ['vrm0', 'vrm1'],
    ['vrma', 'khr'],
    ['vrma', null],
    [null, 'vrm0'],
  ] as const)('uses the straightened poses from %s to %s', (from, to) => {
    const { source, target } = selectReferencePoses(humanoidOf(from), humanoidOf(to));
    expect([source.reference.kind, target.reference.kind]).toEqual(['estimated', 'estimated']);
  });

  it('straightens a VRM Animation for a target that EXT_skeleton_humanoid declares, whose own pose is obeyed', () => {
    const { source, target } = selectReferencePoses(humanoidOf('vrma'), humanoidOf('ext'));
    expect([source.reference.kind, target.reference.kind]).toEqual(['estimated', 'declared']);
  });

  it('uses the declared pose of a VRM Animation for a VRM in an exact T-pose', () => {
    const { source } = selectReferencePoses(humanoidOf('vrma'), humanoidOf('vrm1', 0));
    expect(source.reference.kind).toBe('declared');
  });
});

describe('withDeclaredPose', () => {
  it('replaces pose and heights and drops the second pose', () => {
    const humanoid = humanoidOf('vrm1');
    const { reference, hipsHeight, declaredPose } = withDeclaredPose(humanoid);
    expect(reference).toBe(humanoid.declaredPose!.reference);
    expect([hipsHeight, declaredPose]).toEqual([humanoid.declaredPose!.hipsHeight, undefined]);
  });

  it('returns a humanoid without a straightened pose itself', () => {
    const humanoid = humanoidOf(null);
    expect(withDeclaredPose(humanoid)).toBe(humanoid);
  });
});
