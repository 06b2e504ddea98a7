/**
 * From the bytes of a GLB to joints, clips, meshes and materials: `parseGltf`, `readGltf`, `readGeometry` against GLTFLoader of
 * three.js, on a character of the demo as people have them (1 MB, three clips) and on one with a dense mesh. No textures.
 */
import type { Geometry } from 'anyrig/deform';
import { parseGltf, readGeometry, readGltf } from 'anyrig/gltf';
import type { BufferGeometry } from 'three';
import { characterGlb, sourceCharacter } from './characters.ts';
import { compare, type Row } from './measure.ts';
import { loadInThree } from './three-character.ts';

/** Densities of the mesh. */
const USUAL = 2;
const DENSE = 8;
const COPIES = 1;

function readInAnyrig(glb: Uint8Array): { geometry: Geometry; clipCount: number } {
  const document = parseGltf(glb);
  const { clips } = readGltf(document);
  return { geometry: readGeometry(document).geometry, clipCount: clips.length };
}

/** Error when the two did not read the same. */
async function checkSame(glb: Uint8Array): Promise<void> {
  const { geometry, clipCount } = readInAnyrig(glb);
  const { gltf, mesh } = await loadInThree(glb);
  if (clipCount !== gltf.animations.length)
    throw new Error(`${clipCount} clips, ${gltf.animations.length} in three.js`);
  const [primitive] = geometry.meshes[0].primitives;
  const theirs: BufferGeometry = mesh.geometry;
  const same = (name: string, values: ArrayLike<number> | undefined): void => {
    const other = theirs.getAttribute(name).array;
    const isSame = values?.length === other.length && other.every((value, i) => Math.abs(value - values[i]) < 1e-6);
    if (!isSame) throw new Error(`The ${name} are not those of three.js`);
  };
  same('position', primitive.positions);
  same('normal', primitive.normals ?? undefined);
  same('skinIndex', primitive.influences?.indices);
}

export async function gltfReadVsThree(rounds: number): Promise<Row[]> {
  const body = sourceCharacter();
  const comparisons = [];
  for (const [size, detail] of [
    ['usual', USUAL],
    ['dense', DENSE],
  ] as const) {
    const glb = characterGlb(body, detail, COPIES);
    await checkSame(glb);
    const own = { name: `parseGltf, readGltf, readGeometry, ${size}`, run: () => readInAnyrig(glb) };
    const against = { name: 'three.js GLTFLoader', run: () => loadInThree(glb) };
    const name = `gltf-read-vs-three (${size}, ${(glb.length / 1e6).toFixed(1)} MB)`;
    comparisons.push({ name, own, against, kind: 'speedup' as const, limit: 1 });
  }
  return compare(comparisons, rounds, { time: 300, calls: 10 });
}
