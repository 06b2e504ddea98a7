/**
 * Keys and bytes of the clips of FBX files: `readFbx` against the FBXLoader of three.js, for every FBX of the asset folder that has a
 * motion. The same writer stores both clips on the same skeleton as a GLB. FBXLoader has LINEAR keys at the keys of the curves; between
 * them its rotations leave the curves. The first row of a file adds LINEAR keys between those until they are as exact as the clip of
 * anyrig (0.005°), the second one takes them as they are and reports their greatest error. Tracks at rest, which anyrig leaves out,
 * count for neither.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Clip, Skeleton, Track } from 'anyrig';
import { readFbx } from 'anyrig/fbx';
import { appendClips, serializeGltf, writeMotionDocument } from 'anyrig/gltf';
import type { AnimationClip } from 'three';
import { FBXLoader } from 'three/examples/jsm/loaders/FBXLoader.js';
import type { TrackPath } from '../src/core/animation/clip.ts';
import { resampleFunction } from '../src/core/animation/resample.ts';
import { RELATIVE_TOLERANCE, ROTATION_TOLERANCE } from '../src/core/animation/resample-tolerance.ts';
import { sampleTrack } from '../src/core/animation/sample.ts';
import * as quat from '../src/core/math/quat.ts';
import { localToModelMatrices } from '../src/core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../src/core/skeleton/skeleton.ts';
import { assetFiles } from '../test/support/assets.ts';
import type { Row } from './measure.ts';
import { nameInThree } from './three-character.ts';

const PATHS: ReadonlyMap<string, TrackPath> = new Map([
  ['position', 'translation'],
  ['quaternion', 'rotation'],
  ['scale', 'scale'],
]);
/** Times at which the clips are compared. */
const SAMPLES = 2000;

/** What FBXLoader takes from a page: the size for cameras and image elements for textures, which this bench does not need. */
const PAGE = {
  window: { innerWidth: 1, innerHeight: 1 },
  document: { createElementNS: () => ({ addEventListener: () => undefined, removeEventListener: () => undefined }) },
};

/** Loads the first clip of an FBX with three.js. Its notes about materials go to the console, which is muted. */
function loadInThree(bytes: Uint8Array): AnimationClip | undefined {
  const { warn } = console;
  const added = Object.entries(PAGE).filter(([name]) => !(name in globalThis));
  console.warn = () => undefined;
  Object.assign(globalThis, Object.fromEntries(added));
  try {
    return new FBXLoader().parse(new Uint8Array(bytes).buffer, '').animations[0];
  } finally {
    console.warn = warn;
    for (const [name] of added) Reflect.deleteProperty(globalThis, name);
  }
}

/** Returns the tracks of three.js on the nodes and paths that a clip of anyrig animates. */
function sharedTracks(clip: Clip, three: AnimationClip, { names }: Skeleton): Track[] {
  const byName = new Map<string, { times: ArrayLike<number>; values: ArrayLike<number> }>();
  for (const { name, times, values } of three.tracks) {
    const [node, property] = name.split('.');
    const path = PATHS.get(property);
    if (path !== undefined) byName.set(`${node} ${path}`, { times, values });
  }
  return clip.tracks.flatMap(({ target, path }): Track[] => {
    const found = byName.get(`${nameInThree(names[target])} ${path}`);
    if (found === undefined) return [];
    const [times, values] = [Float32Array.from(found.times), Float32Array.from(found.values)];
    return [{ target, path, interpolation: 'LINEAR', times, values }];
  });
}

/** Adds LINEAR keys between those of three.js until they are as exact as the keys of anyrig. */
function refine(tracks: readonly Track[], own: readonly Track[], size: number): Track[] {
  return tracks.map((track, k) => {
    const isRotation = track.path === 'rotation';
    const keys = resampleFunction({
      width: isRotation ? 4 : 3,
      isRotation,
      keyTimes: track.times,
      tolerance: isRotation ? ROTATION_TOLERANCE : RELATIVE_TOLERANCE * (track.path === 'scale' ? 1 : size),
      evaluate: (time, out, o) => sampleTrack(own[k], time, out, o),
    });
    return { ...track, ...keys };
  });
}

/** Returns the greatest rotation between two clips, degrees. */
function apart(own: readonly Track[], other: readonly Track[], duration: number): number {
  const [a, b] = [new Float64Array(4), new Float64Array(4)];
  let most = 0;
  for (const [k, track] of own.entries()) {
    if (track.path !== 'rotation') continue;
    for (let sample = 0; sample <= SAMPLES; sample++) {
      sampleTrack(track, (sample / SAMPLES) * duration, a, 0);
      sampleTrack(other[k], (sample / SAMPLES) * duration, b, 0);
      most = Math.max(most, quat.angleBetween(a, 0, b, 0));
    }
  }
  return (most * 180) / Math.PI;
}

function keyCount(tracks: readonly Track[]): number {
  return tracks.reduce((sum, { times }) => sum + times.length, 0);
}

/** Returns the size of a GLB with a skeleton and tracks, bytes. */
function glbSize(skeleton: Skeleton, duration: number, tracks: readonly Track[]): number {
  const document = writeMotionDocument(skeleton, []);
  const sourceNodes = skeleton.names.map((_, node) => node);
  appendClips(document, [{ name: 'clip', clip: { name: 'clip', duration, tracks }, sourceNodes }]);
  return serializeGltf(document).parts.reduce((sum, { length }) => sum + length, 0);
}

/** Returns the longest side of the bounding box of a skeleton at rest, in the unit of the file. */
function sizeOf({ rest, parents }: Skeleton): number {
  const matrices = new Float64Array(MATRIX_STRIDE * parents.length);
  localToModelMatrices(matrices, parents, rest);
  const side = (axis: number): number => {
    const values = Array.from(parents, (_, node) => matrices[MATRIX_STRIDE * node + 12 + axis]);
    return Math.max(...values) - Math.min(...values);
  };
  return Math.max(side(0), side(1), side(2));
}

/** Compares the keys of FBX files with those of three.js. Sizes do not vary between rounds, so there is one. */
export async function fbxKeysVsThree(): Promise<Row[]> {
  return assetFiles('assets/fbx', 'fbx').flatMap((path): Row[] => {
    const bytes = new Uint8Array(readFileSync(path));
    const { skeletons, clips } = readFbx(bytes);
    const clip = clips[0]?.clips[0];
    if (clip === undefined || clip.duration === 0) return [];
    const { skeleton } = skeletons[0];
    const three = loadInThree(bytes);
    if (three === undefined) throw new Error(`three.js reads no clip from ${path}.`);
    const asIs = sharedTracks(clip, three, skeleton);
    const own = asIs.map(
      ({ target, path: of }) => clip.tracks.find((track) => track.target === target && track.path === of)!,
    );
    if (own.length === 0) throw new Error(`three.js and anyrig animate no common node in ${path}.`);
    const value = glbSize(skeleton, clip.duration, own);
    const row = (tracks: readonly Track[], name: string, against: string, goal: Row['goal']): Row => {
      const againstValue = glbSize(skeleton, clip.duration, tracks);
      const ratio = value / againstValue;
      const label = `${against}, ${keyCount(tracks)} keys`;
      const rounds = [{ value, against: againstValue, ratio }];
      return { name, value, unit: 'bytes', against: label, againstValue, ratio, goal, runs: 1, rounds };
    };
    const name = `fbx-keys (${basename(path, '.fbx')}, ${keyCount(own)} keys)`;
    const error = apart(own, asIs, clip.duration);
    return [
      row(refine(asIs, own, sizeOf(skeleton)), name, 'FBXLoader at equal error', { kind: 'cost', limit: 1 }),
      row(asIs, `${name}, as loaded`, `FBXLoader off by ${error.toPrecision(2)}°`, null),
    ];
  });
}
