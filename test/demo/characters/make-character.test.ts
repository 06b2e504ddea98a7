import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, BONES, REQUIRED_BONES } from '../../../src/core/humanoid/bones.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import type { CharacterOptions, DemoCharacter } from '../../../src/demo/characters/character.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import * as rigs from '../../../src/demo/characters/rigs.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { randomCharacterOptions } from '../../support/make/demo-character.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { product, type Quaternion, read, rotated, times, worldPose } from '../../support/reference/plain.ts';
import { EXACT, EXACT_CHAIN } from '../../support/tolerances.ts';

const SEEDS = fc.integer({ min: 0, max: 1e6 });

/** Every bone's world rotation and position in the canonical frame, meters, by plain forward kinematics of a local pose. */
function canonicalPose(
  body: DemoCharacter,
  local: ArrayLike<number>,
): (bone: number) => { q: Quaternion; p: number[] } {
  const { rotations, positions } = worldPose(body.skeleton.parents, local);
  const frame = Array.from(body.frame);
  return (bone) => {
    const node = body.bones[bone];
    const p = times(rotated(frame, positions[node]), body.metersPerUnit);
    return { q: product(frame, rotations[node]), p: [...p] };
  };
}

/** Nodes of the rest pose whose bone's rotation is D(b) of the rest times the truth. */
function checkRest(body: DemoCharacter): void {
  const at = canonicalPose(body, body.skeleton.rest);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (body.bones[bone] < 0) continue;
    const delta = read(body.restPose.deltas, bone * 4, 4);
    expectSameRotation(at(bone).q, product(delta, read(body.axes, body.bones[bone] * 4, 4)), EXACT_CHAIN);
  }
}

describe('makeCharacter', () => {
  it('matches its ground truth in the T-pose, for any axes, unit, facing and armature', () => {
    const property = fc.property(SEEDS, (seed) => {
      const body = makeCharacter({ ...randomCharacterOptions(seed), bindPose: {} });
      const at = canonicalPose(body, body.skeleton.rest);
      for (let bone = 0; bone < BONE_COUNT; bone++) {
        if (body.bones[bone] < 0) continue;
        expectNear(at(bone).p, read(body.joints, body.bones[bone] * 3, 3), EXACT_CHAIN);
        expectSameRotation(at(bone).q, read(body.axes, body.bones[bone] * 4, 4), EXACT_CHAIN);
      }
    });
    fc.assert(property, { seed: 1, numRuns: lawRuns(200) });
  });

  it('differs from its ground truth by the world deltas of the rest pose', () => {
    const property = fc.property(SEEDS, (seed) => checkRest(makeCharacter(randomCharacterOptions(seed))));
    fc.assert(property, { seed: 2, numRuns: lawRuns(200) });
    checkRest(makeCharacter(rigs.BLENDER_RIG));
  });

  it('has bind matrices equal to the model matrices if bind pose and rest pose are the same', () => {
    const property = fc.property(SEEDS, (seed) => {
      const { skeleton } = makeCharacter(randomCharacterOptions(seed));
      const model = new Float64Array(skeleton.parents.length * MATRIX_STRIDE);
      localToModelMatrices(model, skeleton.parents, skeleton.rest);
      const largest = model.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
      expectNear(skeleton.bind!, model, largest * EXACT_CHAIN);
    });
    fc.assert(property, { seed: 3, numRuns: lawRuns(100) });
  });

  it('accepts different bind and rest poses', () => {
    const { skeleton, bindPose, restPose } = makeCharacter({ bindPose: { arms: 40 }, restPose: {} });
    expect(bindPose).not.toEqual(restPose);
    const rest = new Float64Array(skeleton.bind!.length);
    localToModelMatrices(rest, skeleton.parents, skeleton.rest);
    expectNear(rest, makeCharacter({}).skeleton.bind!, EXACT);
    expectNear(skeleton.bind!, makeCharacter({ bindPose: { arms: 40 } }).skeleton.bind!, EXACT);
  });

  it('lists parents first, has all required bones and is deterministic', () => {
    for (const options of Object.values(rigs) as CharacterOptions[]) {
      const body = makeCharacter(options);
      const { parents, names } = body.skeleton;
      parents.forEach((parent, node) => {
        expect(parent).toBeLessThan(node);
      });
      expect(Array.from(parents).filter((parent) => parent < 0)).toEqual([-1]);
      for (const bone of REQUIRED_BONES) expect(body.bones[BONE[bone]]).toBeGreaterThanOrEqual(0);
      expect(new Set(names).size).toBe(names.length);
      expect(makeCharacter(options)).toEqual(body);
    }
  });

  it('applies facing and up axis: +Z by default, 180 faces −Z, 90 the left, +Z up faces −Y', () => {
    const front = (options: CharacterOptions): number[] => {
      const body = makeCharacter(options);
      const { positions } = worldPose(body.skeleton.parents, body.skeleton.rest);
      const foot = positions[body.bones[BONE.leftFoot]];
      const way = positions[body.bones[BONE.leftToes]].map((v, c) => Math.round((v - foot[c]) * 10) / 10);
      const head = positions[body.bones[BONE.head]].map((v) => Math.round(v));
      return [...way, ...head].map((v) => v + 0);
    };
    expect(front({})).toEqual([0, -0.1, 0.1, 0, 2, 0]);
    expect(front({ facing: 180 })).toEqual([0, -0.1, -0.1, 0, 2, 0]);
    expect(front({ facing: 90 })).toEqual([0.1, -0.1, 0, 0, 2, 0]);
    expect(front({ up: '+Z' })).toEqual([0, -0.1, -0.1, 0, 0, 2]);
    expect(front({ metersPerUnit: 0.01 }).slice(3)).toEqual([0, 155, -2]);
  });

  it('has no rotations in the bind pose with axes "identity", and none in the T-pose with "world"', () => {
    for (const options of [
      { axes: 'identity', bindPose: { arms: 60, knees: 30 }, facing: 40 },
      { axes: 'world', facing: 180 },
    ] as const) {
      const { skeleton } = makeCharacter(options);
      for (let node = 0; node < skeleton.parents.length; node++) {
        expectSameRotation(read(skeleton.rest, node * 10 + 3, 4), [0, 0, 0, 1], EXACT);
      }
    }
  });

  it('aligns +Y or ±X with the bones', () => {
    const along = (axes: 'bone-y' | 'bone-x', bone: 'leftLowerArm' | 'rightLowerArm' | 'leftUpperLeg'): number[] => {
      const { skeleton, bones } = makeCharacter({ axes, without: ['fingers'] });
      const child = { leftLowerArm: 'leftHand', rightLowerArm: 'rightHand', leftUpperLeg: 'leftLowerLeg' } as const;
      const offset = read(skeleton.rest, bones[BONE[child[bone]]] * 10, 3);
      return offset.map((v) => v / Math.hypot(...offset));
    };
    expectNear(along('bone-y', 'leftLowerArm'), [0, 1, 0], EXACT);
    expectNear(along('bone-y', 'leftUpperLeg'), [0, 1, 0], EXACT);
    expectNear(along('bone-x', 'leftLowerArm'), [1, 0, 0], EXACT);
    expectNear(along('bone-x', 'rightLowerArm'), [-1, 0, 0], EXACT);
  });

  it('has no bind pose and no joints without a skin', () => {
    const { skeleton } = makeCharacter({ skin: false });
    expect(skeleton.bind).toBeNull();
    expect(skeleton.joints.every((flag) => flag === 0)).toBe(true);
  });

  it('leaves out optional bones and keeps the hierarchy of the others', () => {
    const { bones, skeleton } = makeCharacter({ without: ['neck', 'shoulders', 'upperChest', 'fingers', 'eyes'] });
    const missing = BONES.filter((_, bone) => bones[bone] < 0);
    expect(missing.length).toBe(1 + 2 + 1 + 30 + 2);
    expect(skeleton.parents[bones[BONE.head]]).toBe(bones[BONE.chest]);
    expect(skeleton.parents[bones[BONE.leftUpperArm]]).toBe(bones[BONE.chest]);
  });
});

describe('MIXAMO_RIG', () => {
  it('has 67 joints in centimeters below an armature of scale 0.01', () => {
    const { skeleton, bones } = makeCharacter(rigs.MIXAMO_RIG);
    expect(skeleton.joints.filter((flag) => flag === 1).length).toBe(67);
    expect(skeleton.names).toContain('mixamorig:LeftHandPinky4');
    expectNear(read(skeleton.rest, bones[0] * 10, 3), [0, 0, 94.96], EXACT_CHAIN);
  });
});
