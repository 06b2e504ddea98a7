import { describe, expect, it } from 'vitest';
import { BONE } from '../../src/core/humanoid/bones.ts';
import { sheetRow } from '../../src/demo/sheet-row.ts';
import { chooseBody } from '../../src/files/choose-body.ts';
import { openDemo } from '../make/demo-files.ts';

describe('sheetRow', () => {
  it.each(['walk.glb', 'turn.bvh'])(
    'stands %s up in metres, facing +Z, from the start of its clip to the end',
    async (name) => {
      const file = await openDemo(name);
      const body = chooseBody(file, 'only', {}).body!;
      const clip = file.asset.clips[0].clips[0];
      const row = sheetRow(body, clip, 5, { title: 'a', source: true });
      expect(row).toMatchObject({ title: 'a', source: true, height: body.humanoid.height });
      expect(row.frames).toHaveLength(5);
      const at = (frame: number, bone: number): number[] => {
        const node = body.humanoid.map.nodes[bone];
        return [0, 1, 2].map((axis) => row.frames[frame][3 * node + axis]);
      };
      const { hipsHeight } = body.humanoid;
      for (let frame = 0; frame < 5; frame++) expect(at(frame, BONE.hips)[1]).toBeGreaterThan(0.8 * hipsHeight);
      expect(at(0, BONE.leftUpperLeg)[0]).toBeGreaterThan(at(0, BONE.rightUpperLeg)[0]);
      const [start, end] = [at(0, BONE.hips), at(4, BONE.hips)];
      if (name === 'walk.glb') expect(end[2] - start[2]).toBeGreaterThan(1);
      // Half a turn brings the left side to the right.
      else expect(at(4, BONE.leftUpperLeg)[0]).toBeLessThan(at(4, BONE.rightUpperLeg)[0]);
    },
  );

  it('shows the start where there is one column', async () => {
    const file = await openDemo('walk.glb');
    const body = chooseBody(file, 'only', {}).body!;
    const clip = file.asset.clips[0].clips[0];
    expect(sheetRow(body, clip, 1, { title: '' }).frames[0]).toEqual(sheetRow(body, clip, 3, { title: '' }).frames[0]);
  });
});
