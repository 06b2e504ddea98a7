import type { FbxProperty, FbxRecord } from '../document/fbx-tree.ts';
import { nameKey, splitName } from '../document/object-names.ts';
import { numberOf, recordIn, textOf } from '../document/records.ts';
import { legacyShapeId } from '../meshes/read-shapes.ts';
import type { FbxScene } from '../nodes/fbx-scene.ts';
import type { FbxVectorCurve, LayerBlending } from './animation-layers.ts';
import { channelKey, type FbxTake, rangesOf, type TakeReader, TRANSFORM_PATHS } from './fbx-take.ts';
import { readLegacyCurve } from './read-legacy-curve.ts';

const LEGACY_COMPONENTS: readonly string[] = ['X', 'Y', 'Z'];

const ONLY_LAYER: LayerBlending = {
  isBase: true,
  mode: 'override',
  blendsAsRotation: true,
  multipliesScale: true,
  weight: 1,
  weightCurve: null,
};

export function takeRecords({ tree }: FbxScene): FbxRecord[] {
  return (recordIn(tree.records, 'Takes')?.records ?? []).filter(({ name }) => name === 'Take');
}

/** Returns the time ranges that a Take record declares, start and end of `LocalTime` and `ReferenceTime`, ticks; empty for a missing range. */
export function declaredTimes({ records }: FbxRecord): (readonly FbxProperty[])[] {
  return ['LocalTime', 'ReferenceTime'].map((name) => recordIn(records, name)?.properties ?? []);
}

/** Checks whether a record contains a `Key` record at any depth. */
export function hasKeys(take: FbxRecord): boolean {
  const stack: FbxRecord[] = [take];
  for (let record = stack.pop(); record !== undefined; record = stack.pop()) {
    if (record.name === 'Key' && record.properties.length > 0) return true;
    for (const child of record.records) stack.push(child);
  }
  return false;
}

/** Reads a take of FBX 6. */
export function readLegacyTake({ scene, ticksPerSecond, faults }: TakeReader, name: string, take: FbxRecord): FbxTake {
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
        const path = TRANSFORM_PATHS.get(textOf(vector.properties[0]) ?? '');
        if (path === undefined) continue;
        const parts = LEGACY_COMPONENTS.map((letter) => channelsIn(vector).find(({ properties: [l] }) => l === letter));
        const [x, y, z] = parts.map((part) => (part ? readLegacyCurve(part, ticksPerSecond, faults) : null));
        const [dx, dy, dz] = parts.map((part) => defaultOf(part));
        channels.set(channelKey(id, path), { curves: [x, y, z], defaults: [dx, dy, dz] });
      }
    }
  }
  const ranges = rangesOf(declaredTimes(take), ticksPerSecond);
  return { name, ranges, layers: [{ blending: ONLY_LAYER, channels }], otherChannels };
}

/** Returns the id of a Model's blend shape by the name of its channel; undefined without such a blend shape. */
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
