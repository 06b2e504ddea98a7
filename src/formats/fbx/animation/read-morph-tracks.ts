import type { Keys } from '../../../core/animation/clip.ts';
import type { MorphTrack } from '../../../core/asset/asset.ts';
import type { Floats } from '../../../core/math/floats.ts';
import { meshObjects } from '../meshes/mesh-objects.ts';
import { type ShapeChannel, shapeChannels, shapeWeight } from '../meshes/read-shapes.ts';
import type { FbxObject, FbxScene } from '../nodes/fbx-scene.ts';
import type { ModelForest } from '../nodes/read-models.ts';
import { evaluateChannel, type FbxChannel } from './animation-layers.ts';

export interface MorphedNode {
  readonly model: FbxObject;
  readonly targets: readonly ShapeChannel[];
}

interface MorphFunction {
  readonly channels: readonly FbxChannel[];
  readonly width: number;
  readonly evaluate: (time: number, out: Floats, o: number) => void;
}

/** Lists the nodes with blend shapes. If a node has several meshes, the first one with blend shapes counts. */
export function morphedNodes(scene: FbxScene, { models }: ModelForest): MorphedNode[] {
  return models.flatMap((model) => {
    const lists = meshObjects(scene, model).map((meshObject) => shapeChannels(scene, meshObject));
    const targets = lists.find((list) => list.length > 0);
    return targets === undefined ? [] : [{ model, targets }];
  });
}

/**
 * Reads the morph tracks of a take, for nodes with at least one animated blend shape. A key has the weights of all
 * targets, in the order of the mesh. Weight 1 is 100 %, or the full weight that the file declares.
 */
export function readMorphTracks(
  nodes: readonly MorphedNode[],
  layersOf: (shapeId: string, nodeName: string) => FbxChannel['layers'],
  resample: (weights: MorphFunction, nodeName: string) => Keys | null,
): MorphTrack[] {
  return nodes.flatMap(({ model, targets }) => {
    const channels = targets.map(({ id, percent }): FbxChannel | null => {
      const layers = layersOf(id, model.name);
      // Percentages are added and blended like lengths.
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
        ...keys,
      },
    ];
  });
}
