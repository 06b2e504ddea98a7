/** World matrices of the nodes of a GLB over time, from Babylon.js without a screen. */
import '@babylonjs/loaders/glTF/2.0/index.js';
import { LoadAssetContainerAsync, Logger, NullEngine, Scene, TransformNode } from '@babylonjs/core';

/** Frames per second that the loader converts seconds to. */
const FPS = 60;

export interface BabylonPlayer {
  /** Matrix of the root that converts the right-handed file to Babylon's left-handed world; column-major. */
  readonly root: readonly number[];
  /** World matrices by node of the file; column-major. */
  matrices(animation: number, time: number): Map<number, readonly number[]>;
  dispose(): void;
}

export async function loadInBabylon(glb: Uint8Array): Promise<BabylonPlayer> {
  Logger.LogLevels = Logger.NoneLogLevel;
  const engine = new NullEngine();
  const scene = new Scene(engine);
  const container = await LoadAssetContainerAsync(new Uint8Array(glb), scene, { pluginExtension: '.glb' });
  container.addAllToScene();
  for (const group of container.animationGroups) group.stop();
  const root = container.rootNodes[0] as TransformNode;
  const nodes = root.getDescendants(false).filter((node) => node instanceof TransformNode);
  root.computeWorldMatrix(true);
  // Nodes without an animation keep the pose of the previous animation group, so the rest pose is restored.
  const rest = nodes.map((node) => ({
    position: node.position.clone(),
    rotation: node.rotationQuaternion?.clone() ?? null,
    scaling: node.scaling.clone(),
  }));
  return {
    root: Array.from(root.getWorldMatrix().asArray()),
    matrices(animation, time) {
      nodes.forEach((node, i) => {
        node.position.copyFrom(rest[i].position);
        node.rotationQuaternion = rest[i].rotation?.clone() ?? null;
        node.scaling.copyFrom(rest[i].scaling);
      });
      const group = container.animationGroups[animation];
      if (group !== undefined) {
        group.start(false, 1, group.from, group.to);
        group.pause();
        group.goToFrame(time * FPS);
      }
      const found = new Map<number, readonly number[]>();
      const visit = (node: TransformNode): void => {
        node.computeWorldMatrix(true);
        for (const pointer of pointersOf(node)) {
          const index = /^\/nodes\/(\d+)$/.exec(pointer)?.[1];
          if (index !== undefined) found.set(Number(index), Array.from(node.getWorldMatrix().asArray()));
        }
      };
      for (const node of nodes) visit(node);
      group?.stop();
      return found;
    },
    dispose() {
      scene.dispose();
      engine.dispose();
    },
  };
}

function pointersOf(node: TransformNode): readonly string[] {
  const metadata = (node as { _internalMetadata?: { gltf?: { pointers?: string[] } } })._internalMetadata;
  return metadata?.gltf?.pointers ?? [];
}
