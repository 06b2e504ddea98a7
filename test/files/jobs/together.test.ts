import { describe, expect, test } from 'vitest';
import { BONE, type BoneName } from '../../../src/core/humanoid/bones.ts';
import type { CharacterOptions } from '../../../src/demo/characters/character.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { ADULT, CHIBI } from '../../../src/demo/figure/proportions.ts';
import { characterDocument, glbBytes } from '../../../src/demo/files/glb.ts';
import type { ClipEdits } from '../../../src/files/clips/clip-edits.ts';
import type { RetargetClipsOptions } from '../../../src/files/jobs/plan-pair.ts';
import { retargetClips } from '../../../src/files/jobs/retarget-clips.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { concatParts } from '../../../src/formats/gltf/document/glb.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { randomCharacterOptions } from '../../support/make/demo-character.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { demoBytes } from '../../support/make/demo-files.ts';
import { HANDSHAKE, handshake, pointOf, type Shaker, shakerAt, shakerKeypoints } from '../../support/make/handshake.ts';
import { joinGlbs } from '../../support/make/two-characters.ts';
import { createMotionSampler, sampleMotion } from '../../support/reference/motion-sampler.ts';
import { plus, rotated, times } from '../../support/reference/plain.ts';

type Vector = readonly number[];

const open = (text: string | Uint8Array, name: string): Promise<OpenFile> =>
  openBytes(typeof text === 'string' ? new TextEncoder().encode(text) : text, { name });

function characterOf(options: CharacterOptions): Promise<OpenFile> {
  return open(glbBytes(characterDocument(makeCharacter(options))), 'character.glb');
}

/** The people of a handshake, in files of their own. */
function filesOf(people: readonly Shaker[]): Promise<OpenFile[]> {
  return Promise.all(people.map((person, k) => open(shakerKeypoints([person]), `person${k}.json`)));
}

const middle = (a: Vector, b: Vector): Vector => a.map((value, c) => (value + b[c]) / 2);
const between = (a: Vector, b: Vector): Vector => b.map((value, c) => value - a[c]);
const apart = (a: Vector, b: Vector): number => Math.hypot(...between(a, b));

/** Pelvis and palm of every clip at a time, canonical frame, meters. */
async function sampled(motions: readonly OpenFile[], character: OpenFile, options: RetargetClipsOptions) {
  const { clips, issues, hipsScale } = await retargetClips(motions, character, options);
  const samplers = clips.map(({ clip, target }) => createMotionSampler(target.humanoid, clip));
  const at = (time: number) =>
    samplers.map((sampler) => {
      sampleMotion(sampler, time);
      const { map, reference } = sampler.humanoid;
      const of = (values: Float64Array, bone: BoneName): Vector =>
        Array.from(values.subarray(3 * BONE[bone], 3 * BONE[bone] + 3));
      const read = (bone: BoneName): Vector => of(sampler.positions, bone);
      const hasFingers = map.nodes[BONE.rightMiddleProximal] >= 0;
      const [from, to] = hasFingers
        ? (['rightHand', 'rightMiddleProximal'] as const)
        : (['rightLowerArm', 'rightHand'] as const);
      const rest = between(of(reference.positions, from), of(reference.positions, to));
      const turn = Array.from(sampler.worldDeltas.subarray(4 * BONE.rightHand, 4 * BONE.rightHand + 4));
      const palm = plus(read('rightHand'), rotated(turn, times(rest, hasFingers ? 0.5 : 0.2)));
      return { pelvis: middle(read('leftUpperLeg'), read('rightUpperLeg')), palm };
    });
  return { at, issues, hipsScale: hipsScale as number, height: clips[0].target.humanoid.height };
}

/** How far the vector between two palms is from that of the people times the scale, relative to the height; and the same of the pelvises over the ground. */
async function errorsOf(
  people: readonly Shaker[],
  motions: readonly OpenFile[],
  character: OpenFile,
  options: RetargetClipsOptions,
) {
  const { at, issues, hipsScale, height } = await sampled(motions, character, options);
  let [hands, hips] = [0, 0];
  for (let time = HANDSHAKE.from; time <= HANDSHAKE.to; time += 0.05) {
    const expected = people.map((person) => shakerAt(person, time));
    const [one, other] = at(time);
    const pelvises = expected.map((positions) =>
      middle(pointOf(positions, 'left_hip'), pointOf(positions, 'right_hip')),
    );
    const palms = expected.map((positions) => pointOf(positions, 'palm'));
    const scaled = (vector: Vector): Vector => vector.map((value) => hipsScale * value);
    // Hands that are further from each other do not touch yet, or not any more.
    if (apart(palms[0], palms[1]) < TOUCHING)
      hands = Math.max(hands, apart(between(one.palm, other.palm), scaled(between(palms[0], palms[1]))));
    const [is, was] = [between(one.pelvis, other.pelvis), scaled(between(pelvises[0], pelvises[1]))];
    hips = Math.max(hips, Math.hypot(is[0] - was[0], is[2] - was[2]));
  }
  return { hands: hands / height, hips: hips / height, issues };
}

/** Hands that touch, relative to the height: the issue that asked for takes of several people says 2 %. */
const MEETS = 0.02;
/** Distance of palms that touch, meters: 4 % of the height. */
const TOUCHING = 0.06;
/** Places of hips, relative to the height: keys of float32, and contacts that shift the hips. */
const PLACE = 2e-3;

describe('together', () => {
  const people = handshake(1.12, 0.97);

  test('people of two sizes keep the distance of their hips times one scale, and their hands meet', async () => {
    const character = await characterOf({ proportions: ADULT });
    const files = await filesOf(people);
    const apartFromEachOther = await errorsOf(people, files, character, {});
    expect(apartFromEachOther.hands).toBeGreaterThan(2 * MEETS);
    const { hands, hips, issues } = await errorsOf(people, files, character, { together: true });
    expect(hips).toBeLessThan(PLACE);
    expect(hands).toBeLessThan(MEETS);
    expect(issues.map(({ code }) => code)).not.toContain('HANDS_APART');
  });

  test.each(sampledCases([...Array(20).keys()]))(
    'hands meet on the random character %i or are reported',
    async (seed) => {
      const character = await characterOf(randomCharacterOptions(seed));
      const { hands, hips, issues } = await errorsOf(people, await filesOf(people), character, { together: true });
      expect(hips).toBeLessThan(PLACE);
      if (!issues.some(({ code }) => code === 'HANDS_APART')) expect(hands).toBeLessThan(MEETS);
    },
  );

  test('hands of a character with short arms stay apart, and a warning says so', async () => {
    const character = await characterOf({ proportions: { ...CHIBI, arm: 0.6 * CHIBI.arm } });
    const { hips, issues } = await errorsOf(people, await filesOf(people), character, { together: true });
    expect(hips).toBeLessThan(PLACE);
    expect(issues.find(({ code }) => code === 'HANDS_APART')?.message).toMatch(/\d+ % of the height/);
  });

  test('one file with a clip per person', async () => {
    const both = handshake(1, 1);
    const file = await open(shakerKeypoints(both), 'both.json');
    const { hands, hips } = await errorsOf(both, [file], await characterOf({ proportions: ADULT }), { together: true });
    expect(hips).toBeLessThan(PLACE);
    expect(hands).toBeLessThan(MEETS);
  });

  test.runIf(IS_FULL_RUN)(
    'one file with a skeleton per person, which rest at different places and face different ways',
    async () => {
      const [one, other] = people;
      // The second person moves as if it faced forward from the origin; the node above its skeleton turns and moves it to its place.
      const straight: Shaker = { ...other, isTurned: false, place: [0, 0, 0] };
      const actors = await Promise.all(
        [one, straight].map(async (person) => {
          const [file] = await filesOf([person]);
          const size = Object.fromEntries(Object.entries(ADULT).map(([name, length]) => [name, length * person.size]));
          const actor = await characterOf({ proportions: size as unknown as typeof ADULT, skin: false });
          const options = {
            output: 'actor.glb',
            mesh: false,
            contacts: 'off',
            channels: { hipsScale: 'none' },
          } as const;
          const { outputs } = await retargetMotions([file], actor, options);
          return concatParts(outputs[0].parts);
        }),
      );
      const turned = { name: 'turned', rotation: [0, 1, 0, 0], translation: [...other.place] };
      const take = await open(joinGlbs(actors, [{ name: 'first' }, turned]), 'take.glb');
      const character = await characterOf({ proportions: ADULT });
      const { at, hipsScale, height } = await sampled([take], character, { together: true });
      const [a, b] = at(1);
      const [c, d] = (await sampled(await filesOf(people), character, { together: true })).at(1);
      // The actors have bodies of their own, so that their hips are not exactly where those of the figure are.
      expect(apart(between(a.pelvis, b.pelvis), between(c.pelvis, d.pelvis)) / (hipsScale * height)).toBeLessThan(0.05);
    },
  );

  test.runIf(IS_FULL_RUN)('five people of one file keep their places, mirrored too', async () => {
    const walk = demoBytes('walk.glb');
    const places = [0, 1, 2, 3, 4].map((k) => ({ name: `person${k}`, translation: [2 * k, 0, 0] }));
    const take = await open(
      joinGlbs(
        places.map(() => walk),
        places,
      ),
      'take.glb',
    );
    const character = await characterOf({ proportions: ADULT });
    const motionsOf = async (edits: ClipEdits) => {
      const { clips, hipsScale } = await retargetClips([take], character, { together: true, contacts: 'off', edits });
      const sides = clips.map(({ clip, target }) => {
        const sampler = createMotionSampler(target.humanoid, clip);
        sampleMotion(sampler, 0.2);
        return sampler.positions[3 * BONE.hips] / (hipsScale as number);
      });
      return sides.slice(1).map((side, k) => Math.abs(side - sides[k]));
    };
    for (const edits of [{}, { mirror: true }])
      expect(await motionsOf(edits)).toEqual([2, 2, 2, 2].map((distance) => expect.closeTo(distance, 3)));
  });

  test('people below one node of an FBX are people of a take, and keep their distance', async () => {
    const group = [
      { rename: (name: string) => name, at: [0, 0, 0] },
      { rename: (name: string) => name.replace('mixamorig:', 'mixamorig1:'), at: [150, 0, 0] },
    ] as const;
    const take = await open(walkFbx('binary', { group, fps: 10 }), 'take.fbx');
    const character = await characterOf({ proportions: ADULT });
    const { at, hipsScale } = await sampled([take], character, { together: true, contacts: 'off' });
    const [one, other] = at(0.5);
    expect(other.pelvis[0] - one.pelvis[0]).toBeCloseTo(1.5 * hipsScale, 3);
  });

  test('a take of one person is refused', async () => {
    const [file] = await filesOf(people);
    const character = await characterOf({ proportions: ADULT });
    await expect(retargetClips([file], character, { together: true })).rejects.toThrow(
      'The motions have 1 clip of a person; together takes the clips of at least two people',
    );
  });

  test('a clip that moves no body is no person', async () => {
    const [file] = await filesOf(people);
    const clips = file.asset.skeletons.map(() => ({ name: 'camera', duration: 1, tracks: [] }));
    const camera = { name: 'camera', duration: 1, clips, morphs: [], otherChannels: 1 };
    const take = { ...file, asset: { ...file.asset, clips: [camera, ...file.asset.clips] } };
    const character = await characterOf({ proportions: ADULT });
    await expect(retargetClips([take], character, { together: true })).rejects.toThrow(
      'The motions have 1 clip of a person',
    );
  });

  test('the work on a take stops between two people', async () => {
    const character = await characterOf({ proportions: ADULT });
    const controller = new AbortController();
    const steps: (string | null)[] = [];
    const run = retargetClips(await filesOf(people), character, {
      together: true,
      signal: controller.signal,
      onProgress: ({ clip }) => {
        steps.push(clip);
        controller.abort(new Error('enough'));
      },
    });
    await expect(run).rejects.toThrow('enough');
    expect(steps).toHaveLength(1);
  });
});
