/** The bytes that the stage loads: a GLB without its clips, which the stage gets one by one. */
import { concatParts } from 'anyrig/gltf';
import type { GltfFile } from '../../../src/files/open-file.ts';
import { serializeOutput } from '../../../src/files/outputs/serialize-output.ts';
import { hasDracoMeshes } from '../../../src/formats/gltf/document/draco.ts';
import { parseGlb, serializeGlb } from '../../../src/formats/gltf/document/glb.ts';

/** What refers to accessors and buffer views in the JSON of a glTF. */
export interface Json {
  animations?: readonly { readonly samplers?: readonly { readonly input?: number; readonly output?: number }[] }[];
  readonly meshes?: readonly { readonly primitives?: readonly Primitive[] }[];
  readonly skins?: readonly { readonly inverseBindMatrices?: number }[];
  accessors?: readonly Accessor[] | undefined;
  bufferViews?: readonly View[] | undefined;
  buffers?: readonly { readonly byteLength: number; readonly uri?: string }[];
}

interface Accessor {
  readonly bufferView?: number;
  readonly sparse?: unknown;
  readonly componentType: number;
  readonly count: number;
  readonly type: string;
}

interface Primitive {
  readonly attributes?: Readonly<Record<string, number>>;
  readonly targets?: readonly Readonly<Record<string, number>>[];
  readonly indices?: number;
}

interface View {
  readonly buffer: number;
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly extensions?: unknown;
}

/** What replaces an accessor that only clips use. */
const EMPTY: Accessor = { componentType: 5126, count: 1, type: 'SCALAR' };
const ALIGNMENT = 4;

/** Lists the accessors that only clips use. */
function clipAccessors({ animations = [], meshes = [], skins = [] }: Json): Set<number> {
  const found = new Set<number | undefined>();
  for (const { samplers = [] } of animations) for (const { input, output } of samplers) found.add(input).add(output);
  for (const { primitives = [] } of meshes) {
    for (const { attributes = {}, targets = [], indices } of primitives) {
      for (const accessor of [attributes, ...targets].flatMap((one) => Object.values(one))) found.delete(accessor);
      found.delete(indices);
    }
  }
  for (const { inverseBindMatrices } of skins) found.delete(inverseBindMatrices);
  found.delete(undefined);
  return found as Set<number>;
}

/** Lists the buffer views that only accessors of clips use. */
function clipViews({ accessors = [] }: Json, ofClips: ReadonlySet<number>): Set<number> {
  const found = new Set<number>();
  for (const accessor of ofClips) {
    const { bufferView, sparse } = accessors[accessor] ?? EMPTY;
    if (bufferView !== undefined && sparse === undefined) found.add(bufferView);
  }
  accessors.forEach(({ bufferView }, accessor) => {
    if (bufferView !== undefined && !ofClips.has(accessor)) found.delete(bufferView);
  });
  return found;
}

/** Removes the clips of a GLB with their data. Indices of nodes, accessors and buffer views stay as they are. */
export function removeClips(json: Json, bin: Uint8Array): Uint8Array {
  // Compressed views refer to bytes outside of themselves.
  if (json.bufferViews?.some(({ extensions }) => extensions !== undefined) === true) return bin;
  const ofClips = clipAccessors(json);
  const dropped = clipViews(json, ofClips);
  json.animations = [];
  json.accessors = json.accessors?.map((accessor, k) => (ofClips.has(k) ? EMPTY : accessor));
  const parts: Uint8Array[] = [];
  let end = 0;
  // What is not known to be of clips keeps its data: other extensions may refer to it.
  json.bufferViews = json.bufferViews?.map((view, k) => {
    if (view.buffer !== 0) return view;
    if (dropped.has(k)) return { buffer: 0, byteLength: 1 };
    const start = view.byteOffset ?? 0;
    const data = bin.subarray(start, start + view.byteLength);
    const moved = { ...view, byteOffset: end };
    const padding = (ALIGNMENT - (data.length % ALIGNMENT)) % ALIGNMENT;
    parts.push(data, new Uint8Array(padding));
    end += data.length + padding;
    return moved;
  });
  const [first, ...others] = json.buffers ?? [];
  if (first !== undefined) json.buffers = [{ ...first, byteLength: Math.max(end, 1) }, ...others];
  return concatParts(end > 0 ? parts : [new Uint8Array(ALIGNMENT)]);
}

/**
 * Makes the bytes that the stage loads.
 *
 * @throws FormatError for damaged meshes and missing files.
 */
export async function stageGlb(file: GltfFile): Promise<Uint8Array<ArrayBuffer>> {
  const { files } = await serializeOutput(file.document, file, { path: 'display.glb', format: 'glb' });
  const { json: text, bin, others, trailing } = parseGlb(concatParts(files[files.length - 1].parts));
  const json = JSON.parse(new TextDecoder().decode(text)) as Json;
  let data = bin === null ? null : removeClips(json, bin);
  if (hasDracoMeshes(file.document)) {
    const { decodeDracoMeshes } = await import('./decode-draco-meshes.ts');
    data = decodeDracoMeshes(file.document, json, data ?? new Uint8Array());
  }
  const content = { json: new TextEncoder().encode(JSON.stringify(json)), bin: data === null ? null : [data] };
  return Uint8Array.from(concatParts(serializeGlb({ ...content, others, trailing })));
}
