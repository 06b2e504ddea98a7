import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Clip, lastKeyTime, type Track } from '../../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { BONE, BONES, REQUIRED_BONES } from '../../../../src/core/humanoid/bones.ts';
import { withDeclaredPose } from '../../../../src/core/humanoid/declared-pose.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { createNormalizedHumanoid } from '../../../../src/core/humanoid/normalized-humanoid.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { restPose } from '../../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../../src/demo/random.ts';
import { readBvh } from '../../../../src/formats/bvh/index.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { parseGltf, readGltf, writeVrma } from '../../../../src/formats/gltf/index.ts';
import { type AssetHumanoid, findAssetHumanoid } from '../../../external/oracle/retargeted.ts';
import { vrmaOf } from '../../../external/oracle/vrma-of.ts';
import { largest, rotationError } from '../../../laws/law.ts';
import { assetFiles } from '../../../support/assets.ts';
import { lawRuns, sampledCases } from '../../../support/law-runs.ts';
import { demoBytes } from '../../../support/make/demo-files.ts';
import { randomClip } from '../../../support/make/random-clip.ts';
import { randomRig } from '../../../support/make/random-rig.ts';
import { clipOf, tPoseHumanoid, track } from '../../../support/make/tiny-humanoid.ts';
import { apart, minus } from '../../../support/reference/plain.ts';
import { pelvisPosition, referencePelvis, worldDeltas } from '../../../support/reference/world-retarget.ts';
import { LAW_F32, LINEAR_WORLD_RADIANS, RESAMPLED_HEIGHT, RESAMPLED_RADIANS } from '../../../support/tolerances.ts';
import { glbBytes } from '../open.ts';
import { validatorCodes } from '../validator.ts';

const BODY = createNormalizedHumanoid(tPoseHumanoid());
const FACE = [
  { name: 'leftEye', parent: 'head', at: [0.03, 0.1, 0.1] },
  { name: 'rightEye', parent: 'head', at: [-0.03, 0.1, 0.1] },
];
const NOD = clipOf(
  track(
    BODY,
    'head',
    'rotation',
    'LINEAR',
    [0, 1],
    [
      [0, 0, 0, 1],
      [0.6, 0, 0, 0.8],
    ],
  ),
);

/** Writes a VRMA and parses it again. */
function written(body: Humanoid, clip: Clip): { json: JsonObject; glb: Uint8Array; issues: readonly Issue[] } {
  const { document, issues } = writeVrma(body, clip);
  const glb = glbBytes(document);
  return { json: parseGltf(glb).json, glb, issues };
}

function channelsOf(json: JsonObject): string[] {
  const [animation] = json['animations'] as { channels: { target: { node: number; path: string } }[] }[];
  const nodes = json['nodes'] as { name: string }[];
  return animation.channels.map(({ target }) => `${nodes[target.node].name} ${target.path}`);
}

function humanBonesOf(json: JsonObject): Record<string, { node: number }> {
  const extensions = json['extensions'] as Record<string, { humanoid: { humanBones: never } }>;
  return extensions['VRMC_vrm_animation'].humanoid.humanBones;
}

describe('writeVrma', () => {
  it('writes bones by name, the rest pose, one scene and one animation', async () => {
    const { json, glb, issues } = written(BODY, NOD);
    expect(issues).toEqual([]);
    expect(json['extensionsUsed']).toEqual(['VRMC_vrm_animation']);
    expect(json['extensions']).toMatchObject({ VRMC_vrm_animation: { specVersion: '1.0' } });
    expect(json['asset']).toEqual({ version: '2.0', generator: 'anyrig' });
    const nodes = json['nodes'] as { name: string; translation?: number[] }[];
    const bones = humanBonesOf(json);
    expect(Object.keys(bones)).toEqual(nodes.map(({ name }) => name));
    for (const [bone, { node }] of Object.entries(bones)) expect(nodes[node].name).toBe(bone);
    expect(Object.keys(bones)).toEqual(expect.arrayContaining([...REQUIRED_BONES]));
    expect(nodes[0]).toMatchObject({ name: 'hips', translation: [0, 1, 0] });
    for (const node of nodes) expect(Object.keys(node)).not.toEqual(expect.arrayContaining(['rotation']));
    expect(json['scenes']).toEqual([{ nodes: [0] }]);
    // Bones without a track become nodes without a channel.
    expect(channelsOf(json)).toEqual(['head rotation']);
    expect([...(await validatorCodes(glb))].filter(([, severity]) => severity < 2)).toEqual([]);
  });

  it('round-trips as a declared humanoid in T-pose', () => {
    const asset = readGltf(parseGltf(written(BODY, NOD).glb));
    expect([asset.format, asset.issues]).toEqual(['vrma', []]);
    const { humanoid, clips } = findAssetHumanoid(asset);
    expect(humanoid.reference.kind).toBe('declared');
    expect(humanoid.hipsHeight).toBeCloseTo(1, 12);
    expect(humanoid.issues).toEqual([]);
    expect(clips.map(({ name, duration }) => [name, duration])).toEqual([['clip', 1]]);
  });

  it('does not map or animate the eyes', () => {
    const body = createNormalizedHumanoid(tPoseHumanoid({}, ...FACE));
    const blink = track(body, 'leftEye', 'rotation', 'STEP', [0], [[0, 0.6, 0, 0.8]]);
    const { json, issues } = written(body, clipOf(...NOD.tracks, blink));
    expect((json['nodes'] as { name: string }[]).map(({ name }) => name)).toContain('leftEye');
    expect(Object.keys(humanBonesOf(json)).filter((bone) => bone.endsWith('Eye'))).toEqual([]);
    expect(channelsOf(json)).toEqual(['head rotation']);
    expect(issues.map(({ code, message }) => [code, message.slice(-25)])).toEqual([
      ['CHANNELS_DROPPED', '1 × rotations of the eyes'],
    ]);
  });

  it('drops scales and translations of other bones than the hips', () => {
    const one = [[1, 1, 1]];
    const clip = clipOf(
      track(BODY, 'hips', 'translation', 'LINEAR', [0], one),
      track(BODY, 'spine', 'translation', 'LINEAR', [0], one),
      track(BODY, 'hips', 'scale', 'LINEAR', [0], one),
      track(BODY, 'head', 'scale', 'LINEAR', [0], one),
    );
    const { json, issues } = written(BODY, clip);
    expect(channelsOf(json)).toEqual(['hips translation']);
    expect(issues.map(({ code }) => code)).toEqual(['CHANNELS_DROPPED']);
    expect(issues[0].message).toMatch(/"clip".*1 × translations.*2 × scales/);
  });

  it('writes and reports a file without animation if no track remains', () => {
    const { json, issues } = written(BODY, clipOf(track(BODY, 'head', 'scale', 'LINEAR', [0], [[2, 2, 2]])));
    expect(json).not.toHaveProperty('animations');
    expect(issues.map(({ code }) => code)).toEqual(['CHANNELS_DROPPED', 'CLIP_EMPTY']);
  });

  it('reports missing required bones', () => {
    const { skeleton, map } = tPoseHumanoid();
    const nodes = map.nodes.map((node, bone) => (bone === BONE.spine || bone === BONE.leftHand ? -1 : node));
    const lacking = createNormalizedHumanoid({ ...tPoseHumanoid(), skeleton, map: { ...map, nodes } });
    const { issues } = written(lacking, clipOf(track(lacking, 'head', 'rotation', 'LINEAR', [0], [[0, 0, 0, 1]])));
    expect(issues.map(({ code }) => code)).toEqual(['VRM_HUMANOID']);
    expect(issues[0].message).toContain('spine, leftHand');
  });

  it('writes all keys as LINEAR, as some players ignore the interpolation', () => {
    const turns = [
      [0, 0, 0, 1],
      [0.6, 0, 0, 0.8],
      [0, 0.6, 0, 0.8],
    ];
    const still = [0, 0, 0, 0];
    const splines = turns.flatMap((value) => [still, value, still]);
    const clip = clipOf(
      track(BODY, 'head', 'rotation', 'STEP', [0, 1, 2], turns),
      track(BODY, 'spine', 'rotation', 'CUBICSPLINE', [0, 1, 2], splines),
      track(BODY, 'leftFoot', 'rotation', 'STEP', [0], [turns[1]]),
    );
    const { json, glb } = written(BODY, clip);
    const [{ samplers }] = json['animations'] as { samplers: { interpolation: string }[] }[];
    expect(samplers.map(({ interpolation }) => interpolation)).toEqual(['LINEAR', 'LINEAR', 'LINEAR']);
    const again = findAssetHumanoid(readGltf(parseGltf(glb)));
    for (const time of [0, 0.2, 0.5, 0.999, 1, 1.7, 2]) {
      expect(deltasApart(BODY, clip, again, again.clips[0], time)).toBeLessThan(RESAMPLED_RADIANS + LAW_F32);
    }
  });

  it('throws for humanoids that are not normalized and for clips of another skeleton', () => {
    expect(() => writeVrma(tPoseHumanoid({}, { name: 'prop', at: [0, 0, 0] }), NOD)).toThrow(
      /createNormalizedHumanoid/,
    );
    const stray: Track = { ...NOD.tracks[0], target: 99 };
    expect(() => writeVrma(BODY, clipOf(stray))).toThrow(RangeError);
  });
});

/** Largest angle between the world deltas of two humanoids at a time, without the eyes. */
function deltasApart(a: Humanoid, aClip: Clip, b: AssetHumanoid, bClip: Clip, time: number): number {
  const deltas = [[a, aClip] as const, [b.humanoid, bClip] as const].map(([humanoid, clip]) => {
    const local = restPose(humanoid.skeleton);
    sampleClip(clip, time, local);
    return worldDeltas(humanoid, local).map((delta, bone) => (BONES[bone].endsWith('Eye') ? null : delta));
  });
  return rotationError(deltas[0], deltas[1]);
}

/** Difference of the pelvis offsets from the reference position at a time, relative to the hips height. */
function waysApart(a: AssetHumanoid, aClip: Clip, b: AssetHumanoid, bClip: Clip, time: number): number {
  const [p, q] = [[a, aClip] as const, [b, bClip] as const].map(([{ humanoid }, clip]) => {
    const local = restPose(humanoid.skeleton);
    sampleClip(clip, time, local);
    return minus(pelvisPosition(humanoid, local), referencePelvis(humanoid));
  });
  return apart(p, q) / b.humanoid.hipsHeight;
}

/** Writes a motion as VRMA and reads it again. Both humanoids are returned with the poses that a VRMA declares. */
function throughVrma(motion: AssetHumanoid): { source: AssetHumanoid; target: AssetHumanoid; glb: Uint8Array } {
  const glb = vrmaOf(motion).bytes;
  const [source, target] = [motion, findAssetHumanoid(readGltf(parseGltf(glb)))].map((part) => {
    return { ...part, humanoid: withDeclaredPose(part.humanoid) };
  });
  return { source, target, glb };
}

/** Times of at most 200 keys of a clip, and times between them. */
function timesOf(clip: Clip): { keys: number[]; between: number[] } {
  const all = [...new Set(clip.tracks.flatMap(({ times }) => [...times]))].sort((a, b) => a - b);
  const keys = all.filter((_, k) => k % Math.ceil(all.length / 200) === 0);
  return { keys, between: keys.map((time, k) => (time + (keys[k + 1] ?? lastKeyTime(clip.tracks))) / 2) };
}

describe('round trip through VRMA', () => {
  const vrmas = assetFiles('assets/vrma', 'vrma').map(
    (path) => [path.split('/').at(-1)!, () => readFileSync(path)] as const,
  );

  it.each([['wave.vrma', () => demoBytes('wave.vrma')] as const, ...vrmas])(
    '%s keeps its world deltas and its hips motion',
    async (_, bytes) => {
      const { source, target, glb } = throughVrma(findAssetHumanoid(readGltf(parseGltf(bytes()))));
      const [clip] = source.clips;
      const [again] = target.clips;
      expect(again.duration).toBeCloseTo(clip.duration, 5);
      const { keys, between } = timesOf(clip);
      const apartAt = (time: number): number => deltasApart(source.humanoid, clip, target, again, time);
      expect(largest(...keys.map(apartAt))).toBeLessThan(LAW_F32);
      // Nodes between the bones that turn are folded into the bones: between keys within the bound of resampling.
      const isFolded = clip.tracks.some(({ target: node }) => !source.humanoid.map.nodes.includes(node));
      expect(largest(...between.map(apartAt))).toBeLessThan(isFolded ? RESAMPLED_RADIANS + LAW_F32 : LAW_F32);
      // Without a track of the hips nothing says where a character whose hips rest on the ground is.
      if (!clip.tracks.some(({ path }) => path === 'translation')) return;
      const wayAt = (time: number): number => waysApart(source, clip, target, again, time);
      expect(largest(...keys.map(wayAt))).toBeLessThan(LAW_F32);
      expect(largest(...between.map(wayAt))).toBeLessThan(isFolded ? RESAMPLED_HEIGHT + LAW_F32 : LAW_F32);
      expect([...(await validatorCodes(glb))].filter(([, severity]) => severity < 2)).toEqual([]);
    },
  );

  const bvhs = assetFiles('assets/bvh', 'bvh').map(
    (path) => [path.split('/').at(-1)!, () => readFileSync(path)] as const,
  );

  it.each([['turn.bvh', () => demoBytes('turn.bvh')] as const, ...sampledCases(bvhs)])(
    '%s keeps its world deltas and its hips motion',
    async (_, bytes) => {
      const { source, target, glb } = throughVrma(findAssetHumanoid(readBvh(bytes())));
      const { keys, between } = timesOf(source.clips[0]);
      for (const time of [...keys, ...between]) {
        expect(deltasApart(source.humanoid, source.clips[0], target, target.clips[0], time)).toBeLessThan(
          RESAMPLED_RADIANS + LAW_F32,
        );
        expect(waysApart(source, source.clips[0], target, target.clips[0], time)).toBeLessThan(
          RESAMPLED_HEIGHT + LAW_F32,
        );
      }
      expect([...(await validatorCodes(glb))].filter(([, severity]) => severity < 2)).toEqual([]);
    },
  );

  it('keeps the world deltas and the hips motion of any humanoid', () => {
    for (let seed = 0; seed < lawRuns(60); seed++) {
      const random = makeRandom(seed);
      const { humanoid } = randomRig(random);
      const clip = randomClip(random, humanoid, { others: seed % 2 === 0, style: 'smooth' });
      if (clip.tracks.length === 0) continue;
      const source: AssetHumanoid = { humanoid, sourceNodes: new Int32Array(0), clips: [clip] };
      const { target } = throughVrma(source);
      for (const part of [0, 0.21, 0.5, 0.77, 1]) {
        const time = Math.fround(part * clip.duration);
        const isJump = clip.tracks.some(
          ({ interpolation, times }) => interpolation === 'STEP' && times.some((jump) => Math.abs(jump - time) < 1e-5),
        );
        if (isJump) continue;
        // One tolerance for retargeting and one for converting splines to LINEAR.
        expect(deltasApart(humanoid, clip, target, target.clips[0], time), `seed ${seed}`).toBeLessThan(
          RESAMPLED_RADIANS + LINEAR_WORLD_RADIANS + LAW_F32,
        );
        expect(waysApart(source, clip, target, target.clips[0], time), `seed ${seed}`).toBeLessThan(
          2 * RESAMPLED_HEIGHT * (humanoid.height / target.humanoid.hipsHeight) + LAW_F32,
        );
      }
    }
  });
});
