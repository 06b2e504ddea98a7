import { describe, expect, it } from 'vitest';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { describeFileHumanoid } from '../../../src/files/humanoid/describe-file-humanoid.ts';
import type { OpenFile } from '../../../src/files/open.ts';
import { type HumanoidReport, reportBones, reportHumanoid } from '../../../src/files/reports/humanoid-report.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { documentOf } from '../../support/make/opened.ts';

function reportOf(file: OpenFile): { report: HumanoidReport; humanoid: Humanoid } {
  const { humanoid } = describeFileHumanoid(file, 0);
  if (humanoid === null) throw new Error('not humanoid');
  return { report: reportHumanoid(humanoid, file.asset.skeletons[0], 0), humanoid };
}

describe('reportHumanoid', () => {
  it('reports the node index in the file and the node name of every bone', async () => {
    const file = await openDemo('child.vrm');
    const { report, humanoid } = reportOf(file);
    const nodes = documentOf(file).json['nodes'] as { name: string }[];
    const present = BONES.filter((_, bone) => humanoid.map.nodes[bone] >= 0);
    expect(Object.keys(report.bones)).toEqual(present);
    for (const bone of Object.values(report.bones)) expect(nodes[bone.node].name).toBe(bone.name);
    expect(report.bones.hips?.confidence).toBe(1);
    expect(report.mapFrom).toBe('vrm1');
  });

  it('does not round rotations and lengths', async () => {
    const { report, humanoid } = reportOf(await openDemo('fighter.glb'));
    const { rotations, hips } = report.referencePose;
    expect(Object.keys(rotations)).toEqual(Object.keys(report.bones));
    const hand = humanoid.reference.rotations.slice(4 * BONE.leftHand, 4 * BONE.leftHand + 4);
    expect(rotations.leftHand).toEqual([...hand].map((value) => value + 0));
    expect(hips).toEqual([...humanoid.reference.positions.slice(0, 3)].map((value) => value + 0));
    expect(report.frame).toEqual([...humanoid.frame].map((value) => value + 0));
    expect(report).toMatchObject({
      metersPerUnit: humanoid.metersPerUnit,
      ground: humanoid.ground,
      heightMeters: humanoid.height,
      hipsHeight: humanoid.hipsHeight,
    });
  });

  it('names the axis that a character faces, and only the direction off the axes', async () => {
    expect(reportOf(await openDemo('mixamo.glb')).report.facing).toEqual({ axis: '+Z', vector: [0, 0, 1] });
    const chibi = reportOf(await openDemo('chibi.vrm')).report;
    expect(chibi.facing).toEqual({ axis: '-Z', vector: [0, 0, -1] });
    expect(chibi.up).toEqual({ axis: '+Y', vector: [0, 1, 0] });
    const { facing } = reportOf(await openDemo('fighter.glb')).report;
    expect(facing.axis).toBeNull();
    const degrees = (Math.atan2(facing.vector[0], facing.vector[2]) * 180) / Math.PI;
    expect(Math.abs(degrees)).toBeCloseTo(35, 1);
  });

  it('reports reason and runner-up where the map explains its choices', async () => {
    const file = await openDemo('mixamo.glb');
    const { humanoid } = reportOf(file);
    const { nodes, confidence } = humanoid.map;
    const choices = BONES.map((_, bone) => {
      return bone === BONE.hips ? { why: 'by its name', runnerUp: nodes[BONE.spine], runnerUpConfidence: 0.25 } : null;
    });
    const [part] = file.asset.skeletons;
    const bones = reportBones({ nodes, confidence, from: 'words', choices }, part);
    expect(bones.hips).toEqual({
      node: part.sourceNodes[nodes[BONE.hips]],
      name: 'mixamorig:Hips',
      confidence: 1,
      why: 'by its name',
      runnerUp: { node: part.sourceNodes[nodes[BONE.spine]], name: 'mixamorig:Spine', confidence: 0.25 },
    });
    expect(bones.spine).not.toHaveProperty('why');
    const alone = choices.map((choice) => (choice === null ? null : { ...choice, runnerUp: -1 }));
    expect(reportBones({ nodes, confidence, from: 'words', choices: alone }, part).hips).not.toHaveProperty('runnerUp');
  });

  it('reports the findings of an estimated pose', async () => {
    const file = await openDemo('mixamo.glb');
    const { humanoid } = reportOf(file);
    const findings = [{ part: 'leftPalm', confidence: 0.123456, reason: 'one knuckle' }] as const;
    const reference = { ...humanoid.reference, findings };
    const { referencePose } = reportHumanoid({ ...humanoid, reference }, file.asset.skeletons[0], 0);
    expect(referencePose.findings).toEqual([{ part: 'leftPalm', confidence: 0.123, reason: 'one knuckle' }]);
  });

  it('survives a JSON round trip', async () => {
    const { report } = reportOf(await openDemo('turn.bvh'));
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });
});
