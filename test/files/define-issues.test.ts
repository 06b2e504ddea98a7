import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/core/report/issue.ts';
import { type Body, chooseBody } from '../../src/files/choose-body.ts';
import { reportDone, reportMissing } from '../../src/files/define-issues.ts';
import { requestOf } from '../../src/files/define-request.ts';
import type { ConformResult } from '../../src/formats/gltf/conform/conform-document.ts';
import { openDemo } from '../make/demo-files.ts';

describe('reportMissing', () => {
  it.each([
    [{}, ['DEFINE_POSE_NOT_T', 'DEFINE_AXES']],
    [{ tPose: true }, ['DEFINE_AXES']],
    [{ axes: true }, ['DEFINE_POSE_NOT_T']],
    [{ axes: true, tPose: true }, []],
  ])('tells of a body in an A-pose with other axes, with %j: %j', async (options, codes) => {
    const { humanoid } = chooseBody(await openDemo('unreal.glb'), 'only', {}).body as Body;
    const issues: Issue[] = [];
    reportMissing(humanoid, options, issues);
    expect(issues.map(({ code }) => code)).toEqual(codes);
  });
});

describe('reportDone', () => {
  const nothing: ConformResult = {
    definition: { name: '', rootNode: 0, bones: {} } as unknown as ConformResult['definition'],
    index: 0,
    wrapped: [],
    newJoints: [],
    hasNewRoot: false,
    channels: { rewritten: 0, held: 0 },
    meshes: 0,
  };

  it.each([
    ['nothing', {}, []],
    ['new joints', { newJoints: ['leftEye'] as const }, ['DEFINE_SKIN_ADDED']],
    ['a new root and meshes', { hasNewRoot: true, meshes: 2 }, ['DEFINE_ROOT_ADDED', 'DEFINE_MESHES_BAKED']],
  ])('tells of %s', async (_, done, codes) => {
    const file = await openDemo('unreal.glb');
    const request = requestOf(file, chooseBody(file, 'only', {}).body as Body, {});
    const issues: Issue[] = [];
    reportDone({ ...nothing, ...done }, request, file, issues);
    expect(issues.map(({ code }) => code)).toEqual(codes);
  });

  it('warns of axes in a VRM 0.x, whose nodes should have no rotations', async () => {
    const file = await openDemo('chibi.vrm');
    const request = requestOf(file, chooseBody(file, 'only', {}).body as Body, { axes: true });
    const issues: Issue[] = [];
    reportDone(nothing, request, file, issues);
    expect(issues.map(({ code }) => code)).toEqual(['DEFINE_VRM0']);
  });
});
