/** Characters and motions that the benchmarks run on: those of the demo, in typical sizes. */
import { type Clip, POSE_STRIDE } from 'anyrig';
import * as quat from '../src/core/math/quat.ts';
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

/**
 * Creates a walk as exporters write it: translation, rotation and scale tracks for all joints. All rotations move, those of still joints by a few degrees;
 * translations and scales are constant, except for the hips.
 */
export function fullWalkOf(character: DemoCharacter): Clip {
  const clip = walkOf(character);
  const { names, rest, parents } = character.skeleton;
  const [{ times }] = clip.tracks;
  const sway = new Float64Array(4);
  const rotations = clip.tracks
    .filter(({ path }) => path === 'rotation')
    .map((track) => {
      const values = Float32Array.from(track.values);
      for (let key = 0; key < times.length; key++) {
        const angle = 0.05 * Math.sin((2 * Math.PI * key) / (times.length - 1) + track.target);
        quat.fromAxisAngle(sway, 0, [0, 0, 1], 0, angle);
        quat.multiply(values, 4 * key, values, 4 * key, sway, 0);
      }
      return { ...track, times: Float32Array.from(times), values };
    });
  const moving = clip.tracks.filter(({ path }) => path !== 'rotation');
  const has = (target: number, path: string): boolean =>
    moving.some((track) => track.target === target && track.path === path);
  const constant = (['translation', 'scale'] as const).flatMap((path) =>
    Array.from(names.keys())
      .filter((node) => parents[node] >= 0 && !has(node, path))
      .map((target) => ({
        target,
        path,
        interpolation: 'LINEAR' as const,
        times: Float32Array.from(times),
        values: Float32Array.from(
          { length: 3 * times.length },
          (_, i) => rest[POSE_STRIDE * target + PATH_OFFSET[path] + (i % 3)],
        ),
      })),
  );
  return { ...clip, tracks: [...rotations, ...moving, ...constant] };
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
