/** What is measured on: bodies and motions of the demo, in the sizes that people have. */
import type { Clip } from 'anyrig';
import { type DemoBody, makeBody } from '../src/demo/body.ts';
import { encodeMotion } from '../src/demo/encode.ts';
import { bodyDocument, glbBytes } from '../src/demo/glb.ts';
import { TALL } from '../src/demo/proportions.ts';
import { MIXAMO_RIG, UNREAL_RIG } from '../src/demo/rigs.ts';
import { makeTurn } from '../src/demo/turn.ts';
import { makeWalk } from '../src/demo/walk.ts';
import { makeWave } from '../src/demo/wave.ts';

/** 67 joints, as Mixamo names and turns them. */
export function sourceBody(): DemoBody {
  return makeBody(MIXAMO_RIG);
}

/** 67 joints with other proportions, names and axes. */
export function targetBody(): DemoBody {
  const { naming = 'unreal', axes = 'bone-x' } = UNREAL_RIG;
  return makeBody({ ...MIXAMO_RIG, name: 'target', proportions: TALL, naming, axes, armature: [] });
}

/** A walk of 67 frames, 30 a second: rotations of every joint, the leaves included, and the way of the hips. */
export function walkOf(body: DemoBody): Clip {
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
export function characterGlb(body: DemoBody, detail: number, copies: number): Uint8Array {
  const motions = [makeWalk(body.figure), makeWave(body.figure), makeTurn(body.figure)];
  const clips = motions.map((motion) => encodeMotion(body, motion));
  const repeated = Array.from({ length: copies }, (_, k) =>
    clips.map((clip) => ({ ...clip, name: `${clip.name} ${k + 1}` })),
  ).flat();
  return glbBytes(bodyDocument(body, { clips: repeated, detail }));
}
