/** What is measured on: bodies and motions of the demo, in the sizes that people have. */
import type { Clip } from 'anyrig';
import { type DemoCharacter, makeCharacter } from '../src/demo/characters/make-character.ts';
import { encodeMotion } from '../src/demo/files/encode.ts';
import { characterDocument, glbBytes } from '../src/demo/files/glb.ts';
import { TALL } from '../src/demo/figure/proportions.ts';
import { MIXAMO_RIG, UNREAL_RIG } from '../src/demo/characters/rigs.ts';
import { makePivot } from '../src/demo/motions/pivot.ts';
import { makeWalk } from '../src/demo/motions/walk.ts';
import { makeWave } from '../src/demo/motions/wave.ts';

/** 67 joints, as Mixamo names and turns them. */
export function sourceCharacter(): DemoCharacter {
  return makeCharacter(MIXAMO_RIG);
}

/** 67 joints with other proportions, names and axes. */
export function targetCharacter(): DemoCharacter {
  const { naming = 'unreal', axes = 'bone-x' } = UNREAL_RIG;
  return makeCharacter({ ...MIXAMO_RIG, name: 'target', proportions: TALL, naming, axes, armature: [] });
}

/** A walk of 67 frames, 30 a second: rotations of every joint, the leaves included, and the way of the hips. */
export function walkOf(body: DemoCharacter): Clip {
  const clip = encodeMotion(body, makeWalk(body.figure));
  const { names, rest, parents } = body.skeleton;
  const { times } = clip.tracks[0];
  const animated = new Set(clip.tracks.filter(({ path }) => path === 'rotation').map(({ target }) => target));
  const still = Array.from(names.keys()).filter((node) => parents[node] >= 0 && !animated.has(node));
  const tracks = still.map((target) => ({
    target,
    path: 'rotation' as const,
    interpolation: 'LINEAR' as const,
    times,
    values: Float64Array.from({ length: 4 * times.length }, (_, i) => rest[10 * target + 3 + (i % 4)]),
  }));
  return { ...clip, tracks: [...clip.tracks, ...tracks] };
}

/** A body with the motions of the demo as GLB; `detail` says how dense its mesh is, `copies` how often it has each motion. */
export function characterGlb(body: DemoCharacter, detail: number, copies: number): Uint8Array {
  const motions = [makeWalk(body.figure), makeWave(body.figure), makePivot(body.figure)];
  const clips = motions.map((motion) => encodeMotion(body, motion));
  const repeated = Array.from({ length: copies }, (_, k) =>
    clips.map((clip) => ({ ...clip, name: `${clip.name} ${k + 1}` })),
  ).flat();
  return glbBytes(characterDocument(body, { clips: repeated, detail }));
}
