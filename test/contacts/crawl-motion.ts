/** A body on its hands and knees, as a test of hands that rest on the ground. */
import type { Clip, Track } from '../../src/core/animation/clip.ts';
import { type CharacterFrames, sampleCharacterFrames } from '../../src/core/contacts/frames/character-frames.ts';
import { createPosedCharacter } from '../../src/core/contacts/frames/posed-character.ts';
import { BONE, BONE_PARENTS, type BoneName, SIDES } from '../../src/core/humanoid/bones.ts';
import { aboutAxis, inverse, product, type Quaternion } from '../support/reference/plain.ts';
import type { DemoBody } from './demo-pair.ts';

const DEGREE = Math.PI / 180;
/** Seconds of the clip, and those in which the left hand is lifted and put down. */
const DURATION = 3;
export const LIFTED = [1.2, 2.2] as const;

/** Samples feet and hands 60 times per second; by default the whole clip. */
export function sampleHands(
  { humanoid, surface }: DemoBody,
  clip: Clip,
  count = Math.round(60 * DURATION) + 1,
): CharacterFrames {
  const grid = { start: 0, count, step: 1 / 60 };
  return sampleCharacterFrames(createPosedCharacter(humanoid, surface), clip, grid, 'all', null, true);
}

/** A pose on hands and knees: by how much the trunk leans to the front, and how high the hips are. */
function crawlClip({ humanoid: { map, reference } }: DemoBody, lean: number, height: number, lift: number): Clip {
  const rotationOf = (bone: number): Quaternion =>
    [...reference.rotations.subarray(4 * bone, 4 * bone + 4)] as unknown as Quaternion;
  const trunk = aboutAxis([1, 0, 0], lean);
  const shins = aboutAxis([1, 0, 0], 90 * DEGREE);
  const track = (
    name: BoneName,
    above: Quaternion,
    changes: readonly Quaternion[],
    times: readonly number[],
  ): Track => {
    let parent = BONE_PARENTS[BONE[name]];
    while (parent >= 0 && map.nodes[parent] < 0) parent = BONE_PARENTS[parent];
    const base = parent < 0 ? ([0, 0, 0, 1] as Quaternion) : product(above, rotationOf(parent));
    const values = changes.flatMap((change) => [...product(inverse(base), product(change, rotationOf(BONE[name])))]);
    return {
      target: map.nodes[BONE[name]],
      path: 'rotation',
      interpolation: 'LINEAR',
      times: Float64Array.from(times),
      values: Float64Array.from(values),
    };
  };
  const still: Quaternion = [0, 0, 0, 1];
  const limbs = SIDES.flatMap((side) => {
    const down = aboutAxis([0, 0, 1], (side === 'left' ? -90 : 90) * DEGREE);
    const raised = product(aboutAxis([1, 0, 0], side === 'left' ? -lift : 0), down);
    const times = [0, LIFTED[0], (LIFTED[0] + LIFTED[1]) / 2, LIFTED[1], DURATION];
    const arm = [down, down, raised, down, down];
    const hands = arm
      .map((change): Track => track(`${side}Hand`, change, [still], [0]))
      .map(({ values }) => [...values]);
    return [
      track(`${side}UpperArm`, trunk, arm, times),
      {
        ...track(`${side}Hand`, still, [still], [0]),
        times: Float64Array.from(times),
        values: Float64Array.from(hands.flat()),
      },
      track(`${side}UpperLeg`, trunk, [still], [0]),
      track(`${side}LowerLeg`, still, [shins], [0]),
    ];
  });
  const hips: Track = {
    target: map.nodes[BONE.hips],
    path: 'translation',
    interpolation: 'LINEAR',
    times: Float64Array.of(0),
    values: Float64Array.of(0, height, 0),
  };
  return { name: 'crawl', duration: DURATION, tracks: [hips, track('hips', still, [trunk], [0]), ...limbs] };
}

/**
 * Makes a body crawl on the spot: hands and knees on the ground; the left hand is lifted once.
 *
 * @param hover Height of the hands above the ground, meters.
 */
export function crawl(body: DemoBody, hover = 0): Clip {
  const heightAt = (lean: number): number => {
    const height = body.humanoid.hipsHeight;
    return height - sampleHands(body, crawlClip(body, lean, height, 0), 1).clearance[0];
  };
  let [low, high] = [30 * DEGREE, 130 * DEGREE];
  for (let k = 0; k < 30; k++) {
    const middle = (low + high) / 2;
    const { arms } = sampleHands(body, crawlClip(body, middle, heightAt(middle), 0), 1);
    if (arms.left!.clearance[0] > hover) low = middle;
    else high = middle;
  }
  return crawlClip(body, low, heightAt(low), 60 * DEGREE);
}
