/** Weights of morph targets as those of the blend shapes that a scene has: in-betweens go back into their blend shape. */
import type { MorphTrack } from '../../../core/asset/asset.ts';
import { type MeshMorphs, morphTargetsOf } from '../read/morph-targets.ts';
import type { SceneSkeleton, UsdScene } from '../read/scene.ts';
import type { WeightSource } from './linear-animation.ts';

/** A blend shape of a mesh below a Skeleton. */
export interface ShapeChannel {
  /** Name in animations. */
  readonly token: string;
  /** Node of its mesh. */
  readonly node: number;
  /** Place among the blend shapes of the mesh. */
  readonly place: number;
  readonly morphs: MeshMorphs;
}

/** The blend shapes that animations of a skeleton move, each name once: meshes that share a name share the weight. */
export function shapeChannels({ stage, prims, joints }: UsdScene, { bound }: SceneSkeleton): ShapeChannel[] {
  const channels = new Map<string, ShapeChannel>();
  for (const one of bound) {
    const node = prims.findIndex((prim, n) => prim === one.prim && joints[n] < 0);
    if (one.blendShapes === null || node < 0) continue;
    const morphs = morphTargetsOf(stage, one);
    for (const [place, token] of one.blendShapes.entries()) {
      if (!channels.has(token)) channels.set(token, { token, node, place, morphs });
    }
  }
  return [...channels.values()];
}

/**
 * The weights of blend shapes by those of their morph targets. Between two shapes of a blend shape the weights of both add up to 1, so that its own
 * weight is the sum of the places of the shapes, each times its weight.
 */
function blendShapeTrack(track: MorphTrack, { blendShapes, targets }: MeshMorphs): MorphTrack {
  const placeOf = targets.map(({ blendShape, shape }) => {
    const plan = blendShapes[blendShape]?.plan;
    return plan === undefined ? 0 : (plan.weights[plan.shapes.indexOf(shape)] ?? 0);
  });
  const width = blendShapes.length;
  const count = targets.length === 0 ? 0 : track.values.length / targets.length;
  const values = new Float32Array(count * width);
  for (let key = 0; key < count; key++) {
    for (const [t, { blendShape }] of targets.entries()) {
      values[key * width + blendShape] += placeOf[t] * track.values[key * targets.length + t];
    }
  }
  return { ...track, targetCount: width, values };
}

/** The blend shapes of the meshes that a clip has weights for, and where it has them. */
export function shapeWeights(
  channels: readonly ShapeChannel[],
  morphs: ReadonlyMap<number, MorphTrack>,
): { readonly blendShapes: string[]; readonly weights: WeightSource[] } {
  const tracks = new Map<number, MorphTrack>();
  const moved = channels.filter(({ node, morphs: { targets } }) => morphs.get(node)?.targetCount === targets.length);
  const weights = moved.map(({ node, place, morphs: own }): WeightSource => {
    const track = tracks.get(node) ?? blendShapeTrack(morphs.get(node) as MorphTrack, own);
    tracks.set(node, track);
    return { track, target: place, weight: 0 };
  });
  return { blendShapes: moved.map(({ token }) => token), weights };
}
