import { describe, expect, it } from 'vitest';
import {
  channelKey,
  type FbxTake,
  type TakeReader,
  ticksPerSecond,
} from '../../../../src/formats/fbx/animation/fbx-take.ts';
import { listTakes, readTake } from '../../../../src/formats/fbx/animation/read-fbx-clips.ts';
import { type FbxScene, readScene } from '../../../../src/formats/fbx/nodes/fbx-scene.ts';
import { animation, type DrawnCurve, type DrawnStack, SECOND, ticks } from '../fbx-animation.ts';
import { rec } from '../fbx-bytes.ts';
import { model, sceneOf, treeOf } from '../fbx-scene.ts';

const LINE: DrawnCurve = { times: [0, 1], values: [0, 10] };
const ROTATION = { model: 1, property: 'Lcl Rotation', curves: [LINE, null, LINE] };

function sceneWith(stacks: readonly DrawnStack[]): FbxScene {
  const { objects, connections } = animation(stacks);
  return sceneOf({ objects: [model(1, 'Hips', 'LimbNode'), ...objects], connections: [[1, 0], ...connections] }).scene;
}

function takesOf(scene: FbxScene): { takes: FbxTake[]; reader: TakeReader } {
  const reader = { scene, ticksPerSecond: SECOND, faults: new Map(), curves: new Map() };
  return { takes: listTakes(scene).map((entry) => readTake(reader, entry)), reader };
}

describe('listTakes and readTake: FBX 7', () => {
  it('list the stacks with a curve; names may repeat', () => {
    const still = { model: 1, property: 'Lcl Rotation', curves: [], defaults: { 'd|X': [5] } };
    const scene = sceneWith([
      { name: 'walk', layers: [{ channels: [ROTATION] }] },
      { name: 'still', layers: [{ channels: [still] }] },
      { name: 'none', layers: [] },
      { name: 'walk', layers: [{ channels: [{ ...ROTATION, property: 'Visibility' }] }] },
    ]);
    expect(listTakes(scene).map(({ name }) => name)).toEqual(['walk', 'walk']);
    const [first, second] = takesOf(scene).takes;
    expect([first.otherChannels, second.otherChannels]).toEqual([0, 1]);
    expect([...second.layers[0].channels.keys()]).toEqual([]);
  });

  it('return curves and defaults by Model and path', () => {
    const channel = { ...ROTATION, defaults: { 'd|X': [1], 'd|Y': [2], 'd|Z': ['x'] } };
    const { takes } = takesOf(sceneWith([{ layers: [{ channels: [channel] }] }]));
    const vector = takes[0].layers[0].channels.get(channelKey('1', 'rotation'));
    expect(vector?.curves.map((curve) => curve?.values.length)).toEqual([2, undefined, 2]);
    expect(vector?.defaults).toEqual([1, 2, null]);
  });

  it('return the declared ranges: local, reference, then those of the Take with the same name', () => {
    const values = {
      LocalStart: [ticks(1)],
      LocalStop: [ticks(3)],
      ReferenceStart: [Number(ticks(0))],
      ReferenceStop: [ticks(4)],
    };
    const { objects, connections } = animation([
      { name: 'a', values, layers: [{ channels: [ROTATION] }] },
      { name: 'b', values: { LocalStart: [5], LocalStop: [5] }, layers: [{ channels: [ROTATION] }] },
    ]);
    const tree = treeOf({ objects: [model(1, 'Hips', 'LimbNode'), ...objects], connections });
    const takes = rec('Takes', [], [rec('Take', ['b'], [rec('LocalTime', [0, 2 * SECOND])])]);
    const scene = readScene({ ...tree, records: [...tree.records, takes] }, []);
    expect(takesOf(scene).takes.map(({ ranges }) => ranges)).toEqual([
      [
        { start: 1, end: 3 },
        { start: 0, end: 4 },
      ],
      [{ start: 0, end: 2 }],
    ]);
  });

  it('return layers from the bottom, with blend modes and weights', () => {
    const blends = takesOf(
      sceneWith([
        {
          layers: [
            { channels: [ROTATION], values: { Weight: [30] } },
            { channels: [ROTATION], values: { BlendMode: [1], RotationAccumulationMode: [1], Weight: [250] } },
            { channels: [ROTATION], values: { BlendMode: [2], ScaleAccumulationMode: [1] }, weight: LINE },
            { channels: [ROTATION], values: { BlendMode: [77] } },
          ],
        },
      ]),
    ).takes[0].layers.map(({ blending }) => blending);
    expect(blends.map(({ isBase }) => isBase)).toEqual([true, false, false, false]);
    expect(blends.map(({ mode }) => mode)).toEqual(['additive', 'override', 'passthrough', 'additive']);
    expect(blends.map(({ weight }) => weight)).toEqual([0.3, 1, 1, 1]);
    expect(blends.map(({ blendsAsRotation }) => blendsAsRotation)).toEqual([true, false, true, true]);
    expect(blends.map(({ multipliesScale }) => multipliesScale)).toEqual([true, true, false, true]);
    expect(blends.map(({ weightCurve }) => weightCurve?.values.length)).toEqual([undefined, undefined, 2, undefined]);
  });

  it('leave out muted layers, and others than solo layers if there are any', () => {
    const counts = (...values: readonly Record<string, readonly [number]>[]): boolean[] =>
      takesOf(
        sceneWith([{ layers: values.map((one) => ({ channels: [ROTATION], values: one })) }]),
      ).takes[0].layers.map(({ blending }) => blending.isBase);
    expect(counts({ Mute: [1] }, {})).toEqual([false]);
    expect(counts({}, { Solo: [1] }, { Solo: [1], Mute: [1] })).toEqual([false]);
    expect(counts({}, { Mute: [0] })).toEqual([true, false]);
  });

  it('use the first of two curve nodes for a channel of a layer, and read shared curves once', () => {
    const scene = sceneWith([
      { layers: [{ channels: [ROTATION, { ...ROTATION, curves: [{ times: [0], values: [7] }] }] }] },
    ]);
    const { takes, reader } = takesOf(scene);
    expect(takes[0].layers[0].channels.get(channelKey('1', 'rotation'))?.curves[0]?.values.length).toBe(2);
    expect([...reader.faults]).toEqual([
      ['animate a property that an earlier curve of the layer animates; the first ones were used', 1],
    ]);
    const before = [...reader.curves.values()];
    readTake(reader, listTakes(scene)[0]);
    expect([...reader.curves.values()]).toEqual(before);
  });

  it('ticksPerSecond: depends on the version', () => {
    const tree = treeOf({ version: 8000 });
    const header = (definition: number) =>
      rec('FBXHeaderExtension', [], [rec('OtherFlags', [], [rec('TCDefinition', [definition])])]);
    expect(ticksPerSecond(treeOf({ version: 7700 }))).toBe(SECOND);
    expect(ticksPerSecond(tree)).toBe(141120000);
    expect(ticksPerSecond({ ...tree, records: [header(0)] })).toBe(141120000);
    expect(ticksPerSecond({ ...tree, records: [header(127)] })).toBe(SECOND);
  });
});

describe('listTakes and readTake: FBX 6', () => {
  const part = (letter: string, ...keys: readonly (number | string)[]) =>
    rec('Channel', [letter], [rec('Default', [3]), ...(keys.length > 0 ? [rec('Key', keys)] : [])]);
  const transform = rec(
    'Channel',
    ['Transform'],
    [
      rec('Channel', ['R'], [part('X', 0, 1, 'L', SECOND, 2, 'L'), part('Y'), part('Z', 0, 5, 'L')]),
      rec('Channel', ['Q'], [part('X', 0, 1, 'L')]),
    ],
  );
  const take = (name: string, ...records: readonly ReturnType<typeof rec>[]) =>
    rec('Take', [name], [rec('LocalTime', [0, SECOND]), ...records]);

  function sceneWithTakes(...takes: readonly ReturnType<typeof rec>[]): FbxScene {
    const objects = [rec('Model', ['Model::Hips', 'LimbNode'])];
    const tree = treeOf({ version: 6100, objects });
    return readScene({ ...tree, records: [...tree.records, rec('Takes', [], [rec('Current', ['a']), ...takes])] }, []);
  }

  it('return takes with keys, and their curves by the names of Models', () => {
    const scene = sceneWithTakes(
      take('a', rec('Model', ['Model::Hips'], [transform, part('Visibility', 0, 1, 'L')])),
      take('empty', rec('Model', ['Model::Hips'], [rec('Channel', ['Transform'])])),
      take('b', rec('Model', ['Hips\0\x01Model'], [transform]), rec('Model', ['Model::Gone'], [transform])),
    );
    const { takes } = takesOf(scene);
    expect(takes.map(({ name, otherChannels }) => [name, otherChannels])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    for (const { layers, ranges } of takes) {
      expect(ranges).toEqual([{ start: 0, end: 1 }]);
      expect([...layers[0].channels.keys()]).toEqual([channelKey('Model::Hips', 'rotation')]);
      const [vector] = layers[0].channels.values();
      expect(vector.curves.map((curve) => curve && [...curve.values])).toEqual([[1, 2], null, [5]]);
      expect(vector.defaults).toEqual([3, 3, 3]);
    }
  });

  it('return nothing without a section of Takes', () => {
    expect(listTakes(sceneOf({ version: 6100 }).scene)).toEqual([]);
  });
});
