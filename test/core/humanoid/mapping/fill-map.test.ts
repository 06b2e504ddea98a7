import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, BONES, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import { type CandidateMap, candidateMap } from '../../../../src/core/humanoid/mapping/candidate-map.ts';
import { fillFrom, mendFaults } from '../../../../src/core/humanoid/mapping/fill-map.ts';
import { readRig } from '../../../../src/core/humanoid/mapping/rig.ts';
import { namesByBone, rigOf } from '../../../make/rig-text.ts';

const skeleton = rigOf(`
  root
   hips
    spine > head > helmet
    shoulder > elbow > hand
    thigh > shin > foot > toes
   stray`);
const rig = readRig(skeleton);

type Bones = Readonly<Partial<Record<BoneName, string>>>;

function reading(bones: Bones, worth = 1): CandidateMap {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  for (const [bone, name] of Object.entries(bones)) nodes[BONE[bone as BoneName]] = skeleton.names.indexOf(name);
  return candidateMap('test', skeleton.parents, nodes, new Float32Array(BONE_COUNT).fill(0.7), worth);
}

function filled(base: Bones, ...others: Bones[]): Partial<Record<BoneName, string>> {
  const { nodes, sure } = reading(base);
  fillFrom(
    rig,
    nodes,
    sure,
    others.map((bones) => reading(bones)),
  );
  for (const [bone, node] of nodes.entries()) expect(sure[bone] > 0 || node < 0, BONES[bone]).toBe(true);
  return namesByBone(skeleton, nodes);
}

describe('filling a map from other readings', () => {
  it('takes what the map lacks, from the best reading that has it', () => {
    expect(filled({ hips: 'hips' }, { spine: 'spine' }, { spine: 'hips', head: 'head' })).toEqual({
      hips: 'hips',
      spine: 'spine',
      head: 'head',
    });
  });

  it('does not take a bone that hangs where it cannot, unless it is required and nothing better is there', () => {
    expect(filled({ hips: 'hips', leftUpperLeg: 'thigh' }, { leftToes: 'stray', neck: 'stray' })).toEqual({
      hips: 'hips',
      leftUpperLeg: 'thigh',
    });
    expect(filled({ hips: 'hips' }, { leftFoot: 'stray' }).leftFoot).toBe('stray');
    expect(filled({ hips: 'hips' }, { leftFoot: 'stray' }, { leftFoot: 'foot' }).leftFoot).toBe('foot');
  });

  it('does not take a bone that would cut another one off from its parent bone', () => {
    expect(filled({ hips: 'hips', head: 'head', leftFoot: 'foot' }, { neck: 'thigh', leftUpperLeg: 'spine' })).toEqual({
      hips: 'hips',
      head: 'head',
      leftFoot: 'foot',
    });
  });

  it('gives a node to a required bone that an optional one had, but never the other way round', () => {
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

  it('mends a bone that hangs wrongly by what another reading has', () => {
    const base = reading({ hips: 'hips', spine: 'spine', head: 'stray', leftFoot: 'stray' });
    mendFaults(rig, base.nodes, base.sure, [base, reading({ head: 'head' })]);
    expect(namesByBone(skeleton, base.nodes)).toMatchObject({ hips: 'hips', head: 'head' });
  });

  it('leaves a bone that hangs wrongly in all readings as it is', () => {
    const base = reading({ hips: 'hips', leftFoot: 'stray' });
    mendFaults(rig, base.nodes, base.sure, [base, reading({ leftFoot: 'root' })]);
    expect(namesByBone(skeleton, base.nodes).leftFoot).toBe('stray');
  });
});
