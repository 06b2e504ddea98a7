import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { numberProperty } from '../../../../src/formats/fbx/document/object-properties.ts';
import { childObjects, parentObjects, readScene } from '../../../../src/formats/fbx/nodes/fbx-scene.ts';
import { rec } from '../fbx-bytes.ts';
import { model, properties60, sceneOf } from '../fbx-scene.ts';

describe('readScene', () => {
  it('returns objects by id, with kind, name, type, index and properties', () => {
    const { scene, issues } = sceneOf({
      objects: [rec('NodeAttribute', [9n]), model(7, 'ns:Hips', 'LimbNode', { A: [1] })],
      templates: { Model: { A: [5], B: [6] } },
    });
    const hips = scene.objects.get('7');
    expect(hips).toMatchObject({ id: '7', index: 1, kind: 'Model', name: 'ns:Hips', type: 'LimbNode' });
    expect(numberProperty(hips!.properties, 'A', 0)).toBe(1);
    expect(numberProperty(hips!.properties, 'B', 0)).toBe(6);
    expect(scene.objects.get('9')).toMatchObject({ name: '', type: '' });
    expect(issues).toEqual([]);
  });

  it('distinguishes 64-bit ids that float64 cannot', () => {
    const objects = [9007199254740992n, 9007199254740993n].map((id) => rec('Model', [id, `${id}\0\x01Model`, 'Null']));
    expect([...sceneOf({ objects }).scene.objects.keys()]).toEqual(['9007199254740992', '9007199254740993']);
  });

  it('returns connections in both directions, with the driven property', () => {
    const { scene } = sceneOf({
      objects: [
        model(1, 'a', 'Null'),
        model(2, 'b', 'Null'),
        rec('AnimationCurveNode', [3, 'T\0\x01AnimCurveNode', '']),
      ],
      connections: [
        [1, 0],
        [2, 1],
        [3, 2, 'Lcl Rotation'],
        [2, 1],
      ],
    });
    expect(childObjects(scene, '1', 'Model').map(({ name }) => name)).toEqual(['b']);
    expect(parentObjects(scene, '2', 'Model').map(({ name }) => name)).toEqual(['a']);
    expect(childObjects(scene, '0', 'Model').map(({ name }) => name)).toEqual(['a']);
    expect(scene.childConnections.get('2')).toEqual([{ source: '3', destination: '2', property: 'Lcl Rotation' }]);
    // Driving a property is not belonging to the object.
    expect(childObjects(scene, '2', 'AnimationCurveNode')).toEqual([]);
  });

  it('reports connections to missing objects, and ignores those between properties', () => {
    const { scene, issues } = sceneOf({
      objects: [model(1, 'a', 'Null')],
      connections: [
        [1, 99],
        [98, 1],
        ['x', 1],
        [1.5, new Float64Array(2)],
      ],
    });
    expect(scene.parentConnections.size).toBe(0);
    expect(issues.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'FBX_SCENE 4 connections are incomplete or lead to missing objects; they were left out. Export the file again to get all of it.',
    ]);
    const between: Issue[] = [];
    const lines = rec('Connections', [], [rec('C', ['PP', 1, 'a', 2, 'b']), rec('C', ['PO', 1, 2, 'b']), rec('C', [])]);
    readScene({ encoding: 'binary', version: 7400, records: [lines] }, between);
    expect(between).toEqual([]);
  });

  it('reports no connection whose missing object would not be read', () => {
    const missing = (connections: readonly [number, number, string?][]): number =>
      sceneOf({ objects: [model(1, 'a', 'Null'), rec('Material', [2, 'm\0\x01Material', ''])], connections }).issues
        .length;
    expect(missing([[97, 98]])).toBe(0);
    expect(missing([[98, 1, 'lockInfluenceWeights']])).toBe(0);
    expect(missing([[98, 1, 'Lcl Rotation']])).toBe(1);
    expect(missing([[98, 2, 'DiffuseColor']])).toBe(1);
  });

  it('uses the first object with an id, and leaves out objects without an id', () => {
    const { scene, issues } = sceneOf({
      objects: [
        model(1, 'a', 'Null'),
        model(1, 'b', 'Null'),
        rec('Model'),
        rec('Model', [new Float64Array(3)]),
        rec('Model', ['']),
      ],
    });
    expect([...scene.objects.values()].map(({ name }) => name)).toEqual(['a']);
    expect(issues.map(({ message }) => message)).toEqual([
      '3 objects have neither an id nor a name; they were left out. Export the file again to get all of it.',
      '1 objects have the id of another object; the first one with each id was used. Export the file again to get all of it.',
    ]);
  });

  it('reads 6.1: names are ids, settings are among the objects, and Model::Scene is the root', () => {
    const issues: Issue[] = [];
    const records = [
      rec(
        'Objects',
        [],
        [
          rec('Model', ['Model::Hips', 'LimbNode'], [properties60({ A: [4] })]),
          rec('Model', ['Spine\0\x01Model', 'LimbNode']),
          rec('GlobalSettings', [], [properties60({ UpAxis: [2] })]),
        ],
      ),
      rec(
        'Connections',
        [],
        [
          rec('Connect', ['OO', 'Model::Hips', 'Model::Scene']),
          rec('Connect', ['OO', 'Model::Spine', 'Hips\0\x01Model']),
        ],
      ),
    ];
    const scene = readScene({ encoding: 'ascii', version: 6100, records }, issues);
    expect(scene.rootId).toBe('Model::Scene');
    expect(scene.objects.get('Model::Hips')).toMatchObject({ kind: 'Model', name: 'Hips', type: 'LimbNode', index: 0 });
    expect(childObjects(scene, 'Model::Hips', 'Model').map(({ name }) => name)).toEqual(['Spine']);
    expect(childObjects(scene, scene.rootId, 'Model').map(({ name }) => name)).toEqual(['Hips']);
    expect(numberProperty(scene.settings, 'UpAxis', 0)).toBe(2);
    expect(issues).toEqual([]);
  });

  it('joins repeated sections, and accepts missing ones', () => {
    const twice = [rec('Objects', [], [model(1, 'a', 'Null')]), rec('Objects', [], [model(2, 'b', 'Null')])];
    expect(readScene({ encoding: 'binary', version: 7400, records: twice }, []).objects.size).toBe(2);
    expect(readScene({ encoding: 'binary', version: 7400, records: [] }, []).objects.size).toBe(0);
  });
});
