import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, BONES, type BoneName } from '../../../../../src/core/humanoid/bones.ts';
import { createNamedRig } from '../../../../../src/core/humanoid/mapping/by-name/named-rig.ts';
import { type CandidateMap, createCandidate } from '../../../../../src/core/humanoid/mapping/candidate-map.ts';
import { fillMissingBones, repairFaults } from '../../../../../src/core/humanoid/mapping/combine/fill-map.ts';
import { namesByBone, rigOf } from '../../../../support/make/rig-text.ts';

const skeleton = rigOf(`
  root
   hips
    spine > head > helmet
    shoulder > elbow > hand
    thigh > shin > foot > toes
   stray`);
const rig = createNamedRig(skeleton);

type Bones = Readonly<Partial<Record<BoneName, string>>>;

function candidate(bones: Bones, weight = 1): CandidateMap {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  for (const [bone, name] of Object.entries(bones)) nodes[BONE[bone as BoneName]] = skeleton.names.indexOf(name);
  return createCandidate('test', skeleton.parents, nodes, new Float32Array(BONE_COUNT).fill(0.7), weight);
}

function filled(base: Bones, ...others: Bones[]): Partial<Record<BoneName, string>> {
  const { nodes, confidences } = candidate(base);
  fillMissingBones(
    rig,
    nodes,
    confidences,
    others.map((bones) => candidate(bones)),
  );
  for (const [bone, node] of nodes.entries()) expect(confidences[bone] > 0 || node < 0, BONES[bone]).toBe(true);
  return namesByBone(skeleton, nodes);
}

describe('fillMissingBones and repairFaults', () => {
  it('fillMissingBones: takes missing bones from the best candidate that has them', () => {
    expect(filled({ hips: 'hips' }, { spine: 'spine' }, { spine: 'hips', head: 'head' })).toEqual({
      hips: 'hips',
      spine: 'spine',
      head: 'head',
    });
  });

  it('fillMissingBones: rejects misplaced bones unless they are required and no candidate has a better node', () => {
    expect(filled({ hips: 'hips', leftUpperLeg: 'thigh' }, { leftToes: 'stray', neck: 'stray' })).toEqual({
      hips: 'hips',
      leftUpperLeg: 'thigh',
    });
    expect(filled({ hips: 'hips' }, { leftFoot: 'stray' }).leftFoot).toBe('stray');
    expect(filled({ hips: 'hips' }, { leftFoot: 'stray' }, { leftFoot: 'foot' }).leftFoot).toBe('foot');
  });

  it('fillMissingBones: rejects a bone that separates another bone from its parent bone', () => {
    expect(filled({ hips: 'hips', head: 'head', leftFoot: 'foot' }, { neck: 'thigh', leftUpperLeg: 'spine' })).toEqual({
      hips: 'hips',
      head: 'head',
      leftFoot: 'foot',
    });
  });

  it('fillMissingBones: reassigns nodes from optional to required bones only', () => {
    expect(
      filled({ hips: 'hips', leftShoulder: 'shoulder', leftLowerArm: 'elbow' }, { leftUpperArm: 'shoulder' }),
    ).toEqual({
      hips: 'hips',
      leftUpperArm: 'shoulder',
      leftLowerArm: 'elbow',
    });
    expect(filled({ hips: 'hips', leftUpperArm: 'shoulder' }, { leftShoulder: 'shoulder' })).toEqual({
      hips: 'hips',
      leftUpperArm: 'shoulder',
    });
  });

  it('repairFaults: replaces a misplaced bone by the node of another candidate', () => {
    const base = candidate({ hips: 'hips', spine: 'spine', head: 'stray', leftFoot: 'stray' });
    repairFaults(rig, base.nodes, base.confidences, [base, candidate({ head: 'head' })]);
    expect(namesByBone(skeleton, base.nodes)).toMatchObject({ hips: 'hips', head: 'head' });
  });

  it('repairFaults: keeps a bone that is misplaced in all candidates', () => {
    const base = candidate({ hips: 'hips', leftFoot: 'stray' });
    repairFaults(rig, base.nodes, base.confidences, [base, candidate({ leftFoot: 'root' })]);
    expect(namesByBone(skeleton, base.nodes).leftFoot).toBe('stray');
  });
});
