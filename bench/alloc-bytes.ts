/**
 * Allocations of a running scene: growth of the heap over 1,000 frames in which a player, a group of characters in the kernel, and a crowd move on. Each
 * measurement starts after a garbage collection, less what empty frames show; the row has the median of ten.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describeHumanoid } from 'anyrig';
import { Crowd, compileClip, Player, planCrowd, planPlayerClip } from 'anyrig/playback';
import { PlaybackGroup } from '../src/playback/kernel/playback-group.ts';
import { createPlaybackMemory } from '../src/playback/kernel/playback-memory.ts';
import { planPlayback } from '../src/playback/matrices/plan-playback.ts';
import { planPlaybackClip } from '../src/playback/matrices/plan-playback-clip.ts';
import { fullWalkOf, sourceCharacter, targetCharacter } from './characters.ts';
import { median, type Row } from './measure.ts';

const FRAMES = 1000;
const SAMPLES = 10;
const MOST_BYTES = 1024;
const CHARACTERS = 16;
const FRAME_TIME = 1 / 60;

/** Creates a scene and returns what a frame of it does. */
async function createScene(): Promise<() => void> {
  const character = sourceCharacter();
  const { skeleton } = character;
  const clip = fullWalkOf(character);
  const compiled = compileClip(skeleton, clip);
  const player = new Player(skeleton);
  player.action(planPlayerClip(skeleton, clip)).play();
  const memory = await createPlaybackMemory();
  const { plan } = planPlayback(skeleton, null);
  const source = describeHumanoid(skeleton, { metersPerUnit: 1 }).humanoid;
  const target = describeHumanoid(targetCharacter().skeleton, { metersPerUnit: 1 }).humanoid;
  if (memory === null || plan === null || source === null || target === null) {
    throw new Error('The scene could not be created.');
  }
  const playing = planPlaybackClip(plan, compiled).clip;
  const crowdPlan = planCrowd(source, [{ humanoid: target, skin: null }]).plan;
  if (playing === null || crowdPlan === null) throw new Error('The clip could not be prepared.');
  const group = new PlaybackGroup(memory, plan, CHARACTERS);
  group.addClip(playing);
  for (let k = 0; k < CHARACTERS; k++) group.setClip(k, playing);
  const crowd = new Crowd(crowdPlan, { capacity: CHARACTERS });
  const head = crowd.addPlayhead(compiled);
  for (let k = 0; k < CHARACTERS; k++) crowd.add(0, head);
  return () => {
    player.update(FRAME_TIME);
    const { times } = group;
    for (let k = 0; k < CHARACTERS; k++) times[k] = (times[k] + FRAME_TIME) % compiled.duration;
    group.update();
    crowd.update(FRAME_TIME);
  };
}

/** Measures the bytes that 1,000 frames allocate. */
export async function allocBytes(): Promise<Row[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const frame = await createScene();
  for (let k = 0; k < 20 * FRAMES; k++) frame();
  const grown = (run: () => void): number => {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let k = 0; k < FRAMES; k++) run();
    return process.memoryUsage().heapUsed - before;
  };
  const rounds = Array.from({ length: SAMPLES }, () => {
    // Reading the heap allocates a few kilobytes itself.
    const reading = grown(() => undefined);
    const value = Math.max(0, grown(frame) - reading);
    return { value, against: MOST_BYTES, ratio: value / MOST_BYTES };
  });
  const value = median(rounds.map((round) => round.value));
  return [
    {
      name: 'alloc-bytes',
      value,
      unit: 'bytes',
      against: 'allowed growth of the heap over 1,000 frames',
      againstValue: MOST_BYTES,
      ratio: value / MOST_BYTES,
      goal: { kind: 'cost', limit: 1 },
      runs: SAMPLES,
      rounds,
    },
  ];
}
