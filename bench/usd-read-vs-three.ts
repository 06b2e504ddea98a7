/**
 * From the bytes of a .usdc to a mesh with its skin and a clip with a track for each joint and component: anyrig against USDLoader of three.js, on a
 * character of the demo with a take of 1,000 samples: 10 MB with a dense mesh, 3 MB with a usual one. What comes out is what three.js has in its
 * SkinnedMesh, Skeleton and AnimationClip; but three.js repeats vertices for each corner of a face, we keep indices.
 */
import type { Influences, Track, TrackPath } from 'anyrig';
import {
  animationTimes,
  attributeValue,
  openStage,
  parseUsdc,
  printUsdc,
  readAnimatedSkeleton,
  readBindings,
  readInfluences,
  type SkeletonDefinition,
  type Stage,
  skelRoots,
} from 'anyrig/usd';
import type { AnimationClip, SkinnedMesh } from 'three';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { sourceBody } from './characters.ts';
import { compare, type Row } from './measure.ts';
import { characterLayer } from './usd-character.ts';

const SAMPLES = 1000;
/** Densities of the mesh. */
const USUAL = 2;
const DENSE = 8.3;

const COMPONENTS: readonly (readonly [TrackPath, attribute: string, width: number])[] = [
  ['translation', 'translations', 3],
  ['rotation', 'rotations', 4],
  ['scale', 'scales', 3],
];

interface Character {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly triangles: Uint32Array;
  readonly influences: Influences;
  readonly skeleton: SkeletonDefinition;
  readonly tracks: readonly Track[];
}

function numbersAt(stage: Stage, prim: string, name: string, time: number): Float32Array {
  const value = attributeValue(stage, prim, name, time);
  if (value === null || !('numbers' in value)) throw new Error(`${prim} has no ${name}`);
  return value.numbers as Float32Array;
}

/** Triangles of faces, each a fan. */
function trianglesOf(counts: ArrayLike<number>, indices: ArrayLike<number>): Uint32Array {
  let size = 0;
  for (let face = 0; face < counts.length; face++) size += 3 * Math.max(0, counts[face] - 2);
  const triangles = new Uint32Array(size);
  let at = 0;
  let first = 0;
  for (let face = 0; face < counts.length; face++) {
    for (let corner = 2; corner < counts[face]; corner++) {
      triangles[at++] = indices[first];
      triangles[at++] = indices[first + corner - 1];
      triangles[at++] = indices[first + corner];
    }
    first += counts[face];
  }
  return triangles;
}

/** A track of every joint for one of translations, rotations and scales, all with the same times. */
function tracksOf(
  stage: Stage,
  prim: string,
  jointCount: number,
  codes: Float64Array,
  [path, attribute, width]: (typeof COMPONENTS)[number],
): Track[] {
  const times = Float32Array.from(codes, (code) => code / stage.metrics.timeCodesPerSecond);
  const values = Array.from({ length: jointCount }, () => new Float32Array(codes.length * width));
  codes.forEach((code, key) => {
    const sample = numbersAt(stage, prim, attribute, code);
    for (let joint = 0; joint < jointCount; joint++) {
      for (let c = 0; c < width; c++) values[joint][key * width + c] = sample[joint * width + c];
    }
  });
  return values.map((own, target) => ({ target, path, interpolation: 'LINEAR', times, values: own }));
}

function readInAnyrig(usdc: Uint8Array): Character {
  const stage = openStage(parseUsdc(usdc));
  const [root] = skelRoots(stage);
  const [{ skeleton, animation, prims }] = readBindings(stage, root).bindings;
  const animated = readAnimatedSkeleton(stage, skeleton, animation, []);
  if (animated === null || animated.animation === null) throw new Error('anyrig finds no skeleton with an animation');
  const [{ prim }] = prims;
  const { influences, reason } = readInfluences(stage, prims[0], 0);
  if (influences === null) throw new Error(`${reason}`);
  const codes = animationTimes(stage, animated.animation);
  const { prim: take, joints } = animated.animation;
  return {
    positions: numbersAt(stage, prim, 'points', 0),
    normals: numbersAt(stage, prim, 'normals', 0),
    triangles: trianglesOf(
      numbersAt(stage, prim, 'faceVertexCounts', 0),
      numbersAt(stage, prim, 'faceVertexIndices', 0),
    ),
    influences,
    skeleton: animated.definition,
    tracks: COMPONENTS.flatMap((component) => tracksOf(stage, take, joints.length, codes, component)),
  };
}

interface ThreeCharacter {
  readonly mesh: SkinnedMesh;
  readonly clip: AnimationClip;
}

function readInThree(usdc: ArrayBuffer): ThreeCharacter {
  const group = new USDLoader().parse(usdc);
  let mesh: SkinnedMesh | undefined;
  group.traverse((object) => {
    if ('isSkinnedMesh' in object) mesh = object as SkinnedMesh;
  });
  if (mesh === undefined || group.animations.length !== 1)
    throw new Error('three.js finds no skinned mesh with a clip');
  return { mesh, clip: group.animations[0] };
}

/** Error when the two did not read the same. */
function checkSame(own: Character, { mesh, clip }: ThreeCharacter): void {
  const { triangles, influences, tracks, skeleton } = own;
  const same = (
    name: string,
    values: ArrayLike<number>,
    theirs: ArrayLike<number>,
    indices?: Uint32Array,
    width = 1,
  ) => {
    const count = indices === undefined ? values.length : indices.length * width;
    if (theirs.length !== count) throw new Error(`There are ${count} numbers of ${name}, ${theirs.length} in three.js`);
    for (let i = 0; i < count; i++) {
      const at = indices === undefined ? i : indices[Math.floor(i / width)] * width + (i % width);
      if (!(Math.abs(values[at] - theirs[i]) < 1e-6)) throw new Error(`The ${name} are not those of three.js`);
    }
  };
  const attribute = (name: string): ArrayLike<number> => mesh.geometry.getAttribute(name).array;
  same('positions', own.positions, attribute('position'), triangles, 3);
  same('normals', own.normals, attribute('normal'), triangles, 3);
  same('joints', influences.indices, attribute('skinIndex'), triangles, 4);
  same('weights', influences.weights, attribute('skinWeight'), triangles, 4);
  mesh.skeleton.boneInverses.forEach(({ elements }, joint) => {
    same('inverse bind matrices', skeleton.inverseBind!.subarray(16 * joint, 16 * joint + 16), elements);
  });
  if (clip.tracks.length !== tracks.length)
    throw new Error(`${tracks.length} tracks, ${clip.tracks.length} in three.js`);
  const properties = { translation: 'position', rotation: 'quaternion', scale: 'scale' };
  for (const { target, path, times, values } of tracks) {
    const name = `${skeleton.joints[target].split('/').at(-1)}.${properties[path]}`;
    const track = clip.tracks.find((candidate) => candidate.name === name);
    if (track === undefined) throw new Error(`three.js has no track ${name}`);
    same(`times of ${name}`, times, track.times);
    same(name, values, track.values);
  }
}

export async function usdReadVsThree(rounds: number): Promise<Row[]> {
  const comparisons = [];
  for (const [size, detail, goal] of [
    ['dense', DENSE, { limit: 2 }],
    ['usual', USUAL, {}],
  ] as const) {
    const usdc = printUsdc(characterLayer(sourceBody(), detail, SAMPLES));
    const bytes = new Uint8Array(usdc).buffer;
    checkSame(readInAnyrig(usdc), readInThree(bytes));
    const own = { name: `parseUsdc, openStage, readBindings and all samples, ${size}`, run: () => readInAnyrig(usdc) };
    const against = { name: `three.js USDLoader, ${size}`, run: () => readInThree(bytes) };
    const name = `usd-read-vs-three (${size}, ${(usdc.length / 1e6).toFixed(1)} MB)`;
    comparisons.push({ name, own, against, kind: 'speedup' as const, ...goal });
  }
  return compare(comparisons, rounds, { time: 300, calls: 5 });
}
