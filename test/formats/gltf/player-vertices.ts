/** World positions of the vertices of every primitive in players, morphed and skinned, 3 numbers per vertex. */
import '@babylonjs/loaders/glTF/2.0/index.js';
import {
  AbstractMesh,
  type Mesh as BabylonMesh,
  Vector3 as BabylonVector,
  LoadAssetContainerAsync,
  Logger,
  Matrix,
  NullEngine,
  Scene,
} from '@babylonjs/core';
import { AnimationMixer, LoopOnce, type Mesh, type Object3D, Vector3 } from 'three';
import { loadInThree } from './three-player.ts';

/** Vertices in three.js at a time of an animation; −1 for the rest pose. */
export async function threeVertices(glb: Uint8Array, animation: number, time: number): Promise<number[][]> {
  const { scene, animations } = await loadInThree(glb);
  if (animation >= 0) {
    const mixer = new AnimationMixer(scene);
    const action = mixer.clipAction(animations[animation]);
    action.setLoop(LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
  }
  scene.updateMatrixWorld(true);
  const found: number[][] = [];
  const vertex = new Vector3();
  scene.traverse((object: Object3D) => {
    if (!('isMesh' in object)) return;
    const mesh = object as Mesh;
    const positions: number[] = [];
    for (let v = 0; v < mesh.geometry.attributes['position'].count; v++) {
      mesh.getVertexPosition(v, vertex).applyMatrix4(mesh.matrixWorld);
      positions.push(vertex.x, vertex.y, vertex.z);
    }
    found.push(positions);
  });
  return found;
}

/** Frames per second that Babylon's loader converts seconds to. */
const FPS = 60;

/** Vertices in Babylon.js without a screen, converted back to the right-handed space of the file. */
export async function babylonVertices(glb: Uint8Array, animation: number, time: number): Promise<number[][]> {
  Logger.LogLevels = Logger.NoneLogLevel;
  const engine = new NullEngine();
  const scene = new Scene(engine);
  const container = await LoadAssetContainerAsync(new Uint8Array(glb), scene, { pluginExtension: '.glb' });
  container.addAllToScene();
  for (const group of container.animationGroups) group.stop();
  if (animation >= 0) {
    const group = container.animationGroups[animation];
    group.start(false, 1, group.from, group.to);
    group.pause();
    group.goToFrame(time * FPS);
  }
  const [root] = container.rootNodes;
  root.computeWorldMatrix(true);
  const back = Matrix.Invert(root.getWorldMatrix());
  for (const skeleton of container.skeletons) skeleton.prepare(true);
  const found: number[][] = [];
  for (const mesh of container.meshes) {
    if (!(mesh instanceof AbstractMesh) || mesh.getTotalVertices() === 0) continue;
    const world = mesh.computeWorldMatrix(true).multiply(back);
    const data = (mesh as BabylonMesh).getPositionData(true, true) ?? [];
    const positions: number[] = [];
    for (let at = 0; at < data.length; at += 3) {
      const moved = BabylonVector.TransformCoordinates(BabylonVector.FromArray(data as number[], at), world);
      positions.push(moved.x, moved.y, moved.z);
    }
    found.push(positions);
  }
  scene.dispose();
  engine.dispose();
  return found;
}
