/** Evaluates a document in headless Babylon.js over time: world positions of the vertices of every primitive. */
import '@babylonjs/loaders/glTF/2.0/index.js';
import {
  DracoDecoder,
  LoadAssetContainerAsync,
  Logger,
  Matrix,
  type Mesh,
  type MorphTargetManager,
  NullEngine,
  Scene,
  Tools,
  TransformNode,
  Vector3,
} from '@babylonjs/core';
import draco3d from 'draco3dgltf';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import type { GltfDocument } from '../../../src/formats/gltf/index.ts';
import { vertexGlb } from './three-vertices.ts';

/** Frames per second to which the loader converts seconds. */
const FPS = 60;

/** Supplies the decoders that the loader would download, without workers. It loads meshopt as a script and uses its global. */
export function provideDecoders(): void {
  DracoDecoder.DefaultConfiguration = { fallbackUrl: 'none', jsModule: draco3d.createDecoderModule, numWorkers: 0 };
  Object.assign(globalThis, { MeshoptDecoder: { ...MeshoptDecoder, useWorkers() {} } });
  Tools.LoadBabylonScriptAsync = async () => {};
}

export interface BabylonFile {
  /** One array per primitive, in any order, 3 floats per vertex; clip −1 is the rest pose. */
  at(animation: number, time: number): Float64Array[];
  dispose(): void;
}

/** Weights of all targets. An animation leaves them at their last value. */
function weightsOf(manager: MorphTargetManager): number[] {
  return Array.from({ length: manager.numTargets }, (_, t) => manager.getTarget(t).influence);
}

/** Loads a document. Rejects as the loader does. */
export async function babylonFile(doc: GltfDocument): Promise<BabylonFile> {
  provideDecoders();
  Logger.LogLevels = Logger.NoneLogLevel;
  const engine = new NullEngine();
  const scene = new Scene(engine);
  const dispose = (): void => {
    scene.dispose();
    engine.dispose();
  };
  const options = { pluginExtension: '.glb' };
  const container = await LoadAssetContainerAsync(new Uint8Array(vertexGlb(doc)), scene, options).catch((error) => {
    dispose();
    throw error;
  });
  container.addAllToScene();
  for (const group of container.animationGroups) group.stop();
  const root = container.rootNodes[0] as TransformNode;
  const nodes = root.getDescendants(false).filter((node) => node instanceof TransformNode);
  const rest = nodes.map(({ position, rotationQuaternion, scaling }) => {
    return { position: position.clone(), rotation: rotationQuaternion?.clone() ?? null, scaling: scaling.clone() };
  });
  const managers = container.morphTargetManagers.map((manager) => ({ manager, weights: weightsOf(manager) }));
  root.computeWorldMatrix(true);
  // The world space of Babylon.js is left-handed.
  const back = Matrix.Invert(root.getWorldMatrix());
  return {
    at(animation, time) {
      nodes.forEach((node, i) => {
        node.position.copyFrom(rest[i].position);
        node.rotationQuaternion = rest[i].rotation?.clone() ?? null;
        node.scaling.copyFrom(rest[i].scaling);
      });
      for (const { manager, weights } of managers) {
        weights.forEach((weight, t) => {
          manager.getTarget(t).influence = weight;
        });
      }
      const group = container.animationGroups[animation];
      if (group !== undefined) {
        group.start(false, 1, group.from, group.to);
        group.pause();
        group.goToFrame(time * FPS);
      }
      for (const node of nodes) node.computeWorldMatrix(true);
      for (const skeleton of container.skeletons) skeleton.prepare(true);
      const found = container.meshes
        .filter((mesh) => mesh.getTotalVertices() > 0)
        .map((mesh) => {
          const world = mesh.computeWorldMatrix(true).multiply(back);
          const positions = Float64Array.from((mesh as Mesh).getPositionData(true, true) ?? []);
          for (let at = 0; at < positions.length; at += 3) {
            const local = new Vector3(positions[at], positions[at + 1], positions[at + 2]);
            const { x, y, z } = Vector3.TransformCoordinates(local, world);
            positions.set([x, y, z], at);
          }
          return positions;
        });
      group?.stop();
      return found;
    },
    dispose,
  };
}
