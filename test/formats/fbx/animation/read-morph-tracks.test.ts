import { describe, expect, it } from 'vitest';
import type { FbxProperty } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { readFbxTree } from '../../../../src/formats/fbx/read-fbx.ts';
import { curveRecord, SECOND } from '../fbx-animation.ts';
import { rec } from '../fbx-bytes.ts';
import { deformer, mesh, polygonRecords, SQUARE, shape } from '../fbx-mesh.ts';
import { model, type TreeParts, treeOf } from '../fbx-scene.ts';

/** A face with two blend shapes, the second 20 % on; curves of percentages by layer and blend shape (11, 12). */
function face(
  layers: readonly Readonly<Record<number, readonly [times: readonly number[], values: readonly number[]]>>[],
  channel = 11,
): TreeParts {
  const connections: [FbxProperty, FbxProperty, string?][] = [
    [1, 0],
    [9, 1],
    [10, 9],
    [11, 10],
    [12, 10],
    [13, 11],
    [14, 12],
    [20, channel],
  ];
  const objects = [
    model(1, 'Face', 'Mesh'),
    mesh(9, polygonRecords(SQUARE.points, SQUARE.polygons)),
    deformer(10, 'BlendShape'),
    deformer(11, 'BlendShapeChannel', [], 'Open'),
    deformer(12, 'BlendShapeChannel', [rec('DeformPercent', [20])], 'Smile'),
    shape(13, [0], [0, 0, 1]),
    shape(14, [1], [0, 0, 1]),
    rec('AnimationStack', [100, 'talk\0\x01AnimStack', '']),
  ];
  layers.forEach((curves, l) => {
    const layer = 200 + 50 * l;
    objects.push(rec('AnimationLayer', [layer, 'L\0\x01AnimLayer', '']));
    connections.push([layer, 100]);
    Object.entries(curves).forEach(([target, [times, values]], k) => {
      const node = layer + 1 + 2 * k;
      objects.push(
        rec('AnimationCurveNode', [node, 'DeformPercent\0\x01AnimCurveNode', '']),
        curveRecord(node + 1, { times, values }),
      );
      connections.push([node, layer], [node, Number(target), 'DeformPercent'], [node + 1, node, 'd|DeformPercent']);
    });
  });
  return { objects, connections };
}

describe('readMorphTracks', () => {
  it('returns one track per node, weight 1 for 100 %, including constant weights', () => {
    const { clips } = readFbxTree(
      treeOf(
        face([
          {
            11: [
              [0, 1],
              [0, 50],
            ],
          },
        ]),
      ),
    );
    expect(clips).toMatchObject([{ name: 'talk', duration: 1, otherChannels: 0 }]);
    expect(clips[0].morphs).toEqual([
      {
        sourceNode: 0,
        nodeName: 'Face',
        targetCount: 2,
        targetNames: ['Open', 'Smile'],
        interpolation: 'LINEAR',
        times: Float32Array.of(0, 1),
        values: Float64Array.of(0, 0.2, 0.5, 0.2),
      },
    ]);
  });

  it('has a key at each key of any weight, from the start of the clip', () => {
    const { clips } = readFbxTree(
      treeOf(
        face([
          {
            11: [
              [2, 3],
              [0, 100],
            ],
            12: [
              [2, 2.5, 3],
              [0, 100, 0],
            ],
          },
        ]),
      ),
    );
    const [{ times, values }] = clips[0].morphs;
    expect([...times]).toEqual([0, 0.5, 1]);
    expect([...values]).toEqual([0, 0, 0.5, 1, 1, 0]);
  });

  it('adds the layers', () => {
    const { clips } = readFbxTree(
      treeOf(
        face([
          {
            11: [
              [0, 1],
              [10, 20],
            ],
          },
          {
            11: [
              [0, 1],
              [5, 30],
            ],
          },
        ]),
      ),
    );
    expect([...clips[0].morphs[0].values].map((value) => Number(value.toFixed(6)))).toEqual([0.15, 0.2, 0.5, 0.2]);
  });

  it('counts blend shapes outside all meshes as other channels', () => {
    const parts = face([
      {
        11: [
          [0, 1],
          [0, 50],
        ],
      },
    ]);
    const { clips } = readFbxTree(
      treeOf({ ...parts, connections: parts.connections!.filter(([source]) => source !== 10) }),
    );
    expect(clips[0]).toMatchObject({ morphs: [], otherChannels: 1 });
  });

  it('reads the Channels of a Model of FBX 6.1 by the names of its shapes', () => {
    const smile = rec('Shape', ['Smile'], [rec('Indexes', [1]), rec('Vertices', [0, 0, 5])]);
    const key = rec('Key', [0, 0, 'L', SECOND, 100, 'L']);
    const channel = rec('Channel', ['Smile'], [rec('Default', [0]), rec('KeyVer', [4005]), rec('KeyCount', [2]), key]);
    const tree = treeOf({
      version: 6100,
      objects: [rec('Model', ['Model::Face', 'Mesh'], [...polygonRecords(SQUARE.points, SQUARE.polygons), smile])],
      connections: [['Model::Face', 'Model::Scene']],
    });
    const takes = rec('Takes', [], [rec('Take', ['talk'], [rec('Model', ['Model::Face'], [channel])])]);
    const { clips, issues } = readFbxTree({ ...tree, records: [...tree.records, takes] });
    expect(issues).toEqual([]);
    expect(clips[0].otherChannels).toBe(0);
    expect([...clips[0].morphs[0].values]).toEqual([0, 1]);
  });
});
