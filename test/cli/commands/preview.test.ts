import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { PreviewReport } from '../../../src/preview/preview-files.ts';
import { asset, HAS_ASSETS, humanoidFiles } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { runHere } from '../run-here.ts';

const at = temporaryFolder();

function wordsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/<text[^>]*>([^<]*)</g)].map(([, word]) => word);
}

describe('anyrig preview', () => {
  it('draws a file as SVG and lists its rows', async () => {
    const walk = writeDemo(at, 'walk.glb');
    const { exit, stdout, stderr } = await runHere(['preview', walk, '-o', at('walk.svg')]);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`${at('walk.svg')}: 2 rows\n`);
    const more = await runHere(['preview', walk, '-o', at('walk.svg'), '--force', '--verbose']);
    expect(more.stdout).toMatch(/poses +reference, node/);
    expect(wordsOf(at('walk.svg'))).toEqual(expect.arrayContaining(['walk.glb', 'Front', 'Side', 'walk']));
  });

  it('draws a PNG as large as the SVG', async () => {
    const turn = writeDemo(at, 'turn.bvh');
    expect((await runHere(['preview', turn, '-o', at('turn.svg')])).exit).toBe(0);
    expect((await runHere(['preview', turn, '-o', at('turn.PNG')])).exit).toBe(0);
    const png = readFileSync(at('turn.PNG'));
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    const width = Number(/ width="([\d.]+)"/.exec(readFileSync(at('turn.svg'), 'utf8'))![1]);
    expect(Math.abs(png.readUInt32BE(16) - width)).toBeLessThan(1);
  });

  it('compares a motion with its result', async () => {
    const walk = writeDemo(at, 'walk.glb');
    const child = writeDemo(at, 'child.vrm');
    expect((await runHere(['retarget', walk, child, '-o', at('child-walks.vrm')])).exit).toBe(0);
    const args = ['preview', walk, at('child-walks.vrm'), '-o', at('both.svg'), '--clip', 'walk', '--frames', '4'];
    const { exit, stdout } = await runHere([...args, '--view', 'side', '--json']);
    expect(exit).toBe(0);
    const report = JSON.parse(stdout) as PreviewReport & { output: string };
    expect(report.output).toBe(at('both.svg'));
    expect(report.rows.map(({ file, columns }) => [file, columns.length])).toEqual([
      [walk, 4],
      [at('child-walks.vrm'), 4],
    ]);
    expect(wordsOf(at('both.svg'))).toContain('MOTION');
    expect(wordsOf(at('both.svg'))).not.toContain('Front');
  });

  it('draws bone names with --names', async () => {
    const mixamo = writeDemo(at, 'mixamo.glb');
    expect((await runHere(['preview', mixamo, '-o', at('names.svg'), '--names'])).exit).toBe(0);
    expect(wordsOf(at('names.svg'))).toContain('leftLowerLeg');
  });

  it('draws one pose with --pose, and node names with --nodes', async () => {
    const mixamo = writeDemo(at, 'mixamo.glb');
    const { exit, stdout } = await runHere([
      'preview',
      mixamo,
      '-o',
      at('pose.svg'),
      '--pose',
      'reference',
      '--nodes',
      '--verbose',
    ]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/pose\.svg: 1 row\n.* poses +reference\n$/);
    expect(wordsOf(at('pose.svg'))).toEqual(expect.arrayContaining(['Hands from above', 'mixamorig:LeftArm']));
  });

  it('replaces a file only with --force', async () => {
    const walk = writeDemo(at, 'walk.glb');
    writeFileSync(at('there.svg'), 'mine');
    const refused = await runHere(['preview', walk, '-o', at('there.svg')]);
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringMatching(/OVERWRITE_REFUSED.*--force/)]);
    expect(readFileSync(at('there.svg'), 'utf8')).toBe('mine');
    expect((await runHere(['preview', walk, '-o', at('there.svg'), '--force'])).exit).toBe(0);
    expect(readFileSync(at('there.svg'), 'utf8')).toContain('<svg');
  });

  it.each([
    [['-o', 'a.pdf'], /--out: the extension is \.pdf; expected \.svg or \.png/],
    [['-o', 'sheet'], /has no extension/],
    [['-o', 'a.svg', '--frames', '0'], /--frames is "0"; expected a whole number from 1 to 60/],
    [['-o', 'a.svg', '--frames', '1e1'], /--frames is "1e1"/],
    [['-o', 'a.svg', '--view', 'top'], /--view is "top"; expected front, side or both/],
    [['-o', 'a.svg', '--pose', 'tea'], /--pose is "tea"; expected reference, bind, node or all/],
    [['-o', 'a.svg', '--clip', 'fly'], /--clip: There is no clip "fly"; choose one of:\n {2}0 {2}"walk"/],
    [['-o', 'a.svg', '--name'], /did you mean --names/i],
    [[], /-o <FILE> is missing/],
    [['b.glb', 'c.glb', '-o', 'a.svg'], /c\.glb is one file too many/],
  ])('refuses %j', async (args, message) => {
    const walk = writeDemo(at, 'walk.glb');
    const resolved = args.map((arg) => (/^(a\.|sheet)/.test(arg) ? at(arg) : arg));
    const { exit, stderr } = await runHere(['preview', walk, ...resolved]);
    expect(exit).toBe(2);
    expect(stderr).toMatch(message);
    expect(existsSync(at('a.svg'))).toBe(false);
  });

  it('requires a file', async () => {
    const { exit, stderr } = await runHere(['preview', '-o', at('none.svg')]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('FILE')]);
  });

  it('ends with 3 for an unreadable file, and with 1 when there is nothing to draw', async () => {
    expect((await runHere(['preview', at('missing.glb'), '-o', at('a.svg')])).exit).toBe(3);
    writeFileSync(at('empty.gltf'), '{"asset":{"version":"2.0"}}');
    const { exit, stderr } = await runHere(['preview', at('empty.gltf'), '-o', at('a.svg')]);
    expect([exit, stderr]).toEqual([
      1,
      expect.stringMatching(/Nothing was drawn\.\nerror NOT_HUMANOID: .*no skeleton/),
    ]);
    const json = await runHere(['preview', at('empty.gltf'), '-o', at('a.svg'), '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, output: null });
    expect(existsSync(at('a.svg'))).toBe(false);
  });

  it('names the package to install when PNG cannot be drawn', async () => {
    vi.doMock('@resvg/resvg-js', () => {
      throw new Error('Cannot find package');
    });
    const walk = writeDemo(at, 'walk.glb');
    const { exit, stderr } = await runHere(['preview', walk, '-o', at('no.png')]);
    expect(exit).toBe(2);
    expect(stderr).toMatch(/^error OPTION_INVALID: --out: .*npm install @resvg\/resvg-js.*write \.svg/);
    expect(existsSync(at('no.png'))).toBe(false);
    vi.doUnmock('@resvg/resvg-js');
  });

  it('strips terminal control sequences from names', async () => {
    const nodes = [
      { name: '\u001b[2J', children: [1] },
      { name: 'b', translation: [0, 1, 0] },
    ];
    const gltf = { asset: { version: '2.0' }, nodes, scenes: [{ nodes: [0] }], scene: 0 };
    writeFileSync(at('evil\u0007.gltf'), JSON.stringify(gltf));
    const { exit, stdout } = await runHere(['preview', at('evil\u0007.gltf'), '-o', at('evil.svg')], {
      terminal: true,
      env: { NO_COLOR: '1' },
    });
    expect(exit).toBe(0);
    expect(stdout).toMatch(/evil .gltf is drawn as plain joints because it is not humanoid: ./);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('has help with examples', async () => {
    const { exit, stdout } = await runHere(['preview', '--help']);
    expect(exit).toBe(0);
    for (const text of ['--frames', '--view', '--names', 'EXAMPLES', 'anyrig preview walk.glb out.vrm']) {
      expect(stdout).toContain(text);
    }
  });
});

describe.skipIf(!HAS_ASSETS)('anyrig preview on third-party files', () => {
  it.each(['glb', 'vrm', 'vrma', 'bvh', 'fbx'].flatMap((kind) => sampledCases(humanoidFiles('assets', kind), 5)))(
    'draws %s',
    async (path) => {
      const { exit, stdout } = await runHere(['preview', path, '-o', at('sheet.svg'), '--force', '--json']);
      expect(exit).toBe(0);
      const { rows } = JSON.parse(stdout) as PreviewReport;
      expect(rows[0].clip).toBeNull();
      const svg = readFileSync(at('sheet.svg'), 'utf8');
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      const [, width, height] = / width="([\d.]+)" height="([\d.]+)"/.exec(svg)!.map(Number);
      expect(width).toBeLessThan(6000);
      expect(height).toBeLessThan(8000);
    },
  );

  it('draws a real motion and its result', async () => {
    const motion = asset('assets/bvh/pybvh_cmu_12_01_walk.bvh');
    const character = asset('assets/vrm/Godette_vrm_v4.vrm');
    const retarget = ['retarget', motion, character, '-o', at('godette.vrm'), '--contacts', 'off'];
    expect((await runHere(retarget)).exit).toBe(0);
    const { exit, stdout } = await runHere(['preview', motion, at('godette.vrm'), '-o', at('real.svg'), '--json']);
    expect(exit).toBe(0);
    const { rows } = JSON.parse(stdout) as PreviewReport;
    expect(rows.slice(-2).map(({ clip }) => clip?.name)).toEqual(['', 'pybvh_cmu_12_01_walk']);
  });
});
