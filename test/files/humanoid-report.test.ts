import { describe, expect, it } from 'vitest';
import { BONE, BONES } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { describeBody } from '../../src/files/describe-body.ts';
import { type HumanoidReport, reportHumanoid } from '../../src/files/humanoid-report.ts';
import type { OpenFile } from '../../src/files/open.ts';
import { openDemo } from '../make/demo-files.ts';

function reportOf(file: OpenFile): { report: HumanoidReport; humanoid: Humanoid } {
  const { humanoid } = describeBody(file, 0);
  if (humanoid === null) throw new Error('not humanoid');
  return { report: reportHumanoid(humanoid, file.asset.skeletons[0], 0), humanoid };
}

describe('reportHumanoid', () => {
  it('gives every bone that is there the index and the name of its node in the file', async () => {
    const file = await openDemo('child.vrm');
    const { report, humanoid } = reportOf(file);
    const nodes = file.document?.json['nodes'] as { name: string }[];
    const present = BONES.filter((_, bone) => humanoid.map.nodes[bone] >= 0);
    expect(Object.keys(report.bones)).toEqual(present);
    for (const bone of Object.values(report.bones)) expect(nodes[bone.node].name).toBe(bone.name);
    expect(report.bones.hips?.confidence).toBe(1);
    expect(report.mapFrom).toBe('vrm1');
  });

  it('keeps all digits of what others measure with', async () => {
    const { report, humanoid } = reportOf(await openDemo('fighter.glb'));
    const { rotations, hips } = report.referencePose;
    expect(Object.keys(rotations)).toEqual(Object.keys(report.bones));
    const hand = humanoid.reference.rotations.slice(4 * BONE.leftHand, 4 * BONE.leftHand + 4);
    expect(rotations.leftHand).toEqual([...hand].map((value) => value + 0));
    expect(hips).toEqual([...humanoid.reference.positions.slice(0, 3)].map((value) => value + 0));
    expect(report.frame).toEqual([...humanoid.frame].map((value) => value + 0));
    expect(report).toMatchObject({
      metresPerUnit: humanoid.metresPerUnit,
      ground: humanoid.ground,
      heightMetres: humanoid.height,
      hipsHeight: humanoid.hipsHeight,
    });
  });

  it('names the axis that a body faces, and gives only the direction where it is none', async () => {
    expect(reportOf(await openDemo('mixamo.glb')).report.facing).toEqual({ axis: '+Z', vector: [0, 0, 1] });
    const chibi = reportOf(await openDemo('chibi.vrm')).report;
    expect(chibi.facing).toEqual({ axis: '-Z', vector: [0, 0, -1] });
    expect(chibi.up).toEqual({ axis: '+Y', vector: [0, 1, 0] });
    const { facing } = reportOf(await openDemo('fighter.glb')).report;
    expect(facing.axis).toBeNull();
    const degrees = (Math.atan2(facing.vector[0], facing.vector[2]) * 180) / Math.PI;
    expect(Math.abs(degrees)).toBeCloseTo(35, 1);
  });

  it('survives JSON', async () => {
    const { report } = reportOf(await openDemo('turn.bvh'));
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });
});
