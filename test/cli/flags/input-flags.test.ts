import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { type CommandResult, runHere } from '../run-here.ts';

const at = temporaryFolder();
const SHOT = 'shots/10/shot.usda';

/** Runs a command on the shot, which references a character two folders above. */
async function onShot(command: string, ...flags: string[]): Promise<CommandResult> {
  return runHere([command, at(SHOT), ...flags]);
}

describe('--asset-root', () => {
  beforeAll(async () => {
    for (const folder of ['chars', 'shots/10']) mkdirSync(at(folder), { recursive: true });
    const { exit } = await runHere(['convert', writeDemo(at, 'fighter.glb'), '-o', at('chars/hero.usdc')]);
    expect(exit).toBe(0);
    writeFileSync(at(SHOT), '#usda 1.0\ndef "Hero" (\n  references = @../../chars/hero.usdc@\n)\n{\n}\n');
    writeDemo(at, 'walk.glb');
  });

  const commands: readonly (readonly [string, ...string[]])[] = [
    ['inspect'],
    ['inspect', '--usd-skel'],
    ['map'],
    ['convert', '-o', 'convert.glb'],
    ['define', '-o', 'define.glb'],
    ['extract', '-o', 'extract.glb'],
    ['preview', '-o', 'preview.svg'],
  ];

  it.each(commands)('lets %s %s read files in other folders', async (command, ...flags) => {
    const resolved = flags.map((flag) => (flag.includes('.') ? at(flag) : flag));
    const refused = await onShot(command, ...resolved);
    expect(refused.stdout + refused.stderr).toMatch(/hero\.usdc .*(?:--asset-root|the option assetRoot)/);
    const { exit, stdout, stderr } = await onShot(command, ...resolved, '--asset-root', at());
    expect(stdout + stderr).not.toMatch(/--asset-root|assetRoot/);
    // The demo's fighter has no clips that could be extracted.
    expect(exit).toBe(command === 'extract' ? 1 : 0);
  });

  it('lets retarget read referenced files of motions, characters and poses', async () => {
    const flags = ['--target-pose', at(SHOT), '-o', at('out.glb'), '--json'];
    const refused = await runHere(['retarget', at('walk.glb'), at(SHOT), ...flags]);
    expect([refused.exit, existsSync(at('out.glb'))]).toEqual([1, false]);
    // Reports are those of the library, which has options.
    expect(refused.stdout).toContain('the option assetRoot');
    const { exit, stdout } = await runHere(['retarget', at('walk.glb'), at(SHOT), ...flags, '--asset-root', at()]);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, target: { humanoid: true }, clips: [{ name: 'walk' }] });
    expect(readFileSync(at('out.glb')).subarray(0, 4).toString()).toBe('glTF');
    const motion = await runHere(['retarget', at(SHOT), at('walk.glb'), '-o', at('x.glb')]);
    expect(motion.stdout + motion.stderr).toMatch(/hero\.usdc .*--asset-root/);
  });

  it('refuses files outside of the given folder, and reports them', async () => {
    const { exit, stdout } = await onShot('inspect', '--asset-root', at('shots'));
    expect(exit).toBe(1);
    expect(stdout).toMatch(/hero\.usdc is outside of the folder of the asset and .*shots; allow a folder/);
  });

  it('must be a folder', async () => {
    const { exit, stderr } = await onShot('inspect', '--asset-root', at('none'));
    expect(exit).toBe(2);
    expect(stderr).toMatch(/--asset-root is ".*none": it does not exist; expected a folder/);
  });
});
