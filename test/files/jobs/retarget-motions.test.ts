import { validateBytes } from 'gltf-validator';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { extractMotions } from '../../../src/files/jobs/extract-motions.ts';
import { type RetargetMotionsOptions, retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import type { OutputFile } from '../../../src/files/outputs/output-file.ts';
import { concatParts, parseGltf, serializeGltf } from '../../../src/formats/gltf/index.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { documentOf } from '../../support/make/opened.ts';

let walk: OpenFile;
beforeEach(async () => {
  walk = await openDemo('walk.glb');
});

const joined = ({ parts }: OutputFile): Buffer => Buffer.concat(parts);
const run = async (character: string, options: RetargetMotionsOptions) => {
  const result = await retargetMotions([walk], await openDemo(character), options);
  return { ...result, last: result.outputs[result.outputs.length - 1] };
};
const animationsOf = (file: OutputFile): { name: string; channels: unknown[] }[] => {
  return (parseGltf(joined(file)).json['animations'] ?? []) as never;
};

describe('retargetMotions', () => {
  it('writes the whole character with the clip, and a report', async () => {
    const { report, outputs, last } = await run('child.vrm', { output: 'out/a.vrm' });
    expect(outputs.map(({ path }) => path)).toEqual(['out/a.vrm']);
    const { json, bin } = parseGltf(joined(last));
    const before = parseGltf(demoBytes('child.vrm'));
    for (const list of ['nodes', 'meshes', 'skins', 'materials', 'extensions', 'scenes']) {
      expect(json[list]).toEqual(before.json[list]);
    }
    expect(Buffer.from(bin!).subarray(0, before.bin!.length).equals(Buffer.from(before.bin!))).toBe(true);
    const [animation] = animationsOf(last);
    expect(report.clips).toEqual([
      {
        name: 'walk',
        duration: expect.closeTo(2.2, 5),
        tracks: animation.channels.length,
        keys: expect.any(Number),
        contacts: expect.objectContaining({ mode: 'auto' }),
        from: { file: 'walk.glb', clip: 'walk', index: 0 },
        hipsScale: expect.any(Number),
      },
    ]);
    expect(report).toMatchObject({ ok: true, output: 'out/a.vrm', source: { file: 'walk.glb', humanoid: true } });
    expect(report.target).toMatchObject({ file: 'child.vrm', humanoid: true, referencePose: { kind: 'declared' } });
    expect(report).not.toHaveProperty('sources');
  });

  it.each(
    sampledCases<[string, string, boolean]>(
      [
        ['giant.glb', 'a.usdc', true],
        ['giant.glb', 'a.usda', true],
        ['giant.glb', 'a.usdz', false],
      ],
      2,
    ),
  )(
    'writes events of %s into the custom data of %s, from which they are read again (meshes: %s)',
    async (name, output, mesh) => {
      const { report, last, outputs } = await run(name, { output, mesh, events: true });
      const { events } = report.clips[0].events!;
      expect(outputs).toHaveLength(1);
      expect(events.map((one) => one.name)).toContain('leftFootDown');
      expect((await openBytes(joined(last), { name: output })).asset.clips[0].events).toEqual(events);
    },
  );

  it.runIf(IS_FULL_RUN)('writes events into the USD of a character that keeps everything', async () => {
    const { last } = await run('giant.glb', { output: 'hero.usda' });
    const hero = await openBytes(joined(last), { name: 'hero.usda' });
    const { report, outputs } = await retargetMotions([await openDemo('walk.glb')], hero, {
      output: 'b.usda',
      events: true,
    });
    const { asset } = await openBytes(joined(outputs[0]), { name: 'b.usda' });
    expect(asset.clips.find(({ events }) => events !== undefined)?.events).toEqual(report.clips[0].events!.events);
  });

  it('writes events into a glTF, from which they are read again, and beside other files', async () => {
    const { report, last } = await run('giant.glb', { output: 'a.glb', events: true });
    const { events } = report.clips[0].events!;
    expect(events.map(({ name }) => name)).toContain('leftFootDown');
    const { asset } = await openBytes(joined(last));
    expect(asset.clips[0].events).toEqual(events);
    const { outputs } = await run('giant.glb', { output: 'a.bvh', events: true });
    expect(outputs.map(({ path }) => path)).toEqual(['a.events.json', 'a.bvh']);
    expect(JSON.parse(joined(outputs[0]).toString())).toMatchObject({ clips: [{ name: 'walk', events }] });
    expect((await run('giant.glb', { output: 'a.glb' })).report.clips[0]).not.toHaveProperty('events');
  });

  it('writes events into a new glTF of a skeleton, and of a character of another format', async () => {
    const skeleton = await run('giant.glb', { output: 'a.glb', mesh: false, events: true });
    const usd = await run('giant.glb', { output: 'hero.usda' });
    const hero = await openBytes(joined(usd.last), { name: 'hero.usda' });
    const character = await retargetMotions([walk], hero, { output: 'b.glb', events: true });
    for (const { report, outputs } of [skeleton, character]) {
      const { asset } = await openBytes(joined(outputs[0]));
      expect(asset.clips[0].events).toEqual(report.clips[0].events!.events);
    }
  });

  it('keeps the extras of animations of a glTF in a glTF, without those that say what is in the clip', async () => {
    const doc = parseGltf(demoBytes('walk.glb'));
    const [animation] = doc.json['animations'] as Record<string, unknown>[];
    const events = [{ time: 9, name: 'bell' }];
    animation['extras'] = { restHipsHeight: 7, unit: 'metre', loops: true, tags: ['slow'], anyrig: { events } };
    const motion = await openBytes(concatParts(serializeGltf(doc).parts), { name: 'walk.glb' });
    const kept = { loops: true, tags: ['slow'] };
    const extrasOf = ({ outputs }: { outputs: readonly OutputFile[] }): unknown =>
      (parseGltf(joined(outputs[0])).json['animations'] as Record<string, unknown>[])[0]['extras'];
    const character = await openDemo('child.vrm');
    const edits = { trim: { from: 0.2 } };
    expect(extrasOf(await retargetMotions([motion], character, { output: 'a.glb', replace: true }))).toEqual(kept);
    expect(extrasOf(await retargetMotions([motion], character, { output: 'a.glb', mesh: false }))).toEqual(kept);
    expect(extrasOf(await convertFile(motion, { output: 'a.glb', edits }))).toEqual(kept);
    expect(extrasOf(await convertFile(motion, { output: 'a.glb', mesh: false, edits }))).toEqual(kept);
    expect(extrasOf(await convertFile(motion, { output: 'a.vrma' }))).toEqual(kept);
    expect(extrasOf(await retargetMotions([motion], character, { output: 'a.vrma' }))).toEqual(kept);
    const library = await extractMotions([motion], { output: 'a.glb' });
    expect(extrasOf(library)).toEqual({ ...kept, restHipsHeight: expect.closeTo(0.9, 0), unit: 'metre' });
  });

  it.each([['a'], [[1, 'a']], [0], [false]])('keeps extras of an animation that are no object: %j', async (extras) => {
    const doc = parseGltf(demoBytes('walk.glb'));
    (doc.json['animations'] as Record<string, unknown>[])[0]['extras'] = extras;
    const motion = await openBytes(concatParts(serializeGltf(doc).parts), { name: 'walk.glb' });
    const written = async (events: boolean): Promise<unknown> => {
      const { outputs } = await retargetMotions([motion], await openDemo('child.vrm'), {
        output: 'a.glb',
        replace: true,
        events,
      });
      return (parseGltf(joined(outputs[0])).json['animations'] as Record<string, unknown>[])[0]['extras'];
    };
    expect(await written(false)).toEqual(extras);
    expect(await written(true)).toEqual({ anyrig: expect.anything() });
  });

  it.runIf(IS_FULL_RUN)('cleans a noisy recording before it finds contacts, and reports the jitter', async () => {
    const [{ clips }] = walk.asset.clips;
    let seed = 1;
    const random = (): number => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647 - 0.5;
    };
    const tracks = clips[0].tracks.map((track) =>
      // Quaternions whose numbers are off by up to 0.01 are off by about 1°.
      track.path === 'rotation' ? { ...track, values: track.values.map((value) => value + 0.02 * random()) } : track,
    );
    const noisy = {
      ...walk,
      asset: { ...walk.asset, clips: [{ ...walk.asset.clips[0], clips: [{ ...clips[0], tracks }] }] },
    };
    const { report } = await retargetMotions([noisy], await openDemo('giant.glb'), {
      output: 'a.glb',
      edits: { clean: true },
    });
    const { jitterBefore, jitterAfter, spikes } = report.clips[0].cleaned!;
    expect(jitterBefore).toBeGreaterThan(0.3);
    expect(jitterAfter).toBeLessThan(jitterBefore / 5);
    expect(spikes).toBe(0);
    expect((await run('giant.glb', { output: 'a.glb' })).report.clips[0]).not.toHaveProperty('cleaned');
  });

  it('reports the number of keys in the file', async () => {
    const { report, last } = await run('giant.glb', { output: 'a.glb' });
    const { asset } = await openBytes(joined(last));
    const tracks = asset.clips[0].clips.flatMap((clip) => clip.tracks);
    expect(report.clips[0].keys).toBe(tracks.reduce((sum, { times }) => sum + times.length, 0));
  });

  it('writes files without validator errors', async () => {
    for (const [character, output] of [
      ['mixamo.glb', 'a.glb'],
      ['chibi.vrm', 'a.vrm'],
    ]) {
      const { last } = await run(character, { output });
      expect((await validateBytes(new Uint8Array(joined(last)))).issues.numErrors).toBe(0);
    }
  });

  it('reports all sources when there are several, and the first as `source`', async () => {
    const motions = [await openDemo('turn.bvh'), walk];
    const { report } = await retargetMotions(motions, await openDemo('giant.glb'), { output: 'a.glb' });
    expect(report.sources?.map(({ file }) => file)).toEqual(['turn.bvh', 'walk.glb']);
    expect(report.source).toEqual(report.sources?.[0]);
  });

  it('appends clips and numbers repeated names, or replaces all clips with `replace`', async () => {
    const character = async () => openBytes(demoBytes('walk.glb'), { name: 'own.glb' });
    const added = await retargetMotions([walk], await character(), { output: 'a.glb' });
    expect(animationsOf(added.outputs[0]).map(({ name }) => name)).toEqual(['walk', 'walk 2']);
    const replaced = await retargetMotions([walk], await character(), { output: 'a.glb', replace: true });
    expect(animationsOf(replaced.outputs[0]).map(({ name }) => name)).toEqual(['walk']);
    expect(replaced.report.clips[0].name).toBe('walk');
  });

  it('writes a .gltf with a .bin file', async () => {
    const { outputs } = await run('mixamo.glb', { output: 'out/my walk.gltf' });
    expect(outputs.map(({ path }) => path)).toEqual(['out/my walk.bin', 'out/my walk.gltf']);
    const bin = joined(outputs[0]);
    const file = await openBytes(joined(outputs[1]), { readResource: async () => bin });
    expect(file.asset.clips.map(({ name }) => name)).toEqual(['walk']);
    expect((documentOf(file).json['buffers'] as unknown[])[0]).toEqual({
      uri: 'my%20walk.bin',
      byteLength: bin.length,
    });
  });

  it('embeds the files of a .gltf in a GLB, and copies them for a .gltf', async () => {
    const { outputs } = await run('mixamo.glb', { output: 'base.gltf' });
    const files = new Map(outputs.map((file) => [file.path, joined(file)]));
    const json = JSON.parse(files.get('base.gltf')!.toString());
    json.images = [
      { uri: 'tex/skin.png' },
      { uri: 'tex/gone.png' },
      { uri: 'https://example.org/x.png' },
      { uri: '../x.png' },
    ];
    // Only images are taken: this one has the first bytes of a PNG.
    const picture = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    files.set('tex/skin.png', picture);
    const open = () =>
      openBytes(Buffer.from(JSON.stringify(json)), {
        name: 'base.gltf',
        readResource: async (path) => {
          const found = files.get(path);
          if (found === undefined) throw new Error('it does not exist');
          return found;
        },
      });
    const along = await retargetMotions([walk], await open(), { output: 'out/new.gltf' });
    expect(along.outputs.map(({ path }) => path)).toEqual([
      'out/new.bin',
      'out/base.bin',
      'out/tex/skin.png',
      'out/new.gltf',
    ]);
    const lost = along.report.issues.filter(({ code }) => code === 'RESOURCE_NOT_COPIED');
    expect(lost.map(({ where }) => where.pointer)).toEqual(['/images/1/uri', '/images/2/uri', '/images/3/uri']);
    expect(along.report.ok).toBe(true);

    json.images.length = 1;
    const within = await retargetMotions([walk], await open(), { output: 'out/new.glb' });
    expect(within.outputs.map(({ path }) => path)).toEqual(['out/new.glb']);
    const images = parseGltf(joined(within.outputs[0])).json['images'] as { uri: string }[];
    expect(images[0].uri).toBe(`data:image/png;base64,${picture.toString('base64')}`);
    files.delete('tex/skin.png');
    await expect(retargetMotions([walk], await open(), { output: 'a.glb' })).rejects.toMatchObject({
      code: 'GLTF_BUFFER',
    });
  });

  it('writes only skeleton and clips with `mesh: false`, also for a BVH', async () => {
    for (const name of ['child.vrm', 'turn.bvh']) {
      const character = await openDemo(name);
      const { report, outputs } = await retargetMotions([walk], character, { output: 'a.glb', mesh: false });
      const { json } = parseGltf(joined(outputs[0]));
      expect(Object.keys(json).sort()).toEqual(
        ['accessors', 'animations', 'asset', 'bufferViews', 'buffers', 'nodes', 'scene', 'scenes', 'skins'].sort(),
      );
      expect((json['nodes'] as unknown[]).length).toBe(character.asset.skeletons[0].skeleton.names.length);
      expect(report.clips[0].name).toBe('walk');
      expect((await validateBytes(new Uint8Array(joined(outputs[0])))).issues.numErrors).toBe(0);
    }
  });

  it('throws for impossible outputs', async () => {
    const refused = [
      ['mixamo.glb', { output: 'a.vrm' }, /mixamo\.glb is GLTF, not VRM/],
      ['wave.vrma', { output: 'a.vrm' }, /is VRMA, not VRM/],
      ['child.vrm', { output: 'a.vrm', mesh: false }, /the option mesh: false/],
      ['turn.bvh', { output: 'a.glb' }, /is BVH and has a skeleton, but no mesh/],
      ['child.vrm', { output: 'a.obj' }, /cannot write \.obj/],
    ] as const;
    for (const [character, options, message] of refused) {
      await expect(run(character, options)).rejects.toThrow(OptionError);
      await expect(run(character, options)).rejects.toThrow(message);
    }
  });

  it('gives no files, and reports why, when no clip can be retargeted', async () => {
    const { report, outputs } = await retargetMotions([await openDemo('mixamo.glb')], await openDemo('child.vrm'), {
      output: 'a.vrm',
    });
    expect(outputs).toEqual([]);
    expect(report).toMatchObject({ ok: false, output: null, clips: [] });
    expect(report.issues.map(({ code }) => code)).toContain('CLIP_EMPTY');
  });

  it('copies morph weights to nodes with the same name', async () => {
    const character = await openBytes(demoBytes('mixamo.glb'), { name: 'mixamo.glb' });
    const { json } = documentOf(character);
    const meshNode = (json['nodes'] as { name?: string; mesh?: number }[]).findIndex(({ mesh }) => mesh !== undefined);
    const node = (json['nodes'] as { name?: string; mesh: number }[])[meshNode];
    node.name = 'Face';
    const meshes = json['meshes'] as { primitives: { targets?: object[]; attributes: { POSITION: number } }[] }[];
    for (const primitive of meshes[node.mesh].primitives) {
      primitive.targets = [{ POSITION: primitive.attributes.POSITION }];
    }
    const weights = { interpolation: 'LINEAR', times: Float32Array.of(0, 1), values: Float32Array.of(0, 1) } as const;
    const morphs = [
      { sourceNode: 5, nodeName: 'Face', targetCount: 1, ...weights },
      { sourceNode: 6, nodeName: 'Mouth', targetCount: 1, ...weights },
    ];
    const [clip] = walk.asset.clips;
    const motion = { ...walk, asset: { ...walk.asset, clips: [{ ...clip, morphs }] } };
    const { report, outputs } = await retargetMotions([motion], character, { output: 'a.glb' });
    const file = await openBytes(joined(outputs[0]));
    expect(file.asset.clips[0].morphs).toMatchObject([
      { sourceNode: meshNode, nodeName: 'Face', values: weights.values },
    ]);
    expect(report.clips[0].tracks).toBe(file.asset.clips[0].clips[0].tracks.length + 1);
    expect(report.issues.find(({ code }) => code === 'CHANNELS_DROPPED')?.message).toContain('1 × morph weights');
  });
});
