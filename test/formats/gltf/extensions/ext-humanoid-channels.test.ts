import fc from 'fast-check';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Interpolation, Track, TrackPath } from '../../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import type { Asset } from '../../../../src/core/asset/asset.ts';
import { BONE, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import { PELVIS_HEIGHT } from '../../../../src/core/humanoid/canonical-rig.ts';
import { describeHumanoid } from '../../../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import type { HumanoidClip } from '../../../../src/core/humanoid/humanoid-clip.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import { createDocument, type GltfDocument, parseGltf } from '../../../../src/formats/gltf/document/document.ts';
import { concatParts } from '../../../../src/formats/gltf/document/glb.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { serializeGltf } from '../../../../src/formats/gltf/document/serialize-gltf.ts';
import { addSkeletonDefinition } from '../../../../src/formats/gltf/extensions/ext-skeleton-humanoid.ts';
import { readGltf } from '../../../../src/formats/gltf/read/read-gltf.ts';
import { appendClips, removeAnimations, replaceClips } from '../../../../src/formats/gltf/write/write-clips.ts';
import { addHumanoidAnimations, writeHumanoidClips } from '../../../../src/formats/gltf/write/write-humanoid-clips.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { addCharacter, definitionOf, type ExtCharacter } from '../../../support/make/ext-character.ts';
import { expectNear, expectSameRotation } from '../../../support/near.ts';
import { remap } from '../../../support/reference/ext-remap.ts';
import { aboutAxis, read } from '../../../support/reference/plain.ts';
import { LAW_F32 } from '../../../support/tolerances.ts';
import { validatorCodes } from '../validator.ts';

const NAME = 'EXT_skeleton_humanoid';

function track(
  bone: BoneName,
  path: TrackPath,
  times: readonly number[],
  values: readonly (readonly number[])[],
  interpolation: Interpolation = 'LINEAR',
): Track {
  return {
    target: BONE[bone],
    path,
    interpolation,
    times: Float32Array.from(times),
    values: Float32Array.from(values.flat()),
  };
}

function clipOf(name: string, restHipsHeight: number | null, ...tracks: readonly Track[]): HumanoidClip {
  const duration = Math.max(...tracks.map(({ times }) => times[times.length - 1]));
  return { name, duration, tracks, restHipsHeight };
}

const NOD = [aboutAxis([1, 0, 0], 0), aboutAxis([1, 0, 0], 0.5)];
const WAVE = [aboutAxis([0, 0, 1], 0.2), aboutAxis([1, 0, 1], 0.9)];
const nod = clipOf('nod', 0.9, track('head', 'rotation', [0, 1], NOD));
const wave = clipOf('wave', 1.2, track('leftUpperArm', 'rotation', [0, 2], WAVE));

/** Writes and parses the document again. */
function again(doc: GltfDocument): GltfDocument {
  return parseGltf(concatParts(serializeGltf(doc).parts));
}

function codesOf({ issues }: Asset): string[] {
  return issues.map(({ code, where }) => `${code} ${where.pointer ?? ''}`);
}

function humanoidOf(asset: Asset, index: number): Humanoid {
  const { skeleton, declared } = asset.skeletons[index];
  const { humanoid, reason } = describeHumanoid(skeleton, { declared, metersPerUnit: 1 });
  if (humanoid === null) throw new Error(reason);
  return humanoid;
}

function withClip(clip: HumanoidClip, edit: (animation: JsonObject) => void): GltfDocument {
  const doc = writeHumanoidClips([clip]);
  edit((doc.json['animations'] as JsonObject[])[0]);
  return again(doc);
}

type Channel = { sampler: number; target: { node?: number; path: string; extensions: Record<string, JsonObject> } };

describe('humanoid clips of EXT_skeleton_humanoid', () => {
  it('writeHumanoidClips: channels name bones instead of nodes, and extensionsUsed lists the extension', () => {
    const { json } = writeHumanoidClips([nod, wave]);
    expect(json['nodes']).toBeUndefined();
    expect(json['extensionsUsed']).toEqual([NAME]);
    expect(json['animations']).toMatchObject([
      {
        name: 'nod',
        channels: [{ sampler: 0, target: { path: 'rotation', extensions: { [NAME]: { humanoidBoneName: 'head' } } } }],
        extras: { restHipsHeight: 0.9, unit: 'metre' },
      },
      { name: 'wave', extras: { restHipsHeight: 1.2, unit: 'metre' } },
    ]);
    const [{ channels }] = json['animations'] as { channels: Channel[] }[];
    expect(Object.keys(channels[0].target)).not.toContain('node');
  });

  it('writeHumanoidClips: the file passes the Khronos validator', async () => {
    const doc = writeHumanoidClips([
      clipOf('both', 0.9, track('head', 'rotation', [0, 1], NOD), track('jaw', 'rotation', [0, 1], WAVE)),
      wave,
    ]);
    const codes = await validatorCodes(concatParts(serializeGltf(doc).parts));
    expect([...codes]).toEqual([]);
  });

  it('readGltf: creates one canonical rig per hips height', () => {
    const asset = readGltf(again(writeHumanoidClips([nod, wave, { ...nod, name: 'again' }])));
    expect(codesOf(asset)).toEqual([]);
    expect(asset.skeletons.map(({ skeleton, isCanonicalRig }) => [skeleton.name, isCanonicalRig])).toEqual([
      ['humanoid clips, hips at 0.9 m', true],
      ['humanoid clips, hips at 1.2 m', true],
    ]);
    expect(asset.skeletons.map(({ skeleton }) => skeleton.names)).toEqual([
      ['hips', 'head', 'leftUpperLeg', 'rightUpperLeg'],
      ['hips', 'leftUpperArm', 'leftUpperLeg', 'rightUpperArm', 'rightUpperLeg'],
    ]);
    const moved = asset.clips.map(({ clips }) => clips.map(({ tracks }) => tracks.length));
    expect(moved).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
    ]);
    // The height of the pelvis, the middle of the upper legs, which the canonical rig has at 95 % of the hips joint.
    const heights = [humanoidOf(asset, 0).hipsHeight, humanoidOf(asset, 1).hipsHeight];
    expectNear(heights, [0.9 * PELVIS_HEIGHT, 1.2 * PELVIS_HEIGHT], LAW_F32);
  });

  it('readGltf: does not scale the hips translation without a declared hips height', () => {
    const way = [
      [0, 0, 0],
      [0, -0.1, 2],
    ];
    const asset = readGltf(
      again(writeHumanoidClips([clipOf('walk', null, track('hips', 'translation', [0, 1], way))])),
    );
    const source = humanoidOf(asset, 0);
    expect(source.issues.map(({ code }) => code)).toEqual(['HIPS_HEIGHT_ZERO']);
    const doc = createDocument();
    addSkeletonDefinition(doc, definitionOf(addCharacter(doc, { size: 0.5 })));
    const target = humanoidOf(readGltf(doc), 0);
    const clip = retargetClip(planRetarget(source, target), asset.clips[0].clips[0]);
    const [hips] = clip.tracks.filter(({ path }) => path === 'translation');
    expectNear(hips.values, [0, 0.5, 0, 0, 0.4, 2], LAW_F32);
  });

  it('readGltf: keeps the clips of a character apart from humanoid clips in the same file', () => {
    const doc = createDocument();
    const added = addCharacter(doc, {});
    addSkeletonDefinition(doc, definitionOf(added));
    const head = (added.bones.get('head') as { node: number }).node;
    const plain = { ...nod, tracks: [{ ...nod.tracks[0], target: 0 }] };
    appendClips(doc, [{ name: 'plain', clip: plain, sourceNodes: [head] }]);
    addHumanoidAnimations(doc, [wave]);
    appendClips(doc, [{ name: 'both', clip: plain, sourceNodes: [head], humanoid: wave }]);
    const asset = readGltf(again(doc));
    expect(codesOf(asset)).toEqual([]);
    expect(asset.clips.map(({ clips }) => clips.map(({ tracks }) => tracks.length))).toEqual([
      [1, 0],
      [0, 1],
      [1, 1],
    ]);
    const [, , both] = (doc.json['animations'] as { channels: Channel[] }[]).values();
    expect(new Set(both.channels.map(({ sampler }) => sampler)).size).toBe(2);
  });
});

describe('humanoid channels', () => {
  it('round trip preserves keys and interpolation', () => {
    const spline = [NOD[0], NOD[1], NOD[0], NOD[1], WAVE[0], WAVE[1]];
    const clip = clipOf(
      'all',
      1,
      track('head', 'rotation', [0, 1], NOD, 'STEP'),
      track('jaw', 'rotation', [0.25, 0.5], spline, 'CUBICSPLINE'),
      track(
        'chest',
        'scale',
        [0, 1],
        [
          [1, 1, 1],
          [1, 2, 1],
        ],
      ),
      track(
        'leftHand',
        'translation',
        [0, 1],
        [
          [0, 0, 0],
          [0.1, 0.2, 0.3],
        ],
      ),
    );
    const asset = readGltf(again(writeHumanoidClips([clip])));
    expect(codesOf(asset)).toEqual([]);
    const found = asset.clips[0].clips[0].tracks.map(({ interpolation, path, times }) => [
      path,
      interpolation,
      ...times,
    ]);
    expect(found).toEqual([
      ['rotation', 'STEP', 0, 1],
      ['rotation', 'CUBICSPLINE', 0.25, 0.5],
      ['scale', 'LINEAR', 0, 1],
      ['translation', 'LINEAR', 0, 1],
    ]);
  });

  it('channels with a common sampler are each read with the axes of their bone', () => {
    const doc = withClip(
      clipOf('both', 1, nod.tracks[0], track('leftUpperArm', 'rotation', [0, 1], NOD)),
      ({ channels }) => {
        for (const channel of channels as Channel[]) channel.sampler = 0;
      },
    );
    const asset = readGltf(doc);
    const [head, arm] = asset.clips[0].clips[0].tracks;
    const { rest } = asset.skeletons[0].skeleton;
    for (const [k, one] of [head, arm].entries()) {
      const bind = new Quaternion(...read(rest, 10 * (k + 1) + 3, 4));
      expectSameRotation(one.values.slice(4), bind.multiply(new Quaternion(...NOD[1])).toArray(), LAW_F32);
    }
  });

  it.each<[string, (channel: Channel, animation: JsonObject) => void, string[], number]>([
    [
      'an unknown bone',
      ({ target }) => Object.assign(target.extensions[NAME], { humanoidBoneName: 'tail' }),
      ['EXT_CHANNEL /animations/0/channels/0/target'],
      1,
    ],
    [
      'no bone',
      ({ target }) => Object.assign(target.extensions, { [NAME]: 7 }),
      ['EXT_CHANNEL /animations/0/channels/0/target'],
      1,
    ],
    [
      'weights',
      ({ target }) => Object.assign(target, { path: 'weights' }),
      ['EXT_CHANNEL /animations/0/channels/0/target'],
      1,
    ],
    [
      'a bone twice',
      ({ target }) => Object.assign(target.extensions[NAME], { humanoidBoneName: 'jaw' }),
      ['EXT_CHANNEL /animations/0/channels/1/target'],
      1,
    ],
    [
      'a height of nothing',
      (_, animation) => Object.assign(animation, { extras: { restHipsHeight: 0, unit: 'metre' } }),
      ['EXT_CHANNEL /animations/0/extras/restHipsHeight'],
      2,
    ],
    [
      'inches',
      (_, animation) => Object.assign(animation, { extras: { restHipsHeight: 30, unit: 'inch' } }),
      ['EXT_CHANNEL /animations/0/extras/unit'],
      2,
    ],
  ])('with %s are reported', (_, edit, codes, left) => {
    const doc = withClip(clipOf('odd', 1, nod.tracks[0], track('jaw', 'rotation', [0, 1], NOD)), (animation) => {
      edit((animation['channels'] as Channel[])[0], animation);
    });
    const asset = readGltf(doc);
    expect(codesOf(asset)).toEqual(codes);
    expect(asset.clips[0].clips.flatMap(({ tracks }) => tracks)).toHaveLength(left);
  });

  it('a channel with both node and bone is read by bone and reported', () => {
    const doc = createDocument();
    addCharacter(doc, {});
    addHumanoidAnimations(doc, [nod]);
    (doc.json['animations'] as { channels: Channel[] }[])[0].channels[0].target.node = 1;
    const asset = readGltf(again(doc));
    expect(codesOf(asset)).toEqual(['EXT_CHANNEL /animations/0/channels/0/target']);
    expect(asset.clips[0].clips.map(({ tracks }) => tracks.length)).toEqual([0, 1]);
  });

  it('readChannelRigs: throws GLTF_LIMIT for too many different hips heights', () => {
    const doc = writeHumanoidClips([nod]);
    const [animation] = doc.json['animations'] as JsonObject[];
    doc.json['animations'] = Array.from({ length: 1001 }, (_, k) => ({
      ...animation,
      extras: { restHipsHeight: 1 + k / 1000, unit: 'metre' },
    }));
    expect(() => readGltf(doc)).toThrow(/more than 999 different hips heights/);
  });

  it('extensionsUsed drops the extension when the last humanoid channel is replaced', () => {
    const doc = createDocument();
    const added = addCharacter(doc, {});
    addHumanoidAnimations(doc, [nod]);
    const plain = { ...nod, tracks: [{ ...nod.tracks[0], target: 0 }] };
    const animation = { name: 'plain', clip: plain, sourceNodes: [added.rootNode] };
    replaceClips(doc, [{ ...animation, humanoid: wave }]);
    expect(doc.json['extensionsUsed']).toEqual([NAME]);
    replaceClips(doc, [animation]);
    expect(doc.json['extensionsUsed']).toBeUndefined();
    addSkeletonDefinition(doc, definitionOf(added));
    addHumanoidAnimations(doc, [nod]);
    removeAnimations(doc);
    expect(doc.json['extensionsUsed']).toEqual([NAME]);
  });

  it('addHumanoidAnimations: throws for unknown bones and for two tracks on one bone', () => {
    const doc = createDocument();
    expect(() => addHumanoidAnimations(doc, [{ ...nod, tracks: [{ ...nod.tracks[0], target: 55 }] }])).toThrow(
      RangeError,
    );
    expect(() => addHumanoidAnimations(doc, [{ ...nod, tracks: [nod.tracks[0], nod.tracks[0]] }])).toThrow(
      /two tracks for the rotation of bone head/,
    );
    expect(doc.json['extensionsUsed']).toBeUndefined();
  });
});

describe('pseudo-code of the EXT_skeleton_humanoid text', () => {
  const turn = fc
    .tuple(
      fc.integer({ min: -99, max: 99 }),
      fc.integer({ min: -99, max: 99 }),
      fc.integer({ min: -99, max: 99 }),
      fc.integer({ min: 1, max: 99 }),
    )
    .map(([x, y, z, w]) => new Quaternion(x, y, z, w).normalize());
  const betweenBones: readonly BoneName[] = ['spine', 'leftUpperArm', 'rightLowerLeg', 'head'];
  const character = fc
    .record({
      turns: fc.array(turn, { minLength: 4, maxLength: 4 }),
      which: fc.subarray([...betweenBones]),
      yaw: fc.integer({ min: -3, max: 3 }),
    })
    .map(
      ({ turns, which, yaw }): ExtCharacter => ({
        between: Object.fromEntries(which.map((bone, k) => [bone, turns[k]])),
        root: new Matrix4().makeRotationY(yaw).setPosition(new Vector3(yaw, 0, 2)),
      }),
    );

  it('gives the same local transforms on every conforming target', () => {
    fc.assert(
      fc.property(character, fc.array(turn, { minLength: 60, maxLength: 60 }), (body, turns) => {
        const doc = createDocument();
        const added = addCharacter(doc, body);
        addSkeletonDefinition(doc, definitionOf(added));
        const bones = [...added.bones.keys()];
        const tracks = bones.map((bone, k) => track(bone, 'rotation', [0], [turns[k].toArray()]));
        const way = turns[59].toArray().slice(0, 3);
        addHumanoidAnimations(doc, [clipOf('one', 1, ...tracks, track('hips', 'translation', [0], [way]))]);
        const file = again(doc);
        const asset = readGltf(file);
        const target = humanoidOf(asset, 0);
        const clip = retargetClip(planRetarget(humanoidOf(asset, 1), target), asset.clips[0].clips[1]);
        const local = Float64Array.from(target.skeleton.rest);
        sampleClip(clip, 0, local);

        const { joints, inverseBindMatrices } = (
          file.json['skins'] as { joints: number[]; inverseBindMatrices: number }[]
        )[0];
        const matrices = readFloats(file, inverseBindMatrices);
        const binds = new Map(joints.map((node, k) => [node, new Matrix4().fromArray(Array.from(matrices), 16 * k)]));
        bones.forEach((bone, k) => {
          const { node } = added.bones.get(bone) as { node: number };
          const translation = bone === 'hips' ? way : [0, 0, 0];
          const expected = remap(file.json, binds, node, {
            translation,
            rotation: turns[k].toArray(),
            scale: [1, 1, 1],
          });
          const at = 10 * asset.skeletons[0].sourceNodes.indexOf(node);
          expectSameRotation(read(local, at + 3, 4), expected.rotation, LAW_F32);
          expectNear(read(local, at, 3), expected.translation, LAW_F32);
        });
      }),
      { seed: 6, numRuns: lawRuns(60) },
    );
  });
});
