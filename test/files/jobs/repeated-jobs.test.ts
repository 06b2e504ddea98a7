/** Jobs leave their inputs unchanged: a job on files that other jobs used gives the same bytes as on freshly opened ones. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { defineHumanoid } from '../../../src/files/jobs/define-humanoid.ts';
import { extractMotions } from '../../../src/files/jobs/extract-motions.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import type { OutputFile } from '../../../src/files/outputs/output-file.ts';
import { serializeOutput } from '../../../src/files/outputs/serialize-output.ts';
import { parseGltf } from '../../../src/formats/gltf/index.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { documentOf } from '../../support/make/opened.ts';
import { openUsdDemo } from '../../support/make/usd-demo.ts';

type Job = (file: OpenFile) => Promise<{ readonly outputs: readonly OutputFile[] }>;

const walk = await openDemo('walk.glb');
const turn = await openDemo('turn.bvh');
/** Retargets onto a file. Contacts take most of the time, and what they read of a file does not depend on the output. */
const onto =
  (output: string, replace: boolean, contacts: 'auto' | 'off' = 'off'): Job =>
  (file) =>
    retargetMotions([walk, turn], file, { output, replace, contacts });
const openAgain = (name: string): Promise<OpenFile> => openBytes(demoBytes(name), { name });
const OPENERS: Readonly<Record<string, () => Promise<OpenFile>>> = {
  GLB: () => openAgain('mixamo.glb'),
  'GLB with clips': () => openAgain('walk.glb'),
  VRM: () => openAgain('child.vrm'),
  'VRM 0.x': () => openAgain('chibi.vrm'),
  VRMA: () => openAgain('wave.vrma'),
  BVH: () => openAgain('turn.bvh'),
  FBX: () => openBytes(walkFbx(), { name: 'walk.fbx' }),
  USD: () => openUsdDemo('mixamo.glb', 'mixamo.usdz'),
};
const JOBS: readonly (readonly [file: string, jobs: Readonly<Record<string, Job>>])[] = [
  [
    'GLB',
    {
      append: onto('a.glb', false, 'auto'),
      replace: onto('a.glb', true),
      'one file per clip': onto('{clip}.glb', false),
      'to .gltf': onto('a.gltf', false),
      define: (file) => defineHumanoid(file, { output: 'a.glb', axes: true, tPose: true }),
      convert: (file) => convertFile(file, { output: 'a.usda' }),
    },
  ],
  [
    'GLB with clips',
    {
      'rename clips': (file) => convertFile(file, { output: 'a.glb', name: '{file}-{clip}' }),
      mirror: (file) => convertFile(file, { output: 'a.glb', edits: { mirror: true, loop: true, reduce: 0.5 } }),
      'to .gltf': (file) => convertFile(file, { output: 'a.gltf' }),
      'to VRMA': (file) => convertFile(file, { output: 'a.vrma' }),
      define: (file) => defineHumanoid(file, { output: 'a.glb', axes: true }),
      extract: (file) => extractMotions([file], { output: 'a.glb' }),
    },
  ],
  [
    'VRM',
    { append: onto('a.vrm', false, 'auto'), define: (file) => defineHumanoid(file, { output: 'a.vrm', tPose: true }) },
  ],
  [
    'VRM 0.x',
    {
      define: (file) => defineHumanoid(file, { output: 'a.vrm', axes: true, tPose: true }),
      replace: onto('a.vrm', true, 'auto'),
    },
  ],
  ['VRMA', { convert: (file) => convertFile(file, { output: 'a.vrma', edits: { speed: 2 } }) }],
  ['BVH', { 'to BVH': (file) => convertFile(file, { output: 'a.bvh', edits: { mirror: true } }) }],
  ['FBX', { define: (file) => defineHumanoid(file, { output: 'a.glb', axes: true, tPose: true }) }],
  ['USD', { append: onto('a.usdz', false, 'auto'), replace: onto('a.usda', true), 'to GLB': onto('a.glb', false) }],
];

async function contentsOf(job: Promise<{ readonly outputs: readonly OutputFile[] }>): Promise<[string, string][]> {
  const { outputs } = await job;
  expect(outputs.length).toBeGreaterThan(0);
  return outputs.map(({ path, parts }) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return [path, hash.digest('hex')];
  });
}

/** Captures everything of a file that a job could edit. */
function snapshotOf(file: OpenFile): unknown {
  if (file.format === 'gltf') {
    const { json, container, bin, growing, issues } = file.document;
    return structuredClone({ asset: file.asset, json, container, bin, growing, issues });
  }
  if (file.format === 'usd') return structuredClone({ asset: file.asset, specs: file.source.layer.specs });
  const tree = 'tree' in file ? file.tree : null;
  return structuredClone({ asset: file.asset, tree, model: file.format === 'mmd' ? file.model : null });
}

describe('jobs on one opened file', () => {
  it.each(sampledCases(JOBS, 4))(
    'give the bytes of freshly opened files, and leave the %s unchanged',
    async (name, jobs) => {
      const open = OPENERS[name];
      const shared = await open();
      const before = snapshotOf(shared);
      const [first] = Object.entries(jobs);
      for (const [title, job] of [...Object.entries(jobs), first]) {
        expect(await contentsOf(job(shared)), title).toEqual(await contentsOf(job(await open())));
      }
      // `toEqual` takes much longer for many numbers.
      expect(isDeepStrictEqual(snapshotOf(shared), before)).toBe(true);
    },
  );
});

describe('serializeOutput', () => {
  it('leaves the document unchanged when its container changes', async () => {
    const file = await openDemo('walk.glb');
    const document = documentOf(file);
    const toText = await serializeOutput(document, file, { path: 'a.gltf', format: 'gltf' });
    expect(toText.files.map(({ path }) => path)).toEqual(['a.bin', 'a.gltf']);
    expect(document.container).toBe('glb');
    expect(document.json).toEqual(parseGltf(demoBytes('walk.glb')).json);
    const { files } = await serializeOutput(document, file, { path: 'a.glb', format: 'glb' });
    expect(Buffer.concat(files[0].parts).equals(Buffer.from(demoBytes('walk.glb')))).toBe(true);
  });
});
