/** Converts the blend shapes of a mesh to morph targets; each in-between becomes a separate target. */
import { inBetweenWeights } from '../../../../core/deform/in-betweens.ts';
import type { Floats } from '../../../../core/math/floats.ts';
import type { BoundPrim } from '../../skel/bound-prim.ts';
import { readBlendShapes } from '../../skel/deform/apply-blend-shapes.ts';
import type { BlendShape } from '../../skel/deform/blend-shape.ts';
import type { Stage } from '../../stage/stage.ts';
import { displayName } from '../display-name.ts';

/** A morph target: one shape of one blend shape. */
interface MeshMorphTarget {
  /** Name of the blend shape, followed by `/` and the in-between name for in-betweens: `smile/half`. */
  readonly name: string;
  /** Index of the blend shape in `skel:blendShapes` of the mesh. */
  readonly blendShape: number;
  /** Index of the shape within the blend shape: 0 is the primary shape, i + 1 is in-between i. */
  readonly shape: number;
}

export interface MeshMorphs {
  /** In the order of `skel:blendShapes`; null if the target of a name is missing, so that it yields no morph targets. */
  readonly blendShapes: readonly (BlendShape | null)[];
  /** In the order of the blend shapes: of each the primary shape, then its valid in-betweens in authored order. */
  readonly targets: readonly MeshMorphTarget[];
}

/**
 * Reads the morph targets of a bound prim. A blend shape is named by the `displayName` of its prim, else by its name in `skel:blendShapes`. Invalid
 * blend shapes are reported when the scene is read, not here.
 */
export function morphTargetsOf(stage: Stage, bound: BoundPrim): MeshMorphs {
  const blendShapes = readBlendShapes(stage, bound);
  const targets = blendShapes.flatMap((blendShape, index): MeshMorphTarget[] => {
    if (blendShape === null) return [];
    const name = displayName(stage, blendShape.prim) ?? bound.blendShapes?.[index] ?? '';
    const validShapes = new Set(blendShape.plan.shapes);
    return blendShape.shapes.flatMap((_, shape) => {
      if (!validShapes.has(shape)) return [];
      const fullName = shape === 0 ? name : `${name}/${blendShape.inBetweens[shape - 1]}`;
      return [{ name: fullName, blendShape: index, shape }];
    });
  });
  return { blendShapes, targets };
}

export function morphWeights(out: Floats, o: number, morphs: MeshMorphs, weights: ArrayLike<number>): void {
  const { blendShapes, targets } = morphs;
  let byShape = new Float64Array(0);
  for (const [t, { blendShape, shape }] of targets.entries()) {
    if (shape === 0) {
      // The primary shape comes first, so this runs once per blend shape.
      const { plan } = blendShapes[blendShape] as BlendShape;
      byShape = new Float64Array(plan.inBetweenCount + 1);
      inBetweenWeights(byShape, 0, plan, weights[blendShape]);
    }
    out[o + t] = byShape[shape];
  }
}
