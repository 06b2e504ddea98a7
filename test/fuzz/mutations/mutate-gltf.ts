/** Damages glTF files: the JSON, the data of one accessor, or the bytes of the container. */
import { pick, type Random } from '../../../src/demo/random.ts';
import { glbOf } from '../../support/make/glb.ts';
import { renameAll } from './hostile-names.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateJson } from './mutate-json.ts';

type Json = Record<string, unknown>;

/** Byte ranges of the accessors in buffer 0, as far as the JSON tells them. */
function accessorRanges(json: Json, length: number): [number, number][] {
  const views = Array.isArray(json['bufferViews']) ? json['bufferViews'] : [];
  const accessors = Array.isArray(json['accessors']) ? json['accessors'] : [];
  return accessors.flatMap((accessor): [number, number][] => {
    const view = views[accessor?.bufferView];
    const from = Number(view?.byteOffset ?? 0) + Number(accessor?.byteOffset ?? 0);
    const to = Number(view?.byteOffset ?? 0) + Number(view?.byteLength ?? 0);
    return from >= 0 && to > from && to <= length ? [[from, to]] : [];
  });
}

function mutateAccessor(random: Random, json: Json, bin: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const ranges = accessorRanges(json, bin.length);
  if (ranges.length === 0) return bin;
  const [from, to] = pick(random, ranges);
  const out = bin.slice();
  out.set(mutateBytes(random, bin.subarray(from, to), true), from);
  return out;
}

/**
 * Damages a GLB.
 *
 * @param random Random source.
 * @param bytes A GLB of a JSON and a BIN chunk.
 * @returns The damaged file.
 */
export function mutateGlb(random: Random, bytes: Uint8Array): Uint8Array {
  if (random() < 0.15) return mutateBytes(random, bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jsonEnd = 20 + view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, jsonEnd)));
  let bin = bytes.slice(jsonEnd + 8);
  for (let k = random() < 0.7 ? 1 : 3; k > 0; k--) {
    if (random() < 0.4) bin = mutateAccessor(random, json, bin);
    else if (random() < 0.1) renameAll(random, json);
    else mutateJson(random, json);
  }
  return glbOf(json, bin);
}

/**
 * Damages a .gltf.
 *
 * @param random Random source.
 * @param bytes The text of the file.
 * @returns The damaged file.
 */
export function mutateGltfText(random: Random, bytes: Uint8Array): Uint8Array {
  if (random() < 0.15) return mutateBytes(random, bytes);
  const json = JSON.parse(new TextDecoder().decode(bytes));
  for (let k = random() < 0.7 ? 1 : 3; k > 0; k--) {
    const uri = json.buffers?.[0]?.uri;
    if (typeof uri === 'string' && random() < 0.4) {
      const [head, base64] = uri.split(',');
      const data = mutateAccessor(random, json, new Uint8Array(Buffer.from(base64 ?? '', 'base64')));
      json.buffers[0].uri = `${head},${Buffer.from(data).toString('base64')}`;
    } else mutateJson(random, json);
  }
  return new TextEncoder().encode(JSON.stringify(json));
}
