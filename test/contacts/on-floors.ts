/** Motions over stairs, boxes and slopes, made from a walk over flat ground, and onto seats, made from a standing pose. */
import type { Clip } from '../../src/core/animation/clip.ts';
import { sampleCharacterFrames } from '../../src/core/contacts/frames/character-frames.ts';
import { frameGridOf } from '../../src/core/contacts/frames/frame-grid.ts';
import { createPosedCharacter } from '../../src/core/contacts/frames/posed-character.ts';
import { rewriteClip } from '../../src/core/contacts/frames/rewrite-clip.ts';
import { smoothstep } from '../../src/core/contacts/paths/ease.ts';
import { smooth } from '../../src/core/contacts/paths/smooth.ts';
import { applyChanges } from '../../src/core/contacts/plan/apply-changes.ts';
import { planContacts } from '../../src/core/contacts/plan/plan-contacts.ts';
import { findFootPlants } from '../../src/core/contacts/plants/find-plants.ts';
import { SIDES, type Side } from '../../src/core/humanoid/bones.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import type { DemoBody } from './demo-pair.ts';

/** A foot on a floor: first and last second, and height above the ground in meters. */
export interface FloorRest {
  readonly side: Side;
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

/** Puts each step of a walk on a floor of its own. The feet swing over the edges; the hips follow the lower foot. */
export function walkOnFloors(
  { humanoid, surface }: DemoBody,
  walk: Clip,
  heightOf: (step: number) => number,
): { readonly clip: Clip; readonly rests: readonly FloorRest[] } {
  const plan = planContacts(planRetarget(humanoid, humanoid), humanoid, humanoid, { targetSurface: surface });
  const grid = frameGridOf(walk, humanoid);
  const frames = sampleCharacterFrames(createPosedCharacter(humanoid, surface), walk, grid);
  const plants = SIDES.flatMap((side) => {
    const { ball, heel } = findFootPlants(frames.legs[side]!, grid.step);
    const merged: { side: Side; from: number; to: number }[] = [];
    for (const { from, to } of [...ball, ...heel].sort((a, b) => a.from - b.from)) {
      const last = merged.at(-1);
      if (last !== undefined && from <= last.to + 2) merged[merged.length - 1] = { side, from: last.from, to };
      else merged.push({ side, from, to });
    }
    return merged;
  }).sort((a, b) => a.to - b.to);
  const rests = plants.map((plant, step) => ({ ...plant, height: heightOf(step) }));
  const lifts = SIDES.map((side) => {
    const own = rests.filter((rest) => rest.side === side);
    return Float64Array.from({ length: grid.count }, (_, frame) => {
      const before = own.findLast(({ from }) => from <= frame) ?? own[0];
      const after = own.find(({ to }) => to >= frame) ?? own[own.length - 1];
      if (before === after) return before.height;
      const t = (frame - before.to) / (after.from - before.to);
      const over = Math.max(0, Math.abs(after.height - before.height)) * Math.sin(Math.PI * t);
      return before.height + (after.height - before.height) * smoothstep(0, 1, t) + over;
    });
  });
  const raise = smooth(
    lifts[0].map((lift, frame) => Math.min(lift, lifts[1][frame])),
    0.1,
    grid.step,
    false,
  );
  const feet = SIDES.map((side, s) => {
    const offsets = new Float64Array(3 * grid.count);
    for (let frame = 0; frame < grid.count; frame++) offsets[3 * frame + 1] = lifts[s][frame];
    const leg = frames.legs[side]!;
    return { frames: leg, offsets, clearance: leg.clearance, activity: new Float64Array(grid.count).fill(1) };
  });
  const channels = feet.flatMap(({ frames: { leg } }) =>
    [leg.thigh, leg.shin, leg.foot].map((node) => ({ node, path: 'rotation' as const })),
  );
  const { targetNode } = plan.retarget.hips!;
  const clip = rewriteClip(
    walk,
    humanoid.skeleton.rest,
    grid,
    [...channels, { node: targetNode, path: 'translation' }],
    (local, frame) => applyChanges(local, plan, { raise, feet }, frame),
  );
  return {
    clip,
    rests: rests.map(({ side, from, to, height }) => ({ side, from: from * grid.step, to: to * grid.step, height })),
  };
}

/** Seconds at which the pelvis is on the seat, and leaves it. */
export const SEAT_TIME = [1.2, 2.6] as const;

/**
 * Sits down on a seat and stands up again: the feet stay where they stand.
 *
 * @param drop How far the pelvis goes down, legs.
 * @param pegs Height of the feet while sitting, legs.
 */
export function sitDown({ humanoid, surface }: DemoBody, drop: number, pegs: number): Clip {
  const plan = planContacts(planRetarget(humanoid, humanoid), humanoid, humanoid, { targetSurface: surface });
  const standing: Clip = { name: 'sit', duration: 4, tracks: [] };
  const grid = { start: 0, count: 121, step: 1 / 30 };
  const frames = sampleCharacterFrames(createPosedCharacter(humanoid, surface), standing, grid);
  const length = frames.legs.left!.leg.length;
  const [down, up] = SEAT_TIME;
  const seated = Float64Array.from({ length: grid.count }, (_, frame) => {
    const time = frame * grid.step;
    return smoothstep(0.4, down, time) * smoothstep(3.4, up, time);
  });
  const feet = SIDES.map((side) => {
    const offsets = new Float64Array(3 * grid.count);
    for (let frame = 0; frame < grid.count; frame++) offsets[3 * frame + 1] = pegs * length * seated[frame];
    const leg = frames.legs[side]!;
    return { frames: leg, offsets, clearance: leg.clearance, activity: new Float64Array(grid.count).fill(1) };
  });
  const channels = feet.flatMap(({ frames: { leg } }) =>
    [leg.thigh, leg.shin, leg.foot].map((node) => ({ node, path: 'rotation' as const })),
  );
  const raise = seated.map((part) => -drop * length * part);
  return rewriteClip(
    standing,
    humanoid.skeleton.rest,
    grid,
    [...channels, { node: plan.retarget.hips!.targetNode, path: 'translation' }],
    (local, frame) => applyChanges(local, plan, { raise, feet }, frame),
  );
}
