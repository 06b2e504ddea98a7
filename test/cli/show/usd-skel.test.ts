import { describe, expect, it } from 'vitest';
import { showUsdSkel } from '../../../src/cli/show/usd-skel.ts';
import type {
  SkelBindingReport,
  SkelTargetReport,
  UsdSkelReport,
} from '../../../src/formats/usd/skel/report/usd-skel-report.ts';
import { recordIo } from '../run-here.ts';

const TARGET: SkelTargetReport = {
  prim: '/R/M',
  hasInfluences: 1,
  rigid: 0,
  n: 4,
  method: 'classicLinear',
  geomBind: [],
  hasBlendShapes: 0,
};
const BINDING: SkelBindingReport = {
  skeleton: '/R/S',
  valid: true,
  joints: ['a', 'a/b', 'a/x/c', '/d'],
  parents: [-1, 0, 0, -1],
  hasBind: true,
  hasRest: false,
  anim: '/R/A',
  animJoints: ['a'],
  blendShapes: ['smile'],
  mapper: { identity: 0, sparse: 1, null: 0 },
  times: [1, 2, 30],
  targets: [TARGET],
  samples: [],
};

async function shown(bindings: readonly SkelBindingReport[], more: Partial<UsdSkelReport> = {}): Promise<string> {
  const report: UsdSkelReport = {
    file: 'a.usda',
    upAxis: 'Y',
    tcps: 24,
    start: 1,
    end: 30,
    roots: [{ path: '/R', bindings }],
    messages: [],
    issues: [],
    ...more,
  };
  const { io, out } = recordIo();
  await showUsdSkel(report, io, true);
  return out.stdout;
}

describe('showUsdSkel', () => {
  it('shows joints as a tree, the animation and the bound prims', async () => {
    expect(await shown([BINDING])).toBe(
      [
        'a.usda  up Y, 24 time codes per second, 1 to 30',
        '',
        'SkelRoot /R',
        '  skeleton /R/S',
        '    joints        4, bind pose, no rest pose',
        '    animation     /R/A, 1 joint, not all',
        '    time codes    3: 1 to 30',
        '    blend shapes  1: smile',
        '      0  a      animated',
        '      1    b',
        '      2    x/c',
        '      3  /d',
        '    bound: 1',
        '      /R/M  4 influences per point  classicLinear',
        '',
        'issues: 0',
        '',
      ].join('\n'),
    );
  });

  it('reports rest poses, invalid skeletons, and files without bindings', async () => {
    const { animJoints: _, blendShapes: __, mapper: ___, ...still } = BINDING;
    expect(await shown([{ ...still, anim: null, times: [] }])).toContain('animation  none, the rest pose is shown');
    const joints = ['a/b', 'a'];
    const invalid = await shown([{ ...still, valid: false, joints, parents: [1, -1], times: [] }]);
    expect(invalid).toContain('2, invalid: nothing is skinned');
    expect(await shown([])).toContain('no prim below it is bound to a skeleton');
    expect(await shown([], { roots: [] })).toContain('The file has no SkelRoot');
  });

  it('shows rigid prims, joint orders of prims and blend shapes', async () => {
    const names = Array.from({ length: 11 }, (_, k) => `s${k}`);
    const rigid: SkelTargetReport = { ...TARGET, rigid: 1, n: 1, joints: ['a'], blendShapes: names };
    const bare: SkelTargetReport = { ...TARGET, prim: '/R/N', hasInfluences: 0 };
    const text = await shown([{ ...BINDING, targets: [rigid, bare] }]);
    expect(text).toContain('rigid, 1 influence, 1 joint of its own');
    expect(text).toContain('11 blend shapes: s0, s1, s2, s3, s4, s5, s6, s7 and 3 more');
    expect(text).toMatch(/\/R\/N +not skinned\n/);
  });

  it('lists a hundred joints and prims, and the number of the others', async () => {
    const joints = Array.from({ length: 130 }, (_, k) => `j${k}`);
    const parents = joints.map(() => -1);
    const targets = joints.map((name) => ({ ...TARGET, prim: `/R/${name}` }));
    const text = await shown([{ ...BINDING, joints, parents, targets }]);
    expect(text.match(/and 30 more/g)?.length).toBe(2);
    expect(text.split('\n').length).toBeLessThan(230);
  });

  it('strips terminal control sequences from names', async () => {
    const name = '\u001b[2J\u0007';
    const text = await shown([{ ...BINDING, joints: [name], parents: [-1], blendShapes: [name] }], { file: name });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});
