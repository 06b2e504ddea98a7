/**
 * Small files that ask for much work: V4 (shared geometry), V5 (chains, siblings, clips). Without the repairs these take minutes or all memory, so that the
 * time limit of every test is enough.
 */
import { writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryWatch, type WatchedTask } from '../../src/batch/run/worker-pool.ts';
import { skinnedParts } from '../../src/core/asset/skeleton-vertices.ts';
import { describeContactSurface } from '../../src/core/contacts/surface/contact-surface.ts';
import { BONE } from '../../src/core/humanoid/bones.ts';
import { uniqueName } from '../../src/core/text/unique-name.ts';
import { RANDOM_RIG } from '../../src/demo/characters/rigs.ts';
import { uniqueNames } from '../../src/files/clips/clip-names.ts';
import { readVertices } from '../../src/files/geometry.ts';
import { chooseHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../src/files/jobs/convert-file.ts';
import { inspectFile } from '../../src/files/jobs/inspect-file.ts';
import { mapFile } from '../../src/files/jobs/map-file.ts';
import { openBytes } from '../../src/files/open.ts';
import { runHere } from '../cli/run-here.ts';
import { dress } from '../contacts/clothes.ts';
import { demoBody } from '../contacts/demo-pair.ts';
import { IS_FULL_RUN, sampledCases } from '../support/law-runs.ts';
import {
  chainBvh,
  chainFbx,
  chainGlb,
  clipsGlb,
  sharedSamplerGlb,
  siblingsBvh,
  siblingsGlb,
  withInstances,
  withPrimitives,
} from '../support/make/amplified.ts';
import { demoBytes, temporaryFolder } from '../support/make/demo-files.ts';
import { gltfWithCharacters } from '../support/make/two-characters.ts';

const at = temporaryFolder();

describe('V4: a mesh that is shown thousands of times', () => {
  it('V4: inspect shares the surface of nodes with the same mesh and skin, and finds the same one', async () => {
    const [one, many] = [demoBytes('mixamo.glb'), withInstances(demoBytes('mixamo.glb'), 20_000)];
    const [expected, found] = [inspectFile(await openBytes(one)), inspectFile(await openBytes(many))];
    expect(found.humanoids[0].soles).toEqual(expected.humanoids[0].soles);
    expect(found.humanoids[0].radii).toEqual(expected.humanoids[0].radii);
  });

  it.runIf(IS_FULL_RUN)(
    'V4: of hundreds of skeletons the first are examined; the others say so, and can be selected',
    async () => {
      const text = gltfWithCharacters(Array.from({ length: 300 }, () => RANDOM_RIG));
      const file = await openBytes(Buffer.from(text), { name: 'crowd.gltf' });
      const { humanoids, skeletons } = inspectFile(file);
      expect(humanoids.length).toBe(200);
      expect(skeletons[299].reason).toContain('it was not examined: the file has 300 skeletons');
      expect(chooseHumanoid(file, 'only', { skeleton: 299 }).found?.index).toBe(299);
      expect(() => chooseHumanoid(file, 'only', {})).toThrow('choose one by name or index');
    },
  );

  it.runIf(IS_FULL_RUN)('V4: equal primitives of a mesh are shared too', async () => {
    const file = await openBytes(withPrimitives(demoBytes('mixamo.glb'), 20_000));
    const geometry = readVertices(file);
    if (geometry === null) throw new Error('the geometry was not read');
    expect(geometry.meshes[0].primitives.length).toBeGreaterThan(20_000);
    expect(skinnedParts(geometry).length).toBeLessThan(50);
    expect(inspectFile(file).ok).toBe(true);
  });

  it('V4: a new file for which meshes must be repeated is counted first, and the message names the option', async () => {
    const bytes = withInstances(demoBytes('mixamo.glb'), 20_000);
    const converted = convertFile(await openBytes(bytes), { output: 'o.usdz' });
    await expect(converted).rejects.toMatchObject({
      code: 'GLTF_LIMIT',
      message: expect.stringContaining('option maxVertices'),
    });
  });

  it.runIf(IS_FULL_RUN)('V4: the command line has the option too', async () => {
    const file = at('many.glb');
    writeFileSync(file, withInstances(demoBytes('mixamo.glb'), 2));
    const convert = (limit: string): ReturnType<typeof runHere> =>
      runHere(['convert', file, '-o', at('o.usdz'), '--max-vertices', limit, '--force']);
    expect(await convert('100')).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('allow more with --max-vertices'),
    });
    expect((await convert('10000000')).exit).toBe(0);
    expect((await convert('some')).stderr).toContain('--max-vertices is "some"; expected a whole number');
  });

  it('V4: maxVertices allows more, and less', async () => {
    const bytes = withInstances(demoBytes('mixamo.glb'), 2);
    const { outputs } = await convertFile(await openBytes(bytes, { maxVertices: 1e9 }), { output: 'o.usdz' });
    expect(outputs).toHaveLength(1);
    const few = await openBytes(bytes, { maxVertices: 100 });
    await expect(convertFile(few, { output: 'o.usdz' })).rejects.toMatchObject({ code: 'GLTF_LIMIT' });
    expect(inspectFile(few).humanoids[0].soles?.from).toBe('joints');
  });
});

it('V4: keys that thousands of channels share are counted', async () => {
  const file = openBytes(sharedSamplerGlb(3000, 10_000));
  await expect(file).rejects.toMatchObject({ code: 'GLTF_LIMIT', message: expect.stringContaining('limits.keys') });
  expect((await openBytes(sharedSamplerGlb(30, 10_000))).asset.clips[0].clips[0].tracks).toHaveLength(30);
});

describe('V5: outputs that grow faster than their input', () => {
  it.each(
    sampledCases([
      ['GLB', () => chainGlb(30_000)],
      ['BVH', () => chainBvh(20_000)],
      ['FBX', () => chainFbx(20_000)],
    ] as const),
  )('V5: the paths of a long chain of joints in a %s are counted before they are made', async (_, make) => {
    const converted = convertFile(await openBytes(make()), { output: 'o.usdz', mesh: false });
    await expect(converted).rejects.toMatchObject({
      code: 'USD_LIMIT',
      message: expect.stringContaining('flatten the hierarchy'),
    });
  });

  it('V5: the tree of a long chain in a bone map to complete is not indented without end', async () => {
    const { map } = mapFile(await openBytes(chainGlb(5000)), undefined);
    expect(JSON.stringify(map).length).toBeLessThan(1_000_000);
  });

  it('V5: a chain of a thousand joints is written', async () => {
    const { outputs } = await convertFile(await openBytes(chainGlb(1000)), { output: 'o.usdz' });
    expect(outputs).toHaveLength(1);
  });

  it.each(
    sampledCases([
      ['GLB, equal names', () => siblingsGlb(20_000)],
      ['GLB, different names', () => siblingsGlb(20_000, (k) => `b${k}`)],
      ['BVH, equal names', () => siblingsBvh(15_000)],
    ] as const),
  )('V5: thousands of siblings become a USD in linear time: %s', async (_, make) => {
    const { outputs } = await convertFile(await openBytes(make()), { output: 'o.usdz' });
    expect(outputs).toHaveLength(1);
  });

  it.runIf(IS_FULL_RUN)('V5: clips of one name are named, and written to USD and GLB, in linear time', async () => {
    const parts = { clip: 'a', file: 'b', character: 'c', index: 0 };
    expect(new Set(uniqueNames('{clip}', new Array(40_000).fill(parts), new Set())).size).toBe(40_000);
    const file = await openBytes(clipsGlb(2000));
    for (const output of ['o.usdz', 'o.glb']) {
      const { report } = await convertFile(file, { output, name: '{clip}' });
      expect(report.clips).toHaveLength(2000);
    }
  });

  it('V5: n equal names take n · log n tries', () => {
    const taken = new Set<string>();
    let tries = 0;
    const isTaken = (name: string): boolean => {
      tries++;
      return taken.has(name);
    };
    for (let k = 0; k < 10_000; k++) taken.add(uniqueName('a', isTaken, '_', 1));
    expect([...taken].slice(0, 3)).toEqual(['a', 'a_1', 'a_2']);
    expect(taken.has('a_9999')).toBe(true);
    expect(tries).toBeLessThan(10_000 * 2 * Math.log2(10_000) * 1.2);
  });
});

describe('V4: a mesh whose triangles meet', () => {
  it.runIf(IS_FULL_RUN)('V4: takes time in proportion where all of them meet at one corner', async () => {
    const { humanoid, skin, surface } = await demoBody();
    const tip = [0, 9, 0] as const;
    const rim = Array.from({ length: 100_000 }, (_, k) => {
      const angle = (2 * Math.PI * k) / 100_000;
      return { at: [9 * Math.cos(angle), 1, 9 * Math.sin(angle)] as const, bone: 'chest' as const };
    });
    const cone = [rim.map(({ bone }) => ({ at: tip, bone })), rim];
    const { radii } = describeContactSurface(humanoid, dress({ humanoid, skin, radii: surface.radii }, [cone]));
    expect(radii[BONE.leftHand]).toEqual(surface.radii[BONE.leftHand]);
  });
});

describe('V4: the memory limit of a batch', () => {
  const start = (): WatchedTask => ({ growth: 0, stop: new AbortController() });

  it('V4: stops the task during which the process grew past the limit, whatever it allocated', () => {
    vi.useFakeTimers();
    const rss = vi.spyOn(process.memoryUsage, 'rss');
    try {
      const watch = createMemoryWatch(100);
      const grow = (bytes: number): void => {
        rss.mockReturnValue(bytes);
        vi.advanceTimersByTime(100);
      };
      rss.mockReturnValue(1000);
      const [first, second] = [start(), start()];
      const end = watch(first);
      grow(1090);
      expect(first.stop.signal.aborted).toBe(false);
      watch(second);
      grow(1170);
      expect([first, second].map(({ growth, stop }) => [growth, stop.signal.aborted])).toEqual([
        [130, true],
        [40, false],
      ]);
      end();
      grow(1100);
      grow(1180);
      expect(second.stop.signal.aborted).toBe(false);
      grow(1290);
      expect(second.stop.signal.aborted).toBe(true);
    } finally {
      rss.mockRestore();
      vi.useRealTimers();
    }
  });
});
