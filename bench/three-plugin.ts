/**
 * 300 skinned characters in three.js: our CharacterMixer against AnimationMixer. A frame is everything that the processor does before it draws:
 * the mixers, the world matrices of the scene, and the bone matrices of every skeleton. Both show the same clip at different times.
 */

import { createPlaybackMemory, type PlaybackMemory } from 'anyrig/playback';
import { CharacterMixer, createCharacterRig } from 'anyrig/three';
import { AnimationMixer, type Object3D, Scene, type SkinnedMesh, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { characterDocument, glbBytes } from '../src/demo/files/glb.ts';
import { sourceCharacter, walkOf } from './characters.ts';
import { type Contender, compare, type Row } from './measure.ts';
import { loadInThree, type ThreeCharacter } from './three-character.ts';

const CHARACTERS = 300;
/** Seconds per frame. */
const STEP = 1 / 60;
/** Greatest distance of vertices, meters. */
const TOLERANCE = 2e-3;

/** A scene with characters, and its frame. */
interface Stage {
  readonly meshes: readonly SkinnedMesh[];
  readonly frame: () => void;
}

interface Mixer {
  update(delta: number): unknown;
}

function createStage({ gltf }: ThreeCharacter, start: (root: Object3D, offset: number) => Mixer): Stage {
  const scene = new Scene();
  const meshes: SkinnedMesh[] = [];
  const mixers: Mixer[] = [];
  for (let k = 0; k < CHARACTERS; k++) {
    const root = clone(gltf.scene);
    root.position.set(k % 20, 0, Math.floor(k / 20));
    scene.add(root);
    root.traverse((object) => {
      if ('isSkinnedMesh' in object) meshes.push(object as SkinnedMesh);
    });
    mixers.push(start(root, (k * gltf.animations[0].duration) / CHARACTERS));
  }
  const frame = (): void => {
    for (let k = 0; k < mixers.length; k++) mixers[k].update(STEP);
    scene.updateMatrixWorld();
    // As the renderer does for visible meshes.
    for (let k = 0; k < meshes.length; k++) meshes[k].skeleton.update();
  };
  return { meshes, frame };
}

function inThree(character: ThreeCharacter): Stage {
  return createStage(character, (root, offset) => {
    const mixer = new AnimationMixer(root);
    mixer.clipAction(character.gltf.animations[0]).play().time = offset;
    return mixer;
  });
}

function withPlugin(character: ThreeCharacter, memory: PlaybackMemory | null): Stage {
  const rig = createCharacterRig(character.gltf.scene, memory === null ? {} : { memory });
  return createStage(character, (root, offset) => {
    const mixer = new CharacterMixer(root, rig);
    mixer.clipAction(character.gltf.animations[0]).play().time = offset;
    return mixer;
  });
}

/** Throws an error when vertices differ. */
function checkSame(own: Stage, theirs: Stage): void {
  own.frame();
  theirs.frame();
  let off = 0;
  const [a, b] = [new Vector3(), new Vector3()];
  own.meshes.forEach((mesh, k) => {
    const other = theirs.meshes[k];
    for (let vertex = 0; vertex < mesh.geometry.attributes['position'].count; vertex += 97) {
      mesh.getVertexPosition(vertex, a).applyMatrix4(mesh.matrixWorld);
      other.getVertexPosition(vertex, b).applyMatrix4(other.matrixWorld);
      off = Math.max(off, a.distanceTo(b));
    }
  });
  if (!(off < TOLERANCE)) throw new Error(`Vertices of three.js and anyrig differ by ${off}.`);
}

/** Measures the mixers. */
export async function threePlugin(rounds: number): Promise<Row[]> {
  const memory = await createPlaybackMemory();
  if (memory === null) throw new Error('The kernel needs WebAssembly with SIMD, which this runtime lacks.');
  const source = sourceCharacter();
  const character = await loadInThree(glbBytes(characterDocument(source, { clips: [walkOf(source)] })));
  const three = inThree(character);
  const stages = [withPlugin(character, memory), withPlugin(character, null)];
  for (const stage of stages) checkSame(stage, inThree(character));
  const against: Contender = { name: 'three.js AnimationMixer', run: three.frame };
  const own: Contender = { name: 'CharacterMixer with the kernel', run: stages[0].frame };
  const script: Contender = { name: 'CharacterMixer without the kernel', run: stages[1].frame };
  return compare(
    [
      { name: 'three-plugin-300', own, against, kind: 'speedup', limit: 10 },
      { name: 'three-plugin-300, without kernel', own: script, against, kind: 'speedup' },
    ],
    rounds,
    { time: 300, calls: 10 },
  );
}
