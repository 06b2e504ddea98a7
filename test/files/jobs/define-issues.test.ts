import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { Issue } from '../../../src/core/report/issue.ts';
import { chooseHumanoid, type FoundHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { reportChanges, reportUnmetRules } from '../../../src/files/jobs/define-issues.ts';
import { createNormalizeRequest } from '../../../src/files/jobs/define-request.ts';
import type { NormalizeResult } from '../../../src/formats/gltf/normalize/normalize-request.ts';
import { openDemo } from '../../support/make/demo-files.ts';

describe('reportUnmetRules', () => {
  it.each([
    [{}, ['DEFINE_POSE_NOT_T', 'DEFINE_AXES']],
    [{ tPose: true }, ['DEFINE_AXES']],
    [{ axes: true }, ['DEFINE_POSE_NOT_T']],
    [{ axes: true, tPose: true }, []],
  ])('reports for an A-pose character with other axes and the options %j: %j', async (options, codes) => {
    const { humanoid } = chooseHumanoid(await openDemo('unreal.glb'), 'only', {}).found as FoundHumanoid;
    const issues: Issue[] = [];
    reportUnmetRules(humanoid, options, issues);
    expect(issues.map(({ code }) => code)).toEqual(codes);
  });

  it('reports bones with negative scales at or above them, which do not get canonical axes', async () => {
    const { humanoid } = chooseHumanoid(await openDemo('unreal.glb'), 'only', {}).found as FoundHumanoid;
    const rest = humanoid.skeleton.rest.slice();
    rest[10 * humanoid.map.nodes[BONE.rightHand] + 7] *= -1;
    const issues: Issue[] = [];
    const reflected = { ...humanoid, skeleton: { ...humanoid.skeleton, rest } };
    reportUnmetRules(reflected, { axes: true, tPose: true }, issues);
    expect(issues).toMatchObject([{ code: 'NON_UNIFORM_SCALE', message: expect.stringMatching(/^16 bones/) }]);
  });
});

describe('reportChanges', () => {
  const nothing: NormalizeResult = {
    definition: { name: '', rootNode: 0, bones: {} } as unknown as NormalizeResult['definition'],
    index: 0,
    wrapped: [],
    newJoints: [],
    hasNewRoot: false,
    channels: { rewritten: 0, added: 0 },
    meshes: 0,
  };

  it.each([
    ['nothing', {}, []],
    ['new joints', { newJoints: ['leftEye'] as const }, ['DEFINE_SKIN_ADDED']],
    ['a new root and meshes', { hasNewRoot: true, meshes: 2 }, ['DEFINE_ROOT_ADDED', 'DEFINE_MESHES_BAKED']],
  ])('reports %s', async (_, done, codes) => {
    const file = await openDemo('unreal.glb');
    const request = createNormalizeRequest(file, chooseHumanoid(file, 'only', {}).found as FoundHumanoid, {});
    const issues: Issue[] = [];
    reportChanges({ ...nothing, ...done }, request, file, issues);
    expect(issues.map(({ code }) => code)).toEqual(codes);
  });

  it('warns about axes in a VRM 0.x, whose nodes should have no rotations', async () => {
    const file = await openDemo('chibi.vrm');
    const request = createNormalizeRequest(file, chooseHumanoid(file, 'only', {}).found as FoundHumanoid, {
      axes: true,
    });
    const issues: Issue[] = [];
    reportChanges(nothing, request, file, issues);
    expect(issues.map(({ code }) => code)).toEqual(['DEFINE_VRM0']);
  });
});
