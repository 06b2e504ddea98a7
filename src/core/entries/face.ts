/** Faces: expressions by name, recipes between naming conventions, look-at. */
export { type BakedMorphs, bakeFace } from '../face/bake-face.ts';
export { canonicalExpressions } from '../face/canonical-expressions.ts';
export type {
  FaceBind,
  FaceExpression,
  FaceRig,
  LookAtRig,
  MorphNode,
  Override,
  RangeMap,
} from '../face/face-rig.ts';
export type { ExpressionTrack, FaceTracks, LookAtTrack } from '../face/face-tracks.ts';
export { type FaceShapeMatch, findFaceShape } from '../face/find-face-shape.ts';
export { defaultLookAt, eyeTracks, lookAtExpressions, yawPitch } from '../face/look-at.ts';
export { mirrorExpressions, mirrorLookAt, mirrorSource } from '../face/mirror-face.ts';
export {
  type FacePlan,
  type FaceSource,
  type FaceTerm,
  faceSources,
  type PlannedMorph,
  planFace,
} from '../face/plan-face.ts';
export { FACE_RECIPES, type Recipe } from '../face/recipes.ts';
export { FACE_CONVENTIONS, type FaceConvention, type ShapeNames } from '../face/shape-names.ts';
export {
  ARKIT_SHAPES,
  type ArkitShape,
  FACE_SHAPES,
  type FaceShape,
  mirrorShape,
  presetToShape,
  shapeToPreset,
  VRM_PRESETS,
  type VrmPreset,
} from '../face/shapes.ts';
