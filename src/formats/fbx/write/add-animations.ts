import type { Track, TrackPath } from '../../../core/animation/clip.ts';
import { unionTimes } from '../../../core/animation/resample.ts';
import { WEIGHT_TOLERANCE } from '../../../core/animation/resample-tolerance.ts';
import { sampleKeys } from '../../../core/animation/sample.ts';
import type { MorphTrack, NewAnimation } from '../../../core/asset/asset.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { Skeleton } from '../../../core/skeleton/skeleton.ts';
import { localSizes, nodeReaches } from '../../../core/skeleton/skeleton-size.ts';
import { SEGMENT } from '../animation/fbx-curve.ts';
import { morphedNodes } from '../animation/read-morph-tracks.ts';
import type { FbxProperty, FbxRecord, FbxTree } from '../document/fbx-tree.ts';
import { nameKey } from '../document/object-names.ts';
import { numberOf } from '../document/records.ts';
import { type FbxScene, readScene } from '../nodes/fbx-scene.ts';
import { readSkeletons } from '../nodes/read-fbx-skeletons.ts';
import { type ModelForest, readModels } from '../nodes/read-models.ts';
import { unlistedKinds } from '../nodes/unlisted-kinds.ts';
import { type FittedCurves, fitCurves } from './animation/fit-curves.ts';
import { liftLimits } from './animation/lift-limits.ts';
import {
  type ModelScale,
  type NodeCurves,
  type NodeTracks,
  nodeCurves,
  writtenNodes,
} from './animation/node-curves.ts';
import { type TimeMode, ticksAt, timeModeOf } from './animation/time-mode.ts';
import { type PropertyCurves, writeAnimation } from './animation/write-animation.ts';
import { listRecord, property70, record } from './build-records.ts';

/** Returns a record with other nested records. Trees are immutable: this and the following return copies of what changes. */
function withRecords(record: FbxRecord, records: readonly FbxRecord[]): FbxRecord {
  const { hasEmptyList: _hasEmptyList, ...rest } = record;
  // What had a list keeps one.
  return { ...rest, records, ...(records.length === 0 ? { hasEmptyList: true } : {}) };
}

function withProperties(record: FbxRecord, properties: readonly FbxProperty[]): FbxRecord {
  return { ...record, properties };
}

/** Replaces the nested records of the last record with a name by what `edit` returns for them. */
function editLast(
  records: readonly FbxRecord[],
  name: string,
  edit: (records: readonly FbxRecord[]) => readonly FbxRecord[],
): readonly FbxRecord[] {
  const at = records.findLastIndex((record) => record.name === name);
  return at < 0 ? records : records.with(at, withRecords(records[at], edit(records[at].records)));
}

/** Kinds of objects below an animation stack, from the top, with the kind of object that needs them. */
const CHAIN: readonly (readonly [kind: string, user: string])[] = [
  ['AnimationLayer', 'AnimationStack'],
  ['AnimationCurveNode', 'AnimationLayer'],
  ['AnimationCurve', 'AnimationCurveNode'],
];

/** Returns the ids of all animation stacks, and of the layers, curve nodes and curves that nothing else needs. */
function animationIds({ objects, parentConnections }: FbxScene): Set<string> {
  const ids = new Set<string>();
  for (const { id, kind } of objects.values()) if (kind === 'AnimationStack') ids.add(id);
  for (const [kind, user] of CHAIN) {
    for (const object of objects.values()) {
      if (object.kind !== kind) continue;
      const users = (parentConnections.get(object.id) ?? []).filter(
        ({ destination }) => objects.get(destination)?.kind === user,
      );
      if (users.length > 0 && users.every(({ destination }) => ids.has(destination))) ids.add(object.id);
    }
  }
  return ids;
}

const PROPERTIES: Readonly<Record<TrackPath, readonly [property: string, name: string]>> = {
  translation: ['Lcl Translation', 'T'],
  rotation: ['Lcl Rotation', 'R'],
  scale: ['Lcl Scaling', 'S'],
};
const XYZ = ['d|X', 'd|Y', 'd|Z'] as const;
const PERCENT = 'DeformPercent';

/**
 * Adds clips as animation stacks with new objects, connections and definitions. Objects, ids, properties, poses, materials and unknown records stay
 * as they are, except limits of joints that the clips go beyond, and kinds of objects that definitions lack; global settings get the frame rate and range of the clips only if the file has no other animation. A key of the clip is a key of the
 * curves, and more are added only where curves of Euler angles would be off by more than 0.005°. `tree`: FBX 7.0 or later; it stays unchanged.
 * `animations`: clips on objects of the file, in its axes and unit. `replace`: whether animation stacks of the file are removed, with what only
 * they need. Reports clips that animate nothing of the file, weights of meshes with other blend shapes, and joints whose limits were switched off.
 */
export function addAnimations(
  tree: FbxTree,
  animations: readonly NewAnimation[],
  replace: boolean,
): { readonly tree: FbxTree; readonly issues: readonly Issue[] } {
  const issues: Issue[] = [];
  const scene = readScene(tree, []);
  const forest = readModels(scene, []);
  const removed = replace ? animationIds(scene) : new Set<string>();
  const newId = idSource(scene);
  const timeMode = timeModeOf(animations);
  const objects: FbxRecord[] = [];
  const connections: FbxRecord[] = [];
  const written: NewAnimation[] = [];
  const curves: PropertyCurves[] = [];
  const scales = modelScales(scene, forest);
  for (const animation of animations) {
    const properties = [
      ...nodeProperties(forest, scales, animation),
      ...morphProperties(scene, forest, animation, issues),
    ];
    if (properties.length === 0) {
      issues.push(
        issue(
          'CLIP_EMPTY',
          `The clip ${JSON.stringify(animation.name)} animates nothing of the file and was left out.`,
        ),
      );
      continue;
    }
    const { name, clip } = animation;
    const made = writeAnimation(name.replaceAll('\0', ''), properties, clip.duration, timeMode, newId);
    for (const one of made.objects) objects.push(one);
    for (const one of made.connections) connections.push(one);
    for (const one of properties) curves.push(one);
    written.push(animation);
  }
  if (objects.length === 0 && removed.size === 0) return { tree, issues };
  const unlimited = withoutLimits(forest, curves, issues);
  const records = editTree(tree, scene, { removed, objects, unlimited, connections, written, timeMode });
  return { tree: { ...tree, records }, issues };
}

/** Returns the records of Models without the limits that curves go beyond, by those with them. */
function withoutLimits(
  { models }: ModelForest,
  curves: readonly PropertyCurves[],
  issues: Issue[],
): Map<FbxRecord, FbxRecord> {
  const curvesOf = new Map<FbxProperty, PropertyCurves[]>();
  for (const one of curves) curvesOf.set(one.object, [...(curvesOf.get(one.object) ?? []), one]);
  const out = new Map<FbxRecord, FbxRecord>();
  const names: string[] = [];
  for (const model of models) {
    const lifted = liftLimits(model, curvesOf.get(model.record.properties[0]) ?? []);
    if (lifted === null) continue;
    out.set(model.record, lifted);
    names.push(model.name);
  }
  if (names.length > 0) {
    const message =
      `Limits were switched off at ${names.length === 1 ? 'a joint' : `${names.length} joints, of which the first is`} ${JSON.stringify(names[0])}, because the clips go beyond them: ` +
      'programs with the FBX SDK, such as Maya, would hold it there. Switch them on again where other animations of the file need them.';
    issues.push(issue('FBX_SCENE', message));
  }
  return out;
}

/** Returns the size of the skeleton of each Model in the unit of its translations, and how far the Model reaches in it: what the accuracy of curves depends on. */
function modelScales(scene: FbxScene, forest: ModelForest): ModelScale[] {
  const scalesOf = (skeleton: Pick<Skeleton, 'parents' | 'rest' | 'joints'>): ModelScale[] => {
    const reaches = nodeReaches(skeleton);
    return Array.from(localSizes(skeleton), (size, node) => ({ size, reach: reaches[node] }));
  };
  const scales = scalesOf({ ...forest, joints: new Uint8Array(forest.models.length) });
  for (const { skeleton, modelIndices } of readSkeletons(scene, forest, [])) {
    const own = scalesOf(skeleton);
    for (const [node, model] of modelIndices.entries()) scales[model] = own[node];
  }
  return scales;
}

function idSource({ objects }: FbxScene): () => number {
  let last = 0;
  for (const id of objects.keys()) {
    const number = Number(id);
    if (Number.isSafeInteger(number) && number < Number.MAX_SAFE_INTEGER / 2) last = Math.max(last, number);
  }
  return () => {
    do last++;
    while (objects.has(String(last)));
    return last;
  };
}

function idOf(scene: FbxScene, id: string): FbxProperty | undefined {
  return scene.objects.get(id)?.record.properties[0];
}

function nodeProperties(
  forest: ModelForest,
  scales: readonly ModelScale[],
  { clip, sourceNodes }: NewAnimation,
): PropertyCurves[] {
  const modelOfObject = new Map(forest.models.map(({ index }, model) => [index, model]));
  const tracks = new Map<number, Record<TrackPath, Track | null>>();
  for (const track of clip.tracks) {
    const model = modelOfObject.get(sourceNodes[track.target]);
    if (model === undefined || track.times.length === 0) continue;
    const own = tracks.get(model) ?? { translation: null, rotation: null, scale: null };
    own[track.path] ??= track;
    tracks.set(model, own);
  }
  const nodes = writtenNodes(forest, tracks satisfies ReadonlyMap<number, NodeTracks>);
  const keyTimes = clip.keyTimes === undefined ? null : new Set(Array.from(clip.keyTimes, Math.fround));
  const curves = nodes.map((node, model) => nodeCurves(node, scales[model], keyTimes));
  return withoutRest(curves).flatMap((own, model) =>
    own.map(({ path, curves }): PropertyCurves => {
      const [property, name] = PROPERTIES[path];
      return { object: forest.models[model].record.properties[0], property, name, parts: XYZ, curves };
    }),
  );
}

function endOf(nodes: readonly (readonly NodeCurves[])[]): number {
  return nodes.flat().reduce((end, { curves: { times } }) => Math.max(end, times[times.length - 1]), 0);
}

/**
 * Leaves out curves that stay at the values of their node, as long as the others are as long. A node keeps at least one property: Blender leaves nodes without curves
 * in the bind pose.
 */
function withoutRest(nodes: readonly (readonly NodeCurves[])[]): readonly (readonly NodeCurves[])[] {
  const kept = nodes.map((all) => {
    const moving = all.filter(({ isAtRest }) => !isAtRest);
    return moving.length > 0 ? moving : all.slice(0, 1);
  });
  return endOf(kept) < endOf(nodes) ? nodes : kept;
}

/** Returns the curves of the blend shapes whose weight moves or differs from that of the file. */
function morphProperties(
  scene: FbxScene,
  forest: ModelForest,
  { morphs = [] }: NewAnimation,
  issues: Issue[],
): PropertyCurves[] {
  if (morphs.length === 0) return [];
  const nodes = morphedNodes(scene, forest);
  return morphs.flatMap((track) => {
    const targets = nodes.find(({ model }) => model.index === track.sourceNode)?.targets ?? [];
    if (targets.length !== track.targetCount) {
      const message = `${track.targetCount} × morph weights of ${JSON.stringify(track.nodeName)} were dropped: its mesh has ${targets.length} blend shapes.`;
      issues.push(issue('CHANNELS_DROPPED', message));
      return [];
    }
    return targets.flatMap(({ id, fullWeight, percent }, target): PropertyCurves[] => {
      const object = idOf(scene, id);
      const curves = percentCurves(track, target, fullWeight);
      if (object === undefined || curves.values.every((value) => value === percent)) return [];
      return [{ object, property: PERCENT, name: PERCENT, parts: [`d|${PERCENT}`], curves }];
    });
  });
}

function percentCurves(track: MorphTrack, target: number, fullWeight: number): FittedCurves {
  const { times, interpolation, targetCount } = track;
  const weights = new Float64Array(targetCount);
  const percentAt = (time: number): number => {
    sampleKeys(track, targetCount, false, time, weights, 0);
    return weights[target] * fullWeight;
  };
  if (interpolation === 'STEP') {
    return {
      times: [...times],
      width: 1,
      values: Array.from(times, percentAt),
      segments: new Array<number>(times.length).fill(SEGMENT.CONSTANT),
      slopes: new Array<number>(2 * times.length).fill(0),
    };
  }
  return fitCurves(
    {
      width: 1,
      exactWidth: 1,
      evaluate: (time, exact) => {
        exact[0] = percentAt(time);
      },
      follow: (numbers, exact) => numbers.set(exact),
      miss: (numbers, exact) => Math.abs(numbers[0] - exact[0]),
      tolerance: WEIGHT_TOLERANCE * fullWeight,
      kinkTolerance: WEIGHT_TOLERANCE * fullWeight,
      fileUnit: 1,
      start: [0],
    },
    unionTimes([times]),
  );
}

interface TreeChanges {
  readonly removed: ReadonlySet<string>;
  readonly objects: readonly FbxRecord[];
  /** Records of Models that are replaced. */
  readonly unlimited: ReadonlyMap<FbxRecord, FbxRecord>;
  readonly connections: readonly FbxRecord[];
  readonly written: readonly NewAnimation[];
  readonly timeMode: TimeMode;
}

function editTree(tree: FbxTree, scene: FbxScene, changes: TreeChanges): readonly FbxRecord[] {
  const { removed, objects, unlimited, connections, written, timeMode } = changes;
  const counts = new Map<string, number>();
  const count = (kind: string, change: number): void => void counts.set(kind, (counts.get(kind) ?? 0) + change);
  for (const { name } of objects) count(name, 1);
  const isKept = (property: FbxProperty | undefined): boolean => {
    const id = typeof property === 'string' ? nameKey(property) : String(property);
    return !removed.has(id);
  };
  let records: readonly FbxRecord[] = tree.records.map((section) => {
    if (removed.size === 0) return section;
    if (section.name === 'Objects') {
      return withRecords(
        section,
        section.records.filter(({ properties }) => isKept(properties[0])),
      );
    }
    if (section.name !== 'Connections') return section;
    return withRecords(
      section,
      section.records.filter(({ properties }) => isKept(properties[1]) && isKept(properties[2])),
    );
  });
  for (const id of removed) count(scene.objects.get(id)?.kind ?? '', -1);
  const unlisted = new Set(unlistedKinds(tree, scene));
  for (const { kind } of scene.objects.values()) if (unlisted.has(kind)) count(kind, 1);
  const isMissing = (name: string): boolean => !records.some((section) => section.name === name);
  if (isMissing('Definitions')) {
    const none = listRecord('Definitions', [record('Version', 'I', [100]), record('Count', 'I', [0])]);
    records = records.toSpliced(
      records.findIndex(({ name }) => name === 'Objects'),
      0,
      none,
    );
  }
  for (const name of ['Objects', 'Connections']) if (isMissing(name)) records = [...records, listRecord(name, [])];
  records = editLast(records, 'Objects', (all) => [...all.map((one) => unlimited.get(one) ?? one), ...objects]);
  records = editLast(records, 'Connections', (all) => [...all, ...connections]);
  records = editLast(records, 'Definitions', (all) => editDefinitions(all, counts));
  records = editLast(records, 'Takes', (all) => editTakes(all, scene, changes));
  const stacks = [...scene.objects.values()].filter(({ kind }) => kind === 'AnimationStack');
  const hasOthers = stacks.some(({ id }) => !removed.has(id));
  if (hasOthers || written.length === 0) return records;
  records = editLast(records, 'Documents', (all) => all.map((document) => setActiveStack(document, written[0].name)));
  return editLast(records, 'GlobalSettings', (all) => setTimes(all, written, timeMode));
}

function editDefinitions(records: readonly FbxRecord[], counts: ReadonlyMap<string, number>): FbxRecord[] {
  const total = [...counts.values()].reduce((sum, change) => sum + change, 0);
  const known = new Set<FbxProperty>();
  const out = records.map((one) => {
    if (one.name === 'Count') return addCount(one, total);
    const [kind] = one.properties;
    const change = one.name === 'ObjectType' && typeof kind === 'string' ? counts.get(kind) : undefined;
    if (change === undefined || known.has(kind)) return one;
    known.add(kind);
    return withRecords(
      one,
      one.records.map((inner) => (inner.name === 'Count' ? addCount(inner, change) : inner)),
    );
  });
  for (const [kind, change] of counts) {
    if (!known.has(kind) && change > 0) out.push(record('ObjectType', 'S', [kind], [record('Count', 'I', [change])]));
  }
  return out;
}

function addCount(one: FbxRecord, change: number): FbxRecord {
  return withProperties(one, [(numberOf(one.properties[0]) ?? 0) + change, ...one.properties.slice(1)]);
}

/** Files of FBX 7 list each stack also as a take. */
function editTakes(
  records: readonly FbxRecord[],
  { objects }: FbxScene,
  { removed, written, timeMode }: TreeChanges,
): FbxRecord[] {
  const gone = new Set<FbxProperty | undefined>();
  for (const id of removed) if (objects.get(id)?.kind === 'AnimationStack') gone.add(objects.get(id)?.name);
  const kept = records.filter((one) => one.name !== 'Take' || !gone.has(one.properties[0]));
  const [first] = written;
  const out = kept.map((one) => {
    const isStale = one.name === 'Current' && first !== undefined && gone.has(one.properties[0]);
    return isStale ? withProperties(one, [first.name]) : one;
  });
  for (const { name, clip } of written) {
    const stop = ticksAt(clip.duration, timeMode);
    out.push(
      record(
        'Take',
        'S',
        [name],
        [
          record('FileName', 'S', [`${name}.tak`]),
          record('LocalTime', 'LL', [0, stop]),
          record('ReferenceTime', 'LL', [0, stop]),
        ],
      ),
    );
  }
  return out;
}

function setActiveStack(document: FbxRecord, name: string): FbxRecord {
  if (document.name !== 'Document') return document;
  return withRecords(
    document,
    editLast(document.records, 'Properties70', (rows) =>
      rows.map((row) =>
        row.properties[0] === 'ActiveAnimStackName' ? withProperties(row, [...row.properties.slice(0, 4), name]) : row,
      ),
    ),
  );
}

function setTimes(
  records: readonly FbxRecord[],
  written: readonly NewAnimation[],
  timeMode: TimeMode,
): readonly FbxRecord[] {
  const stop = Math.max(...written.map(({ clip }) => ticksAt(clip.duration, timeMode)));
  const rows = [
    property70('TimeMode', 'enum', timeMode.mode),
    property70('CustomFrameRate', 'double', timeMode.isCustom ? timeMode.rate : -1),
    property70('TimeSpanStart', 'time', 0),
    property70('TimeSpanStop', 'time', stop),
  ];
  return editLast(records, 'Properties70', (all) => {
    const missing = rows.filter(({ properties }) => !all.some((row) => row.properties[0] === properties[0]));
    const set = all.map((row) => rows.find(({ properties }) => properties[0] === row.properties[0]) ?? row);
    return [...set, ...missing];
  });
}
