/**
 * Removes data that edits left without a reference, such as the keys of replaced animations and the vertices of meshes that were written again.
 * Nothing that the file brought along unreferenced is removed, and nothing that an unknown extension or extras might refer to.
 */

import { bufferBytes } from '../document/buffers.ts';
import { copyDocument } from '../document/copy-document.ts';
import { createGrowingBuffer, type GltfDocument } from '../document/document.ts';
import { DRACO_EXTENSION } from '../document/draco.ts';
import { isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { extensionOf, listOf, objectOf } from '../document/loose-json.ts';
import { padding } from '../document/parts.ts';
import { uniqueFileName } from '../document/serialize-gltf.ts';
import { isDataUri, resolveUri, serializeDataUri, uriOfPath } from '../document/uri.ts';
import { elementLayout, isAccessorType, isComponentType } from './element-layout.ts';

type List = 'accessors' | 'bufferViews';

/** An index in the JSON: `holder[key]`, which refers to an entry of a list. */
type Visit = (list: List, holder: JsonObject, key: string) => void;

const COMPRESSIONS = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];
const INSTANCING_EXTENSION = 'EXT_mesh_gpu_instancing';

/** Extensions without indices of accessors and buffer views, and those whose indices {@link visitReferences} knows. */
const KNOWN_EXTENSION =
  /^(VRM$|VRMC_|KHR_(materials|texture|lights|character|mesh_quantization|animation_pointer|draco_mesh|meshopt)|EXT_(skeleton_humanoid|texture|meshopt|mesh_gpu)|MSFT_texture)/;

/** Properties of the root that glTF defines. */
const ROOT_LISTS = new Set(
  'accessors animations asset buffers bufferViews cameras images materials meshes nodes samplers scenes skins textures'.split(
    ' ',
  ),
);

/** The objects of a list, with their indices; none for anything but a list. */
function itemsOf(object: unknown, key: string): [number, JsonObject][] {
  return [...listOf(object, key).entries()].filter((entry): entry is [number, JsonObject] => isObject(entry[1]));
}

/** Visits all indices of accessors and buffer views whose location glTF or a known extension defines. */
function visitReferences(json: JsonObject, visit: Visit): void {
  const visitAll = (object: JsonObject): void => {
    for (const key of Object.keys(object)) visit('accessors', object, key);
  };
  for (const [, mesh] of itemsOf(json, 'meshes')) {
    for (const [, primitive] of itemsOf(mesh, 'primitives')) {
      visit('accessors', primitive, 'indices');
      visitAll(objectOf(primitive, 'attributes'));
      for (const [, target] of itemsOf(primitive, 'targets')) visitAll(target);
      visit('bufferViews', objectOf(primitive, 'extensions', DRACO_EXTENSION), 'bufferView');
    }
  }
  for (const [, node] of itemsOf(json, 'nodes')) {
    visitAll(objectOf(node, 'extensions', INSTANCING_EXTENSION, 'attributes'));
  }
  for (const [, animation] of itemsOf(json, 'animations')) {
    for (const [, sampler] of itemsOf(animation, 'samplers')) {
      visit('accessors', sampler, 'input');
      visit('accessors', sampler, 'output');
    }
  }
  for (const [, skin] of itemsOf(json, 'skins')) visit('accessors', skin, 'inverseBindMatrices');
  for (const [, image] of itemsOf(json, 'images')) visit('bufferViews', image, 'bufferView');
}

function visitViews(accessor: JsonObject, visit: Visit): void {
  visit('bufferViews', accessor, 'bufferView');
  for (const key of ['indices', 'values']) visit('bufferViews', objectOf(accessor, 'sparse', key), 'bufferView');
}

/** Collects the whole numbers, also in JSON pointers, of unknown extensions, extras and unknown properties of the root. */
function foreignNumbers(json: JsonObject): ReadonlySet<number> {
  const found = new Set<number>();
  const stack: { value: unknown; isForeign: boolean }[] = Object.entries(json).map(([key, value]) => {
    return key === 'extensions'
      ? { value: { extensions: value }, isForeign: false }
      : {
          value,
          isForeign: key === 'extras' || !(ROOT_LISTS.has(key) || key === 'scene' || key.startsWith('extensions')),
        };
  });
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { value, isForeign } = item;
    if (isForeign && typeof value === 'number' && Number.isInteger(value)) found.add(value);
    else if (isForeign && typeof value === 'string') {
      for (const [, index] of value.matchAll(/\/(?:accessors|bufferViews)\/(\d+)/g)) found.add(Number(index));
    } else if (Array.isArray(value)) for (const child of value) stack.push({ value: child, isForeign });
    else if (isObject(value)) {
      for (const [key, child] of Object.entries(value)) {
        if (isForeign || key !== 'extensions') stack.push({ value: child, isForeign: isForeign || key === 'extras' });
        else if (isObject(child)) {
          for (const [name, extension] of Object.entries(child))
            stack.push({ value: extension, isForeign: !KNOWN_EXTENSION.test(name) });
        }
      }
    }
  }
  return found;
}

function referencedItems(json: JsonObject, isDropped: (accessor: number) => boolean): Record<List, Set<number>> {
  const found = { accessors: new Set<number>(), bufferViews: new Set<number>() };
  const visit: Visit = (list, holder, key) => {
    const index = memberAt(holder, key);
    if (typeof index === 'number') found[list].add(index);
  };
  visitReferences(json, visit);
  for (const [index, accessor] of itemsOf(json, 'accessors')) if (!isDropped(index)) visitViews(accessor, visit);
  return found;
}

/** New index of each item of a list; −1 for items that are removed. */
function renumber(count: number, isDropped: (index: number) => boolean, foreign: ReadonlySet<number>): Int32Array {
  const dropped = Uint8Array.from({ length: count }, (_, index) => (isDropped(index) ? 1 : 0));
  const kept = (): number => dropped.reduce((sum, one) => sum + 1 - one, 0);
  // Items that foreign data may refer to keep their index, so as many items must remain.
  let length = kept();
  for (const index of foreign) if (index < count) length = Math.max(length, index + 1);
  for (let index = 0, missing = length - kept(); missing > 0; index++) {
    missing -= dropped[index];
    dropped[index] = 0;
  }
  const indices = new Int32Array(count).fill(-1);
  let next = 0;
  for (let index = 0; index < count; index++) {
    if (dropped[index] === 1) continue;
    while (foreign.has(next)) next++;
    indices[index] = foreign.has(index) ? index : next++;
  }
  return indices;
}

function isIdentity(indices: Int32Array): boolean {
  return indices.every((to, from) => to === from);
}

function moveItems(json: JsonObject, list: List, indices: Int32Array): void {
  const items = json[list] as unknown[];
  const moved: unknown[] = [];
  for (const [from, item] of items.entries()) if (indices[from] >= 0) moved[indices[from]] = item;
  if (moved.length > 0) json[list] = moved;
  else delete json[list];
}

/** Half-open ranges of bytes. */
type Ranges = [from: number, to: number][];

function numberIn(object: JsonObject, key: string): number {
  const value = memberAt(object, key);
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0;
}

/** The bytes of an accessor in its buffer; null for one that is not plainly in its view. */
function accessorRange(accessor: JsonObject, view: JsonObject): [number, number] | null {
  const [type, componentType, count] = [
    memberAt(accessor, 'type'),
    memberAt(accessor, 'componentType'),
    numberIn(accessor, 'count'),
  ];
  if (
    typeof type !== 'string' ||
    !isAccessorType(type) ||
    typeof componentType !== 'number' ||
    !isComponentType(componentType)
  )
    return null;
  if (count === 0 || COMPRESSIONS.some((name) => isObject(extensionOf(view, name)))) return null;
  const layout = elementLayout(type, componentType);
  const from = numberIn(view, 'byteOffset') + numberIn(accessor, 'byteOffset');
  return [from, from + (numberIn(view, 'byteStride') || layout.packed) * (count - 1) + layout.used];
}

function holdersOf(view: JsonObject): JsonObject[] {
  const compressions = COMPRESSIONS.map((name) => extensionOf(view, name));
  return [view, ...compressions.filter(isObject)];
}

/** The bytes of a view, in all buffers where it has some. */
function viewRanges(view: JsonObject): [buffer: number, range: [number, number]][] {
  return holdersOf(view).map((holder) => {
    const from = numberIn(holder, 'byteOffset');
    return [numberIn(holder, 'buffer'), [from, from + numberIn(holder, 'byteLength')]];
  });
}

function merge(ranges: Ranges): Ranges {
  const merged: Ranges = [];
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** The parts of `dead`, with the padding behind them, that no range of `alive` covers. Both ends are multiples of 4, so that everything stays aligned. */
function cutsOf(dead: Ranges, alive: Ranges): Ranges {
  const used = merge(alive);
  const cuts: Ranges = [];
  const cut = (from: number, to: number): void => {
    const range: [number, number] = [from + padding(from), to - (to % 4)];
    if (range[1] > range[0]) cuts.push(range);
  };
  let k = 0;
  for (const [from, to] of merge(dead.map(([start, end]) => [start, end + padding(end)]))) {
    while (k < used.length && used[k][1] <= from) k++;
    let at = from;
    for (let i = k; i < used.length && used[i][0] < to; i++) {
      cut(at, Math.min(used[i][0], to));
      at = Math.max(at, used[i][1]);
    }
    cut(at, to);
  }
  return cuts;
}

/** Returns the offset that a byte has after the cuts. */
function shifted(cuts: Ranges, offset: number): number {
  let removed = 0;
  for (const [from, to] of cuts) {
    if (from >= offset) break;
    removed += Math.min(to, offset) - from;
  }
  return offset - removed;
}

function withoutCuts(bytes: Uint8Array, cuts: Ranges): Uint8Array {
  const out = new Uint8Array(shifted(cuts, bytes.length));
  let at = 0;
  let from = 0;
  for (const [start, end] of [...cuts, [bytes.length, bytes.length]]) {
    out.set(bytes.subarray(from, start), at);
    at += start - from;
    from = end;
  }
  return out;
}

/** Removes bytes of a buffer, wherever it is stored. Returns false, without a change, for a buffer without bytes, or with no others. */
function cutBuffer(doc: GltfDocument, index: number, buffer: JsonObject, cuts: Ranges): boolean {
  const uri = memberAt(buffer, 'uri');
  const isGrowing = doc.growing?.buffer === index;
  const isBin = uri === undefined && index === 0 && doc.bin !== null && doc.growing === null;
  if (!isGrowing && !isBin && typeof uri !== 'string') return false;
  const bytes = withoutCuts(bufferBytes(doc, index), cuts);
  if (bytes.length === 0) return false;
  if (isGrowing || isBin) doc.growing = createGrowingBuffer(index, bytes);
  else if (typeof uri === 'string' && isDataUri(uri)) {
    buffer['uri'] = serializeDataUri('application/octet-stream', [bytes]);
  } else {
    // The file of the source stays as it is, so this one needs another name.
    const path = uniqueFileName(doc, resolveUri(uri as string, `/buffers/${index}/uri`));
    doc.resources.set(path, bytes);
    buffer['uri'] = uriOfPath(path);
  }
  buffer['byteLength'] = shifted(cuts, numberIn(buffer, 'byteLength'));
  return true;
}

function setOffset(holder: JsonObject, key: string, value: number): void {
  if (numberIn(holder, key) !== value) holder[key] = value;
}

interface Orphans {
  readonly accessors: (index: number) => boolean;
  readonly views: (index: number) => boolean;
  /** Views that something other than an accessor may refer to. */
  readonly opaque: (index: number) => boolean;
}

function cutBytes(doc: GltfDocument, orphans: Orphans): void {
  const { json } = doc;
  const views = new Map(itemsOf(json, 'bufferViews'));
  const accessors = itemsOf(json, 'accessors');
  const dead = new Map<number, Ranges>();
  const alive = new Map<number, Ranges>();
  const add = (map: Map<number, Ranges>, buffer: number, range: [number, number]): void => {
    const ranges = map.get(buffer);
    if (ranges === undefined) map.set(buffer, [range]);
    else ranges.push(range);
  };
  const whole = new Set([...views.keys()].filter((index) => !orphans.views(index) && orphans.opaque(index)));
  const used = new Set<number>();
  for (const [index, accessor] of accessors) {
    const number = memberAt(accessor, 'bufferView');
    const view = typeof number === 'number' ? views.get(number) : undefined;
    const range = view === undefined ? null : accessorRange(accessor, view);
    if (!orphans.accessors(index)) {
      visitViews(accessor, (_, holder, key) => {
        const part = memberAt(holder, key);
        if (typeof part !== 'number') return;
        if (holder === accessor && range !== null) used.add(part);
        else whole.add(part);
      });
    }
    if (view !== undefined && range !== null)
      add(orphans.accessors(index) ? dead : alive, numberIn(view, 'buffer'), range);
  }
  for (const [index, view] of views) {
    for (const [buffer, range] of viewRanges(view)) {
      if (orphans.views(index)) add(dead, buffer, range);
      else if (whole.has(index) || !used.has(index)) add(alive, buffer, range);
    }
  }
  const cuts = new Map<number, Ranges>();
  for (const [index, buffer] of itemsOf(json, 'buffers')) {
    const own = cutsOf(dead.get(index) ?? [], alive.get(index) ?? []);
    if (own.length > 0 && cutBuffer(doc, index, buffer, own)) cuts.set(index, own);
  }
  const moved = (buffer: number, offset: number): number => shifted(cuts.get(buffer) ?? [], offset);
  for (const [, accessor] of accessors) {
    const number = memberAt(accessor, 'bufferView');
    const view = typeof number === 'number' ? views.get(number) : undefined;
    if (view === undefined || accessorRange(accessor, view) === null) continue;
    const [buffer, start] = [numberIn(view, 'buffer'), numberIn(view, 'byteOffset')];
    const offset = moved(buffer, start + numberIn(accessor, 'byteOffset')) - moved(buffer, start);
    setOffset(accessor, 'byteOffset', offset);
  }
  for (const [, view] of views) {
    for (const holder of holdersOf(view)) {
      const [buffer, start] = [numberIn(holder, 'buffer'), numberIn(holder, 'byteOffset')];
      const end = moved(buffer, start + numberIn(holder, 'byteLength'));
      setOffset(holder, 'byteOffset', moved(buffer, start));
      setOffset(holder, 'byteLength', end - moved(buffer, start));
    }
  }
}

/**
 * Removes what edits of a document left without a reference: accessors and buffer views that its source refers to, or that were appended, and to which
 * nothing refers any more. What the source brought along unreferenced stays. Accessors and buffer views are renumbered, except for those whose index is
 * in an unknown extension or in extras, which stay with their data. `doc` stays unchanged. Throws FormatError GLTF_BUFFER when an external buffer is not
 * loaded.
 */
export function dropOrphans(doc: GltfDocument): GltfDocument {
  const counts = {
    accessors: listOf(doc.json, 'accessors').length,
    bufferViews: listOf(doc.json, 'bufferViews').length,
  };
  const now = referencedItems(doc.json, () => false);
  if (doc.chunks !== null || (now.accessors.size >= counts.accessors && now.bufferViews.size >= counts.bufferViews))
    return doc;
  const source = doc.source === null ? {} : (JSON.parse(doc.source.text) as JsonObject);
  const before = referencedItems(source, () => false);
  const foreign = foreignNumbers(doc.json);
  const isOrphan = (list: List, used: Record<List, Set<number>>, index: number): boolean => {
    if (used[list].has(index) || foreign.has(index)) return false;
    return before[list].has(index) || index >= listOf(source, list).length;
  };
  const ofAccessors = renumber(counts.accessors, (index) => isOrphan('accessors', now, index), foreign);
  const remaining = referencedItems(doc.json, (index) => ofAccessors[index] < 0);
  const ofViews = renumber(counts.bufferViews, (index) => isOrphan('bufferViews', remaining, index), foreign);
  if (isIdentity(ofAccessors) && isIdentity(ofViews)) return doc;
  const out = copyDocument(doc);
  const opaque = new Set(foreign);
  visitReferences(doc.json, (list, holder, key) => {
    if (list === 'bufferViews') opaque.add(memberAt(holder, key) as number);
  });
  cutBytes(out, {
    accessors: (index) => ofAccessors[index] < 0,
    views: (index) => ofViews[index] < 0,
    opaque: (index) => opaque.has(index),
  });
  const renumbered: Visit = (list, holder, key) => {
    const index = memberAt(holder, key);
    const to = typeof index === 'number' ? (list === 'accessors' ? ofAccessors : ofViews)[index] : undefined;
    if (to !== undefined && to >= 0) holder[key] = to;
  };
  visitReferences(out.json, renumbered);
  for (const [index, accessor] of itemsOf(out.json, 'accessors'))
    if (ofAccessors[index] >= 0) visitViews(accessor, renumbered);
  moveItems(out.json, 'accessors', ofAccessors);
  moveItems(out.json, 'bufferViews', ofViews);
  out.cache.draco = null;
  return out;
}
