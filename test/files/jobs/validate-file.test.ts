import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/core/report/issue.ts';
import { type ValidateFileOptions, validateFile, validateFileBy } from '../../../src/files/jobs/validate-file.ts';
import { validateFile as validateInThread, validatorThread } from '../../../src/files/node/validate-file.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { chainGlb, sharedSamplerGlb } from '../../support/make/amplified.ts';
import { glbOf } from '../../support/make/glb.ts';

// biome-ignore lint/suspicious/noExplicitAny: files are broken in ways that no type describes
type Json = Record<string, any>;

const bytesOf = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../corpus/ext-skeleton-humanoid/${name}.gltf`, import.meta.url)));
const SOUND = new TextDecoder().decode(bytesOf('sound'));

function encode(json: Json): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(json));
}

/** The conforming file after an edit. */
function edited(edit: (json: Json) => unknown): Uint8Array {
  const json = JSON.parse(SOUND) as Json;
  edit(json);
  return encode(json);
}

/** Overwrites floats of the buffer, at an offset in an accessor. */
function poke(json: Json, accessor: number, at: number, values: readonly number[]): void {
  const [head, data] = json.buffers[0].uri.split(',');
  const bytes = Uint8Array.from(Buffer.from(data, 'base64'));
  new Float32Array(bytes.buffer).set(values, json.bufferViews[json.accessors[accessor].bufferView].byteOffset / 4 + at);
  json.buffers[0].uri = `${head},${Buffer.from(bytes).toString('base64')}`;
}

const found = (issues: readonly Issue<string>[]): string[] =>
  issues.filter(({ severity }) => severity !== 'info').map(({ code, where }) => `${code} ${where.pointer}`);

/** An image on the web, one outside of the folder, one with an escape, and one that is missing. */
const IMAGES = ['https://example.com/a.png', '../a.png', 'b%20c.png', 'd.png'];
/** Header and size of a PNG of one pixel. */
const PNG = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

describe.each([
  ['here', validateFile],
  ['in a thread', validateInThread],
])(
  'validateFile %s',
  (_, validate: (bytes: Uint8Array, options?: ValidateFileOptions) => ReturnType<typeof validateFile>) => {
    it('lists findings about the extension and about glTF 2.0 together', async () => {
      const broken = edited((json) => {
        json.scene = 7;
        json.extensions.EXT_skeleton_humanoid.humanoidSkeletons[0].rootNode = 99;
      });
      const report = await validate(broken);
      expect(report).toMatchObject({ ok: false, isValid: false, hasExtension: true });
      expect(report.issues).toContainEqual(expect.objectContaining({ code: 'EXT_NODE_MISSING', severity: 'error' }));
      expect(report.issues).toContainEqual({
        code: 'UNRESOLVED_REFERENCE',
        severity: 'error',
        message: 'Unresolved reference: 7.',
        where: { pointer: '/scene' },
      });
    });

    it('reads external files only inside the folder, by their decoded path, and nothing from the web', async () => {
      const asked: string[] = [];
      const file = encode({ asset: { version: '2.0' }, images: IMAGES.map((uri) => ({ uri })) });
      const { issues } = await validate(file, {
        readResource: async (path) => {
          asked.push(path);
          if (path === 'd.png') throw new Error('it does not exist');
          return PNG;
        },
      });
      expect(asked.sort()).toEqual(['b c.png', 'd.png']);
      const io = issues.filter(({ code }) => code === 'IO_ERROR');
      expect(io.map(({ severity, where }) => [where.pointer, severity]).sort()).toEqual([
        ['/images/0/uri', 'info'],
        ['/images/1/uri', 'error'],
        ['/images/3/uri', 'error'],
      ]);
      expect(io.map(({ message }) => message)).toContain('it does not exist');
    });
  },
);

describe('validateFile', () => {
  const head = (json: Json): Json => json.animations[0].channels[0];
  it.each<[string, (json: Json) => unknown]>([
    ['UNDECLARED_EXTENSION /extensions/EXT_skeleton_humanoid', (json) => delete json.extensionsUsed],
    ['DUPLICATE_ELEMENTS /skins/0/joints/21', (json) => json.skins[0].joints.push(0)],
    ['SKIN_SKELETON_INVALID /skins/0/skeleton', (json) => Object.assign(json.skins[0], { skeleton: 20 })],
    ['INVALID_IBM_ACCESSOR_COUNT /skins/0/inverseBindMatrices', (json) => json.accessors[0].count--],
    ['ACCESSOR_INVALID_FLOAT /accessors/0', (json) => poke(json, 0, 0, [Number.NaN])],
    ['ACCESSOR_INVALID_IBM /skins/0/inverseBindMatrices', (json) => poke(json, 0, 3, [0.5])],
    [
      'SKIN_IBM_INVALID_FORMAT /skins/0/inverseBindMatrices',
      (json) => Object.assign(json.skins[0], { inverseBindMatrices: 2 }),
    ],
    [
      'UNRESOLVED_REFERENCE /skins/0/inverseBindMatrices',
      (json) => Object.assign(json.skins[0], { inverseBindMatrices: 77 }),
    ],
    ['UNRESOLVED_REFERENCE /animations/0/channels/0/sampler', (json) => Object.assign(head(json), { sampler: 9 })],
    [
      'VALUE_NOT_IN_LIST /animations/0/samplers/0/interpolation',
      (json) => Object.assign(json.animations[0].samplers[0], { interpolation: 'BEZIER' }),
    ],
    ['UNDEFINED_PROPERTY /animations/0/samplers/0', (json) => delete json.animations[0].samplers[0].input],
    ['ACCESSOR_ANIMATION_INPUT_NON_INCREASING /animations/0/samplers/0/input', (json) => poke(json, 1, 0, [1, 0])],
    ['ACCESSOR_ANIMATION_INPUT_NEGATIVE /animations/0/samplers/0/input', (json) => poke(json, 1, 0, [-1, 0])],
    [
      'ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS /animations/0/samplers/0/input',
      (json) => delete json.accessors[1].min,
    ],
    [
      'ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT /animations/0/channels/0/sampler',
      (json) => Object.assign(json.animations[0].samplers[0], { output: 3 }),
    ],
    [
      'ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT /animations/0/channels/0/sampler',
      (json) => json.accessors[2].count--,
    ],
    [
      'ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION /animations/0/channels/0/sampler',
      (json) => poke(json, 2, 0, [0, 0, 0, 2]),
    ],
    [
      'NODE_LOOP /nodes/0',
      (json) => Object.assign(json, { nodes: [{ children: [1] }, { children: [0] }], skins: undefined }),
    ],
    ['EMPTY_ENTITY /cameras', (json) => Object.assign(json, { cameras: [] })],
  ])('reports %s for humanoid data as the Khronos glTF Validator does', async (finding, edit) => {
    const { issues, hasExtension } = await validateFile(edited(edit));
    expect(found(issues)).toContain(finding);
    expect(hasExtension).toBe(true);
  });

  it('reports violations of glTF 2.0 with the codes, severities and pointers of the Khronos glTF Validator', async () => {
    const file = {
      asset: { version: '2.0' },
      extensionsRequired: ['ABC_d'],
      buffers: [{ byteLength: 3, uri: 'data:image/png;base64,AAAA' }],
      bufferViews: [{ buffer: 0, byteLength: 3, byteStride: 3 }],
      accessors: [{ bufferView: 0, byteOffset: 1, componentType: 5123, count: 1, type: 'SCALAR', min: [1], max: [0] }],
      nodes: [{ skin: 0, mesh: 0, matrix: [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }, { children: [0] }],
      meshes: [{ primitives: [{ attributes: {} }] }],
      skins: [{ joints: [0] }],
      scenes: [{ nodes: [0] }],
    };
    const { issues } = await validateFile(encode(file));
    expect(found(issues).sort()).toEqual([
      'ACCESSOR_OFFSET_ALIGNMENT /accessors/0/byteOffset',
      'ACCESSOR_TOTAL_OFFSET_ALIGNMENT /accessors/0',
      'BUFFER_DATA_URI_MIME_TYPE_INVALID /buffers/0/uri',
      'EMPTY_ENTITY /meshes/0/primitives/0/attributes',
      'NODE_MATRIX_NON_TRS /nodes/0/matrix',
      'NODE_SKINNED_MESH_LOCAL_TRANSFORMS /nodes/0',
      'NODE_SKINNED_MESH_NON_ROOT /nodes/0',
      'NODE_SKIN_NO_SCENE /nodes/0',
      'NODE_SKIN_WITH_NON_SKINNED_MESH /nodes/0',
      'SCENE_NON_ROOT_NODE /scenes/0/nodes/0',
      'UNSATISFIED_DEPENDENCY /extensionsRequired',
      'UNUSED_EXTENSION_REQUIRED /extensionsRequired/0',
      'VALUE_NOT_IN_RANGE /bufferViews/0/byteStride',
    ]);
  });

  it('has each finding about the container at its byte, and those about the whole file at its root', async () => {
    const glb = new Uint8Array([...glbOf({ asset: { version: '2.0' } }), 0, 0, 0, 0]);
    const extra = (await validateFile(glb)).issues;
    expect(extra).toMatchObject([{ code: 'GLB_EXTRA_DATA', severity: 'warning', where: { offset: glb.length - 4 } }]);
  });

  it('passes unknown extensions as information', async () => {
    const file = encode({ asset: { version: '2.0' }, extensionsUsed: ['ABC_d'], extensions: { ABC_d: {} } });
    const { isValid, issues } = await validateFile(file);
    expect(isValid).toBe(true);
    expect(issues).toMatchObject([{ code: 'UNSUPPORTED_EXTENSION', severity: 'info' }]);
  });

  it('finds an error behind ten thousand other findings, and says what it left out', async () => {
    const nodes = Array.from({ length: 12_000 }, () => ({}));
    const file = encode({ asset: { version: '2.0' }, nodes, scenes: [{ nodes: nodes.map((_, k) => k) }], scene: 7 });
    const { isValid, issues } = await validateFile(file);
    expect(isValid).toBe(false);
    expect(found(issues)).toEqual(['UNRESOLVED_REFERENCE /scene']);
    expect(issues).toContainEqual(
      expect.objectContaining({ code: 'FINDINGS_LEFT_OUT', message: expect.stringContaining('NODE_EMPTY') }),
    );
  });

  it('passes valid glTF without the extension, unless it is required', async () => {
    const plain = encode({ asset: { version: '2.0' } });
    expect(await validateFile(plain)).toMatchObject({ ok: true, isValid: true, hasExtension: false });
    expect(await validateFile(plain, { requireExtension: true })).toMatchObject({ ok: false, isValid: true });
  });

  it('measures bones only when the structure passes the strict rules', async () => {
    const report = await validateFile(bytesOf('EXT_SCHEMA--negative-node'), { name: 'a.gltf', strict: true });
    expect(report).toMatchObject({ file: 'a.gltf', hasExtension: true, isValid: false, skeletons: [] });
  });
});

describe('validateFile in a thread', () => {
  it.runIf(IS_FULL_RUN)('survives a file on which the validator overflows the stack', async () => {
    const { ok, issues } = await validateInThread(chainGlb(30_000));
    expect(ok).toBe(false);
    expect(issues).toMatchObject([{ code: 'VALIDATOR_FAILED', severity: 'error' }]);
  });

  it('stops a validator that takes too long', async () => {
    const slow = sharedSamplerGlb(40_000, 20_000);
    const { issues } = await validateFileBy(validatorThread(1), slow);
    expect(issues).toMatchObject([
      { code: 'VALIDATOR_FAILED', message: expect.stringContaining('it took longer than 1 s') },
    ]);
  });

  it('stops with the signal of the caller', async () => {
    const slow = sharedSamplerGlb(40_000, 20_000);
    await expect(validateInThread(slow, { signal: AbortSignal.timeout(500) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});
