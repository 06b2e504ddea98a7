/** The animations of an FBX file: the AnimationStacks of FBX 7, the Takes of FBX 6. */
import type { TrackPath } from '../../core/animation/clip.ts';
import type { FbxCurve } from './curve.ts';
import { clampWeight, type FbxBlend, type FbxVectorCurve, type LayerBlend } from './layers.ts';
import { nameKey, splitName } from './names.ts';
import { boolProperty, numberProperty, propertyOf } from './properties.ts';
import { type CurveFaults, noteFault, readCurve } from './read-curve.ts';
import { readLegacyCurve } from './read-legacy-curve.ts';
import { legacyShapeId } from './read-shapes.ts';
import { numberOf, recordIn, textOf } from './records.ts';
import { type FbxObject, type FbxScene, objectsBelow } from './scene.ts';
import type { FbxProperty, FbxRecord, FbxTree } from './tree.ts';

/** A time range that a file declares, seconds; the end is after the start. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** What of an object is animated: a path of a Model, or the weight of a blend shape, in percent (the first of three curves). */
export type ChannelPath = TrackPath | 'percent';

/** Curves by what they animate: an object and a path, as {@link channelKey} joins them. */
export type LayerChannels = ReadonlyMap<string, FbxVectorCurve>;

/** One layer of a take. */
export interface FbxLayer {
  readonly blend: FbxBlend;
  readonly channels: LayerChannels;
}

/** One animation of a file. */
export interface FbxTake {
  readonly name: string;
  /** What the file declares as the range to play, the best first; may be empty, need not hold keys. */
  readonly ranges: readonly TimeRange[];
  /** Those that count (not muted, not silenced by another's solo), from the bottom. */
  readonly layers: readonly FbxLayer[];
  /** Animated things that are no translation, rotation or scale of a Model and no weight of a blend shape: visibility, lenses. */
  readonly otherChannels: number;
}

/** An animation that has been found but not read. */
export interface TakeEntry {
  readonly name: string;
  /** An object of FBX 7, or a record of FBX 6. */
  readonly source: FbxObject | FbxRecord;
}

/** Reads takes one by one; curves that several of them share are read once. */
export interface TakeReader {
  readonly scene: FbxScene;
  readonly ticksPerSecond: number;
  readonly faults: CurveFaults;
  readonly curves: Map<string, FbxCurve | null>;
}

const PATHS: ReadonlyMap<string, TrackPath> = new Map([
  ['Lcl Translation', 'translation'],
  ['Lcl Rotation', 'rotation'],
  ['Lcl Scaling', 'scale'],
  // FBX 6, inside of "Transform".
  ['T', 'translation'],
  ['R', 'rotation'],
  ['S', 'scale'],
]);
const COMPONENTS: readonly string[] = ['d|X', 'd|Y', 'd|Z'];
const PERCENT = 'DeformPercent';
const LEGACY_COMPONENTS: readonly string[] = ['X', 'Y', 'Z'];
/** `BlendMode` 0, 1, 2. */
const BLENDS: readonly LayerBlend[] = ['additive', 'override', 'passthrough'];

/** What a take of FBX 6 has: one layer. */
const ONLY_LAYER: FbxBlend = {
  isBase: true,
  blend: 'override',
  turnsWhole: true,
  multipliesScale: true,
  weight: 1,
  weightCurve: null,
};

/** Ticks a second of all times of a file: FBX 8 counts otherwise, unless it says TCDefinition 127. */
export function ticksPerSecond({ version, records }: FbxTree): number {
  if (version < 8000) return 46186158000;
  const header = recordIn(records, 'FBXHeaderExtension')?.records ?? [];
  const flags = recordIn(header, 'OtherFlags')?.records ?? [];
  const definition = recordIn(flags, 'TCDefinition') ?? recordIn(header, 'TCDefinition');
  return numberOf(definition?.properties[0]) === 127 ? 46186158000 : 141120000;
}

/** An object and a path as one key. */
export function channelKey(id: string, path: ChannelPath): string {
  return `${path} ${id}`;
}

/** The animations of a file that have a curve, in the order of the file. */
export function listTakes(scene: FbxScene): TakeEntry[] {
  const stacks = [...scene.objects.values()].filter(({ kind }) => kind === 'AnimationStack');
  if (stacks.length > 0 || scene.version >= 7000) {
    return stacks.filter((stack) => hasCurve(scene, stack)).map((source) => ({ name: source.name, source }));
  }
  return takeRecords(scene)
    .filter(hasKeys)
    .map((source) => ({ name: textOf(source.properties[0]) ?? '', source }));
}

function hasCurve(scene: FbxScene, stack: FbxObject): boolean {
  return objectsBelow(scene, stack.id, 'AnimationLayer').some((layer) =>
    objectsBelow(scene, layer.id, 'AnimationCurveNode').some((node) =>
      scene.below.get(node.id)?.some(({ source }) => scene.objects.get(source)?.kind === 'AnimationCurve'),
    ),
  );
}

function takeRecords({ tree }: FbxScene): FbxRecord[] {
  return (recordIn(tree.records, 'Takes')?.records ?? []).filter(({ name }) => name === 'Take');
}

/** Whether a `Key` stands anywhere inside a record. */
function hasKeys(take: FbxRecord): boolean {
  const stack: FbxRecord[] = [take];
  for (let record = stack.pop(); record !== undefined; record = stack.pop()) {
    if (record.name === 'Key' && record.properties.length > 0) return true;
    for (const child of record.records) stack.push(child);
  }
  return false;
}

/** Reads a take with all its curves. */
export function readTake(reader: TakeReader, { name, source }: TakeEntry): FbxTake {
  return 'id' in source ? readStack(reader, name, source) : readLegacyTake(reader, name, source);
}

function readStack(reader: TakeReader, name: string, stack: FbxObject): FbxTake {
  const { scene } = reader;
  const all = objectsBelow(scene, stack.id, 'AnimationLayer');
  const solo = all.filter(({ properties }) => boolProperty(properties, 'Solo', false));
  const heard = (solo.length > 0 ? solo : all).filter(({ properties }) => !boolProperty(properties, 'Mute', false));
  let otherChannels = 0;
  const layers = heard.map((layer): FbxLayer => {
    const channels = new Map<string, FbxVectorCurve>();
    for (const node of objectsBelow(scene, layer.id, 'AnimationCurveNode')) {
      otherChannels += readCurveNode(reader, layer, node, channels);
    }
    return { blend: readBlend(reader, layer, layer === all[0]), channels };
  });
  const time = (property: string): FbxProperty | undefined => propertyOf(stack.properties, property)?.[0];
  // Files of FBX 7 still have Takes, by the same names.
  const take = takeRecords(scene).find(({ properties }) => properties[0] === name);
  const pairs = [
    [time('LocalStart'), time('LocalStop')],
    [time('ReferenceStart'), time('ReferenceStop')],
    ...(take === undefined ? [] : declaredTimes(take)),
  ];
  return { name, ranges: rangesOf(pairs, reader.ticksPerSecond), layers, otherChannels };
}

function declaredTimes({ records }: FbxRecord): (readonly FbxProperty[])[] {
  return ['LocalTime', 'ReferenceTime'].map((name) => recordIn(records, name)?.properties ?? []);
}

/** Those pairs of times that are ranges. */
function rangesOf(pairs: readonly (readonly (FbxProperty | undefined)[])[], ticks: number): TimeRange[] {
  const out: TimeRange[] = [];
  for (const pair of pairs) {
    const start = numberOf(pair[0]) ?? 0;
    const end = numberOf(pair[1]) ?? 0;
    if (end > start) out.push({ start: start / ticks, end: end / ticks });
  }
  return out;
}

function readBlend(reader: TakeReader, layer: FbxObject, isBase: boolean): FbxBlend {
  const { scene } = reader;
  const { id, properties } = layer;
  const weightNode = scene.below.get(id)?.find(({ property }) => property === 'Weight')?.source;
  const [weightCurve] = weightNode === undefined ? [] : curvesBelow(reader, weightNode).values();
  return {
    isBase,
    blend: BLENDS[numberProperty(properties, 'BlendMode', 0)] ?? 'additive',
    turnsWhole: numberProperty(properties, 'RotationAccumulationMode', 0) === 0,
    multipliesScale: numberProperty(properties, 'ScaleAccumulationMode', 0) === 0,
    weight: clampWeight(numberProperty(properties, 'Weight', 100) / 100),
    weightCurve: weightCurve ?? null,
  };
}

/** Puts what a curve node animates into `channels`; returns how many other things it animates. */
function readCurveNode(
  reader: TakeReader,
  layer: FbxObject,
  node: FbxObject,
  channels: Map<string, FbxVectorCurve>,
): number {
  const { scene, faults } = reader;
  const curves = curvesBelow(reader, node.id);
  let others = 0;
  for (const { destination, property } of scene.above.get(node.id) ?? []) {
    if (property === '' || destination === layer.id) continue;
    const path = pathOf(scene.objects.get(destination), property);
    if (path === undefined) {
      if (curves.size > 0) others++;
      continue;
    }
    const key = channelKey(destination, path);
    const former = channels.get(key);
    if (former?.curves.some((curve) => curve !== null)) {
      noteFault(faults, 'animate what others of the same layer animate; the first ones were taken', curves.size);
      continue;
    }
    const components = path === 'percent' ? [`d|${PERCENT}`] : COMPONENTS;
    const [x, y = null, z = null] = components.map((component) => curves.get(component) ?? null);
    const [dx, dy = null, dz = null] = components.map(
      (part) => numberOf(propertyOf(node.properties, part)?.[0]) ?? null,
    );
    channels.set(key, { curves: [x, y, z], defaults: [dx, dy, dz] });
  }
  return others;
}

function pathOf(object: FbxObject | undefined, property: string): ChannelPath | undefined {
  if (object?.kind === 'Model') return PATHS.get(property);
  return object?.type === 'BlendShapeChannel' && property === PERCENT ? 'percent' : undefined;
}

/** The curves that belong to a curve node, by the component they are connected to. */
function curvesBelow(reader: TakeReader, nodeId: string): Map<string, FbxCurve> {
  const { scene, curves, ticksPerSecond, faults } = reader;
  const out = new Map<string, FbxCurve>();
  for (const { source, property } of scene.below.get(nodeId) ?? []) {
    const object = scene.objects.get(source);
    if (object?.kind !== 'AnimationCurve' || out.has(property)) continue;
    let curve = curves.get(source);
    if (curve === undefined) {
      curve = readCurve(object.record, ticksPerSecond, faults);
      curves.set(source, curve);
    }
    if (curve !== null) out.set(property, curve);
  }
  return out;
}

function readLegacyTake({ scene, ticksPerSecond, faults }: TakeReader, name: string, take: FbxRecord): FbxTake {
  const channels = new Map<string, FbxVectorCurve>();
  let otherChannels = 0;
  for (const model of take.records) {
    if (model.name !== 'Model') continue;
    const written = textOf(model.properties[0]) ?? '';
    const id = [nameKey(written), `Model::${written}`].find((key) => scene.objects.get(key)?.kind === 'Model');
    for (const channel of channelsIn(model)) {
      if (id === undefined || channel.properties[0] !== 'Transform') {
        const shape = legacyShape(scene, id, textOf(channel.properties[0]) ?? '');
        const curve = shape === undefined ? null : readLegacyCurve(channel, ticksPerSecond, faults);
        const defaults = [defaultOf(channel), null, null] as const;
        if (shape !== undefined) channels.set(channelKey(shape, 'percent'), { curves: [curve, null, null], defaults });
        else if (hasKeys(channel)) otherChannels++;
        continue;
      }
      for (const vector of channelsIn(channel)) {
        const path = PATHS.get(textOf(vector.properties[0]) ?? '');
        if (path === undefined) continue;
        const parts = LEGACY_COMPONENTS.map((letter) => channelsIn(vector).find(({ properties: [l] }) => l === letter));
        const [x, y, z] = parts.map((part) => (part ? readLegacyCurve(part, ticksPerSecond, faults) : null));
        const [dx, dy, dz] = parts.map((part) => defaultOf(part));
        channels.set(channelKey(id, path), { curves: [x, y, z], defaults: [dx, dy, dz] });
      }
    }
  }
  const ranges = rangesOf(declaredTimes(take), ticksPerSecond);
  return { name, ranges, layers: [{ blend: ONLY_LAYER, channels }], otherChannels };
}

/** The id of the blend shape of a Model that a channel is named after; undefined where it has none of that name. */
function legacyShape({ objects }: FbxScene, modelId: string | undefined, name: string): string | undefined {
  const shapes = objects.get(modelId ?? '')?.record.records.filter((record) => record.name === 'Shape') ?? [];
  const isNamed = shapes.some(({ properties }) => splitName(textOf(properties[0]) ?? '').name === name);
  return modelId !== undefined && isNamed ? legacyShapeId(modelId, name) : undefined;
}

function channelsIn({ records }: FbxRecord): FbxRecord[] {
  return records.filter(({ name }) => name === 'Channel');
}

function defaultOf(channel: FbxRecord | undefined): number | null {
  return numberOf(recordIn(channel?.records ?? [], 'Default')?.properties[0]) ?? null;
}
