/** The animated weights of blend shapes. */
import type { LinearKeys } from '../../core/animation/resample.ts';
import type { MorphTrack } from '../../core/asset/asset.ts';
import type { Floats } from '../../core/math/floats.ts';
import { evaluateChannel, type FbxChannel } from './layers.ts';
import { meshHolders } from './mesh-holders.ts';
import type { ModelForest } from './read-models.ts';
import { type ShapeChannel, shapeChannels, shapeWeight } from './read-shapes.ts';
import type { FbxObject, FbxScene } from './scene.ts';

/** A node whose mesh has blend shapes. */
export interface MorphedNode {
  readonly model: FbxObject;
  readonly targets: readonly ShapeChannel[];
}

/** Gives the layers that animate the percentage of a blend shape; none where nothing does. */
export type PercentLayers = (shapeId: string, nodeName: string) => FbxChannel['layers'];

/** What is to become keys: channels, and a function of time that depends on them alone. */
export interface MorphFunction {
  readonly channels: readonly FbxChannel[];
  readonly width: number;
  readonly evaluate: (time: number, out: Floats, o: number) => void;
}

/** Makes keys of a function of time; null where the file asks for too much. */
export type ResampleMorphs = (weights: MorphFunction, nodeName: string) => LinearKeys | null;

/** All nodes with blend shapes; of several meshes at a node the first that has some. */
export function morphedNodes(scene: FbxScene, { models }: ModelForest): MorphedNode[] {
  return models.flatMap((model) => {
    const lists = meshHolders(scene, model).map((holder) => shapeChannels(scene, holder));
    const targets = lists.find((list) => list.length > 0);
    return targets === undefined ? [] : [{ model, targets }];
  });
}

/**
 * The tracks of a take, for nodes of which at least one blend shape is animated: the weights of all of them, 1 for 100 % (or
 * for what the file calls full), in the order of the morph targets of the mesh.
 */
export function readMorphTracks(
  nodes: readonly MorphedNode[],
  layersOf: PercentLayers,
  resample: ResampleMorphs,
): MorphTrack[] {
  return nodes.flatMap(({ model, targets }) => {
    const channels = targets.map(({ id, percent }): FbxChannel | null => {
      const layers = layersOf(id, model.name);
      // Percentages are added and blended as lengths are.
      return layers.length === 0 ? null : { path: 'translation', rest: [percent, 0, 0], order: 'XYZ', layers };
    });
    const animated = channels.filter((channel) => channel !== null);
    if (animated.length === 0) return [];
    const value = new Float64Array(3);
    const evaluate = (time: number, out: Floats, o: number): void => {
      for (const [k, target] of targets.entries()) {
        const channel = channels[k];
        if (channel !== null) evaluateChannel(channel, time, value, 0);
        out[o + k] = shapeWeight(target, channel === null ? target.percent : value[0]);
      }
    };
    const keys = resample({ channels: animated, width: targets.length, evaluate }, model.name);
    if (keys === null) return [];
    return [
      {
        sourceNode: model.index,
        nodeName: model.name,
        targetCount: targets.length,
        targetNames: targets.map(({ name }) => name),
        interpolation: 'LINEAR' as const,
        ...keys,
      },
    ];
  });
}
