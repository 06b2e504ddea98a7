import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ValidationReport } from '../../../src/files/jobs/validate-file.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { runHere } from '../run-here.ts';

const at = temporaryFolder();
const corpus = (name: string): string =>
  fileURLToPath(new URL(`../../corpus/ext-skeleton-humanoid/${name}.gltf`, import.meta.url));

describe('anyrig validate', () => {
  it('ends with 0 for a valid file, and prints a line per definition', async () => {
    const { exit, stdout } = await runHere(['validate', corpus('sound')]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /sound\.gltf {2}valid\n\/extensions\/.*: 21 bones; axes up to [\d.]+° off, T-pose up to [\d.]+° off\nhumanoid animations: \d+\n$/,
    );
  });

  it('shows every bone in degrees with --verbose', async () => {
    const { exit, stdout } = await runHere(['validate', corpus('sound'), '--verbose']);
    expect(exit).toBe(0);
    for (const text of ['sound.gltf  valid', 'leftUpperArm', '21 bones', 'nod', 'info UNSUPPORTED_EXTENSION'])
      expect(stdout).toContain(text);
  });

  it('ends with 1 for an invalid file, and prints code and JSON pointer as JSON', async () => {
    const { exit, stdout } = await runHere(['validate', corpus('EXT_BONE_REPEATED--two-bones-one-node'), '--json']);
    expect(exit).toBe(1);
    const report = JSON.parse(stdout) as ValidationReport;
    expect(report).toMatchObject({ isValid: false, hasExtension: true });
    expect(report.issues.filter(({ severity }) => severity !== 'info')).toMatchObject([
      {
        code: 'EXT_BONE_REPEATED',
        severity: 'error',
        where: { pointer: '/extensions/EXT_skeleton_humanoid/humanoidSkeletons/0/humanoidBones/jaw' },
      },
    ]);
  });

  it('prints errors against glTF 2.0 and the extension in one list, and infos only with --verbose', async () => {
    const json = JSON.parse(readFileSync(corpus('EXT_BONE_REPEATED--two-bones-one-node'), 'utf8'));
    writeFileSync(at('both.gltf'), JSON.stringify({ ...json, scene: 7 }));
    const { exit, stdout } = await runHere(['validate', at('both.gltf')]);
    expect(exit).toBe(1);
    expect(stdout).toMatch(
      /\n\nissues: 2\n {2}error EXT_BONE_REPEATED: .*\n {2}error UNRESOLVED_REFERENCE: .* \(\/scene\)\n$/,
    );
    const verbose = await runHere(['validate', at('both.gltf'), '--verbose']);
    expect(verbose.stdout).toContain('info UNSUPPORTED_EXTENSION');
  });

  it('passes valid glTF without the extension with a hint, and ends with 1 where it is required', async () => {
    const { exit, stdout } = await runHere(['validate', writeDemo(at, 'fighter.glb')]);
    expect(exit).toBe(0);
    expect(stdout).toContain('The file does not use EXT_skeleton_humanoid. "anyrig define" adds it');
    expect((await runHere(['validate', at('fighter.glb'), '--require-ext'])).exit).toBe(1);
  });

  it('ends with 3 for a non-glTF file', async () => {
    writeFileSync(at('broken.glb'), 'glTF but not really');
    const { exit, stderr } = await runHere(['validate', at('broken.glb')]);
    expect(exit).toBe(3);
    expect(stderr).toContain('GLB_HEADER_INVALID');
  });

  it('ends with 2 for motions of other formats', async () => {
    const { exit, stderr } = await runHere(['validate', writeDemo(at, 'turn.bvh')]);
    expect(exit).toBe(2);
    expect(stderr).toContain('convert the file to .glb first');
  });

  it('names what engines would refuse or change in an FBX, and ends with 0 where nothing is broken', async () => {
    const path = join(at(), 'walk.fbx');
    writeFileSync(path, walkFbx('text'));
    const { exit, stdout } = await runHere(['validate', path]);
    expect(exit).toBe(0);
    expect(stdout).toContain('walk.fbx  valid FBX');
    expect(stdout).toContain('warning FBX_AXES');
    expect(stdout).not.toContain('EXT_skeleton_humanoid');
  });
});
