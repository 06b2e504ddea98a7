import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FileReport } from '../../../src/files/inspect-file.ts';
import { asset, HAS_ASSETS } from '../../assets.ts';
import { temporaryFolder, writeDemo } from '../../make/demo-files.ts';
import { gltfOfBodies, PROP } from '../../make/two-bodies.ts';
import { runHere } from '../run-here.ts';

const at = temporaryFolder();

describe('anyrig inspect', () => {
  it('prints JSON with everything that an independent measurer needs', async () => {
    const { exit, stdout, stderr } = await runHere(['inspect', writeDemo(at, 'fighter.glb'), '--json']);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd()).not.toContain('\n');
    const report = JSON.parse(stdout) as FileReport;
    expect(Object.keys(report)).toEqual(['file', 'format', 'humanoids', 'skeletons', 'clips', 'issues']);
    expect(report.humanoids[0]).toMatchObject({
      skeleton: expect.any(String),
      humanoid: true,
      bones: { hips: { node: expect.any(Number), name: expect.any(String), confidence: 1 } },
      referencePose: { kind: 'estimated', from: 'bind', deviationDegrees: { leftArm: expect.any(Number) } },
      facing: { axis: null },
      up: { axis: '+Y' },
      metresPerUnit: 1,
      ground: 0,
      heightMetres: expect.any(Number),
      hipsHeight: expect.any(Number),
    });
    expect(Object.keys(report.humanoids[0].referencePose.rotations)).toEqual(Object.keys(report.humanoids[0].bones));
  });

  it('prints a summary for people', async () => {
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

  it('tells more on request', async () => {
    const path = writeDemo(at, 'fighter.glb');
    const [short, long] = [await runHere(['inspect', path]), await runHere(['inspect', path, '--why'])];
    expect([short.exit, long.exit]).toEqual([0, 0]);
    expect(long.stdout.length).toBeGreaterThanOrEqual(short.stdout.length);
  });

  it('ends with 1 when there is no humanoid, and prints what it found all the same', async () => {
    writeFileSync(at('lamp.gltf'), gltfOfBodies([], [PROP]));
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

  it('does not let names of a file command the terminal', async () => {
    const name = 'Lamp\u001b]0;title\u0007\u001b[2J';
    writeFileSync(at('evil.gltf'), gltfOfBodies([], [[{ name, children: [1] }, { name: '\r\n\u009b31m' }]]));
    const { stdout } = await runHere(['inspect', at('evil.gltf')], { terminal: true, env: { NO_COLOR: '1' } });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});

describe.skipIf(!HAS_ASSETS)('anyrig inspect on files of others', () => {
  it.each(['Fox.glb', 'm2m_fox-animations.glb', 'm2m_rig-spider.glb', 'RiggedSimple.glb'])(
    'says why %s is no humanoid',
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
    expect(report.humanoids[0].heightMetres).toBeGreaterThan(1);
    expect(report.humanoids[0].heightMetres).toBeLessThan(2.2);
  });
});
