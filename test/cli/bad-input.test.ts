/** Damaged, inconsistent and malicious files through the whole command line: an exit code, one line, and nothing written. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { CODES } from '../../src/core/report/codes.ts';
import { makeRandom } from '../../src/demo/random.ts';
import { cpuTimer } from '../support/cpu-time.ts';
import { IS_FULL_RUN, lawRuns, sampledCases } from '../support/law-runs.ts';
import { demoBytes, temporaryFolder, writeDemo } from '../support/make/demo-files.ts';
import { glbOf } from '../support/make/glb.ts';
import { runHere } from './run-here.ts';

const at = temporaryFolder();
const walk = writeDemo(at, 'walk.glb');
const giant = writeDemo(at, 'giant.glb');
/** Limit per run, generous for a slow machine; it detects hangs. */
const SECONDS = 10;

/** Contacts take most of the time of a file that is usable in spite of its damage. */
const WITHOUT = IS_FULL_RUN ? [] : ['--contacts', 'off'];

/** Runs retarget with the file as motion and as character, and checks the guarantees that hold for any input. */
async function retargetBothWays(file: string, ...more: string[]): Promise<{ exits: number[]; errors: string[] }> {
  const exits: number[] = [];
  const errors: string[] = [];
  mkdirSync(at('out'), { recursive: true });
  for (const files of [
    [file, giant],
    [walk, file],
  ]) {
    const out = at('out', 'a.glb');
    const spent = cpuTimer();
    // A BVH has no mesh to keep.
    const flags = [...(file.endsWith('.bvh') ? ['--no-mesh'] : []), ...more, '--json'];
    const { exit, stdout, stderr } = await runHere(['retarget', ...files, '-o', out, '--force', ...flags]);
    expect(spent()).toBeLessThan(SECONDS * 1000);
    expect(stderr).not.toMatch(/\n +at |BUG/);
    const json = JSON.parse(stdout) as { ok: boolean; error?: { code: string; file: string } };
    if (exit === 3) {
      expect(stderr).toMatch(/^error [A-Z_]+: .+\n$/);
      expect(json).toMatchObject({ ok: false, error: { file } });
      expect(CODES).toHaveProperty(json.error?.code ?? '');
    } else expect([0, 1]).toContain(exit);
    if (exit !== 0 && json.error !== undefined)
      expect(readdirSync(at('out'))).toEqual(existsSync(out) ? ['a.glb'] : []);
    exits.push(exit);
    errors.push(json.error?.code ?? '');
  }
  return { exits, errors };
}

/** Runs `retargetBothWays` on a file with this content. */
async function retargetContentBothWays(
  name: string,
  content: string | Uint8Array,
  ...more: string[]
): Promise<Awaited<ReturnType<typeof retargetBothWays>>> {
  writeFileSync(at(name), content);
  return retargetBothWays(at(name), ...more);
}

const gltf = (json: object): string => JSON.stringify({ asset: { version: '2.0' }, ...json });

describe('damaged files', () => {
  it('end with exit 3 when cut off anywhere, unless the rest is usable', async () => {
    for (const name of ['walk.glb', 'wave.vrma', 'turn.bvh']) {
      const bytes = demoBytes(name);
      const lengths = [1, 4, 12, 19, 20, 21, 500, 5000, bytes.length >> 1, bytes.length - 1];
      for (const length of lengths) {
        const { exits } = await retargetContentBothWays(`cut-${name}`, bytes.subarray(0, length), ...WITHOUT);
        if (!name.endsWith('.bvh')) expect(exits).toEqual([3, 3]);
      }
    }
  });

  it.runIf(IS_FULL_RUN)('never crash with bits flipped anywhere', async () => {
    const random = makeRandom(7);
    for (const name of sampledCases(['walk.glb', 'wave.vrma', 'turn.bvh', 'chibi.vrm'], 2)) {
      for (let k = 0; k < lawRuns(50); k++) {
        const bytes = demoBytes(name).slice();
        // Most flips are in the JSON or the header, where they have the most effect.
        const span = k % 3 === 0 ? bytes.length : Math.min(bytes.length, 30_000);
        for (let flips = 0; flips <= k % 4; flips++)
          bytes[Math.floor(random() * span)] ^= 1 << Math.floor(random() * 8);
        await retargetContentBothWays(`flipped-${name}`, bytes, ...(k % 2 === 0 ? [] : WITHOUT));
      }
    }
  });

  it.runIf(IS_FULL_RUN)('never crash as BVH text with missing words or invalid numbers', async () => {
    const text = new TextDecoder().decode(demoBytes('turn.bvh'));
    for (const broken of [
      text.replace('CHANNELS 6', 'CHANNELS -6'),
      text.replace('Frames:', 'Frames: 99999999 #'),
      text.replace(/Frame Time:.*/, 'Frame Time: NaN'),
      text.replace('}', ''),
      `HIERARCHY\n${'ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n'.repeat(3)}`,
      'HIERARCHY\nMOTION\nFrames: 1\nFrame Time: 1\n',
      'HIERARCHY',
    ]) {
      await retargetContentBothWays('broken.bvh', broken);
    }
  });
});

describe('invalid files', () => {
  it.each([
    ['empty.glb', '', 'FORMAT_UNKNOWN'],
    ['text.glb', 'hello', 'FORMAT_UNKNOWN'],
    ['model.fbx', 'Kaydara FBX Binary  \0', 'FBX_SYNTAX'],
    ['scene.usda', '#usda 1.0\ndef', 'USD_SYNTAX'],
    ['list.gltf', '[]', 'FORMAT_UNKNOWN'],
    ['map.gltf', '{}', 'GLTF_VERSION'],
    ['cut.gltf', '{"asset":{"version":"2.0"', 'JSON_INVALID'],
    ['deep.gltf', `{"a":${'['.repeat(100_000)}`, 'JSON_INVALID'],
  ])('%s ends with exit 3 both ways', async (name, content, code) => {
    expect(await retargetContentBothWays(name, content)).toEqual({ exits: [3, 3], errors: [code, code] });
  });

  it('a folder and a missing file end with FILE_NOT_FOUND', async () => {
    mkdirSync(at('folder.glb'), { recursive: true });
    expect((await retargetBothWays(at('folder.glb'))).errors).toEqual(['FILE_NOT_FOUND', 'FILE_NOT_FOUND']);
    expect((await retargetBothWays(at('nothing.glb'))).errors).toEqual(['FILE_NOT_FOUND', 'FILE_NOT_FOUND']);
  });
});

describe('inconsistent files', () => {
  const chain = Array.from({ length: 100_000 }, (_, node) => ({ name: `n${node}`, children: [node + 1] }));
  const nodes = [...chain, { name: 'end' }];
  const joints = [{ joints: Array.from({ length: 100_001 }, (_, node) => node) }];

  it.each([
    ['cyclic nodes', gltf({ nodes: [{ children: [1] }, { children: [0] }] }), 'GLTF_NODE_TREE'],
    ['a node that is its own child', gltf({ nodes: [{ children: [0] }] }), 'GLTF_NODE_TREE'],
    ['a node with two parents', gltf({ nodes: [{ children: [2] }, { children: [2] }, {}] }), 'GLTF_NODE_TREE'],
    ['an index out of range', gltf({ nodes: [{ children: [7] }] }), 'GLTF_REFERENCE'],
    ['a non-integer index', gltf({ nodes: [{ children: ['0'] }] }), 'GLTF_SCHEMA'],
    ['a number as nodes', gltf({ nodes: 3 }), 'GLTF_SCHEMA'],
    ['a missing buffer file', gltf({ buffers: [{ uri: 'gone.bin', byteLength: 4 }] }), 'GLTF_BUFFER'],
  ])('%s ends with exit 3 both ways', async (_, text, code) => {
    expect(await retargetContentBothWays('lies.gltf', text)).toEqual({ exits: [3, 3], errors: [code, code] });
  });

  it.skipIf(!IS_FULL_RUN)('a chain of 100,000 nodes ends with exit 1, with and without a skin', async () => {
    writeFileSync(at('chain.gltf'), gltf({ nodes }));
    expect((await runHere(['retarget', walk, at('chain.gltf'), '-o', at('chain.glb')])).exit).toBe(1);
    writeFileSync(at('skin.gltf'), gltf({ nodes, skins: joints }));
    const { exit, stdout } = await runHere(['inspect', at('skin.gltf'), '--json']);
    expect(exit).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ humanoids: [], skeletons: [{ nodes: 100_001, joints: 100_001 }] });
  });

  it('accessors larger than their buffer, or than the limit, end with an error', async () => {
    const json = {
      asset: { version: '2.0' },
      nodes: [{ name: 'Hips', children: [1] }, { name: 'Spine' }],
      buffers: [{ byteLength: 8 }],
      bufferViews: [{ buffer: 0, byteLength: 8 }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 2 ** 31, type: 'SCALAR' }],
      animations: [
        { channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }], samplers: [{ input: 0, output: 0 }] },
      ],
    };
    const { errors } = await retargetContentBothWays('counts.glb', glbOf(json, new Uint8Array(8)));
    expect(errors).toEqual(['GLTF_ACCESSOR', 'GLTF_ACCESSOR']);
    delete (json.accessors[0] as { bufferView?: number }).bufferView;
    expect((await retargetContentBothWays('zeros.glb', glbOf(json, new Uint8Array(8)))).errors[0]).toBe('GLTF_LIMIT');
  });
});

describe('files with URIs outside of their folder', () => {
  beforeAll(() => {
    mkdirSync(at('home'), { recursive: true });
    writeFileSync(at('secret.bin'), 'secret!!');
    symlinkSync(at('secret.bin'), at('home/link.bin'));
  });

  it.each([
    ['../secret.bin', 'GLTF_URI_REFUSED'],
    ['%2e%2e/secret.bin', 'GLTF_URI_REFUSED'],
    ['a/../../secret.bin', 'GLTF_URI_REFUSED'],
    ['/etc/passwd', 'GLTF_URI_REFUSED'],
    ['file:///etc/passwd', 'GLTF_URI_REFUSED'],
    ['http://localhost:1/x.bin', 'GLTF_URI_REFUSED'],
    ['..\\secret.bin', 'GLTF_URI_REFUSED'],
    ['link.bin', 'GLTF_URI_REFUSED'],
  ])('%s is refused', async (uri, code) => {
    const text = gltf({ buffers: [{ uri, byteLength: 8 }], nodes: [{ name: 'a', children: [1] }, {}] });
    const { errors } = await retargetContentBothWays('home/reach.gltf', text);
    expect(errors).toEqual([code, code]);
  });
});

describe('outputs that cannot be written', () => {
  it.each([
    ['a folder', 'folder.glb'],
    ['below a file', 'walk.glb/a.glb'],
    ['below a dangling link', 'dangling/a.glb'],
    ['a name that is too long', `${'x'.repeat(300)}.glb`],
  ])('%s: exit 4, and nothing is written', async (_, name) => {
    mkdirSync(at('folder.glb'), { recursive: true });
    if (!existsSync(at('dangling')) && name.startsWith('dangling')) symlinkSync(at('nowhere'), at('dangling'));
    const before = readdirSync(at());
    const { exit, stdout, stderr } = await runHere(['retarget', walk, giant, '-o', at(name), '--force', '--json']);
    expect(exit).toBe(4);
    expect(stderr).toMatch(/^error CANNOT_WRITE: .+ cannot be written: .+\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'CANNOT_WRITE', file: at(name) } });
    expect(readdirSync(at())).toEqual(before);
  });
});
