/** Plans facial retargeting: decides by names which shapes of a character show each weight of a motion. */
import type { Keys } from '../animation/clip.ts';
import type { FaceBind, FaceRig, MorphNode } from './face-rig.ts';
import { type ExpressionTrack, extractComponent, isAlwaysZero } from './face-tracks.ts';
import { type FaceShapeMatch, findFaceShape } from './find-face-shape.ts';
import { FACE_RECIPES, NEUTRAL_SHAPES } from './recipes.ts';
import type { FaceShape } from './shapes.ts';

export interface FaceSource {
  /** Name in the file of the motion. */
  readonly name: string;
  /** Shape of that name; null where it is unknown. */
  readonly match: FaceShapeMatch | null;
  readonly kind: 'expression' | 'morph';
  /** One float per value. */
  readonly keys: Keys;
}

export interface FaceTerm {
  readonly source: number;
  readonly factor: number;
}

/** A morph target that is animated directly, without an expression. */
export interface PlannedMorph {
  /** Index of the node in the file of the character. */
  readonly node: number;
  readonly target: number;
  readonly terms: readonly FaceTerm[];
  /** Whether the weight is copied from one morph target of the same name. Such a weight is not clamped to 0…1. */
  readonly isSame: boolean;
}

/** Decides which weights of the character each source animates. Plain data. */
export interface FacePlan {
  /** Terms of every expression of the character; empty for expressions that stay at 0. */
  readonly expressions: readonly (readonly FaceTerm[])[];
  readonly morphs: readonly PlannedMorph[];
  /** Indices of the sources that have no counterpart on the character. */
  readonly missing: readonly number[];
}

/** A control of the character that shows a source: an expression, or morph targets. */
type Control = { readonly expression: number } | { readonly binds: readonly FaceBind[] };

interface Controls {
  readonly expressionNames: ReadonlyMap<string, Control>;
  readonly expressionShapes: ReadonlyMap<FaceShape, Control>;
  readonly morphNames: ReadonlyMap<string, Control>;
  readonly morphShapes: ReadonlyMap<FaceShape, Control>;
}

/** Fraction of a recipe's total weight for which the character must have shapes. */
const MIN_RECIPE_COVERAGE = 0.5;

/**
 * Lists the animated weights of a motion: of expressions, and of named morph targets. Weights that are always 0 are left out. The first of
 * several with the same name counts.
 */
export function faceSources(
  expressions: readonly ExpressionTrack[],
  morphs: readonly (Keys & { readonly targetCount: number; readonly targetNames?: readonly string[] })[],
): FaceSource[] {
  const sources = new Map<string, FaceSource>();
  const add = (name: string, kind: FaceSource['kind'], keys: Keys): void => {
    const key = `${kind} ${name}`;
    if (name !== '' && !sources.has(key)) sources.set(key, { name, match: findFaceShape(name), kind, keys });
  };
  for (const track of expressions) if (!isAlwaysZero(track.values)) add(track.name, 'expression', track);
  for (const morph of morphs) {
    for (const [target, name] of (morph.targetNames ?? []).entries()) {
      if (target >= morph.targetCount || isAlwaysZero(morph.values, morph.targetCount, target)) continue;
      add(name, 'morph', extractComponent(morph, morph.targetCount, target));
    }
  }
  return [...sources.values()];
}

function listOf<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  if (list.length === 0) lists.set(key, list);
  return list;
}

/** Morph targets of one node by shape: the target for the whole shape, otherwise all targets for its parts. */
function shapesOfNode({ node, targetNames }: MorphNode): Map<FaceShape, FaceBind[]> {
  const wholes = new Map<FaceShape, FaceBind[]>();
  const parts = new Map<FaceShape, FaceBind[]>();
  for (const [target, name] of (targetNames ?? []).entries()) {
    const named = findFaceShape(name);
    if (named === null) continue;
    const bind = { node, target, weight: 1 };
    if (named.parts > 1) listOf(parts, named.shape).push(bind);
    else if (!wholes.has(named.shape)) wholes.set(named.shape, [bind]);
  }
  return new Map([...parts, ...wholes]);
}

function controlsOf({ morphNodes, expressions }: FaceRig): Controls {
  const expressionNames = new Map<string, Control>();
  const expressionShapes = new Map<FaceShape, Control>();
  for (const [expression, { name, binds }] of expressions.entries()) {
    if (binds.length === 0) continue;
    const named = findFaceShape(name);
    if (!expressionNames.has(name)) expressionNames.set(name, { expression });
    if (named?.parts === 1 && !expressionShapes.has(named.shape)) expressionShapes.set(named.shape, { expression });
  }
  const names = new Map<string, FaceBind[]>();
  const shapes = new Map<FaceShape, FaceBind[]>();
  for (const morphNode of morphNodes) {
    const { node, targetNames } = morphNode;
    for (const [target, name] of (targetNames ?? []).entries()) {
      // Among targets of one node with the same name, the first counts.
      const list = listOf(names, name);
      if (list[list.length - 1]?.node !== node) list.push({ node, target, weight: 1 });
    }
    for (const [shape, binds] of shapesOfNode(morphNode)) listOf(shapes, shape).push(...binds);
  }
  return {
    expressionNames,
    expressionShapes,
    morphNames: new Map([...names].map(([name, binds]) => [name, { binds }])),
    morphShapes: new Map([...shapes].map(([shape, binds]) => [shape, { binds }])),
  };
}

/** Finds the controls that show a source: by name (same kind first), then by shape, then by a recipe. Returns null without any. */
function controlsFor(
  { name, match, kind }: FaceSource,
  controls: Controls,
): { control: Control; factor: number }[] | null {
  const { expressionNames, expressionShapes, morphNames, morphShapes } = controls;
  const same =
    kind === 'morph'
      ? (morphNames.get(name) ?? expressionNames.get(name))
      : (expressionNames.get(name) ?? morphNames.get(name));
  if (same !== undefined) return [{ control: same, factor: 1 }];
  if (match === null) return null;
  const partFactor = 1 / match.parts;
  const ofShape = (shape: FaceShape): Control | undefined => expressionShapes.get(shape) ?? morphShapes.get(shape);
  const direct = ofShape(match.shape);
  if (direct !== undefined) return [{ control: direct, factor: partFactor }];
  for (const recipe of FACE_RECIPES[match.shape] ?? []) {
    const parts = Object.entries(recipe) as [FaceShape, number][];
    const available = parts.flatMap(([shape, weight]) => {
      const control = ofShape(shape);
      return control === undefined ? [] : [{ control, factor: partFactor * weight }];
    });
    const covered = available.reduce((sum, { factor }) => sum + factor, 0);
    const total = parts.reduce((sum, [, weight]) => sum + partFactor * weight, 0);
    if (covered >= MIN_RECIPE_COVERAGE * total - 1e-9) return available;
  }
  return NEUTRAL_SHAPES.has(match.shape) ? [] : null;
}

/**
 * Plans which controls of a character show each weight of a motion. In order of preference:
 * 1. an expression or morph targets of the same name;
 * 2. an expression or morph targets of the same shape, in any naming convention (`findFaceShape`);
 * 3. a recipe of other shapes (`FACE_RECIPES`), if the character has at least half of it.
 *
 * Expressions without morph targets (those that change only materials) are ignored.
 *
 * @param sources Weights of the motion, from {@link faceSources}.
 * @example
 * const sources = faceSources(clip.expressions ?? [], clip.morphs);
 * const plan = planFace(sources, rig);
 * const missingNames = plan.missing.map((index) => sources[index].name);
 */
export function planFace(sources: readonly FaceSource[], rig: FaceRig): FacePlan {
  const controls = controlsOf(rig);
  const expressions: FaceTerm[][] = rig.expressions.map(() => []);
  const morphs = new Map<string, { node: number; target: number; terms: FaceTerm[]; isSame: boolean }>();
  const missing: number[] = [];
  for (const [source, one] of sources.entries()) {
    const found = controlsFor(one, controls);
    if (found === null) missing.push(source);
    for (const { control, factor } of found ?? []) {
      if ('expression' in control) {
        expressions[control.expression].push({ source, factor });
        continue;
      }
      const isSame = one.kind === 'morph' && controls.morphNames.get(one.name) === control;
      for (const { node, target } of control.binds) {
        const key = `${node} ${target}`;
        const planned = morphs.get(key) ?? { node, target, terms: [], isSame: true };
        planned.isSame = isSame && planned.terms.length === 0;
        planned.terms.push({ source, factor });
        morphs.set(key, planned);
      }
    }
  }
  return { expressions, morphs: [...morphs.values()], missing };
}
