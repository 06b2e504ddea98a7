import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { MIXAMO_RIG, UNREAL_RIG } from '../../../src/demo/characters/rigs.ts';
import { openFile } from '../../../src/files/node.ts';
import type { FileHumanoidReport, RetargetReport } from '../../../src/files/reports/job-reports.ts';
import { parseBvh } from '../../../src/formats/bvh/parse-bvh.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, IS_RELEASE_RUN, sampledCases } from '../../support/law-runs.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { documentOf } from '../../support/make/opened.ts';
import { gltfWithCharacters } from '../../support/make/two-characters.ts';
import { type CommandResult, runHere } from '../run-here.ts';

const at = temporaryFolder();
const walk = writeDemo(at, 'walk.glb');
const turn = writeDemo(at, 'turn.bvh');
const child = writeDemo(at, 'child.vrm');
const giant = writeDemo(at, 'giant.glb');
let outputs = 0;
const fresh = (extension = 'glb'): string => at('out', `${outputs++}.${extension}`);

async function retarget(
  ...argv: string[]
): Promise<CommandResult & { report: RetargetReport; target: FileHumanoidReport; source: FileHumanoidReport }> {
  const ran = await runHere(['retarget', ...argv, '--json']);
  const report = JSON.parse(ran.stdout || 'null') as RetargetReport;
  return { ...ran, report, target: report?.target as FileHumanoidReport, source: report?.source as FileHumanoidReport };
}
/** Retargets without contacts, which take most of the time and do not change what most tests are about. */
const retargetOnly: typeof retarget = (...argv) => retarget(...argv, '--contacts', 'off');
const clipNames = async (path: string): Promise<string[]> => (await openFile(path)).asset.clips.map(({ name }) => name);

describe('anyrig retarget', () => {
  it.skipIf(!HAS_ASSETS || !IS_FULL_RUN)(
    'distributes spine rotations with --distribute, and leaves twist joints unanimated with --no-twist',
    async () => {
      const tracksOf = async (character: string, ...flags: string[]): Promise<number> => {
        const { exit, report } = await retargetOnly(walk, asset(character), '-o', fresh(), '--no-mesh', ...flags);
        expect(exit).toBe(0);
        return report.clips[0].tracks;
      };
      const spine = 'assets/fbx/ozz_pab_skeleton.fbx';
      expect(await tracksOf(spine, '--distribute')).toBe((await tracksOf(spine)) + 1);
      const forearms = 'assets/glb/pc_lumberjack.glb';
      const twisted = await tracksOf(forearms);
      expect(await tracksOf(forearms, '--no-twist')).toBeLessThanOrEqual(twisted);
    },
  );

  it('writes the clip into the character and prints the documented JSON report', async () => {
    const out = fresh('vrm');
    const { exit, stdout, stderr, report } = await retarget(walk, child, '-o', out);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd()).not.toContain('\n');
    expect(report).toEqual({
      ok: true,
      output: out,
      clips: [
        {
          name: 'walk',
          duration: expect.any(Number),
          tracks: expect.any(Number),
          keys: expect.any(Number),
          contacts: {
            mode: 'auto',
            plants: { left: expect.any(Number), right: expect.any(Number) },
            trunkSeconds: 0,
            reach: expect.any(Number),
            largestChange: expect.any(Number),
            largestHandChange: expect.any(Number),
            hipsRaised: expect.any(Number),
            hipsLowered: expect.any(Number),
            armSpace: 0,
            legSpace: 0,
            handsMoved: expect.any(Number),
            arms: { seconds: expect.any(Number), largestChange: expect.any(Number) },
            hands: { contacts: 0, lost: 0, seconds: 0, reach: 0, largestChange: 0 },
          },
          from: expect.any(Object),
          hipsScale: expect.any(Number),
        },
      ],
      keptClips: 0,
      firstClip: 'walk',
      files: [out],
      bytes: readFileSync(out).length,
      source: expect.objectContaining({ file: walk, humanoid: true }),
      target: expect.objectContaining({ file: child, humanoid: true }),
      hipsScale: expect.any(Number),
      issues: expect.any(Array),
    });
    for (const humanoid of [report.source, report.target]) {
      expect(humanoid).toMatchObject({
        skeleton: expect.any(String),
        bones: { hips: { node: expect.any(Number), name: expect.any(String), confidence: expect.any(Number) } },
        referencePose: { kind: expect.any(String), from: expect.any(String), deviationDegrees: expect.any(Object) },
        facing: { axis: '+Z' },
        heightMeters: expect.any(Number),
        hipsHeight: expect.any(Number),
        ground: 0,
      });
    }
    const { hipsHeight } = report.source as FileHumanoidReport;
    expect(report.hipsScale).toBeCloseTo((report.target as FileHumanoidReport).hipsHeight / hipsHeight, 9);
    for (const issue of report.issues) expect(Object.keys(issue)).toEqual(['code', 'severity', 'message', 'where']);
    expect(await clipNames(out)).toEqual(['walk']);
    expect((await validateBytes(new Uint8Array(readFileSync(out)))).issues.numErrors).toBe(0);
  });

  it('--contacts off leaves contacts out of the report; another value is a usage error', async () => {
    const { report } = await retarget(walk, child, '-o', fresh('vrm'), '--contacts', 'off');
    expect(report.clips[0]).not.toHaveProperty('contacts');
    const { exit, stderr } = await runHere(['retarget', walk, child, '-o', fresh('vrm'), '--contacts', 'sticky']);
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/--contacts is "sticky"; expected auto, lock, ground, off/),
    ]);
  });

  it('prints one line when all is well', async () => {
    const [one, two] = [fresh(), fresh()];
    const first = (await runHere(['retarget', walk, giant, '-o', one, '--contacts', 'off'])).stdout;
    expect(first.replace(/[\d.]+ (kB|MB), \d+ keys/, 'SIZE')).toBe(`${one}: 1 clip written (walk, 2.20 s), SIZE\n`);
    const twice = await runHere(['retarget', walk, walk, giant, '-o', two, '--contacts', 'off']);
    expect(twice.stdout).toMatch(/: 2 clips written \(walk, walk 2\), [\d.]+ [kM]B, \d+ keys\n$/);
    // Hands without fingers are worth no warning; infos are not shown.
    const { stdout } = await runHere(['retarget', turn, giant, '-o', fresh()]);
    expect(stdout).toMatch(/: 1 clip written \(turn, 4\.23 s\), [\d.]+ [kM]B, \d+ keys\n$/);
  });

  it('prints one line per file of a template, and the files that belong to them', async () => {
    const { stdout } = await runHere([
      'retarget',
      walk,
      walk,
      giant,
      '-o',
      at('lines', '{clip}.gltf'),
      '--contacts',
      'off',
    ]);
    expect(stdout.replace(/[\d.]+ [kM]B, \d+ keys/, 'SIZE')).toBe(
      [
        `${at('lines', 'walk.gltf')}: walk, 2.20 s`,
        `${at('lines', 'walk 2.gltf')}: walk 2, 2.20 s`,
        `  ${at('lines', 'walk.bin')}`,
        `  ${at('lines', 'walk 2.bin')}`,
        '2 files, SIZE',
        '',
      ].join('\n'),
    );
  });

  it('prints clips, humanoids and infos with --verbose', async () => {
    const out = fresh();
    const { exit, stdout } = await runHere(['retarget', turn, giant, '-o', out, '--verbose']);
    expect(exit).toBe(0);
    const head =
      '1 clip written \\(turn, 4\\.23 s\\), [\\d.]+ [kM]B, \\d+ keys\\n +turn +4\\.23 s +\\d+ tracks +\\d+ keys\\nhips scale 1\\.\\d+\\n';
    expect(stdout).toMatch(new RegExp(`^${out}: ${head}motion +`));
    expect(stdout).toMatch(/character .* bones \(.+\) +estimated from bind +hips at 1\.\d+ m\n/);
    expect(stdout).toMatch(/\ncontacts auto: \d+ plants?, feet moved by up to \d+\.\d cm, hips raised by up to /);
    expect(stdout).toMatch(/info UNIT_GUESSED: /);
  });

  it('reports the hips scale of each clip where motions have different ones', async () => {
    const { report } = await retargetOnly(walk, turn, giant, '-o', fresh());
    const [first, second] = report.clips.map(({ hipsScale }) => hipsScale ?? 0);
    expect(first).toBe(report.hipsScale);
    expect(second / first).not.toBeCloseTo(1, 2);
    const { stdout } = await runHere(['retarget', walk, turn, giant, '-o', fresh(), '--verbose', '--contacts', 'off']);
    expect(stdout).toMatch(/\n +walk .* keys {2}hips scale [\d.]+\n +turn .* keys {2}hips scale [\d.]+\nmotion/);
  });

  it('puts all files on a standard rig with --to, in place of a character', async () => {
    const out = fresh();
    const { exit, report } = await retargetOnly(walk, turn, '--to', 'ue5', '-o', out);
    expect(exit).toBe(0);
    expect(report.clips.map(({ from }) => basename(from.file))).toEqual(['walk.glb', 'turn.bvh']);
    expect(report.target).toMatchObject({ file: 'ue5', humanoid: true });
    const { asset: made } = await openFile(out);
    expect(made.skeletons[0].skeleton.names.slice(0, 3)).toEqual(['root', 'pelvis', 'spine_01']);
    expect(made.clips.length).toBe(2);
  });

  it('says which standard rigs there are, and that --to needs a motion', async () => {
    const wrong = await runHere(['retarget', walk, '--to', 'maya', '-o', fresh()]);
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('mixamo, ue5, unity, vrm, smplx, soma')]);
    const none = await runHere(['retarget', '--to', 'ue5', '-o', fresh()]);
    expect(none.exit).toBe(2);
  });

  it('renames joints with --names, and takes the lengths of the motion with --proportions', async () => {
    const out = fresh('bvh');
    const { exit, report } = await retargetOnly(
      walk,
      '--to',
      'smplx',
      '-o',
      out,
      '--names',
      'unity',
      '--proportions',
      'source',
    );
    expect(exit).toBe(0);
    expect(report.issues.map(({ code }) => code)).toContain('JOINTS_RENAMED');
    expect(parseBvh(readFileSync(out, 'utf8')).joints.map(({ name }) => name)).toContain('LeftUpperLeg');
  });

  it('numbers clips with equal names, or replaces them with --replace', async () => {
    const [first, second, third] = [fresh(), fresh(), fresh()];
    await retargetOnly(walk, walk, giant, '-o', first);
    await retargetOnly(walk, first, '-o', second);
    await retargetOnly(walk, second, '-o', third, '--replace');
    expect(await clipNames(first)).toEqual(['walk', 'walk 2']);
    expect(await clipNames(second)).toEqual(['walk', 'walk 2', 'walk 3']);
    expect(await clipNames(third)).toEqual(['walk']);
  });

  it('selects clips by name and index with --clip, and names them by the template', async () => {
    const pack = fresh();
    await retargetOnly(walk, turn, walk, giant, '-o', pack);
    const out = fresh();
    const { report } = await retargetOnly(
      pack,
      child,
      '-o',
      out,
      '--clip',
      'turn',
      '--clip=2',
      '--name',
      '{file}.{clip}.{index}',
    );
    const stem = basename(pack, '.glb');
    expect(await clipNames(out)).toEqual([`${stem}.turn.1`, `${stem}.walk 2.2`]);
    expect(report.clips.map(({ from }) => from.clip)).toEqual(['turn', 'walk 2']);
    const { exit, stderr } = await retargetOnly(pack, child, '-o', fresh(), '--clip', 'jump');
    expect(exit).toBe(2);
    expect(stderr).toMatch(/--clip: There is no clip "jump"; choose one of:\n {2}0 {2}"walk" of /);
  });

  it('resamples at --fps', async () => {
    const { report } = await retargetOnly(walk, giant, '-o', fresh(), '--fps', '10');
    const { tracks, keys } = report.clips[0];
    expect(keys).toBeLessThanOrEqual(23 * tracks);
    expect(keys).toBeGreaterThan(20 * 40);
  });

  it('scales the hips translation by --hips-scale', async () => {
    expect((await retargetOnly(walk, child, '-o', fresh('vrm'), '--hips-scale', 'none')).report.hipsScale).toBe(1);
    expect((await retargetOnly(walk, child, '-o', fresh('vrm'), '--hips-scale=0.25')).report.hipsScale).toBe(0.25);
    const { report } = await retargetOnly(walk, child, '-o', fresh('vrm'), '--hips-scale', 'legs');
    expect(report.clips.map(({ hipsScale }) => hipsScale)).toEqual([report.hipsScale]);
    expect(report.hipsScale).not.toBe((await retargetOnly(walk, child, '-o', fresh('vrm'))).report.hipsScale);
  });

  it('delivers root motion by --root, and reports a character without a root bone', async () => {
    const codes = async (...args: string[]): Promise<string[]> => {
      const { report } = await retargetOnly(walk, giant, '-o', fresh(), ...args);
      return report.issues.map(({ code }) => code).filter((code) => code.startsWith('ROOT_'));
    };
    expect(await codes()).toEqual([]);
    expect(await codes('--root', 'in-place')).toEqual([]);
    expect(await codes('--root', 'root-bone')).toHaveLength(1);
  });

  it('uses the reference poses of --source-pose and --target-pose', async () => {
    const { source, target } = await retargetOnly(
      walk,
      giant,
      '-o',
      fresh(),
      '--source-pose',
      'frame:3',
      '--target-pose',
      'bind',
    );
    expect(source.referencePose).toMatchObject({ kind: 'frame', from: 'frame:3' });
    expect(target.referencePose).toMatchObject({ kind: 'bind', from: 'bind' });
    const other = await retargetOnly(walk, giant, '-o', fresh(), '--target-pose', giant);
    expect(other.target.referencePose).toMatchObject({ kind: 'estimated', from: giant });
    const exact = await retargetOnly(walk, giant, '-o', fresh(), '--target-pose', `exact:${giant}`);
    expect(exact.target.referencePose).toMatchObject({ kind: 'given', from: giant });
    const none = await retargetOnly(walk, giant, '-o', fresh(), '--target-pose', 'declared');
    expect([none.exit, none.report.ok]).toEqual([1, false]);
    expect(none.report.target).toMatchObject({ humanoid: false, reason: expect.stringContaining('declares none') });
  });

  it('requires --target-skeleton, with a list, when there are several', async () => {
    writeFileSync(at('two.gltf'), gltfWithCharacters([MIXAMO_RIG, UNREAL_RIG]));
    const asked = await retarget(walk, at('two.gltf'), '-o', fresh());
    expect(asked.exit).toBe(2);
    expect(asked.stderr).toMatch(
      /^error OPTION_INVALID: .*2 humanoid skeletons; choose .* or index with --target-skeleton:\n {2}0 {2}".*: humanoid\n {2}1 {2}"/,
    );
    expect(asked.report).toMatchObject({ ok: false, error: { code: 'OPTION_INVALID' } });
    const chosen = await retarget(walk, at('two.gltf'), '-o', fresh(), '--target-skeleton', '1');
    expect(chosen.exit).toBe(0);
    expect(chosen.target).toMatchObject({ skeletonIndex: 1, bones: { hips: { name: 'pelvis' } } });
  });

  it('writes only skeleton and clips with --no-mesh', async () => {
    const out = fresh();
    await retargetOnly(walk, giant, '-o', out, '--no-mesh');
    expect(documentOf(await openFile(out)).json).not.toHaveProperty('meshes');
    expect(await clipNames(out)).toEqual(['walk']);
  });

  it('writes a .gltf with its .bin, and reads both as a character', async () => {
    const out = at('out/deep/my walk.gltf');
    expect((await retargetOnly(walk, giant, '-o', out)).exit).toBe(0);
    expect(readdirSync(at('out/deep')).sort()).toEqual(['my walk.bin', 'my walk.gltf']);
    const again = await retargetOnly(turn, out, '-o', at('out/deep/both.gltf'));
    expect(again.exit).toBe(0);
    // The .bin of the character is unchanged; new data is in a second one.
    expect(readdirSync(at('out/deep')).sort()).toEqual(['both.bin', 'both.gltf', 'my walk.bin', 'my walk.gltf']);
    const elsewhere = at('out/elsewhere/both.gltf');
    expect((await retargetOnly(turn, out, '-o', elsewhere)).exit).toBe(0);
    expect(readdirSync(at('out/elsewhere')).sort()).toEqual(['both.bin', 'both.gltf', 'my walk.bin']);
    expect(await clipNames(elsewhere)).toEqual(['walk', 'turn']);
  });

  it('refuses to replace a file without --force, and leaves it unchanged', async () => {
    const out = fresh();
    writeFileSync(out, 'precious');
    const { exit, stderr, report } = await retargetOnly(walk, giant, '-o', out);
    expect(exit).toBe(2);
    expect(stderr).toBe(`error OVERWRITE_REFUSED: ${out} already exists; use --force to replace it\n`);
    expect(report).toMatchObject({ ok: false, error: { code: 'OVERWRITE_REFUSED', file: out } });
    expect(readFileSync(out, 'utf8')).toBe('precious');
    expect((await retargetOnly(walk, giant, '-o', out, '--force')).exit).toBe(0);
  });

  it('replaces the character itself only with --force', async () => {
    const own = writeDemo(at, 'giant.glb', 'own.glb');
    expect((await retargetOnly(walk, own, '-o', own)).exit).toBe(2);
    expect((await retargetOnly(walk, own, '-o', own, '--force')).exit).toBe(0);
    expect(await clipNames(own)).toEqual(['walk']);
  });

  it('retargets the other motions and ends with 1 when one motion is not humanoid', async () => {
    writeFileSync(at('prop.gltf'), gltfWithCharacters([], [[{ name: 'Lamp', children: [1] }, { name: 'Bulb' }]]));
    const out = fresh();
    const { exit, report } = await retargetOnly(at('prop.gltf'), walk, giant, '-o', out);
    expect([exit, report.ok, report.output]).toEqual([1, false, out]);
    expect(report.source).toMatchObject({ file: at('prop.gltf'), skeleton: 'Lamp', humanoid: false });
    expect(report.sources?.map(({ humanoid }) => humanoid)).toEqual([false, true]);
    expect(await clipNames(out)).toEqual(['walk']);
  });

  it('writes nothing and ends with 1 when no clip can be retargeted', async () => {
    const out = fresh();
    const { exit, report } = await retarget(giant, child, '-o', out);
    expect([exit, report.ok, report.output]).toEqual([1, false, null]);
    const text = await runHere(['retarget', giant, child, '-o', out]);
    expect(text.stdout).toMatch(
      /^Nothing was written: .* are characters without clips, so there is no motion\. Name a/,
    );
    expect(text.stdout).toContain(`\n  npx anyrig retarget walk.fbx ${child} -o ${out}\n`);
    const far = await runHere(['retarget', walk, child, '-o', out, '--trim', '9:']);
    expect([far.exit, far.stdout]).toEqual([
      1,
      expect.stringMatching(/^Nothing was written: no clip could be retargeted\.\nwarning CLIP_OUTSIDE_TRIM: /),
    ]);
    expect(existsSync(out)).toBe(false);
  });

  it('names the right command when the character is not the last file', async () => {
    const out = fresh();
    const expected = `npx anyrig retarget ${turn} ${giant} -o ${out} --loop`;
    const noMesh = await runHere(['retarget', giant, turn, '-o', out, '--loop']);
    expect(noMesh.exit).toBe(2);
    expect(noMesh.stderr).toBe(
      `error USAGE: ${turn} has no mesh, but ${giant} has one. The last file must be the character. Did you mean:\n  ${expected}\n`,
    );
    const vrma = await runHere(['retarget', giant, turn, '-o', at('swapped.vrma')]);
    expect([vrma.exit, vrma.stdout]).toEqual([1, expect.stringContaining(`anyrig retarget ${turn} ${giant} -o`)]);
    const vrm = await runHere(['retarget', child, walk, '-o', at('swapped.vrm')]);
    expect([vrm.exit, vrm.stderr]).toEqual([2, expect.stringContaining(`anyrig retarget ${walk} ${child} -o`)]);
    const among = await runHere(['retarget', walk, giant, turn, '-o', out]);
    expect([among.exit, among.stderr]).toEqual([
      2,
      expect.stringContaining(`anyrig retarget ${walk} ${turn} ${giant} -o`),
    ]);
    for (const path of [out, at('swapped.vrma'), at('swapped.vrm')]) expect(existsSync(path)).toBe(false);
  });

  it('says that a motion is no character, without the name of an option that was not typed', async () => {
    const { exit, stderr } = await runHere(['retarget', turn, turn, '-o', fresh()]);
    expect(exit).toBe(2);
    expect(stderr).toMatch(
      /^error USAGE: The last file must be a character, but .*turn\.bvh is a motion: it has clips/,
    );
    expect(stderr).toMatch(
      /\n {2}npx anyrig retarget .* hero\.glb -o .*\nTo write only the skeleton of .*, add --no-mesh\.\n$/,
    );
  });

  it('edits the motion by flags', async () => {
    const edits = ['--trim', '0.5:1.5', '--speed', '2', '--mirror', '--loop', '--reduce', '1'];
    const { report } = await retargetOnly(walk, child, '-o', fresh(), ...edits);
    expect(report).toMatchObject({ ok: true, clips: [{ duration: expect.closeTo(0.5, 6) }] });
    const whole = await retargetOnly(walk, child, '-o', fresh());
    expect(report.clips[0].keys).toBeLessThan(whole.report.clips[0].keys / 2);
  });

  it.each([
    [['-o', 'a.vrm'], /not VRM/],
    [['-o', 'a.obj'], /cannot write \.obj/],
    [['-o', 'a'], /no extension/],
    [[], /-o <FILE> is missing\.\n\nUSAGE anyrig retarget/],
    [['-o', 'out/'], /--out: out\/ is a folder; name a file, such as out\/\{clip\}\.glb/],
    [['-o', ''], /--out: The path is empty; name a file/],
    [['-o', 'a.glb', '--target-pose', 'tpose'], /"tpose" is neither a pose nor a file; expected auto, declared/],
    [['-o', 'a.glb', '--fps', '0'], /--fps is "0"/],
    [['-o', 'a.glb', '--fps', 'fast'], /--fps is "fast"/],
    [['-o', 'a.glb', '--hips-scale', '-1'], /--hips-scale is "-1"/],
    [['-o', 'a.glb', '--root', 'bone'], /--root is "bone"; expected keep, hips, root-bone, in-place/],
    [['-o', 'a.glb', '--hips-scale', ''], /--hips-scale is ""/],
    [['-o', 'a.glb', '--source-pose', 'frame:x'], /frame:x is not a pose/],
    [['-o', 'a.glb', '--name', '{x}'], /--name: .*\{clip\}/],
    [['-o', 'a.glb', '--source-skeleton', 'nobody'], /--source-skeleton: .* no skeleton "nobody"/],
  ])('refuses %j with exit 2', async (flags, message) => {
    const { exit, stderr } = await runHere(['retarget', walk, giant, ...flags]);
    expect(stderr).toMatch(message);
    expect(exit).toBe(2);
  });

  it('requires a motion and a character', async () => {
    expect((await runHere(['retarget', walk, '-o', 'a.glb'])).exit).toBe(2);
  });

  it('reads maps, and names the invalid one', async () => {
    writeFileSync(at('map.json'), '{"bones":{"hips":"Nowhere"}}');
    const wrong = await retarget(walk, giant, '-o', fresh(), '--source-map', at('map.json'));
    expect(wrong.exit).toBe(2);
    expect(wrong.stderr).toMatch(
      /--source-map: The bone map does not fit .*walk\.glb; correct these entries:\n.*"hips"/,
    );
    writeFileSync(at('broken.json'), '{"bones"');
    const broken = await retarget(walk, giant, '-o', fresh(), '--source-map', at('broken.json'));
    expect(broken.exit).toBe(3);
    expect(broken.stderr).toMatch(/^error JSON_INVALID: .*\(.*broken\.json\)\n$/);
  });

  it('shows progress on a terminal and clears it', async () => {
    const { exit, stderr } = await runHere(['retarget', walk, giant, '-o', fresh()], { terminal: true });
    expect(exit).toBe(0);
    // Progress is shown after one second only, and is cleared at the end.
    expect(stderr === '' || stderr.endsWith('\r\u001b[2K')).toBe(true);
  });
});

describe.skipIf(!HAS_ASSETS || !IS_FULL_RUN)('anyrig retarget on third-party files', () => {
  const PAIRS = [
    ['assets/vrma/ChatVRM_idle_loop.vrma', 'assets/vrm/cool_loops.vrm', 'vrm'],
    ['assets/glb/KayKit_Knight.glb', 'assets/glb/VALID_AIAN_M_1_Casual.glb', 'glb'],
    ['assets/bvh/AD_fair1_dab.bvh', 'assets/glb/Xbot.glb', 'glb'],
    ['assets/glb/Xbot.glb', 'assets/vrm/Godette_vrm_v4.vrm', 'vrm'],
  ] as const;
  it.each(sampledCases(PAIRS))('retargets %s to %s', async (motion, character, extension) => {
    mkdirSync(at('real'), { recursive: true });
    const out = at('real', `${outputs++}.${extension}`);
    // The knight has 76 clips.
    const some = IS_RELEASE_RUN ? [] : Array.from({ length: 10 }, (_, k) => `--clip=${k}`);
    const { exit, report } = await retarget(
      asset(motion),
      asset(character),
      '-o',
      out,
      ...(motion.includes('Knight') ? some : []),
    );
    expect(exit).toBe(0);
    expect(report.clips.length).toBeGreaterThan(0);
    const names = await clipNames(out);
    expect(names.slice(-report.clips.length)).toEqual(report.clips.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(['Fox.glb', 'm2m_fox-animations.glb'])('refuses %s with exit 1 and the reason, both ways', async (name) => {
    const fox = asset('assets/negative', name);
    const xbot = asset('assets/glb/Xbot.glb');
    for (const [motion, character] of [
      [fox, xbot],
      [xbot, fox],
    ]) {
      const out = fresh();
      const { exit, report } = await retarget(motion, character, '-o', out, '--clip', '0');
      expect(exit).toBe(1);
      expect(report.issues.find(({ code }) => code === 'NOT_HUMANOID')?.message).toContain(`${name} is not humanoid: `);
      expect(existsSync(out)).toBe(false);
    }
  });
});
