import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { AssetClip } from '../../../src/core/asset/asset.ts';
import { BONE, BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import { toModelPose } from '../../../src/core/humanoid/t-pose/model-pose.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import type { FoundHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import type { JobProgress } from '../../../src/files/jobs/job-control.ts';
import { createKeyOwner, retargetClips } from '../../../src/files/jobs/retarget-clips.ts';
import type { OpenFile } from '../../../src/files/open.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { POSE_DEGREES } from '../../support/tolerances.ts';

/** Returns the world delta of a bone from its reference pose at a time, canonical frame. */
function deltaOf({ humanoid }: FoundHumanoid, clip: Clip, time: number, bone: number): Float64Array {
  const { skeleton, frame, map, reference } = humanoid;
  const local = restPose(skeleton);
  sampleClip(clip, time, local);
  const { rotations } = toModelPose('', skeleton.parents, local);
  const delta = new Float64Array(4);
  const inverse = new Float64Array(4);
  quat.multiply(delta, 0, frame, 0, rotations, 4 * map.nodes[bone]);
  quat.conjugate(inverse, 0, reference.rotations, 4 * bone);
  quat.multiply(delta, 0, delta, 0, inverse, 0);
  return delta;
}

/** Returns the file with other clips. */
function withClips(file: OpenFile, change: (clip: AssetClip) => AssetClip[]): OpenFile {
  return { ...file, asset: { ...file.asset, clips: file.asset.clips.flatMap(change) } };
}

const codes = (issues: readonly { code: string }[]): string[] => issues.map(({ code }) => code);

describe('retargetClips', () => {
  it.each(['child.vrm', 'blender.glb', 'giant.glb', 'fighter.glb'])(
    'gives all common bones of %s the world deltas of the motion, with contacts off',
    async (name) => {
      const walk = await openDemo('walk.glb');
      const { clips, sources, target } = await retargetClips([walk], await openDemo(name), { contacts: 'off' });
      const [source, character] = [sources[0].found!, target.found!];
      for (let bone = 0; bone < BONE_COUNT; bone++) {
        if (source.humanoid.map.nodes[bone] < 0 || character.humanoid.map.nodes[bone] < 0) continue;
        for (const time of [0, 0.31, 1.234, 2.2]) {
          const wanted = deltaOf(source, walk.asset.clips[0].clips[0], time, bone);
          const found = deltaOf(character, clips[0].clip, time, bone);
          const degrees = (quat.angleBetween(wanted, 0, found, 0) * 180) / Math.PI;
          expect(degrees).toBeLessThan(POSE_DEGREES);
        }
      }
    },
  );

  it('keeps contacts by default, and reports what they changed', async () => {
    const walk = await openDemo('walk.glb');
    const character = await openDemo('giant.glb');
    const [auto] = (await retargetClips([walk], character)).clips;
    expect(auto.contacts).toMatchObject({ mode: 'auto', plants: { left: expect.any(Number) } });
    expect(auto.contacts!.largestChange).toBeGreaterThan(0.01);
    const [off] = (await retargetClips([walk], character, { contacts: 'off' })).clips;
    expect(off.contacts).toBeNull();
    expect(auto.clip.tracks).not.toEqual(off.clip.tracks);
    const [lock] = (await retargetClips([walk], character, { contacts: 'lock' })).clips;
    expect(lock.contacts!.mode).toBe('lock');
  });

  it.runIf(IS_FULL_RUN)('mirrors contacts together with the motion', async () => {
    const walk = await openDemo('walk.glb');
    const [plain] = (await retargetClips([walk], await openDemo('giant.glb'))).clips;
    const [mirrored] = (await retargetClips([walk], await openDemo('giant.glb'), { edits: { mirror: true } })).clips;
    expect(mirrored.contacts!.plants).toEqual({
      left: plain.contacts!.plants.right,
      right: plain.contacts!.plants.left,
    });
    expect(mirrored.contacts!.largestChange).toBeCloseTo(plain.contacts!.largestChange, 4);
  });

  it('retargets the clips of several files in order, each with its own humanoid', async () => {
    const motions = await Promise.all(['turn.bvh', 'walk.glb', 'wave.vrma'].map(openDemo));
    const { clips, sources, issues } = await retargetClips(motions, await openDemo('child.vrm'));
    expect(clips.map(({ clip, file }) => [clip.name, file])).toEqual([
      ['turn', 'turn.bvh'],
      ['walk', 'walk.glb'],
      ['wave', 'wave.vrma'],
    ]);
    expect(sources.map(({ found }) => found?.humanoid.map.from)).toEqual([
      expect.any(String),
      expect.any(String),
      'vrma',
    ]);
    expect(codes(issues)).not.toContain('NOT_HUMANOID');
  });

  it('names clips by a template and numbers repeated names', async () => {
    const walk = await openDemo('walk.glb');
    const thrice = withClips(walk, (clip) => [clip, clip, { ...clip, name: 'mixamo.com' }]);
    const character = await openDemo('child.vrm');
    const names = async (options: object): Promise<string[]> => {
      const { clips } = await retargetClips([thrice], character, { contacts: 'off', ...options });
      return clips.map(({ clip }) => clip.name);
    };
    expect(await names({})).toEqual(['walk', 'walk 2', 'walk 3']);
    expect(await names({ name: '{character}:{file}#{index}' })).toEqual([
      'child:walk#0',
      'child:walk#1',
      'child:walk#2',
    ]);
    expect(await names({ name: '' })).toEqual(['walk', 'walk 2', 'walk 3']);
    await expect(names({ name: '{what}' })).rejects.toThrow(OptionError);
  });

  it('skips clips that animate no humanoid bone', async () => {
    const walk = await openDemo('walk.glb');
    const hands = walk.asset.skeletons[0].skeleton.names.indexOf('mixamorig:LeftHand');
    const file = withClips(walk, (clip) => {
      const tracks = clip.clips[0].tracks.filter(({ target, path }) => target === hands && path !== 'rotation');
      return [clip, { ...clip, name: 'lamp', clips: [{ ...clip.clips[0], tracks }] }];
    });
    const { clips, issues } = await retargetClips([file], await openDemo('child.vrm'), { contacts: 'off' });
    expect(clips).toHaveLength(1);
    expect(issues.find(({ code }) => code === 'CLIP_EMPTY')?.message).toMatch(/"lamp" of walk\.glb animates no bone/);
  });

  it('skips clips with values that exceed float32', async () => {
    const walk = await openDemo('walk.glb');
    const wild = withClips(walk, (clip) => {
      const tracks = clip.clips[0].tracks.map((track) => {
        return track.path === 'translation' ? { ...track, values: track.values.map(() => 1e39) } : track;
      });
      const float64 = tracks.map((track) => ({ ...track, values: Float64Array.from(track.values) }));
      return [{ ...clip, clips: [{ ...clip.clips[0], tracks: float64 }] }];
    });
    const { clips, issues } = await retargetClips([wild], await openDemo('giant.glb'));
    expect(clips).toEqual([]);
    expect(issues.find(({ code }) => code === 'CLIP_OVERFLOW')?.severity).toBe('error');
  });

  it('skips motions that are not humanoid, and gives no clips for a character that is not', async () => {
    const walk = await openDemo('walk.glb');
    const [part] = walk.asset.skeletons;
    const names = part.skeleton.names.map(() => 'x');
    // A single chain, whose shape is not human either.
    const parents = part.skeleton.parents.map((_, node) => node - 1);
    const skeletons = [{ ...part, skeleton: { ...part.skeleton, names, parents } }];
    const nobody: OpenFile = { ...walk, name: 'nobody.glb', asset: { ...walk.asset, skeletons } };
    const character = await openDemo('child.vrm');
    const some = await retargetClips([nobody, walk], character, { contacts: 'off' });
    expect(some.clips.map(({ file }) => file)).toEqual(['walk.glb']);
    expect(some.sources.map(({ found }) => found === null)).toEqual([true, false]);
    expect(some.issues.find(({ code }) => code === 'NOT_HUMANOID')?.message).toMatch(/^nobody\.glb is not humanoid: ./);
    expect(some.hipsScale).toBeGreaterThan(0);
    const none = await retargetClips([walk], nobody);
    expect([none.clips, none.hipsScale]).toEqual([[], null]);
    expect(codes(none.issues)).toContain('NOT_HUMANOID');
  });

  it('reports a motion without clips', async () => {
    const { clips, issues } = await retargetClips([await openDemo('mixamo.glb')], await openDemo('child.vrm'));
    expect(clips).toEqual([]);
    expect(issues.find(({ code }) => code === 'CLIP_EMPTY')?.message).toBe('mixamo.glb has no clips');
  });

  it('resamples to a frame rate, and throws for rates that are out of range or give too many frames', async () => {
    const walk = await openDemo('walk.glb');
    const character = await openDemo('child.vrm');
    const { clips } = await retargetClips([walk], character, { fps: 10 });
    for (const { times } of clips[0].clip.tracks) expect(times.length === 1 || times.length === 23).toBe(true);
    for (const fps of [0, -1, Number.NaN, 1e9]) {
      await expect(retargetClips([walk], character, { fps })).rejects.toThrow(OptionError);
    }
    const endless = withClips(walk, (clip) => [{ ...clip, duration: 1e12 }]);
    await expect(retargetClips([endless], character, { fps: 30 })).rejects.toThrow(/more than 216000 frames/);
  });

  it('retargets other channels on request, and scales root motion', async () => {
    const walk = await openDemo('walk.glb');
    const character = await openDemo('child.vrm');
    const none = await retargetClips([walk], character, { contacts: 'off', channels: { hipsScale: 'none' } });
    const still = await retargetClips([walk], character, { contacts: 'off', channels: { hipsTranslation: false } });
    expect(none.hipsScale).toBe(1);
    const hips = none.target.found!.humanoid.map.nodes[BONE.hips];
    const paths = (result: typeof none): string[] => {
      return result.clips[0].clip.tracks.filter(({ target }) => target === hips).map(({ path }) => path);
    };
    expect(paths(none).sort()).toEqual(['rotation', 'translation']);
    expect(paths(still)).toEqual(['rotation']);
  });

  it('reports every issue once, with the name of its file', async () => {
    const turn = await openDemo('turn.bvh');
    const { issues } = await retargetClips([turn, turn], await openDemo('giant.glb'));
    const texts = issues.map((one) => JSON.stringify(one));
    expect(new Set(texts).size).toBe(texts.length);
    expect(issues.every(({ where }) => where.resource === 'turn.bvh' || where.resource === 'giant.glb')).toBe(true);
  });

  it('reports progress before every clip, over all motions', async () => {
    const steps: JobProgress[] = [];
    await retargetClips([await openDemo('walk.glb'), await openDemo('turn.bvh')], await openDemo('child.vrm'), {
      contacts: 'off',
      onProgress: (progress) => steps.push(progress),
    });
    expect(steps).toEqual([
      { step: 'retarget', file: 'walk.glb', clip: 'walk', done: 0, total: 2 },
      { step: 'retarget', file: 'turn.bvh', clip: 'turn', done: 1, total: 2 },
    ]);
  });

  it('ends between two clips with the reason of an aborted signal, which a timer can abort', async () => {
    const walk = await openDemo('walk.glb');
    const hundred = withClips(walk, (clip) => Array.from({ length: 100 }, () => clip));
    const begun: (string | null)[] = [];
    const controller = new AbortController();
    const job = retargetClips([hundred], await openDemo('child.vrm'), {
      contacts: 'off',
      signal: controller.signal,
      onProgress: ({ clip }) => begun.push(clip),
    });
    setTimeout(() => controller.abort(new Error('enough')), 1);
    await expect(job).rejects.toThrow('enough');
    expect(begun.length).toBeLessThan(100);
  });
});

it('createKeyOwner: copies views of larger buffers, shared arrays once, and keeps other arrays', () => {
  const file = new Float32Array(100).map((_, k) => k);
  const times = file.subarray(0, 3);
  const values = Float64Array.of(7, 8, 9);
  const own = createKeyOwner();
  const tracks = [
    { target: 1, interpolation: 'LINEAR', times, values },
    { target: 2, interpolation: 'STEP', times, values: file.subarray(50, 53) },
  ] as const;
  const [first, second] = own(tracks);
  expect([first.target, second.target]).toEqual([1, 2]);
  expect([...first.times, ...second.values]).toEqual([0, 1, 2, 50, 51, 52]);
  expect(first.times).toBe(second.times);
  expect(first.values).toBe(values);
  for (const array of [first.times, second.values]) expect(array.buffer.byteLength).toBe(array.byteLength);
});
