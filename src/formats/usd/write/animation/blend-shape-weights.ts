/** Converts morph target weights to the blend shape weights of a scene; in-between weights are merged into their blend shape. */
import type { MorphTrack } from '../../../../core/asset/asset.ts';
import type { WeightSource } from '../../author/sample-tracks.ts';
import { type MeshMorphs, morphTargetsOf } from '../../read/meshes/morph-targets.ts';
import type { SceneSkeleton, UsdScene } from '../../read/scene.ts';

export interface BlendShapeChannel {
  readonly token: string;
  readonly node: number;
  readonly index: number;
  readonly morphs: MeshMorphs;
}

/** Lists the blend shapes of all meshes that animations of a skeleton can animate; meshes with the same name share the weight. */
export function blendShapeChannels({ stage, prims, joints }: UsdScene, { bound }: SceneSkeleton): BlendShapeChannel[] {
  const channels: BlendShapeChannel[] = [];
  for (const one of bound) {
    const node = prims.findIndex((prim, n) => prim === one.prim && joints[n] < 0);
    if (one.blendShapes === null || node < 0) continue;
    const morphs = morphTargetsOf(stage, one);
    for (const [index, token] of one.blendShapes.entries()) channels.push({ token, node, index, morphs });
  }
  return channels;
}

/**
 * Converts morph target weights to blend shape weights. Between two shapes of a blend shape, the weights of both add up to 1; the weight of the blend
 * shape is the sum of the weights at which the shapes peak, each times the weight of its morph target.
 */
function blendShapeTrack(track: MorphTrack, { blendShapes, targets }: MeshMorphs): MorphTrack {
  const peaks = targets.map(({ blendShape, shape }) => {
    const plan = blendShapes[blendShape]?.plan;
    return plan === undefined ? 0 : (plan.weights[plan.shapes.indexOf(shape)] ?? 0);
  });
  const width = blendShapes.length;
  const count = targets.length === 0 ? 0 : track.values.length / targets.length;
  const values = new Float32Array(count * width);
  for (let key = 0; key < count; key++) {
    for (const [t, { blendShape }] of targets.entries()) {
      values[key * width + blendShape] += peaks[t] * track.values[key * targets.length + t];
    }
  }
  return { ...track, targetCount: width, values };
}

/** Finds the blend shapes that a clip animates, each name once, and the sources of their weights: the first mesh with a track. */
export function blendShapeWeights(
  channels: readonly BlendShapeChannel[],
  morphs: ReadonlyMap<number, MorphTrack>,
): { readonly blendShapes: string[]; readonly weights: WeightSource[] } {
  const tracks = new Map<number, MorphTrack>();
  const moved = new Map<string, BlendShapeChannel>();
  for (const channel of channels) {
    const { token, node, morphs: own } = channel;
    if (!moved.has(token) && morphs.get(node)?.targetCount === own.targets.length) moved.set(token, channel);
  }
  const weights = Array.from(moved.values(), ({ node, index, morphs: own }): WeightSource => {
    const track = tracks.get(node) ?? blendShapeTrack(morphs.get(node) as MorphTrack, own);
    tracks.set(node, track);
    return { track, target: index, weight: 0 };
  });
  return { blendShapes: [...moved.keys()], weights };
}
