/** Characters and motions that the benchmarks run on: those of the demo, in typical sizes. */
import { type Clip, POSE_STRIDE } from 'anyrig';
import { PATH_OFFSET } from '../src/core/skeleton/skeleton.ts';
import type { DemoCharacter } from '../src/demo/characters/character.ts';
import { makeCharacter } from '../src/demo/characters/make-character.ts';
import { MIXAMO_RIG, UNREAL_RIG } from '../src/demo/characters/rigs.ts';
import { TALL } from '../src/demo/figure/proportions.ts';
import { encodeMotion } from '../src/demo/files/encode.ts';
import { characterDocument, glbBytes } from '../src/demo/files/glb.ts';
import { makePivot } from '../src/demo/motions/pivot.ts';
import { makeWalk } from '../src/demo/motions/walk.ts';
import { makeWave } from '../src/demo/motions/wave.ts';

/** Creates the source character: 67 joints with the names and axes of Mixamo. */
export function sourceCharacter(): DemoCharacter {
  return makeCharacter(MIXAMO_RIG);
}

/** Creates the target character: 67 joints with different proportions, names and axes. */
export function targetCharacter(): DemoCharacter {
  const { naming = 'unreal', axes = 'bone-x' } = UNREAL_RIG;
  return makeCharacter({ ...MIXAMO_RIG, name: 'target', proportions: TALL, naming, axes, armature: [] });
}

/** Creates a walk of 67 frames at 30 fps: rotation tracks for every joint, leaves included, and root motion of the hips. */
export function walkOf(character: DemoCharacter): Clip {
  const clip = encodeMotion(character, makeWalk(character.figure));
  const { names, rest, parents } = character.skeleton;
  const { times } = clip.tracks[0];
  const animated = new Set(clip.tracks.filter(({ path }) => path === 'rotation').map(({ target }) => target));
  const still = Array.from(names.keys()).filter((node) => parents[node] >= 0 && !animated.has(node));
  const tracks = still.map((target) => ({
    target,
    path: 'rotation' as const,
    interpolation: 'LINEAR' as const,
    times,
    values: Float64Array.from(
      { length: 4 * times.length },
      (_, i) => rest[POSE_STRIDE * target + PATH_OFFSET.rotation + (i % 4)],
    ),
  }));
  return { ...clip, tracks: [...clip.tracks, ...tracks] };
}

/** Creates a GLB of a character with the motions of the demo. `detail` is the mesh density, `copies` the number of copies of each motion. */
export function characterGlb(character: DemoCharacter, detail: number, copies: number): Uint8Array {
  const motions = [makeWalk(character.figure), makeWave(character.figure), makePivot(character.figure)];
  const clips = motions.map((motion) => encodeMotion(character, motion));
  const repeated = Array.from({ length: copies }, (_, k) =>
    clips.map((clip) => ({ ...clip, name: `${clip.name} ${k + 1}` })),
  ).flat();
  return glbBytes(characterDocument(character, { clips: repeated, detail }));
}
