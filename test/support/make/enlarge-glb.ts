/** Makes a GLB larger in the way of real files: more clips, and a large image. */
import { crc32, deflateSync } from 'node:zlib';
import { parseGltf } from 'anyrig/gltf';
import { serializeGlb } from '../../../src/formats/gltf/document/glb.ts';

/** Width and height of the image. */
const SIZE = 2048;

interface View {
  byteOffset?: number;
  byteLength: number;
}

interface Json {
  readonly animations: { samplers: { input: number; output: number }[]; channels: unknown[]; name?: string }[];
  readonly accessors: { bufferView?: number }[];
  readonly bufferViews: View[];
  readonly buffers: { byteLength: number }[];
  readonly materials: { pbrMetallicRoughness?: object }[];
  images?: object[];
  textures?: object[];
}

/** Encodes noise as a PNG, which no compression makes smaller. */
function noisePng(): Buffer {
  const rows = Buffer.alloc(SIZE * (3 * SIZE + 1));
  let state = 1;
  for (let k = 0; k < rows.length; k++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    rows[k] = k % (3 * SIZE + 1) === 0 ? 0 : state >>> 24;
  }
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * Adds an image of noise to the first material, and copies of all clips with data of their own.
 *
 * @param glb A GLB with clips.
 * @param size Least size of the result in bytes.
 * @returns The larger GLB.
 */
export function enlargeGlb(glb: Uint8Array, size: number): Uint8Array {
  const document = parseGltf(glb);
  const json = document.json as unknown as Json;
  const before = document.bin as Uint8Array;
  const parts: Uint8Array[] = [before, new Uint8Array((4 - (before.length % 4)) % 4)];
  let end = before.length + parts[1].length;
  const append = (data: Uint8Array): number => {
    const padding = new Uint8Array((4 - (data.length % 4)) % 4);
    json.bufferViews.push({ ...{ buffer: 0 }, byteOffset: end, byteLength: data.length });
    parts.push(data, padding);
    end += data.length + padding.length;
    return json.bufferViews.length - 1;
  };
  json.images = [...(json.images ?? []), { bufferView: append(noisePng()), mimeType: 'image/png' }];
  json.textures = [...(json.textures ?? []), { source: json.images.length - 1 }];
  json.materials[0].pbrMetallicRoughness = { baseColorTexture: { index: json.textures.length - 1 } };
  const copyAccessor = (index: number): number => {
    const { bufferView = 0, ...accessor } = json.accessors[index];
    const { byteOffset = 0, byteLength } = json.bufferViews[bufferView];
    json.accessors.push({ ...accessor, bufferView: append(before.subarray(byteOffset, byteOffset + byteLength)) });
    return json.accessors.length - 1;
  };
  const clips = [...json.animations];
  for (let copy = 1; end < size; copy++) {
    for (const { samplers, channels, name } of clips) {
      const copied = samplers.map((one) => ({
        ...one,
        input: copyAccessor(one.input),
        output: copyAccessor(one.output),
      }));
      json.animations.push({ name: `${name} ${copy}`, channels, samplers: copied });
    }
  }
  json.buffers[0].byteLength = end;
  return Buffer.concat(
    serializeGlb({ json: Buffer.from(JSON.stringify(json)), bin: parts, others: [], trailing: new Uint8Array() }),
  );
}
