import { describe, expect, it } from 'vitest';
import * as quat from '../../../src/core/math/quat.ts';
import { chooseHumanoid, type FoundHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { createNormalizeRequest } from '../../../src/files/jobs/define-request.ts';
import type { OpenFile } from '../../../src/files/open.ts';
import { openDemo } from '../../support/make/demo-files.ts';

async function findInDemo(name: string): Promise<[OpenFile, FoundHumanoid]> {
  const file = await openDemo(name);
  return [file, chooseHumanoid(file, 'only', {}).found as FoundHumanoid];
}

describe('createNormalizeRequest', () => {
  it('changes nothing but the definition without options', async () => {
    const [file, found] = await findInDemo('unreal.glb');
    const request = createNormalizeRequest(file, found, {});
    expect(request).toMatchObject({
      axesRotations: null,
      pose: null,
      space: null,
      rootSpace: null,
      requiresRoot: false,
    });
    const { nodes } = found.humanoid.map;
    expect([...request.bones]).toEqual(Array.from(nodes, (node) => (node < 0 ? -1 : found.part.sourceNodes[node])));
  });

  it('rotates only the root node of a VRM 0.x, so that the scene faces −Z', async () => {
    const request = createNormalizeRequest(...(await findInDemo('chibi.vrm')), { tPose: true });
    expect(request.space).toBeNull();
    expect(request.rootSpace?.[10]).toBeCloseTo(-1, 9);
    expect(request.requiresRoot).toBe(true);
  });

  it('scales, rotates and lowers other models as a whole', async () => {
    const [file, found] = await findInDemo('giant.glb');
    const { frame, metersPerUnit, ground } = found.humanoid;
    const space = createNormalizeRequest(file, found, { tPose: true }).space as Float64Array;
    expect(Math.hypot(space[0], space[1], space[2])).toBeCloseTo(metersPerUnit, 9);
    expect(space[13]).toBeCloseTo(-ground, 9);
    const isTurned = quat.angleBetween(frame, 0, [0, 0, 0, 1], 0) > 0.2;
    expect(space[10] / metersPerUnit < 0.99).toBe(isTurned);
  });
});
