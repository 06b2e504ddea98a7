import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileReport } from '../../../src/files/jobs/describe-file.ts';
import type { UsdSkelReport } from '../../../src/formats/usd/skel/report/usd-skel-report.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { gltfWithCharacters, PROP } from '../../support/make/two-characters.ts';
import { runHere } from '../run-here.ts';

const at = temporaryFolder();

describe('anyrig inspect', () => {
  it('prints a JSON report with bones, reference pose, axes, unit and heights', async () => {
    const { exit, stdout, stderr } = await runHere(['inspect', writeDemo(at, 'fighter.glb'), '--json']);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd()).not.toContain('\n');
    const report = JSON.parse(stdout) as FileReport;
    expect(Object.keys(report)).toEqual(['ok', 'file', 'format', 'humanoids', 'skeletons', 'clips', 'issues']);
    expect(report.humanoids[0]).toMatchObject({
      skeleton: expect.any(String),
      humanoid: true,
      bones: { hips: { node: expect.any(Number), name: expect.any(String), confidence: 1 } },
      referencePose: { kind: 'estimated', from: 'bind', deviationDegrees: { leftArm: expect.any(Number) } },
      facing: { axis: null },
      up: { axis: '+Y' },
      metersPerUnit: 1,
      ground: 0,
      heightMeters: expect.any(Number),
      hipsHeight: expect.any(Number),
    });
    expect(Object.keys(report.humanoids[0].referencePose.rotations)).toEqual(Object.keys(report.humanoids[0].bones));
  });

  it('prints a summary as text', async () => {
    const { exit, stdout } = await runHere(['inspect', writeDemo(at, 'walk.glb')]);
    expect(exit).toBe(0);
    for (const text of [
      'walk.glb  gltf',
      'reference pose',
      'off a T-pose',
      'leftHand',
      'clips: 1',
      '2.20 s',
      'humanoid',
    ]) {
      expect(stdout).toContain(text);
    }
  });

  it('prints infos only with --verbose', async () => {
    const turn = writeDemo(at, 'turn.bvh');
    const quiet = await runHere(['inspect', turn]);
    expect(quiet.stdout).not.toContain('issues');
    const { stdout } = await runHere(['inspect', turn, '--verbose']);
    expect(stdout).toMatch(/\nissues: 2\n {2}info UNIT_GUESSED: /);
    const walk = await runHere(['inspect', writeDemo(at, 'walk.glb')]);
    expect(walk.stdout).not.toContain('issues');
  });

  it('prints more with --why', async () => {
    const path = writeDemo(at, 'fighter.glb');
    const [short, long] = [await runHere(['inspect', path]), await runHere(['inspect', path, '--why'])];
    expect([short.exit, long.exit]).toEqual([0, 0]);
    expect(long.stdout.length).toBeGreaterThanOrEqual(short.stdout.length);
  });

  it('ends with 1 without a humanoid, and still prints the report', async () => {
    writeFileSync(at('lamp.gltf'), gltfWithCharacters([], [PROP]));
    const json = await runHere(['inspect', at('lamp.gltf'), '--json']);
    expect(json.exit).toBe(1);
    const report = JSON.parse(json.stdout) as FileReport;
    expect(report.humanoids).toEqual([]);
    expect(report.skeletons).toMatchObject([{ name: 'Lamp', index: 0, nodes: 4, joints: 0, humanoid: false }]);
    expect(report.issues.map(({ code }) => code)).toContain('NOT_HUMANOID');
    const text = await runHere(['inspect', at('lamp.gltf')]);
    expect(text.exit).toBe(1);
    expect(text.stdout).toMatch(/Lamp {2}not humanoid: ./);
    expect(text.stdout).toMatch(/error NOT_HUMANOID: .*lamp\.gltf is not humanoid/);
  });

  it('strips terminal control sequences from names', async () => {
    const name = 'Lamp\u001b]0;title\u0007\u001b[2J';
    writeFileSync(at('evil.gltf'), gltfWithCharacters([], [[{ name, children: [1] }, { name: '\r\n\u009b31m' }]]));
    const { stdout } = await runHere(['inspect', at('evil.gltf')], { terminal: true, env: { NO_COLOR: '1' } });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});

describe('anyrig inspect --usd-skel', () => {
  const scene = (parts: string): string => `#usda 1.0
def SkelRoot "R" (
  references = @${parts}@</P>
)
{
  rel skel:skeleton = </R/S>
  rel skel:animationSource = </R/A>
  def SkelAnimation "A" {
    uniform token[] joints = ["a"]
    float3[] translations = [(5, 0, 0)]
    quatf[] rotations = [(1, 0, 0, 0)]
    half3[] scales = [(1, 1, 1)]
  }
}
`;
  const one = '((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))';
  const parts = `#usda 1.0
def "P" {
  def Skeleton "S" {
    uniform token[] joints = ["a"]
    uniform matrix4d[] bindTransforms = [${one}]
    uniform matrix4d[] restTransforms = [${one}]
  }
  def Mesh "M" {
    point3f[] points = [(1, 2, 3)]
    int[] primvars:skel:jointIndices = [0] (
      interpolation = "vertex"
    )
    float[] primvars:skel:jointWeights = [1] (
      interpolation = "vertex"
    )
  }
}
`;
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
    return at(name);
  };

  it('prints bound prims, with matrices and points over time as JSON', async () => {
    write('usd/parts/p.usda', parts);
    const path = write('usd/a.usda', scene('parts/p.usda'));
    const { exit, stdout, stderr } = await runHere(['inspect', '--usd-skel', path, '--json']);
    expect([exit, stderr]).toEqual([0, '']);
    const report = JSON.parse(stdout) as UsdSkelReport;
    expect(report).toMatchObject({ file: path, roots: [{ path: '/R', bindings: [{ anim: '/R/A', joints: ['a'] }] }] });
    const [sample] = report.roots[0].bindings[0].samples;
    expect(sample.prims[0]).toMatchObject({ prim: '/R/M', skinOk: 1, points: [[6, 2, 3]] });
    const text = await runHere(['inspect', path, '--usd-skel']);
    expect(text.exit).toBe(0);
    for (const word of ['SkelRoot /R', 'skeleton /R/S', '/R/A', '/R/M', 'warning USD_BINDING_INVALID'])
      expect(text.stdout).toContain(word);
  });

  it('applies --strict and --animation-binding, and ends with 1 when nothing is bound', async () => {
    const path = write('usd/a.usda', scene('parts/p.usda'));
    const { exit, stdout } = await runHere(['inspect', path, '--usd-skel', '--json', '--strict']);
    expect(exit).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ roots: [{ path: '/R', bindings: [] }] });
    const flags = ['--usd-skel', '--json', '--animation-binding', 'bindingSite'];
    const site = JSON.parse((await runHere(['inspect', path, ...flags])).stdout) as UsdSkelReport;
    expect(site.roots[0].bindings[0].anim).toBe('/R/A');
  });

  it('reads files of other folders only with --asset-root', async () => {
    write('usd-parts/p.usda', parts);
    const path = write('usd/b.usda', scene('../usd-parts/p.usda'));
    const refused = await runHere(['inspect', path, '--usd-skel']);
    expect(refused.exit).toBe(1);
    expect(refused.stdout).toContain('is outside of the folder');
    expect((await runHere(['inspect', path, '--usd-skel', '--asset-root', at()])).exit).toBe(0);
  });

  it.each<[string[], RegExp]>([
    [['--usd-skel', '--why'], /--why explains humanoids/],
    [['--strict'], /--strict needs --usd-skel/],
    [['--animation-binding', 'either'], /--animation-binding needs --usd-skel/],
    [['--usd-skel', '--animation-binding', 'mesh'], /expected skeleton, bindingSite, either/],
    [['--usd-skel'], /is GLB; expected USD/],
  ])('ends with 2 for %j and a GLB', async (flags, message) => {
    const { exit, stderr } = await runHere(['inspect', writeDemo(at, 'walk.glb'), ...flags]);
    expect(exit).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('ends with 3 for unreadable scenes', async () => {
    const { exit, stderr } = await runHere(['inspect', write('usd/c.usda', '#usda 1.0\ndef'), '--usd-skel']);
    expect(exit).toBe(3);
    expect(stderr).toMatch(/error USD_SYNTAX: .*line 2/);
    expect((await runHere(['inspect', at('usd/none.usda'), '--usd-skel'])).exit).toBe(3);
  });
});

describe.skipIf(!HAS_ASSETS)('anyrig inspect on third-party files', () => {
  it.each(['Fox.glb', 'm2m_fox-animations.glb', 'm2m_rig-spider.glb', 'RiggedSimple.glb'])(
    'reports why %s is not humanoid',
    async (name) => {
      const { exit, stdout } = await runHere(['inspect', asset('assets/negative', name), '--json']);
      expect(exit).toBe(1);
      const report = JSON.parse(stdout) as FileReport;
      expect(report.humanoids).toEqual([]);
      expect(report.skeletons[0].reason).toMatch(/./);
    },
  );

  it.each([
    ['assets/glb/Xbot.glb', '+Z', 'gltf'],
    ['assets/vrm/cool_loops.vrm', '-Z', 'vrm0'],
    ['assets/vrma/ChatVRM_idle_loop.vrma', '+Z', 'vrma'],
    ['assets/bvh/pybvh_cmu_12_01_walk.bvh', '+Z', 'bvh'],
  ])('describes %s', async (name, axis, format) => {
    const { exit, stdout } = await runHere(['inspect', asset(name), '--json']);
    expect(exit).toBe(0);
    const report = JSON.parse(stdout) as FileReport;
    expect(report.format).toBe(format);
    expect(report.humanoids[0].facing.axis).toBe(axis);
    expect(report.humanoids[0].heightMeters).toBeGreaterThan(1);
    expect(report.humanoids[0].heightMeters).toBeLessThan(2.2);
  });
});
