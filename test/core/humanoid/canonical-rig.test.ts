import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, BONES, presentParent } from '../../../src/core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../../../src/core/humanoid/canonical-frames.ts';
import { createCanonicalRig, PELVIS_HEIGHT } from '../../../src/core/humanoid/canonical-rig.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { read, worldPose } from '../../support/reference/plain.ts';
import { EXACT } from '../../support/tolerances.ts';

const ALL = Array.from({ length: BONE_COUNT }, (_, bone) => bone);

describe('createCanonicalRig', () => {
  it('creates one node per bone with canonical world axes', () => {
    const { skeleton, declared } = createCanonicalRig(ALL, 0.9);
    expect(skeleton.names).toEqual([...BONES]);
    const { rotations } = worldPose(skeleton.parents, skeleton.rest);
    ALL.forEach((bone) => {
      expect(declared.nodes[bone]).toBe(bone);
      expectSameRotation(rotations[bone], read(CANONICAL_FRAMES, 4 * bone, 4), EXACT);
    });
  });

  it('creates the requested bones, hips and upper legs, parented to the nearest present ancestor', () => {
    const { skeleton, declared } = createCanonicalRig([BONE.head, BONE.leftHand, BONE.spine], 1);
    expect(skeleton.names).toEqual(['hips', 'spine', 'head', 'leftHand', 'leftUpperLeg', 'rightUpperLeg']);
    for (const [node, name] of skeleton.names.entries()) {
      const above = presentParent(BONE[name as keyof typeof BONE], declared.nodes);
      expect(skeleton.parents[node]).toBe(above < 0 ? -1 : declared.nodes[above]);
    }
  });

  it('adds the other fingers of a hand that has one, so that they do not follow it', () => {
    const { declared } = createCanonicalRig([BONE.leftIndexProximal, BONE.rightThumbProximal], 1);
    const present = BONES.filter((_, bone) => declared.nodes[bone] >= 0);
    expect(present.filter((bone) => /^left(?:Index|Middle|Ring|Little)/.test(bone))).toHaveLength(12);
    expect(present.filter((bone) => bone.startsWith('right'))).toEqual(['rightUpperLeg', 'rightThumbProximal']);
    expect(present).not.toContain('leftThumbProximal');
  });

  it('rests in an exact T-pose with hips at the requested height and feet on the ground', () => {
    const { skeleton, declared } = createCanonicalRig(ALL, 0.87);
    const { humanoid } = describeHumanoid(skeleton, { declared, metersPerUnit: 1 });
    if (humanoid === null) throw new Error('the rig is not a humanoid');
    expectNear([humanoid.reference.positions[1], humanoid.ground, humanoid.metersPerUnit], [0.87, 0, 1], EXACT);
    expectNear([humanoid.hipsHeight], [PELVIS_HEIGHT * 0.87], EXACT);
    expect(Math.max(...Object.values(humanoid.reference.deviationDegrees))).toBeLessThan(1e-6);
    expect(humanoid.issues).toEqual([]);
  });

  it('has the ground at y = 0 without feet', () => {
    const { skeleton, declared } = createCanonicalRig([BONE.head], 1.1);
    expect(describeHumanoid(skeleton, { declared, metersPerUnit: 1 }).humanoid?.hipsHeight).toBeCloseTo(
      1.1 * PELVIS_HEIGHT,
      12,
    );
  });

  it('puts the hips at the origin for an unknown height, which is reported', () => {
    const { skeleton, declared } = createCanonicalRig(ALL, null);
    expect(read(skeleton.rest, 0, 3)).toEqual([0, 0, 0]);
    const { issues } = describeHumanoid(skeleton, { declared, metersPerUnit: 1 });
    expect(issues.map(({ code }) => code)).toEqual(['HIPS_HEIGHT_ZERO']);
  });
});
