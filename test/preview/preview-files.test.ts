import { describe, expect, it } from 'vitest';
import { retargetMotions } from '../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../src/files/open.ts';
import { concatParts } from '../../src/formats/gltf/document/glb.ts';
import { previewFiles } from '../../src/preview/preview-files.ts';
import { cpuTimer } from '../support/cpu-time.ts';
import { openDemo } from '../support/make/demo-files.ts';
import { gltfWithCharacters, PROP } from '../support/make/two-characters.ts';

async function openText(text: string, name: string): Promise<OpenFile> {
  return openBytes(new TextEncoder().encode(text), { name });
}

/** What is written on a sheet, in order. */
function words(svg: string | null): string[] {
  return [...(svg ?? '').matchAll(/<text[^>]*>([^<]*)</g)].map(([, word]) => word);
}

function headsOf(svg: string | null): number {
  return (svg ?? '').split('<circle').length - 1;
}

describe('previewFiles of one file', () => {
  it('draws the poses, then every clip in columns with their times', async () => {
    const { svg, report } = previewFiles([await openDemo('walk.glb')]);
    expect(report).toMatchObject({ ok: true, clipsLeftOut: 0, issues: [] });
    expect(report.rows.map(({ clip }) => clip?.name ?? null)).toEqual([null, 'walk']);
    expect(report.rows[0].columns.slice(0, 2)).toEqual(['reference', 'node']);
    const { duration } = report.rows[1].clip!;
    expect(report.rows[1].columns).toEqual(Array.from({ length: 8 }, (_, k) => (duration * k) / 7));
    expect(words(svg)).toEqual(expect.arrayContaining(['walk.glb', 'poses', 'walk', 'reference', '0.00 s']));
    expect(headsOf(svg)).toBe(2 * (report.rows[0].columns.length + 8));
  });

  it('draws only the selected clips, with the requested columns and view', async () => {
    const { svg, report } = previewFiles([await openDemo('walk.glb')], { clips: [0], frames: 3, view: 'side' });
    expect(report.rows).toHaveLength(1);
    expect(headsOf(svg)).toBe(3);
  });

  it('labels bones on request, also with selected clips', async () => {
    const file = await openDemo('walk.glb');
    const named = words(previewFiles([file], { clips: ['walk'], names: 'bones' }).svg);
    expect(named).toEqual(expect.arrayContaining(['leftUpperArm', 'rightFoot', 'hips', 'walk']));
    expect(named).not.toContain('node');
    expect(words(previewFiles([file]).svg)).not.toContain('leftUpperArm');
  });

  it('draws the surface on request: skin in every column of a clip, soles beside the reference pose', async () => {
    const file = await openDemo('walk.glb');
    const plain = previewFiles([file], { clips: ['walk'], frames: 2, view: 'side' });
    const skinned = previewFiles([file], { clips: ['walk'], frames: 2, view: 'side', surface: true });
    // Both feet in two columns.
    const colored = (svg: string | null): number => (svg ?? '').split('fill-opacity').length - 1;
    expect([colored(plain.svg), colored(skinned.svg)]).toEqual([0, 4]);
    expect([plain, skinned].map(({ report }) => report.rows[0].surface)).toEqual([undefined, 'skin']);
    const pose = previewFiles([file], { pose: 'reference', surface: true });
    expect(words(pose.svg)).toContain('Hands and soles from above');
    expect(words(pose.svg).filter((word) => / × .* cm$/.test(word))).toHaveLength(2);
    const bvh = previewFiles([await openDemo('turn.bvh')], { pose: 'reference', surface: true });
    expect(bvh.report.rows[0].surface).toBe('joints');
    expect(words(bvh.svg).join(' ')).toContain('estimated from the joints');
  });

  it('draws only the requested pose, the reference pose with hands', async () => {
    const file = await openDemo('walk.glb');
    const { svg, report } = previewFiles([file], { pose: 'reference' });
    expect(report.rows.map(({ clip, columns }) => [clip, columns])).toEqual([[null, ['reference']]]);
    expect(words(svg)).toEqual(expect.arrayContaining(['Hands from above', 'thumb', 'little']));
    const node = previewFiles([file], { pose: 'node', clips: ['walk'], frames: 2 });
    expect(node.report.rows.map(({ columns }) => columns.length)).toEqual([1, 2]);
    expect(words(node.svg)).not.toContain('Hands from above');
    const all = previewFiles([file], { pose: 'all' });
    expect(all.report.rows.map(({ columns }) => columns)).toEqual([['reference', 'node']]);
  });

  it('labels nodes, with finger nodes at the hands', async () => {
    const { svg } = previewFiles([await openDemo('mixamo.glb')], { pose: 'reference', names: 'nodes' });
    expect(words(svg)).toContain('mixamorig:LeftForeArm');
    expect(words(svg).some((word) => /LeftHandIndex1 · .*LeftHandIndex2/.test(word))).toBe(true);
    expect(words(svg)).not.toContain('leftLowerArm');
  });

  it('throws for a missing pose and reports a missing reference pose', async () => {
    const lamp = await openText(gltfWithCharacters([], [PROP]), 'lamp.gltf');
    const { svg, report } = previewFiles([lamp], { pose: 'reference' });
    expect([svg, report.ok]).toEqual([null, false]);
    expect(report.issues).toMatchObject([
      { code: 'NOT_HUMANOID', message: expect.stringContaining('lamp.gltf has no reference pose') },
    ]);
    expect(previewFiles([lamp], { pose: 'node' }).report.rows).toHaveLength(1);
    const turn = await openDemo('turn.bvh');
    expect(() => previewFiles([turn], { pose: 'bind' })).toThrow(/turn\.bvh has no bind pose, .*Use "node" or "all"/);
  });

  it('draws non-humanoid skeletons and reports the reason', async () => {
    const { svg, report } = previewFiles([await openText(gltfWithCharacters([], [PROP]), 'lamp.gltf')], {
      names: 'bones',
    });
    expect(report.ok).toBe(true);
    expect(report.rows[0]).toMatchObject({ humanoid: false, reason: expect.stringMatching(/./), clip: null });
    expect(words(svg)).toEqual(expect.arrayContaining(['Bulb', 'node']));
    expect(words(svg)).not.toContain('left side');
  });

  it('draws every humanoid of a file', async () => {
    const { report } = previewFiles([await openText(gltfWithCharacters([{}, {}], [PROP]), 'two.gltf')]);
    expect(report.rows.map(({ skeletonIndex }) => skeletonIndex)).toEqual([0, 1]);
  });

  it('returns null for a file without a skeleton', async () => {
    const { svg, report } = previewFiles([await openText('{"asset":{"version":"2.0"}}', 'empty.gltf')]);
    expect(svg).toBeNull();
    expect(report).toMatchObject({ ok: false, rows: [], issues: [{ code: 'NOT_HUMANOID' }] });
    expect(report.issues[0].message).toContain('empty.gltf has no skeleton');
  });

  it('leaves out clips beyond the limit and reports their number', async () => {
    const file = await openDemo('walk.glb');
    const clips = Array.from({ length: 30 }, (_, k) => ({ ...file.asset.clips[0], name: `walk ${k}` }));
    const { svg, report } = previewFiles([{ ...file, asset: { ...file.asset, clips } }], { frames: 2 });
    expect(report.clipsLeftOut).toBe(6);
    expect(report.rows).toHaveLength(25);
    expect(words(svg)[1]).toContain('24 clips of 30');
  });

  it('calls onRow before each row', async () => {
    const said: string[] = [];
    previewFiles([await openDemo('walk.glb')], { onRow: (file, what) => said.push(`${file} ${what}`) });
    expect(said).toEqual(['walk.glb the poses', 'walk.glb walk']);
  });

  it('throws for an invalid number of columns or files, and for an unknown clip', async () => {
    const file = await openDemo('walk.glb');
    for (const frames of [0, 61, 2.5, Number.NaN]) expect(() => previewFiles([file], { frames })).toThrow(RangeError);
    expect(() => previewFiles([])).toThrow(/one file, or two/);
    expect(() => previewFiles([file], { clips: ['fly'] })).toThrow(/no clip "fly"/);
  });

  it('draws a minute of 170 joints in about a second', async () => {
    const file = await openDemo('walk.glb');
    const [part] = file.asset.skeletons;
    const count = part.skeleton.names.length;
    const rest = Float64Array.from({ length: 10 * 170 }, (_, k) => {
      return k < 10 * count ? part.skeleton.rest[k] : [0, 0.01, 0, 0, 0, 0, 1, 1, 1, 1][k % 10];
    });
    const parents = Int32Array.from({ length: 170 }, (_, node) =>
      node < count ? part.skeleton.parents[node] : node - 1,
    );
    const names = Array.from(parents, (_, node) => part.skeleton.names[node] ?? `strand ${node}`);
    const skeleton = { ...part.skeleton, rest, parents, names, bind: null, joints: new Uint8Array(170).fill(1) };
    const times = Float32Array.from({ length: 3600 }, (_, k) => k / 60);
    const values = Float32Array.from({ length: 4 * 3600 }, (_, k) => (k % 4 === 3 ? 1 : 0));
    const tracks = Array.from({ length: 170 }, (_, target) => {
      return { target, path: 'rotation', interpolation: 'LINEAR', times, values } as const;
    });
    const clip = { ...file.asset.clips[0], duration: 60, clips: [{ name: 'long', duration: 60, tracks }] };
    const asset = { ...file.asset, skeletons: [{ ...part, skeleton }], clips: [clip] };
    const spent = cpuTimer();
    const { report } = previewFiles([{ ...file, asset }], { frames: 60 });
    expect(report.rows[1].columns).toHaveLength(60);
    // Much more than a second only on a machine that is busy with other things.
    expect(spent()).toBeLessThan(5000);
  });
});

describe('previewFiles of two files', () => {
  it('draws a motion and its result below each other at the same times, with the motion highlighted', async () => {
    const motion = await openDemo('walk.glb');
    const { outputs } = await retargetMotions([motion], await openDemo('child.vrm'), { output: 'out.vrm' });
    const result = await openBytes(concatParts(outputs[outputs.length - 1].parts), { name: 'dir/out.vrm' });
    const { svg, report } = previewFiles([motion, result], { clips: ['walk'] });
    expect(report.rows.map(({ file, clip }) => `${file} ${clip?.name}`)).toEqual(['walk.glb walk', 'dir/out.vrm walk']);
    expect(report.rows[1].columns).toEqual(report.rows[0].columns);
    expect(words(svg)).toEqual(expect.arrayContaining(['walk.glb  →  out.vrm', 'MOTION', 'walk.glb', 'out.vrm']));
    expect(words(svg).filter((word) => word === 'MOTION')).toHaveLength(1);
    const whole = previewFiles([motion, result]).report;
    expect(whole.rows.map(({ file, clip }) => `${file} ${clip?.name}`)).toEqual([
      'walk.glb undefined',
      'dir/out.vrm undefined',
      'walk.glb walk',
      'dir/out.vrm walk',
    ]);
  });

  it('draws one file if the other has no skeleton', async () => {
    const { svg, report } = previewFiles([
      await openDemo('walk.glb'),
      await openText('{"asset":{"version":"2.0"}}', 'e'),
    ]);
    expect(svg).not.toBeNull();
    expect(report).toMatchObject({ ok: false, issues: [{ code: 'NOT_HUMANOID' }] });
  });
});
