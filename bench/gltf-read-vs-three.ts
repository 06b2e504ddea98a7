/**
 * Reading a GLB into joints, clips, meshes and materials: `parseGltf`, `readGltf`, `readGeometry` against the GLTFLoader of
 * three.js, on a demo character of typical size (1 MB, three clips) and on one with a dense mesh. No textures.
 */
import type { Geometry } from 'anyrig';
import { parseGltf, readGeometry, readGltf } from 'anyrig/gltf';
import type { BufferGeometry } from 'three';
import { characterGlb, sourceCharacter } from './characters.ts';
import { compare, type Row } from './measure.ts';
import { loadInThree } from './three-character.ts';

/** Mesh densities. */
const USUAL = 2;
const DENSE = 8;
const COPIES = 1;

function readInAnyrig(glb: Uint8Array): { geometry: Geometry; clipCount: number } {
  const document = parseGltf(glb);
  const { clips } = readGltf(document);
  return { geometry: readGeometry(document).geometry, clipCount: clips.length };
}

/** Throws an error when the two read different data. */
async function checkSame(glb: Uint8Array): Promise<void> {
  const { geometry, clipCount } = readInAnyrig(glb);
  const { gltf, mesh } = await loadInThree(glb);
  if (clipCount !== gltf.animations.length)
    throw new Error(`anyrig reads ${clipCount} clips, three.js ${gltf.animations.length}.`);
  const [primitive] = geometry.meshes[0].primitives;
  const theirs: BufferGeometry = mesh.geometry;
  const same = (name: string, values: ArrayLike<number> | undefined): void => {
    const other = theirs.getAttribute(name).array;
    const isSame = values?.length === other.length && other.every((value, i) => Math.abs(value - values[i]) < 1e-6);
    if (!isSame) throw new Error(`The values of ${name} differ from those of three.js.`);
  };
  same('position', primitive.positions);
  same('normal', primitive.normals ?? undefined);
  same('skinIndex', primitive.influences?.indices);
}

/** Measures reading a GLB against three.js. */
export async function gltfReadVsThree(rounds: number): Promise<Row[]> {
  const character = sourceCharacter();
  const comparisons = [];
  for (const [size, detail] of [
    ['usual', USUAL],
    ['dense', DENSE],
  ] as const) {
    const glb = characterGlb(character, detail, COPIES);
    await checkSame(glb);
    const own = { name: `parseGltf, readGltf, readGeometry, ${size}`, run: () => readInAnyrig(glb) };
    const against = { name: 'three.js GLTFLoader', run: () => loadInThree(glb) };
    const name = `gltf-read-vs-three (${size}, ${(glb.length / 1e6).toFixed(1)} MB)`;
    comparisons.push({ name, own, against, kind: 'speedup' as const, limit: 1 });
  }
  return compare(comparisons, rounds, { time: 300, calls: 10 });
}
