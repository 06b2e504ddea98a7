import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import { mapBones } from '../../../src/core/humanoid/mapping/map-bones.ts';
import { openFile } from '../../../src/files/node.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { unnamedRig } from '../../support/make/unnamed-rig.ts';
import { runHere } from '../run-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'anyrig-map-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

describe('a rig without names that is not recognized', () => {
  it('is mapped by indices with the command line alone', async () => {
    const { text, truth } = unnamedRig();
    writeFileSync(at('robot.gltf'), text);
    writeFileSync(at('walk.glb'), demoBytes('walk.glb'));
    const shown = await runHere(['inspect', at('robot.gltf'), '--nodes']);
    expect(shown.exit).toBe(1);
    expect(shown.stdout).toMatch(new RegExp(`^ +${truth['head']} \\(no name\\) at `, 'm'));

    const mapped = await runHere(['map', at('robot.gltf'), '-o', at('robot.json')]);
    expect(mapped.stdout).toContain('required bones are null');
    const file = JSON.parse(readFileSync(at('robot.json'), 'utf8')) as { bones: object; nodes: string[] };
    expect(file.bones).toMatchObject({ hips: null, leftFoot: null });
    expect(file.nodes.some((line) => line.trim().startsWith(`${truth['leftFoot']} (no name) at`))).toBe(true);

    const picture = await runHere(['preview', at('robot.gltf'), '-o', at('robot.svg'), '--pose', 'node', '--nodes']);
    expect(picture.exit).toBe(0);
    expect(readFileSync(at('robot.svg'), 'utf8')).toContain(`node ${truth['leftFoot']}`);

    writeFileSync(at('robot.json'), JSON.stringify({ ...file, bones: { ...file.bones, ...truth } }));
    const args = ['retarget', at('walk.glb'), at('robot.gltf'), '--target-map', at('robot.json')];
    const done = await runHere([...args, '--no-mesh', '-o', at('out.glb')]);
    expect(done.stderr).not.toContain('error');
    expect(done.exit).toBe(0);
    const { asset: written } = await openFile(at('out.glb'));
    expect(written.clips[0].clips[0].tracks.length).toBeGreaterThanOrEqual(Object.keys(truth).length);
  });
});

/** Nodes of the file for each bone that is mapped without any help. */
async function mapOf(path: string): Promise<Record<string, number>> {
  const { skeleton, sourceNodes } = (await openFile(path)).asset.skeletons[0];
  const { nodes } = mapBones(skeleton).map;
  return Object.fromEntries(BONES.flatMap((bone, k) => (nodes[k] < 0 ? [] : [[bone, sourceNodes[nodes[k]]]])));
}

describe.skipIf(!HAS_ASSETS)('mapping of the cases', () => {
  it.each(['11-suffix-zero/names_lod0', '12-shared-prefix/big_foot', '12-shared-prefix/body_prefix'])(
    'finds in %s the bones of the same character with plain names',
    async (name) => {
      const plain = await mapOf(asset('cases/02-negative-scale/mixamo.glb'));
      expect(await mapOf(asset(`cases/${name}.glb`))).toEqual(plain);
    },
  );

  it('finds the bones of BrainStem, whose joints have no names and whose left arm ends in three claws', async () => {
    interface Gold {
      bones: Record<string, { node: number }>;
    }
    const { bones } = JSON.parse(readFileSync(asset('judge/maps/BrainStem.glb.json'), 'utf8')) as Gold;
    const gold = Object.fromEntries(Object.entries(bones).map(([bone, { node }]) => [bone, node]));
    expect(await mapOf(asset('assets/glb/BrainStem.glb'))).toEqual(gold);
  });
});
