import { describe, expect, it } from 'vitest';
import * as quat from '../../src/core/math/quat.ts';
import { type Body, chooseBody } from '../../src/files/choose-body.ts';
import { requestOf } from '../../src/files/define-request.ts';
import type { OpenFile } from '../../src/files/open.ts';
import { openDemo } from '../make/demo-files.ts';

async function demoBody(name: string): Promise<[OpenFile, Body]> {
  const file = await openDemo(name);
  return [file, chooseBody(file, 'only', {}).body as Body];
}

describe('requestOf', () => {
  it('asks for nothing but the names of the bones without flags', async () => {
    const [file, body] = await demoBody('unreal.glb');
    const request = requestOf(file, body, {});
    expect(request).toMatchObject({ turns: null, pose: null, space: null, rootSpace: null, isWhole: false });
    const { nodes } = body.humanoid.map;
    expect([...request.bones]).toEqual(Array.from(nodes, (node) => (node < 0 ? -1 : body.part.sourceNodes[node])));
  });

  it('turns a VRM 0.x by its root node alone, so that the scene faces −Z', async () => {
    const request = requestOf(...(await demoBody('chibi.vrm')), { tPose: true });
    expect(request.space).toBeNull();
    expect(request.rootSpace?.[10]).toBeCloseTo(-1, 9);
    expect(request.isWhole).toBe(true);
  });

  it('scales, turns and lowers everything else as a whole', async () => {
    const [file, body] = await demoBody('giant.glb');
    const { frame, metersPerUnit, ground } = body.humanoid;
    const space = requestOf(file, body, { tPose: true }).space as Float64Array;
    expect(Math.hypot(space[0], space[1], space[2])).toBeCloseTo(metersPerUnit, 9);
    expect(space[13]).toBeCloseTo(-ground, 9);
    const isTurned = quat.angleBetween(frame, 0, [0, 0, 0, 1], 0) > 0.2;
    expect(space[10] / metersPerUnit < 0.99).toBe(isTurned);
  });
});
