import { areEqualFloats } from '../../../core/math/floats.ts';
import { tallyIssue } from '../../../core/report/issue-tally.ts';
import type { FbxProperty } from '../document/fbx-tree.ts';
import { boolProperty, numberProperty, propertyOf } from '../document/object-properties.ts';
import { numberOf } from '../document/records.ts';
import { childObjects, type FbxObject } from '../nodes/fbx-scene.ts';
import { type BlendMode, clampWeight, type FbxVectorCurve, type LayerBlending } from './animation-layers.ts';
import type { FbxCurve } from './fbx-curve.ts';
import {
  type ChannelPath,
  channelKey,
  type FbxLayer,
  type FbxTake,
  rangesOf,
  type TakeReader,
  type TimeRange,
  TRANSFORM_PATHS,
} from './fbx-take.ts';
import { readAnimationCurve } from './read-animation-curve.ts';
import { declaredTimes, takeRecords } from './read-legacy-take.ts';

const COMPONENTS: readonly string[] = ['d|X', 'd|Y', 'd|Z'];

const PERCENT = 'DeformPercent';

/** Values 0, 1 and 2 of the property `BlendMode`. */
const BLEND_MODES: readonly BlendMode[] = ['additive', 'override', 'passthrough'];

/** Reads an animation stack with all its curves. `reader`: scene, time unit and shared curves. */
export function readAnimationStack(reader: TakeReader, name: string, stack: FbxObject): FbxTake {
  const { scene } = reader;
  const all = childObjects(scene, stack.id, 'AnimationLayer');
  const solo = all.filter(({ properties }) => boolProperty(properties, 'Solo', false));
  const active = (solo.length > 0 ? solo : all).filter(({ properties }) => !boolProperty(properties, 'Mute', false));
  let otherChannels = 0;
  const layers = active.map((layer): FbxLayer => {
    const channels = new Map<string, FbxVectorCurve>();
    for (const node of childObjects(scene, layer.id, 'AnimationCurveNode')) {
      otherChannels += readCurveNode(reader, layer, node, channels);
    }
    return { blending: readBlending(reader, layer, layer === all[0]), channels };
  });
  return { name, ranges: stackRanges(reader, name, stack), layers, otherChannels };
}

/** Returns the time ranges that an animation stack declares. */
export function stackRanges({ scene, ticksPerSecond }: TakeReader, name: string, stack: FbxObject): TimeRange[] {
  const time = (property: string): FbxProperty | undefined => propertyOf(stack.properties, property)?.[0];
  // Files of FBX 7 also have Take records with the same names.
  const take = takeRecords(scene).find(({ properties }) => properties[0] === name);
  const pairs = [
    [time('LocalStart'), time('LocalStop')],
    [time('ReferenceStart'), time('ReferenceStop')],
    ...(take === undefined ? [] : declaredTimes(take)),
  ];
  return rangesOf(pairs, ticksPerSecond);
}

function readBlending(reader: TakeReader, layer: FbxObject, isBase: boolean): LayerBlending {
  const { scene } = reader;
  const { id, properties } = layer;
  const weightNode = scene.childConnections.get(id)?.find(({ property }) => property === 'Weight')?.source;
  const [weightCurve] = weightNode === undefined ? [] : curvesBelow(reader, weightNode).values();
  return {
    isBase,
    mode: BLEND_MODES[numberProperty(properties, 'BlendMode', 0)] ?? 'additive',
    blendsAsRotation: numberProperty(properties, 'RotationAccumulationMode', 0) === 0,
    multipliesScale: numberProperty(properties, 'ScaleAccumulationMode', 0) === 0,
    weight: clampWeight(numberProperty(properties, 'Weight', 100) / 100),
    weightCurve: weightCurve ?? null,
  };
}

/** Adds what a curve node animates to `channels`. Returns the number of other properties that it animates. */
function readCurveNode(
  reader: TakeReader,
  layer: FbxObject,
  node: FbxObject,
  channels: Map<string, FbxVectorCurve>,
): number {
  const { scene, faults } = reader;
  const curves = curvesBelow(reader, node.id);
  let others = 0;
  for (const { destination, property } of scene.parentConnections.get(node.id) ?? []) {
    if (property === '' || destination === layer.id) continue;
    const path = pathOf(scene.objects.get(destination), property);
    if (path === undefined) {
      if (curves.size > 0) others++;
      continue;
    }
    const key = channelKey(destination, path);
    const former = channels.get(key);
    if (former?.curves.some((curve) => curve !== null)) {
      tallyIssue(
        faults,
        'animate a property that an earlier curve of the layer animates; the first ones were used',
        curves.size,
      );
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
  if (object?.kind === 'Model') return TRANSFORM_PATHS.get(property);
  return object?.type === 'BlendShapeChannel' && property === PERCENT ? 'percent' : undefined;
}

/** Lets a curve share the times of another one where they are equal, as those of x, y and z mostly are. */
function withTimesOf(other: FbxCurve | undefined, curve: FbxCurve | null): FbxCurve | null {
  if (other === undefined || curve === null || !areEqualFloats(other.times, curve.times)) return curve;
  return { ...curve, times: other.times };
}

function curvesBelow(reader: TakeReader, nodeId: string): Map<string, FbxCurve> {
  const { scene, curves, ticksPerSecond, faults } = reader;
  const out = new Map<string, FbxCurve>();
  for (const { source, property } of scene.childConnections.get(nodeId) ?? []) {
    const object = scene.objects.get(source);
    if (object?.kind !== 'AnimationCurve' || out.has(property)) continue;
    let curve = curves.get(source);
    if (curve === undefined) {
      curve = withTimesOf([...out.values()].at(0), readAnimationCurve(object.record, ticksPerSecond, faults));
      curves.set(source, curve);
    }
    if (curve !== null) out.set(property, curve);
  }
  return out;
}
