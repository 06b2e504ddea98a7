/** Real-world files: unedited parts keep their bytes, and accessors match other programs. */
import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { validateBytes } from 'gltf-validator';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { type BufferAttribute, InterleavedBufferAttribute } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { readAccessor } from '../../../src/formats/gltf/accessors/accessor.ts';
import { appendAccessor } from '../../../src/formats/gltf/accessors/append-accessor.ts';
import { bufferBytes } from '../../../src/formats/gltf/document/buffers.ts';
import { toGlb } from '../../../src/formats/gltf/document/convert-container.ts';
import { isGlb, parseGlb } from '../../../src/formats/gltf/document/glb.ts';
import { scanItems, scanMembers, skipBlank } from '../../../src/formats/gltf/document/scan-json.ts';
import {
  attachMeshoptDecoder,
  concatParts,
  type GltfDocument,
  loadResources,
  parseGltf,
  serializeGltf,
} from '../../../src/formats/gltf/index.ts';
import { assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { type PlainAccessor, plainComponents } from '../../support/reference/accessor.ts';

const EXTENSIONS = ['glb', 'gltf', 'vrm', 'vrma'];
const FILES = [...assetFiles('conformance/gltf', ...EXTENSIONS), ...assetFiles('assets', ...EXTENSIONS)];
const TIMES = Float32Array.of(0, 0.25, 0.7);
const MOVES = Float32Array.of(0, 0, 0, 0.1, 0, 0, 0.2, 0, 0);

/** Parses a file; null for a FormatError. Any other error fails the test. */
function openedOrNull(file: string): GltfDocument | null {
  try {
    return parseGltf(readFileSync(file));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

/** Text of every top-level member, and of every item of top-level arrays. */
function textsOf(text: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const member of scanMembers(text, skipBlank(text, 0))) {
    const key = JSON.parse(text.slice(member.keyStart, member.keyEnd)) as string;
    texts.set(key, text.slice(member.start, member.end));
    if (text[member.start] !== '[') continue;
    scanItems(text, member.start).forEach(({ start, end }, i) => {
      texts.set(`${key}/${i}`, text.slice(start, end));
    });
  }
  return texts;
}

/** Appends an animation of a node. Returns false if no node may be animated. */
function appendMotion(doc: GltfDocument): boolean {
  const input = appendAccessor(doc, TIMES, { type: 'SCALAR', minMax: true });
  const output = appendAccessor(doc, MOVES, { type: 'VEC3' });
  const nodes = (doc.json['nodes'] ?? []) as Record<string, unknown>[];
  const node = nodes.findIndex((item) => item['matrix'] === undefined && item['skin'] === undefined);
  if (node < 0) return false;
  const animations = (doc.json['animations'] ?? []) as unknown[];
  doc.json['animations'] = animations;
  animations.push({
    name: 'appended',
    channels: [{ sampler: 0, target: { node, path: 'translation' } }],
    samplers: [{ input, output, interpolation: 'LINEAR' }],
  });
  return true;
}

describe.skipIf(!HAS_ASSETS)('real-world files', () => {
  it('serializeGltf: returns the original bytes of an unedited document', () => {
    let readable = 0;
    const refused: string[] = [];
    for (const file of FILES) {
      const doc = openedOrNull(file);
      if (doc === null) {
        refused.push(file);
        continue;
      }
      readable++;
      const { parts, resources } = serializeGltf(doc);
      expect(resources).toEqual([]);
      if (Buffer.compare(concatParts(parts), readFileSync(file)) !== 0) expect.fail(`${file} came out changed`);
    }
    expect(readable).toBeGreaterThan(600);
    // Rejected files are invalid on purpose: containers, JSON, versions.
    const meant = /khronos-validator.(test.base.data.(asset|glb|json|root))|Compatibility_04/;
    expect(refused.filter((file) => !meant.test(file))).toEqual([]);
  });

  it('serializeGltf: keeps text, indices, binary data and unknown chunks after data is appended', () => {
    let appended = 0;
    for (const file of FILES) {
      const doc = openedOrNull(file);
      if (doc === null) continue;
      const before = doc.source!;
      try {
        appendAccessor(doc, TIMES, { type: 'SCALAR', minMax: true });
      } catch (error) {
        // Invalid on purpose: lists of the wrong type, buffers that are too short.
        expect(error).toBeInstanceOf(FormatError);
        expect(file).toContain('khronos-validator');
        continue;
      }
      appended++;
      const printed = concatParts(serializeGltf(doc).parts);
      const again = parseGltf(printed);
      const texts = textsOf(again.source!.text);
      for (const [key, text] of textsOf(before.text)) {
        if (['accessors', 'bufferViews', 'buffers'].includes(key)) continue;
        if (key === 'buffers/0' && doc.container === 'glb') continue;
        if (texts.get(key) !== text) expect.fail(`${file}: ${key} was\n${text}\nand is\n${texts.get(key)}`);
      }
      if (!isGlb(printed)) continue;
      const [old, now] = [before.glb!, parseGlb(printed)];
      const prefix = now.bin?.subarray(0, old.bin?.length ?? 0) ?? new Uint8Array(0);
      if (Buffer.compare(prefix, old.bin ?? new Uint8Array(0)) !== 0) expect.fail(`${file}: old data is no prefix`);
      expect(now.others).toEqual(old.others);
      expect(now.trailing).toEqual(old.trailing);
      expect(now.declaredLength).toBe(printed.length - now.trailing.length);
    }
    expect(appended).toBeGreaterThan(590);
  });

  it.skipIf(!IS_FULL_RUN)(
    'appendClips: adds no new gltf-validator code',
    async () => {
      // Without malicious files, which can crash the validator.
      const benign = FILES.filter((file) => /khronos-asset-generator|own-vrm-like|assets.(glb|vrm|vrma)./.test(file));
      let checked = 0;
      for (const file of benign) {
        const bytes = readFileSync(file);
        if (bytes.length > 1_100_000 || /Compatibility_04/.test(file)) continue;
        const doc = parseGltf(bytes);
        if (!appendMotion(doc)) continue;
        const printed = serializeGltf(doc, { binName: 'appended.bin' });
        const external = async (uri: string): Promise<Uint8Array> => {
          const own = printed.resources.find(({ path }) => path === uri);
          return own === undefined ? readFileSync(join(dirname(file), uri)) : concatParts(own.parts);
        };
        const codes = async (content: Uint8Array): Promise<Set<string>> => {
          const options = { maxIssues: 0, writeTimestamp: false, externalResourceFunction: external };
          const report = await validateBytes(Uint8Array.from(content), options);
          return new Set(report.issues.messages.map(({ code }) => code));
        };
        const before = await codes(bytes);
        const after = await codes(concatParts(printed.parts));
        const fresh = [...after].filter((code) => !before.has(code));
        if (fresh.length > 0) expect.fail(`${file}: ${fresh.join(', ')}`);
        checked++;
      }
      expect(checked).toBeGreaterThan(130);
    },
    120_000,
  );

  /**
   * Files where three.js is wrong: it reads the padding after columns of MAT2 and MAT3 of small integers as components
   * (glTF 2.0 section 3.6.2.4); so does glTF-Transform. The reference reader of the tests is used instead.
   */
  const isPaddedMatrix = ({ type, componentType }: PlainAccessor): boolean =>
    (type === 'MAT2' && componentType < 5122) || (type === 'MAT3' && componentType < 5125);

  it('readAccessor: reads the same components as three.js', async () => {
    // The loader needs these two browser globals.
    const scope = globalThis as Record<string, unknown>;
    scope['self'] ??= globalThis;
    scope['ProgressEvent'] ??= Event;
    let compared = 0;
    let refused = 0;
    for (const file of sampledCases(FILES, 3)) {
      const doc = openedOrNull(file);
      if (doc === null) continue;
      await attachMeshoptDecoder(doc, MeshoptDecoder);
      const bare = bareCopy(doc);
      try {
        await loadResources(doc, async (path) => readFileSync(join(dirname(file), path)));
        for (const [path, bytes] of doc.resources) bare.resources.set(path, bytes);
        toGlb(bare);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
        continue;
      }
      const glb = concatParts(serializeGltf(bare).parts).slice();
      // three.js reads past the end of a GLB whose header declares too many bytes.
      if (file.endsWith(`glb${sep}length_mismatch.glb`)) continue;
      const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
      const { parser } = await loader.parseAsync(glb.buffer as ArrayBuffer, '');
      const accessors = Array.isArray(doc.json['accessors']) ? (doc.json['accessors'] as PlainAccessor[]) : [];
      for (let i = 0; i < accessors.length; i++) {
        const ours = componentsOrNull(doc, i);
        if (ours === null) {
          refused++;
          continue;
        }
        const theirs: number[] = isPaddedMatrix(accessors[i]!)
          ? plainComponents(accessors[i]!, doc.json['bufferViews'] as never, bufferBytes(doc, 0))
          : componentsOf(await parser.getDependency('accessor', i));
        if (!sameNumbers(ours, theirs)) {
          expect.fail(`${file}, accessor ${i}: ${ours.slice(0, 8)} where three.js has ${theirs.slice(0, 8)}`);
        }
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(IS_FULL_RUN ? 17_000 : 4_000);
    expect(refused).toBeLessThan(80);
  }, 120_000);
});

/** Reduces a file to its accessors, so that three.js builds no scene and no images. */
function bareCopy(doc: GltfDocument): GltfDocument {
  const copy = parseGltf(doc.source!.bytes);
  for (const key of Object.keys(copy.json)) {
    if (!['asset', 'buffers', 'bufferViews', 'accessors'].includes(key)) delete copy.json[key];
  }
  copy.json['asset'] = { version: '2.0' };
  const used = doc.json['extensionsUsed'];
  const compression = Array.isArray(used) ? used.filter((name) => /meshopt/.test(String(name))) : [];
  if (compression.length > 0) copy.json['extensionsUsed'] = compression;
  return copy;
}

/** Components from readAccessor, or null for a FormatError. */
function componentsOrNull(
  doc: GltfDocument,
  index: number,
): (ArrayLike<number> & { slice(from: number, to: number): unknown }) | null {
  try {
    return readAccessor(doc, index).array;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

/** Stored components of a three.js attribute, interleaved or not. */
function componentsOf(attribute: BufferAttribute | InterleavedBufferAttribute): number[] {
  const { count, itemSize } = attribute;
  const interleaved = attribute instanceof InterleavedBufferAttribute ? attribute : null;
  const array = interleaved?.data.array ?? (attribute as BufferAttribute).array;
  const stride = interleaved?.data.stride ?? itemSize;
  const components: number[] = [];
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < itemSize; c++) components.push(array[i * stride + (interleaved?.offset ?? 0) + c]!);
  }
  return components;
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && !(Number.isNaN(a[i]) && Number.isNaN(b[i]))) return false;
  return true;
}
