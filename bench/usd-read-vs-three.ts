/**
 * From the bytes of a .usdc to a mesh with its skin and a clip with tracks of joints: anyrig against USDLoader of three.js, on a
 * character of the demo with a take of 1,000 samples: 10 MB with a dense mesh, 3 MB with a usual one. What comes out is what three.js has in its
 * SkinnedMesh, Skeleton and AnimationClip; but three.js repeats vertices for each corner of a face, where we keep indices, and has a track for
 * each joint and component, where we leave out what stands as it rests.
 */
import { type Asset, POSE_STRIDE } from 'anyrig';
import type { Geometry } from 'anyrig/deform';
import { openStage, parseUsdc, serializeUsdc, readUsdAsset, readUsdGeometry, readUsdScene } from 'anyrig/usd';
import type { AnimationClip, SkinnedMesh } from 'three';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { sourceCharacter } from './characters.ts';
import { compare, type Row } from './measure.ts';
import { characterLayer } from './usd-character.ts';

const SAMPLES = 1000;
/** Densities of the mesh. */
const USUAL = 2;
const DENSE = 8.3;

interface Character {
  readonly asset: Asset;
  readonly geometry: Geometry;
}

function readInAnyrig(usdc: Uint8Array): Character {
  const scene = readUsdScene(openStage(parseUsdc(usdc)));
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
    throw new Error('three.js finds no skinned mesh with a clip');
  return { mesh, clip: group.animations[0] };
}

/** What three.js calls components of transforms, where they stand in a pose of ours, and their numbers. */
const PROPERTIES = {
  translation: { name: 'position', at: 0, width: 3 },
  rotation: { name: 'quaternion', at: 3, width: 4 },
  scale: { name: 'scale', at: 7, width: 3 },
} as const;

/** What float32 and half numbers lose, as parts; scales of USD are halves. */
const FLOAT = 1e-6;
const HALF = 1e-3;

/** Error when the two did not read the same. */
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
      throw new Error(`There are ${count} numbers of ${name}, ${theirs.length} in three.js`);
    for (let i = 0; i < count; i++) {
      const at = indices ? indices[Math.floor(i / width)] * width + (i % width) : i;
      if (!(Math.abs(values[at] - theirs[i]) < tolerance * (1 + Math.abs(theirs[i]))))
        throw new Error(`The ${name} are not those of three.js`);
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
    same('inverse bind matrices', inverseBindMatrices.subarray(16 * joint, 16 * joint + 16), elements);
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
    // We leave out what stands as it rests.
    const [joint, property] = name.split('.');
    const { at, width } = Object.values(PROPERTIES).find((known) => known.name === property)!;
    const start = POSE_STRIDE * skeleton.names.indexOf(joint) + at;
    // q and −q are the same rotation.
    const sign = width === 4 && skeleton.rest[start + 3] * values[3] < 0 ? -1 : 1;
    const rest = Array.from(skeleton.rest.subarray(start, start + width), (value) => sign * value);
    for (let key = 0; key < values.length; key += width)
      same(name, rest, values.subarray(key, key + width), null, 1, HALF);
  }
  if (found !== tracks.length) throw new Error(`${tracks.length - found} tracks are not in three.js`);
}

export async function usdReadVsThree(rounds: number): Promise<Row[]> {
  const comparisons = [];
  for (const [size, detail, goal] of [
    ['dense', DENSE, { limit: 2 }],
    ['usual', USUAL, {}],
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
