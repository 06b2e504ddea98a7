/** The morph targets of a mesh: its blend shapes with their in-betweens, each a target of its own. */
import { inBetweenWeights } from '../../../core/deform/in-betweens.ts';
import type { Floats } from '../../../core/math/floats.ts';
import type { BlendShape } from '../skel/blend-shape.ts';
import { readBlendShapes } from '../skel/blend-shapes.ts';
import type { BoundPrim } from '../skel/bound-prim.ts';
import type { Stage } from '../stage/stage.ts';
import { displayName } from './display-name.ts';

/** A morph target: one shape of one blend shape. */
export interface MeshMorphTarget {
  /** `<blend shape>`, of an in-between `<blend shape>/<in-between>`. */
  readonly name: string;
  /** Place of the blend shape among those of the mesh. */
  readonly blendShape: number;
  /** Place of the shape among those of the blend shape: 0 is the primary one, i + 1 is in-between i. */
  readonly shape: number;
}

/** The morph targets of a mesh. */
export interface MeshMorphs {
  /** In the order of `skel:blendShapes`; null where nothing is behind a name: it has no target. */
  readonly blendShapes: readonly (BlendShape | null)[];
  /** Blend shapes in the order of the mesh, of each the primary shape, then those of its in-betweens that count, in the order of the prim. */
  readonly targets: readonly MeshMorphTarget[];
}

/**
 * The morph targets of a bound prim; none without blend shapes. A blend shape is called what its prim has as displayName, else by its name in
 * `skel:blendShapes`. What is odd about them is told where the scene is read.
 */
export function morphTargetsOf(stage: Stage, bound: BoundPrim): MeshMorphs {
  const blendShapes = readBlendShapes(stage, bound);
  const targets = blendShapes.flatMap((blendShape, place): MeshMorphTarget[] => {
    if (blendShape === null) return [];
    const name = displayName(stage, blendShape.prim) ?? bound.blendShapes?.[place] ?? '';
    const counting = new Set(blendShape.plan.shapes);
    return blendShape.shapes.flatMap((_, shape) => {
      if (!counting.has(shape)) return [];
      const full = shape === 0 ? name : `${name}/${blendShape.inBetweens[shape - 1]}`;
      return [{ name: full, blendShape: place, shape }];
    });
  });
  return { blendShapes, targets };
}

/** Weights of the morph targets, one float each, of weights of the blend shapes of the mesh (in the order of the mesh). */
export function morphWeights(out: Floats, o: number, morphs: MeshMorphs, weights: ArrayLike<number>): void {
  const { blendShapes, targets } = morphs;
  let byShape = new Float64Array(0);
  for (const [t, { blendShape, shape }] of targets.entries()) {
    if (shape === 0) {
      // The primary shape comes first, so this is done once a blend shape.
      const { plan } = blendShapes[blendShape] as BlendShape;
      byShape = new Float64Array(plan.inBetweenCount + 1);
      inBetweenWeights(byShape, 0, plan, weights[blendShape]);
    }
    out[o + t] = byShape[shape];
  }
}
