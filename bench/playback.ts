/**
 * Playback of many characters: compiled clips to matrices, in WebAssembly SIMD and in TypeScript, against AnimationMixer of three.js, and in copy units per
 * joint. All characters have 67 joints and phases of one walk with tracks for translation, rotation and scale of all joints, as exporters write them. The
 * matrices of both are compared before measuring. A run is several frames, so that the clock does not matter.
 */
import { describeHumanoid, type Humanoid, MATRIX_STRIDE } from 'anyrig';
import { type CompiledClip, Crowd, compileClip, planCrowd } from 'anyrig/playback';
import { AnimationMixer, type Object3D, type SkinnedMesh } from 'three';
import { clone } from 'three/examples/jsm/utils/SkeletonUtils.js';
import { makeCharacter } from '../src/demo/characters/make-character.ts';
import { MIXAMO_RIG } from '../src/demo/characters/rigs.ts';
import { CHILD, type Proportions, TALL } from '../src/demo/figure/proportions.ts';
import { characterDocument, glbBytes } from '../src/demo/files/glb.ts';
import { PlaybackGroup } from '../src/playback/kernel/playback-group.ts';
import { createPlaybackMemory, type PlaybackMemory } from '../src/playback/kernel/playback-memory.ts';
import { type PlaybackPlanning, planPlayback } from '../src/playback/matrices/plan-playback.ts';
import { planPlaybackClip } from '../src/playback/matrices/plan-playback-clip.ts';
import { createPlaybackWork, playMatrices } from '../src/playback/matrices/play-matrices.ts';
import type { PlaybackClip, PlaybackPlan } from '../src/playback/matrices/playback-plan.ts';
import { fullWalkOf, sourceCharacter } from './characters.ts';
import { copyUnits } from './copy-units.ts';
import { type Comparison, type Contender, compare, type Row } from './measure.ts';
import { loadInThree } from './three-character.ts';

const FEW = 16;
const MANY = 300;
const CROWD = 1000;
const MODELS = 50;
const PLAYHEADS = 64;
/** Frames per run of the fast contenders. */
const FRAMES = 20;
const FRAME_TIME = 1 / 60;
/** Greatest difference from the matrices of three.js, relative to the largest value: both are float32. */
const TOLERANCE = 1e-4;
/** Seconds of the clip between two characters. */
const PHASE = 0.137;

/** A character in three.js, animated as its users do. */
interface ThreePlayer {
  readonly mixer: AnimationMixer;
  readonly root: Object3D;
  readonly mesh: SkinnedMesh;
}

interface Bench {
  readonly source: Humanoid;
  readonly compiled: CompiledClip;
  readonly skinPlan: PlaybackPlan;
  readonly skinClip: PlaybackClip;
  readonly threePlayers: (count: number) => ThreePlayer[];
  readonly memory: PlaybackMemory;
}

function planned({ plan, reason }: PlaybackPlanning): PlaybackPlan {
  if (plan === null) throw new Error(reason);
  return plan;
}

function prepared(plan: PlaybackPlan, compiled: CompiledClip): PlaybackClip {
  const { clip, reason } = planPlaybackClip(plan, compiled);
  if (clip === null) throw new Error(reason);
  return clip;
}

function humanoidOf(skeleton: Humanoid['skeleton'], metersPerUnit: number): Humanoid {
  const { humanoid, reason } = describeHumanoid(skeleton, { metersPerUnit });
  if (humanoid === null) throw new Error(reason);
  return humanoid;
}

async function prepare(): Promise<Bench> {
  const character = sourceCharacter();
  const { skeleton } = character;
  const clip = fullWalkOf(character);
  const compiled = compileClip(skeleton, clip);
  const { gltf, mesh } = await loadInThree(glbBytes(characterDocument(character, { clips: [clip] })));
  const joints = mesh.skeleton.bones.map(({ name }) =>
    skeleton.names.findIndex((other) => other.replaceAll(':', '') === name),
  );
  const inverseBind = Float32Array.from(mesh.skeleton.boneInverses.flatMap(({ elements }) => elements));
  const skinPlan = planned(planPlayback(skeleton, { joints, inverseBind }));
  const threePlayers = (count: number): ThreePlayer[] =>
    Array.from({ length: count }, (_, k) => {
      const root = clone(gltf.scene);
      let skinned: SkinnedMesh | undefined;
      root.traverse((object) => {
        if ('isSkinnedMesh' in object) skinned = object as SkinnedMesh;
      });
      const mixer = new AnimationMixer(root);
      mixer.clipAction(gltf.animations[0]).play();
      mixer.setTime((k * PHASE) % compiled.duration);
      return { mixer, root, mesh: skinned as SkinnedMesh };
    });
  const memory = await createPlaybackMemory();
  if (memory === null) throw new Error('The kernel needs WebAssembly with SIMD, which this runtime lacks.');
  const source = humanoidOf(skeleton, 1);
  return { source, compiled, skinPlan, skinClip: prepared(skinPlan, compiled), threePlayers, memory };
}

function runThree(players: readonly ThreePlayer[], skins: boolean): void {
  for (const { mixer, root, mesh } of players) {
    mixer.update(FRAME_TIME);
    root.updateMatrixWorld(true);
    if (skins) mesh.skeleton.update();
  }
}

function groupOf(memory: PlaybackMemory, plan: PlaybackPlan, clip: PlaybackClip, count: number): PlaybackGroup {
  const group = new PlaybackGroup(memory, plan, count);
  group.addClip(clip);
  for (let k = 0; k < count; k++) {
    group.setClip(k, clip);
    group.times[k] = (k * PHASE) % clip.compiled.duration;
  }
  return group;
}

function advance(times: Float64Array, duration: number): void {
  for (let k = 0; k < times.length; k++) times[k] = (times[k] + FRAME_TIME) % duration;
}

function runGroup(group: PlaybackGroup, duration: number, frames: number): void {
  for (let frame = 0; frame < frames; frame++) {
    advance(group.times, duration);
    group.update();
  }
}

/** Throws an error when the skinning matrices of three.js and the kernel differ. */
function checkSame(players: readonly ThreePlayer[], group: PlaybackGroup, { compiled }: Bench): void {
  runThree(players, true);
  runGroup(group, compiled.duration, 1);
  const size = MATRIX_STRIDE * group.plan.resultCount;
  players.forEach(({ mesh }, k) => {
    const theirs = mesh.skeleton.boneMatrices as Float32Array;
    let [worst, largest] = [0, 0];
    for (let i = 0; i < size; i++) {
      worst = Math.max(worst, Math.abs(theirs[i] - group.matrices[k * size + i]));
      largest = Math.max(largest, Math.abs(theirs[i]));
    }
    if (!(worst < TOLERANCE * largest)) throw new Error(`Matrices of character ${k} differ by ${worst} of ${largest}.`);
  });
}

function contender(name: string, run: () => void): Contender {
  return { name, run };
}

function skinComparisons(bench: Bench): Comparison[] {
  const { compiled, skinPlan, skinClip, memory, threePlayers } = bench;
  const { duration } = compiled;
  const joints = skinPlan.resultCount;
  const few = groupOf(memory, skinPlan, skinClip, FEW);
  const many = groupOf(memory, skinPlan, skinClip, MANY);
  const fewPlayers = threePlayers(FEW);
  const manyPlayers = threePlayers(MANY);
  checkSame(fewPlayers, few, bench);
  const work = createPlaybackWork(skinPlan);
  const out = new Float32Array(MATRIX_STRIDE * joints * FEW);
  const times = few.times.slice();
  const runPlain = (): void => {
    for (let frame = 0; frame < FRAMES; frame++) {
      advance(times, duration);
      for (let k = 0; k < FEW; k++) playMatrices(skinClip, times[k], out, MATRIX_STRIDE * joints * k, work);
    }
  };
  const runFrames = (players: readonly ThreePlayer[], skins: boolean) => (): void => {
    for (let frame = 0; frame < FRAMES; frame++) runThree(players, skins);
  };
  const own = contender(`PlaybackGroup, ${FEW} characters`, () => runGroup(few, duration, FRAMES));
  const model = planned(planPlayback(bench.source.skeleton, null));
  const modelClip = prepared(model, compiled);
  const modelWork = createPlaybackWork(model);
  const modelOut = new Float32Array(MATRIX_STRIDE * model.resultCount * FEW);
  const runModel = (): void => {
    for (let frame = 0; frame < FRAMES; frame++) {
      advance(times, duration);
      for (let k = 0; k < FEW; k++) {
        playMatrices(modelClip, times[k], modelOut, MATRIX_STRIDE * model.resultCount * k, modelWork);
      }
    }
  };
  return [
    {
      name: 'sample-skin-16',
      own,
      against: contender(`three.js mixer, world matrices, skeleton, ${FEW} characters`, runFrames(fewPlayers, true)),
      kind: 'speedup',
      limit: 24,
    },
    {
      name: 'sample-skin-300',
      own: contender(`PlaybackGroup, ${MANY} characters`, () => runGroup(many, duration, 1)),
      against: contender(`three.js mixer, world matrices, skeleton, ${MANY} characters`, () =>
        runThree(manyPlayers, true),
      ),
      kind: 'speedup',
      limit: 80,
    },
    {
      name: 'sample-skin-cu',
      own,
      against: copyUnits(joints * FEW * FRAMES, `copy of 64 bytes per joint, ${joints} joints`),
      kind: 'cost',
      limit: 12,
    },
    {
      name: 'simd-vs-ts',
      own,
      against: { name: `playMatrices, ${FEW} characters`, run: runPlain },
      kind: 'speedup',
      limit: 3,
    },
    {
      name: 'ts-vs-three',
      own: { name: `playMatrices without skin, ${FEW} characters`, run: runModel },
      against: contender(`three.js mixer and world matrices, ${FEW} characters`, runFrames(threePlayers(FEW), false)),
      kind: 'speedup',
      limit: 8,
    },
  ];
}

/** Proportions between two others. */
function between(a: Proportions, b: Proportions, t: number): Proportions {
  const mix = (x: unknown, y: unknown): unknown =>
    typeof x === 'number' && typeof y === 'number' ? x + t * (y - x) : x;
  return Object.fromEntries(
    Object.entries(a).map(([key, value]) => [key, mix(value, b[key as keyof Proportions])]),
  ) as unknown as Proportions;
}

function crowdComparisons({ source, compiled }: Bench): Comparison[] {
  const models = Array.from({ length: MODELS }, (_, k) => {
    const proportions = between(CHILD, TALL, k / MODELS);
    return { humanoid: humanoidOf(makeCharacter({ ...MIXAMO_RIG, proportions }).skeleton, 1), skin: null };
  });
  const { plan, reason } = planCrowd(source, models);
  if (plan === null) throw new Error(reason);
  const bones = plan.topologies[0].bones.length;
  const crowdOf = (matrices: boolean): Contender => {
    const crowd = new Crowd(plan, { capacity: CROWD, matrices });
    const head = crowd.addPlayhead(compiled);
    for (let k = 0; k < CROWD; k++) crowd.add(k % MODELS, head);
    return contender(`Crowd of ${MODELS} models, ${CROWD} characters`, () => crowd.update(FRAME_TIME));
  };
  const changing = new Crowd(plan, { capacity: CROWD });
  const clips = [compiled, { ...compiled }];
  for (const clip of clips) changing.addClip(clip);
  const heads = Array.from({ length: PLAYHEADS }, (_, k) => changing.addPlayhead(compiled, { time: k * PHASE }));
  for (let k = 0; k < CROWD; k++) changing.add(k % MODELS, heads[k % PLAYHEADS]);
  let round = 0;
  const change = (): void => {
    round++;
    changing.remove(round % CROWD);
    changing.add(round % MODELS, heads[round % PLAYHEADS]);
    changing.setClip(heads[round % PLAYHEADS], clips[round % 2]);
    changing.update(FRAME_TIME);
  };
  const against = copyUnits(bones * CROWD, `copy of 64 bytes per joint and target, ${bones} bones`);
  return [
    { name: 'crowd-cu', own: crowdOf(false), against, kind: 'cost' },
    { name: 'crowd-matrices-cu', own: crowdOf(true), against, kind: 'cost' },
    {
      name: 'crowd-change',
      own: contender(`a character leaves, one enters, a clip is swapped, and update, ${PLAYHEADS} playheads`, change),
      against: contender('update alone', () => changing.update(FRAME_TIME)),
      kind: 'cost',
    },
  ];
}

/** Measures playback of many characters. */
export async function playback(rounds: number): Promise<Row[]> {
  const bench = await prepare();
  return compare([...skinComparisons(bench), ...crowdComparisons(bench)], rounds, { time: 150, calls: 5 });
}
