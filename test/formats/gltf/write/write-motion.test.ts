import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { parseGltf, readGltf, writeMotionDocument } from '../../../../src/formats/gltf/index.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { sampledCases } from '../../../support/law-runs.ts';
import { glbBytes, openDocument } from '../open.ts';
import { validatorCodes } from '../validator.ts';

const SKELETON: Skeleton = {
  name: 'body',
  names: ['root', '', 'head'],
  parents: Int32Array.of(-1, 0, 0),
  rest: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 0, 1, 0, 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1),
  bind: null,
  joints: Uint8Array.of(0, 1, 1),
};
const CLIP: Clip = {
  name: 'nod',
  duration: 1,
  tracks: [
    {
      target: 2,
      path: 'rotation',
      interpolation: 'LINEAR',
      times: Float32Array.of(0, 1),
      values: Float32Array.of(0, 0, 0, 1, 1, 0, 0, 0),
    },
  ],
};

describe('writeMotionDocument', () => {
  it('writes only the nodes, one skin of them, one scene and the clips', () => {
    const { json } = parseGltf(glbBytes(writeMotionDocument(SKELETON, [CLIP])));
    expect(Object.keys(json).sort()).toEqual([
      'accessors',
      'animations',
      'asset',
      'bufferViews',
      'buffers',
      'nodes',
      'scene',
      'scenes',
      'skins',
    ]);
    expect(json['skins']).toEqual([{ joints: [0, 1, 2] }]);
    expect(json['scenes']).toEqual([{ nodes: [0] }]);
    expect(json['nodes']).toEqual([
      { name: 'root', children: [1, 2] },
      { translation: [1, 2, 3], rotation: [0, 1, 0, 0], scale: [2, 2, 2] },
      { name: 'head' },
    ]);
    expect((json['animations'] as JsonObject[])[0]).toMatchObject({
      name: 'nod',
      channels: [{ target: { node: 2, path: 'rotation' } }],
    });
  });

  it('throws for a rest pose beyond float32', () => {
    for (const value of [1e39, Number.NaN, Number.NEGATIVE_INFINITY]) {
      const rest = Float64Array.from(SKELETON.rest);
      rest[11] = value;
      expect(() => writeMotionDocument({ ...SKELETON, rest }, [])).toThrow(FormatError);
    }
  });

  it('writes a skeleton without clips', () => {
    const { json } = parseGltf(glbBytes(writeMotionDocument(SKELETON, [])));
    expect(json).not.toHaveProperty('animations');
    expect(json).not.toHaveProperty('buffers');
  });

  it('lists several roots, and makes a skin of each tree', () => {
    const { json } = writeMotionDocument({ ...SKELETON, parents: Int32Array.of(-1, -1, 1) }, []);
    expect(json['scenes']).toEqual([{ nodes: [0, 1] }]);
    expect(json['skins']).toEqual([{ joints: [1, 2] }]);
  });

  it('keeps the bind pose in the skin', () => {
    const posed = Float64Array.from(SKELETON.rest);
    posed.set([0, 0.5, 0, 0, 0, 0, 1], 20);
    const bind = new Float64Array(48);
    localToModelMatrices(bind, SKELETON.parents, posed);
    const again = readGltf(parseGltf(glbBytes(writeMotionDocument({ ...SKELETON, bind }, [CLIP]))));
    expect([...(again.skeletons[0].skeleton.bind ?? [])]).toEqual([...bind]);
  });

  it('writes no bind pose that cannot be inverted', () => {
    const { json } = writeMotionDocument({ ...SKELETON, bind: new Float64Array(48) }, []);
    expect(json['skins']).toEqual([{ joints: [0, 1, 2] }]);
  });
});

describe.skipIf(!HAS_ASSETS)('writeMotionDocument on real files', () => {
  const files = [
    ...assetFiles('assets/glb', 'glb'),
    ...assetFiles('assets/vrm', 'vrm'),
    asset('assets/vrma/threevrm_test.vrma'),
  ].map((path) => [path.split('/').slice(-2).join('/'), path] as const);

  it.each(sampledCases(files))('keeps the tree, the rest pose and the clips of %s', async (_, path) => {
    const { skeletons, clips } = readGltf(await openDocument(path));
    if (skeletons.length === 0) return;
    const [{ skeleton }] = skeletons;
    const bytes = glbBytes(
      writeMotionDocument(
        skeleton,
        clips.map((clip) => clip.clips[0]),
      ),
    );
    const again = readGltf(parseGltf(bytes));
    expect(again.issues).toEqual([]);
    expect(again.skeletons).toHaveLength(1);
    const written = again.skeletons[0].skeleton;
    expect(written.names).toEqual(skeleton.names);
    expect(written.parents).toEqual(skeleton.parents);
    written.rest.forEach((value, c) => {
      expect(Math.abs(value - skeleton.rest[c])).toBeLessThan(1e-15);
    });
    expect(again.clips.map(({ name, clips: [clip] }) => [name, clip.tracks.length])).toEqual(
      clips.map(({ name, clips: [clip] }) => [name, clip.tracks.length]),
    );
    const codes = await validatorCodes(bytes);
    expect([...codes].filter(([, severity]) => severity < 2)).toEqual([]);
  });
});
