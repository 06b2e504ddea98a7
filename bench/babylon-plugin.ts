/**
 * 300 skinned characters in Babylon.js: our BabylonMixer against AnimationGroups. A frame is everything that the processor does for poses before it draws:
 * the animations, the world matrices of the meshes, and the transform matrices of every skeleton. Both show the same clip at different times.
 */

import {
  type AbstractMesh,
  type AnimationGroup,
  LoadAssetContainerAsync,
  Logger,
  type Mesh,
  NullEngine,
  Scene,
  type TransformNode,
  Vector3,
} from '@babylonjs/core';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { BabylonMixer, createCharacterRig } from 'anyrig/babylon';
import { createPlaybackMemory, type PlaybackMemory } from 'anyrig/playback';
import { characterDocument, glbBytes } from '../src/demo/files/glb.ts';
import { sourceCharacter, walkOf } from './characters.ts';
import { type Contender, compare, type Row } from './measure.ts';

const CHARACTERS = 300;
/** Milliseconds per frame: the constant step of Babylon.js. */
const STEP = 16;
/** Greatest distance of vertices, meters. */
const TOLERANCE = 2e-3;

/** A scene with characters, and its frame. */
interface Stage {
  readonly meshes: readonly AbstractMesh[];
  readonly frame: () => void;
  /** Computes the matrices of the current times. */
  readonly pose: () => void;
}

/** An instance of the model in a scene. */
interface Instance {
  readonly root: TransformNode;
  readonly group: AnimationGroup;
}

/** Fills a scene; `play` starts an instance at a frame and returns what updates it. */
async function createStage(
  glb: Uint8Array,
  play: (instance: Instance, model: Instance, frame: number) => { update(seconds: number): void } | null,
): Promise<Stage> {
  Logger.LogLevels = Logger.NoneLogLevel;
  const scene = new Scene(new NullEngine());
  scene.useConstantAnimationDeltaTime = true;
  const container = await LoadAssetContainerAsync(new Uint8Array(glb), scene, { pluginExtension: '.glb' });
  const model = { root: container.rootNodes[0] as TransformNode, group: container.animationGroups[0] };
  const meshes: AbstractMesh[] = [];
  const mixers: { update(seconds: number): void }[] = [];
  for (let k = 0; k < CHARACTERS; k++) {
    const copy = container.instantiateModelsToScene(undefined, false, { doNotInstantiate: true });
    const root = copy.rootNodes[0] as TransformNode;
    root.position.set(k % 20, 0, Math.floor(k / 20));
    meshes.push(...root.getChildMeshes(false).filter(({ skeleton }) => skeleton !== null));
    const frame = model.group.from + (k * (model.group.to - model.group.from)) / CHARACTERS;
    const mixer = play({ root, group: copy.animationGroups[0] }, model, frame);
    if (mixer !== null) mixers.push(mixer);
  }
  const update = (seconds: number): void => {
    for (let k = 0; k < mixers.length; k++) mixers[k].update(seconds);
    // As the scene does for visible meshes.
    for (let k = 0; k < meshes.length; k++) {
      meshes[k].computeWorldMatrix();
      meshes[k].skeleton?.prepare(true);
    }
  };
  const frame = (): void => {
    scene.animate();
    update(STEP / 1000);
  };
  return { meshes, frame, pose: () => update(0) };
}

function inBabylon(glb: Uint8Array): Promise<Stage> {
  return createStage(glb, ({ group }, _, frame) => {
    group.start(true).goToFrame(frame);
    return null;
  });
}

function withPlugin(glb: Uint8Array, memory: PlaybackMemory | null): Promise<Stage> {
  let rig: ReturnType<typeof createCharacterRig> | null = null;
  return createStage(glb, ({ root }, model, frame) => {
    rig ??= createCharacterRig(model.root, memory === null ? {} : { memory });
    const mixer = new BabylonMixer(root, rig);
    mixer.animation(model.group).start(true).goToFrame(frame);
    return mixer;
  });
}

/** Throws an error when vertices of some characters differ at the start. */
function checkSame(own: Stage, theirs: Stage): void {
  own.pose();
  theirs.pose();
  let off = 0;
  for (let k = 0; k < own.meshes.length; k += 60) {
    const [a, b] = [own, theirs].map(({ meshes }) => {
      const positions = (meshes[k] as Mesh).getPositionData(true, false) as Float32Array;
      const world = meshes[k].computeWorldMatrix(true);
      const points: Vector3[] = [];
      for (let at = 0; at < positions.length; at += 3 * 97) {
        points.push(Vector3.TransformCoordinates(Vector3.FromArray(positions, at), world));
      }
      return points;
    });
    off = Math.max(off, ...a.map((point, vertex) => Vector3.Distance(point, b[vertex])));
  }
  if (!(off < TOLERANCE)) throw new Error(`Vertices of Babylon.js and anyrig differ by ${off}.`);
}

/** Measures the mixers. */
export async function babylonPlugin(rounds: number): Promise<Row[]> {
  const memory = await createPlaybackMemory();
  if (memory === null) throw new Error('The kernel needs WebAssembly with SIMD, which this runtime lacks.');
  const source = sourceCharacter();
  const glb = glbBytes(characterDocument(source, { clips: [walkOf(source)] }));
  const babylon = await inBabylon(glb);
  const stages = [await withPlugin(glb, memory), await withPlugin(glb, null)];
  for (const stage of stages) checkSame(stage, babylon);
  const against: Contender = { name: 'AnimationGroups of Babylon.js', run: babylon.frame };
  const own: Contender = { name: 'BabylonMixer with the kernel', run: stages[0].frame };
  const script: Contender = { name: 'BabylonMixer without the kernel', run: stages[1].frame };
  return compare(
    [
      { name: 'babylon-plugin-300', own, against, kind: 'speedup' },
      { name: 'babylon-plugin-300, without kernel', own: script, against, kind: 'speedup' },
    ],
    rounds,
    { time: 300, calls: 10 },
  );
}
