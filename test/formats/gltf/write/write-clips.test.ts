import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../../src/core/animation/clip.ts';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import { parseGlb } from '../../../../src/formats/gltf/document/glb.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { scanItems, scanMembers } from '../../../../src/formats/gltf/document/scan-json.ts';
import {
  appendClips,
  type GltfDocument,
  parseGltf,
  readGltf,
  replaceClips,
} from '../../../../src/formats/gltf/index.ts';
import { removeAnimations } from '../../../../src/formats/gltf/write/write-clips.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { sampledCases } from '../../../support/law-runs.ts';
import { glbBytes, openDocument, reopen } from '../open.ts';
import { codesOf, scalars, smallFile, vectors } from '../small-file.ts';
import { newCodes, validatorCodes } from '../validator.ts';

const NODES: JsonObject[] = [{ name: 'root', children: [1] }, { name: 'arm' }, { name: 'face', mesh: 0 }];

function track(
  target: number,
  path: Track['path'],
  times: number[],
  values: number[],
  interpolation: Track['interpolation'] = 'LINEAR',
): Track {
  return { target, path, interpolation, times: Float64Array.from(times), values: Float64Array.from(values) };
}

function clipOf(...tracks: Track[]): Clip {
  return { name: 'clip', duration: Math.max(...tracks.map(({ times }) => times.at(-1) ?? 0)), tracks };
}

const WAVE = clipOf(
  track(0, 'translation', [0, 1], [0, 0, 0, 1, 2, 3]),
  track(0, 'rotation', [0, 1], [0, 0, 0, 1, 1, 0, 0, 0], 'STEP'),
  track(1, 'rotation', [0, 0.5], [0, 0, 0, 1, 0, 1, 0, 0]),
);
const SAME = Int32Array.of(0, 1, 2);

function animationsOf(doc: GltfDocument): JsonObject[] {
  return doc.json['animations'] as JsonObject[];
}

function reopened(doc: GltfDocument): GltfDocument {
  return parseGltf(glbBytes(doc));
}

describe('appendClips', () => {
  it('round-trips through readGltf', () => {
    const doc = smallFile({ nodes: NODES });
    expect(appendClips(doc, [{ name: 'wave', clip: WAVE, sourceNodes: SAME }])).toEqual({
      animations: [0],
      issues: [],
    });
    const [clip] = readGltf(reopened(doc)).clips;
    expect(clip.name).toBe('wave');
    expect(clip.duration).toBe(1);
    expect(
      clip.clips[0].tracks.map(({ times, values, ...rest }) => ({ ...rest, times: [...times], values: [...values] })),
    ).toEqual(WAVE.tracks.map(({ times, values, ...rest }) => ({ ...rest, times: [...times], values: [...values] })));
  });

  it('maps targets to sourceNodes', () => {
    const doc = smallFile({ nodes: NODES });
    appendClips(doc, [{ name: '', clip: WAVE, sourceNodes: [2, 0] }]);
    const [animation] = animationsOf(doc);
    expect(animation).not.toHaveProperty('name');
    expect((animation['channels'] as { target: unknown }[]).map(({ target }) => target)).toEqual([
      { node: 2, path: 'translation' },
      { node: 2, path: 'rotation' },
      { node: 0, path: 'rotation' },
    ]);
  });

  it('stores equal key times once, with bounds, in two views', () => {
    const doc = smallFile({ nodes: NODES });
    appendClips(doc, [
      { name: 'a', clip: WAVE, sourceNodes: SAME },
      { name: 'b', clip: WAVE, sourceNodes: SAME },
    ]);
    const accessors = doc.json['accessors'] as JsonObject[];
    expect(accessors.filter(({ type }) => type === 'SCALAR')).toMatchObject([
      { min: [0], max: [1], count: 2 },
      { min: [0], max: [0.5], count: 2 },
    ]);
    expect(doc.json['bufferViews']).toHaveLength(2);
    expect(accessors).toHaveLength(2 + 6);
    expect(Array.from(readFloats(reopened(doc), 1))).toEqual([0, 0.5]);
  });

  it('writes morph weights', () => {
    const meshes = [{ primitives: [{ attributes: {}, targets: [{}, {}] }] }];
    const doc = smallFile({ nodes: NODES, meshes });
    const times = Float32Array.of(0, 1);
    const values = Float32Array.of(0, 1, 1, 0);
    const morph = { sourceNode: 2, nodeName: 'face', targetCount: 2, interpolation: 'LINEAR' as const, times, values };
    appendClips(doc, [{ name: 'smile', clip: clipOf(), sourceNodes: SAME, morphs: [morph] }]);
    const [read] = readGltf(reopened(doc)).clips;
    expect(read.morphs).toEqual([morph]);
    expect((doc.json['accessors'] as JsonObject[])[1]).toMatchObject({ type: 'SCALAR', count: 4 });
  });

  it('replaces the matrix of animated nodes only', () => {
    const turned = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 3, 4, 5, 1];
    const doc = smallFile({ nodes: [{ matrix: turned, children: [1] }, { matrix: turned }] });
    const clip = clipOf(track(0, 'scale', [0], [1, 1, 1]));
    const { issues } = appendClips(doc, [{ name: 'wave', clip, sourceNodes: SAME }]);
    const [first, second] = doc.json['nodes'] as JsonObject[];
    expect(second['matrix']).toEqual(turned);
    expect(first).not.toHaveProperty('matrix');
    expect(first['translation']).toEqual([3, 4, 5]);
    expect(first['scale']).toEqual([2, 2, 2]);
    expect((first['rotation'] as number[])[2]).toBeCloseTo(Math.SQRT1_2, 15);
    expect(issues.map(({ code, where }) => [code, where.pointer])).toEqual([['NODE_MATRIX_DECOMPOSED', '/nodes/0']]);
    expect(issues[0].message).toContain('same');
  });

  it('reports a matrix with shear', () => {
    const doc = smallFile({ nodes: [{ matrix: [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], children: [1] }, {}] });
    const clip = clipOf(track(0, 'scale', [0], [1, 1, 1]));
    const { issues } = appendClips(doc, [{ name: 'wave', clip, sourceNodes: SAME }]);
    expect(issues[0].message).toContain('shear is lost');
  });

  it.each([
    ['a clip without tracks', clipOf(), [0], RangeError],
    [
      'two tracks of one node',
      clipOf(track(0, 'scale', [0], [1, 1, 1]), track(1, 'scale', [0], [1, 1, 1])),
      [0, 0],
      RangeError,
    ],
    ['a target without a node', clipOf(track(1, 'scale', [0], [1, 1, 1])), [0], RangeError],
    ['a node that does not exist', clipOf(track(0, 'scale', [0], [1, 1, 1])), [7], FormatError],
    ['a track without keys', clipOf(track(0, 'scale', [], [])), [0], RangeError],
  ])('throws for %s before it changes anything', (_, clip, sourceNodes, error) => {
    const doc = smallFile({ nodes: NODES, animations: [{ channels: [], samplers: [] }] });
    const before = structuredClone(doc.json);
    expect(() => appendClips(doc, [{ name: 'x', clip, sourceNodes }])).toThrow(error);
    expect(() => replaceClips(doc, [{ name: 'x', clip, sourceNodes }])).toThrow(error);
    expect(doc.json).toEqual(before);
  });
});

describe('replaceClips and removeAnimations', () => {
  const animated = (more: JsonObject = {}): GltfDocument => {
    const animations = [
      {
        name: 'old',
        channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
        samplers: [{ input: 0, output: 1 }],
      },
    ];
    return smallFile({ nodes: NODES, animations, ...more }, [scalars(0, 1), vectors('VEC3', 0, 0, 0, 1, 1, 1)]);
  };

  it('replaceClips: replaces the animations and keeps their accessors', () => {
    const doc = animated();
    const { animations, issues } = replaceClips(doc, [{ name: 'new', clip: WAVE, sourceNodes: SAME }]);
    expect(animations).toEqual([0]);
    expect(animationsOf(doc).map(({ name }) => name)).toEqual(['new']);
    expect(Array.from(readFloats(doc, 1))).toEqual([0, 0, 0, 1, 1, 1]);
    expect(issues).toEqual([]);
  });

  it('removeAnimations: leaves no empty list', () => {
    const doc = animated();
    removeAnimations(doc);
    expect(doc.json).not.toHaveProperty('animations');
    removeAnimations(doc);
  });

  it.each([
    [
      'an extension of a node',
      { nodes: [{ extensions: { OMI_animator: { animations: [0] } } }] },
      '/nodes/0/extensions/OMI_animator/animations',
    ],
    ['the extras of the file', { extras: { menu: [{ startAnimation: 0 }] } }, '/extras/menu/0/startAnimation'],
    ['a root extension', { extensions: { 'A/B': { animationIndex: 0 } } }, '/extensions/A~1B/animationIndex'],
    [
      'a value of a graph',
      {
        extensions: {
          KHR_interactivity: { graphs: [{ nodes: [{ values: { animation: { value: [0], type: 0 } } }] }] },
        },
      },
      '/extensions/KHR_interactivity/graphs/0/nodes/0/values/animation',
    ],
    [
      'an operation of a graph, whose index may be computed',
      { extensions: { KHR_interactivity: { graphs: [{ declarations: [{ op: 'animation/stop' }] }] } } },
      '/extensions/KHR_interactivity/graphs/0/declarations/0/op',
    ],
    [
      'a JSON pointer',
      { extensions: { KHR_interactivity: { graphs: [{ pointer: ['/animations/0/extensions/A/x'] }] } } },
      '/extensions/KHR_interactivity/graphs/0/pointer/0',
    ],
  ])('removeAnimations: reports possible animation indices in %s', (_, more, pointer) => {
    const { issues } = removeAnimations(animated(more));
    expect(issues.map(({ code, where }) => [code, where.pointer])).toEqual([['ANIMATION_REFERENCED', pointer]]);
  });

  it.each([
    ['words', { extras: { animation: 'walk' } }],
    ['properties of glTF', { nodes: [{ animation: 0 }] }],
    ['other keys', { extras: { animationSpeed: 1 } }],
  ])('removeAnimations: ignores %s', (_, more) => {
    const { issues } = removeAnimations(animated(more));
    expect(codesOf(issues)).toEqual([]);
  });
});

describe.skipIf(!HAS_ASSETS)('appendClips on real files', () => {
  const files = [
    // A mesh without a skeleton has nothing to animate.
    ...assetFiles('assets/glb', 'glb').filter((path) => !path.includes('no_skin')),
    ...assetFiles('assets/vrm', 'vrm'),
    ...assetFiles('assets/vrma', 'vrma'),
  ].map((path) => [path.split('/').slice(-2).join('/'), path] as const);

  /** A clip that rotates and moves the first and the last node of a skeleton. */
  function clipFor(nodeCount: number): Clip {
    const last = nodeCount - 1;
    return clipOf(
      track(0, 'translation', [0, 1], [0, 0, 0, 0, 0.1, 0]),
      track(0, 'rotation', [0, 1], [0, 0, 0, 1, 0, 0.6, 0, 0.8]),
      track(last, 'rotation', [0, 0.5, 1], [0, 0, 0, 1, 0, 0.6, 0, 0.8, 0, 0, 0, 1]),
    );
  }

  const hazards = ['own-vrm-like/hazards.glb', asset('conformance/gltf/own-vrm-like/hazards.glb')] as const;

  it.each([hazards, ...sampledCases(files)])(
    'changes nothing else in %s and adds no new gltf-validator code',
    async (_, path) => {
      const doc = await openDocument(path);
      const before = glbBytes(doc);
      const old = structuredClone(doc.json);
      const read = readGltf(doc);
      const [{ skeleton, sourceNodes }] = read.skeletons;
      const clip = clipFor(skeleton.parents.length);
      const {
        animations: [index],
        issues,
      } = appendClips(doc, [{ name: 'added', clip, sourceNodes }]);
      const after = glbBytes(doc);

      expect(index).toBe(read.clips.length);
      const [glbBefore, glbAfter] = [parseGlb(before), parseGlb(after)];
      const oldBin = Buffer.from(glbBefore.bin ?? []);
      expect(oldBin.equals(Buffer.from(glbAfter.bin ?? []).subarray(0, oldBin.length))).toBe(true);
      expect(glbAfter.others).toEqual(glbBefore.others);

      const now = parseGltf(after).json;
      const decomposed = new Set(issues.map(({ where }) => where.pointer));
      expect([...decomposed].every((pointer) => pointer?.startsWith('/nodes/'))).toBe(true);
      for (const key of Object.keys(old)) {
        const [was, is] = [old[key], now[key]];
        if (key === 'buffers') {
          const [{ byteLength: _was, ...first }, ...others] = was as JsonObject[];
          const [{ byteLength: _is, ...firstNow }, ...othersNow] = is as JsonObject[];
          expect([firstNow, ...othersNow]).toEqual([first, ...others]);
        } else if (Array.isArray(was) && Array.isArray(is)) {
          was.forEach((item, i) => {
            if (!decomposed.has(`/${key}/${i}`)) expect(is[i]).toEqual(item);
          });
          const grows = ['accessors', 'bufferViews', 'animations'].includes(key);
          if (!grows) expect(is).toHaveLength(was.length);
        } else expect(is).toEqual(was);
      }
      expect(await newCodes(before, after)).toEqual([]);
      const again = readGltf(await reopen(after));
      expect(again.clips.at(-1)?.clips[0].tracks).toHaveLength(3);
      expect(again.skeletons.map((found) => found.sourceNodes)).toEqual(
        read.skeletons.map((found) => found.sourceNodes),
      );
    },
  );

  it('keeps the text of every unedited JSON value', async () => {
    const doc = await openDocument(asset('conformance/gltf/own-vrm-like/hazards.glb'));
    const before = entriesOf(doc);
    const [{ skeleton, sourceNodes }] = readGltf(doc).skeletons;
    appendClips(doc, [{ name: 'added', clip: clipFor(skeleton.parents.length), sourceNodes }]);
    const after = entriesOf(parseGltf(glbBytes(doc)));
    const changed = [...before].filter(([key, text]) => after.get(key) !== text).map(([key]) => key);
    expect(changed).toEqual(['buffers 0']);
    const added = [...after.keys()].filter((key) => !before.has(key)).map((key) => key.split(' ')[0]);
    expect(new Set(added)).toEqual(new Set(['bufferViews', 'accessors', 'animations']));
  });

  it('decomposes the matrix of CesiumMan without moving it', async () => {
    const doc = await openDocument(asset('assets/glb/CesiumMan.glb'));
    const before = readGltf(doc);
    const { skeleton, sourceNodes } = before.skeletons[0];
    const { issues } = appendClips(doc, [{ name: 'turn', clip: clipFor(skeleton.parents.length), sourceNodes }]);
    expect(codesOf(issues)).toEqual(['NODE_MATRIX_DECOMPOSED']);
    const after = readGltf(await reopen(glbBytes(doc)));
    skeleton.rest.forEach((value, c) => {
      expect(Math.abs(after.skeletons[0].skeleton.rest[c] - value)).toBeLessThan(1e-15);
    });
  });

  it('adds no validator issues to a clean file', async () => {
    const doc = await openDocument(asset('assets/glb/m2m_rig-human.glb'));
    const [{ skeleton, sourceNodes }] = readGltf(doc).skeletons;
    appendClips(doc, [{ name: 'turn', clip: clipFor(skeleton.parents.length), sourceNodes }]);
    const codes = await validatorCodes(glbBytes(doc));
    expect([...codes].filter(([, severity]) => severity < 2)).toEqual([]);
  });
});

/** Text of every item of top-level arrays and of every other top-level value. */
function entriesOf(doc: GltfDocument): Map<string, string> {
  const text = doc.source?.text ?? '';
  const found = new Map<string, string>();
  for (const { keyStart, keyEnd, start, end } of scanMembers(text, text.indexOf('{'))) {
    const key: string = JSON.parse(text.slice(keyStart, keyEnd));
    if (text[start] !== '[') found.set(key, text.slice(start, end));
    else
      for (const [i, item] of scanItems(text, start).entries())
        found.set(`${key} ${i}`, text.slice(item.start, item.end));
  }
  return found;
}
