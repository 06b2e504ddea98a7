import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MIXAMO_RIG, UNREAL_RIG } from '../../../src/demo/characters/rigs.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { gltfWithCharacters } from '../../support/make/two-characters.ts';
import { runHere } from '../run-here.ts';

const at = temporaryFolder();

/** A humanoid without arms. */
const ARMLESS = [
  { name: 'Hips', children: [1, 4, 7] },
  { name: 'Spine', children: [2] },
  { name: 'Neck', children: [3] },
  { name: 'Head' },
  { name: 'LeftUpLeg', children: [5] },
  { name: 'LeftLeg', children: [6] },
  { name: 'LeftFoot' },
  { name: 'RightUpLeg', children: [8] },
  { name: 'RightLeg', children: [9] },
  { name: 'RightFoot' },
];

describe('anyrig map', () => {
  it('prints only the map, as formatted JSON', async () => {
    const { exit, stdout, stderr } = await runHere(['map', writeDemo(at, 'mixamo.glb')]);
    expect([exit, stderr]).toEqual([0, '']);
    const { bones } = JSON.parse(stdout) as { bones: Record<string, string> };
    expect(bones).toMatchObject({ hips: 'mixamorig:Hips', leftHand: 'mixamorig:LeftHand' });
    expect(stdout.split('\n').length).toBeGreaterThan(50);
  });

  it('writes the map to a file that retarget accepts as explicit', async () => {
    const character = writeDemo(at, 'unreal.glb');
    const path = at('maps/unreal.json');
    expect(await runHere(['map', character, '-o', path])).toMatchObject({ exit: 0, stderr: '' });
    expect((await runHere(['map', character, '-o', path])).exit).toBe(2);
    expect((await runHere(['map', character, '-o', path, '--force'])).exit).toBe(0);

    const map = JSON.parse(readFileSync(path, 'utf8')) as { bones: Record<string, string | number | null> };
    for (const bone of Object.keys(map.bones)) if (/Thumb|Index|Middle|Ring|Little/.test(bone)) map.bones[bone] = null;
    writeFileSync(path, JSON.stringify(map));
    const args = ['retarget', writeDemo(at, 'walk.glb'), character, '--target-map', path, '-o', at('a.glb'), '--json'];
    const { exit, stdout } = await runHere(args);
    expect(exit).toBe(0);
    const { target } = JSON.parse(stdout) as { target: { mapFrom: string; bones: object } };
    expect(target.mapFrom).toBe('given');
    expect(Object.keys(target.bones)).toEqual(Object.keys(map.bones).filter((bone) => map.bones[bone] !== null));
    expect(Object.keys(target.bones).length).toBeLessThan(Object.keys(map.bones).length);
  });

  it('writes the partial map of a non-humanoid skeleton, and ends with 1 and the reason', async () => {
    writeFileSync(at('half.gltf'), gltfWithCharacters([], [ARMLESS]));
    const { exit, stdout, stderr } = await runHere(['map', at('half.gltf'), '-o', at('half.json')]);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^error NOT_HUMANOID: .*half\.gltf is not humanoid: .*complete the map by hand/);
    const { bones, nodes } = JSON.parse(readFileSync(at('half.json'), 'utf8')) as { bones: object; nodes: string[] };
    expect(bones).toMatchObject({ hips: 'Hips', head: 'Head', leftFoot: 'LeftFoot', leftHand: null });
    expect(nodes[0]).toMatch(/^0 Hips at /);
    const found = Object.values(bones).filter((node) => node !== null).length;
    expect(stdout).toContain(
      `${at('half.json')}: ${found} bones; ${Object.keys(bones).length - found} required bones are null`,
    );
  });

  it('writes nothing for a file without a skeleton', async () => {
    writeFileSync(at('none.gltf'), gltfWithCharacters([], [[{ name: 'Alone' }]]));
    const { exit, stderr } = await runHere(['map', at('none.gltf'), '-o', at('none.json')]);
    expect(exit).toBe(1);
    expect(stderr).toContain('no skeleton');
    expect(existsSync(at('none.json'))).toBe(false);
  });

  it('requires --skeleton when several skeletons are humanoid', async () => {
    writeFileSync(at('two.gltf'), gltfWithCharacters([MIXAMO_RIG, UNREAL_RIG]));
    const asked = await runHere(['map', at('two.gltf')]);
    expect(asked.exit).toBe(2);
    expect(asked.stderr).toMatch(/ 2 humanoid skeletons; choose one by name or index with --skeleton:\n {2}0 {2}"/);
    const { exit, stdout } = await runHere(['map', at('two.gltf'), '--skeleton', '1']);
    expect(exit).toBe(0);
    expect(stdout).toContain('"pelvis"');
  });

  it('prints the map with a report per bone as JSON', async () => {
    const { exit, stdout } = await runHere(['map', writeDemo(at, 'mixamo.glb'), '--json']);
    expect(exit).toBe(0);
    const { bones, about } = JSON.parse(stdout) as { bones: Record<string, string>; about: Record<string, object> };
    expect(bones['hips']).toBe('mixamorig:Hips');
    expect(about['hips']).toMatchObject({ node: expect.any(Number), name: 'mixamorig:Hips', confidence: 1 });
    expect(Object.keys(about)).toEqual(Object.keys(bones));
  });

  it.skipIf(!HAS_ASSETS)('prints warnings about the map to stderr', async () => {
    const robot = asset('assets/glb/RobotExpressive.glb');
    const { exit, stdout, stderr } = await runHere(['map', robot]);
    expect(exit).toBe(0);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    expect(stderr).toMatch(/^warning BONE_HIERARCHY: /m);
  });

  it('prints the bone table to stderr if the map goes to stdout, otherwise to stdout', async () => {
    const character = writeDemo(at, 'mixamo.glb');
    const piped = await runHere(['map', character, '--why']);
    expect(() => JSON.parse(piped.stdout) as unknown).not.toThrow();
    expect(piped.stderr).toMatch(/^bone +confidence +node +name/);
    const written = await runHere(['map', character, '--why', '-o', at('why.json')]);
    expect(written.stderr).toBe('');
    expect(written.stdout).toMatch(/why\.json: \d+ bones\nbone +confidence/);
  });
});
