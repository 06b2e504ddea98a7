/**
 * Reading a .usdc into a skinned mesh and a clip with joint tracks: anyrig against the USDLoader of three.js, on a demo character
 * with a take of 1,000 samples: 10 MB with a dense mesh, 3 MB with a typical one. Both give the content of SkinnedMesh, Skeleton and
 * AnimationClip, but three.js repeats vertices for each face corner, where anyrig keeps indices, and creates a track for each joint
 * and component, where anyrig omits tracks that equal the rest pose.
 */
import { type Asset, type Geometry, MATRIX_STRIDE, POSE_STRIDE } from 'anyrig';
import { openStage, readUsdAsset, readUsdGeometry, readUsdLayer, readUsdScene, serializeUsdc } from 'anyrig/usd';
import type { AnimationClip, SkinnedMesh } from 'three';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { PATH_OFFSET } from '../src/core/skeleton/skeleton.ts';
import { sourceCharacter } from './characters.ts';
import { compare, type Row } from './measure.ts';
import { characterLayer } from './usd-character.ts';

const SAMPLES = 1000;
/** Mesh densities. */
const USUAL = 2;
const DENSE = 8.3;

interface Character {
  readonly asset: Asset;
  readonly geometry: Geometry;
}

function readInAnyrig(usdc: Uint8Array): Character {
  const scene = readUsdScene(openStage(readUsdLayer(usdc)));
  return { asset: readUsdAsset(scene), geometry: readUsdGeometry(scene, () => null).geometry };
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
    throw new Error('three.js found no skinned mesh with a clip.');
  return { mesh, clip: group.animations[0] };
}

/** Transform components: name in three.js, offset in our poses, and width. */
const PROPERTIES = {
  translation: { name: 'position', at: PATH_OFFSET.translation, width: 3 },
  rotation: { name: 'quaternion', at: PATH_OFFSET.rotation, width: 4 },
  scale: { name: 'scale', at: PATH_OFFSET.scale, width: 3 },
} as const;

/** Relative precision of float32 and half values; USD scales are halves. */
const FLOAT = 1e-6;
const HALF = 1e-3;

/** Throws an error when the two read different data. */
function checkSame({ asset, geometry }: Character, { mesh, clip }: ThreeCharacter): void {
  const same = (
    name: string,
    values: ArrayLike<number> | null | undefined,
    theirs: ArrayLike<number>,
    indices?: Uint32Array | null,
    width = 1,
    tolerance = FLOAT,
  ) => {
    const count = indices ? indices.length * width : (values?.length ?? 0);
    if (!values || theirs.length !== count)
      throw new Error(`anyrig reads ${count} numbers for ${name}, three.js ${theirs.length}.`);
    for (let i = 0; i < count; i++) {
      const at = indices ? indices[Math.floor(i / width)] * width + (i % width) : i;
      if (!(Math.abs(values[at] - theirs[i]) < tolerance * (1 + Math.abs(theirs[i]))))
        throw new Error(`The ${name} differ from those of three.js.`);
    }
  };
  const attribute = (name: string): ArrayLike<number> => mesh.geometry.getAttribute(name).array;
  const [{ primitives }] = geometry.meshes;
  const [{ positions, normals, indices, influences }] = primitives;
  same('positions', positions, attribute('position'), indices, 3);
  same('normals', normals, attribute('normal'), indices, 3);
  same('joints', influences?.indices, attribute('skinIndex'), indices, 4);
  same('weights', influences?.weights, attribute('skinWeight'), indices, 4);
  const [{ inverseBindMatrices }] = geometry.skins;
  mesh.skeleton.boneInverses.forEach(({ elements }, joint) => {
    same(
      'inverse bind matrices',
      inverseBindMatrices.subarray(MATRIX_STRIDE * joint, MATRIX_STRIDE * (joint + 1)),
      elements,
    );
  });
  const [{ skeleton }] = asset.skeletons;
  const [{ tracks }] = asset.clips[0].clips;
  const ownTracks = new Map(
    tracks.map((track) => [`${skeleton.names[track.target]}.${PROPERTIES[track.path].name}`, track]),
  );
  let found = 0;
  for (const { name, times, values } of clip.tracks) {
    const track = ownTracks.get(name);
    if (track !== undefined) {
      found++;
      same(`times of ${name}`, track.times, times);
      same(name, track.values, values);
      continue;
    }
    // anyrig omits tracks that equal the rest pose.
    const [joint, property] = name.split('.');
    const { at, width } = Object.values(PROPERTIES).find((known) => known.name === property)!;
    const start = POSE_STRIDE * skeleton.names.indexOf(joint) + at;
    // q and −q are the same rotation.
    const sign = width === 4 && skeleton.rest[start + 3] * values[3] < 0 ? -1 : 1;
    const rest = Array.from(skeleton.rest.subarray(start, start + width), (value) => sign * value);
    for (let key = 0; key < values.length; key += width)
      same(name, rest, values.subarray(key, key + width), null, 1, HALF);
  }
  if (found !== tracks.length) throw new Error(`three.js lacks ${tracks.length - found} of our tracks.`);
}

/** Measures reading a .usdc against three.js. */
export async function usdReadVsThree(rounds: number): Promise<Row[]> {
  const comparisons = [];
  for (const [size, detail, goal] of [
    ['dense', DENSE, { limit: 2 }],
    ['usual', USUAL, { limit: 1.2 }],
  ] as const) {
    const usdc = serializeUsdc(characterLayer(sourceCharacter(), detail, SAMPLES));
    const bytes = new Uint8Array(usdc).buffer;
    checkSame(readInAnyrig(usdc), readInThree(bytes));
    const own = { name: `readUsdAsset and readUsdGeometry, ${size}`, run: () => readInAnyrig(usdc) };
    const against = { name: `three.js USDLoader, ${size}`, run: () => readInThree(bytes) };
    const name = `usd-read-vs-three (${size}, ${(usdc.length / 1e6).toFixed(1)} MB)`;
    comparisons.push({ name, own, against, kind: 'speedup' as const, ...goal });
  }
  return compare(comparisons, rounds, { time: 300, calls: 5 });
}
