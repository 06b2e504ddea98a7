/** Which shapes of a character show the face of a motion: decided by names, before any key is looked at. */
import type { Keys } from '../animation/clip.ts';
import type { FaceBind, FaceRig, MorphNode } from './face-rig.ts';
import { componentOf, type ExpressionTrack, isZero } from './face-tracks.ts';
import { type NamedShape, shapeOfName } from './name-shape.ts';
import { AT_REST, FACE_RECIPES } from './recipes.ts';
import type { FaceShape } from './shapes.ts';

/** One weight of a motion over time. */
export interface FaceSource {
  /** As the file of the motion calls it. */
  readonly name: string;
  /** What that means; null where nobody knows. */
  readonly named: NamedShape | null;
  /** Whether it is the weight of an expression, or that of a morph target. */
  readonly kind: 'expression' | 'morph';
  /** One float a value. */
  readonly keys: Keys;
}

/** Keys of the weights of a mesh, and how its targets are called. */
interface MorphKeys extends Keys {
  readonly targetCount: number;
  readonly targetNames?: readonly string[];
}

/** Part of a source in a weight of the character. */
export interface FaceTerm {
  /** Index of the source. */
  readonly source: number;
  readonly factor: number;
}

/** A morph target that is moved by itself, outside of expressions. */
export interface PlannedMorph {
  readonly node: number;
  readonly target: number;
  readonly terms: readonly FaceTerm[];
  /** Whether the weight is a target of the very same name's, as it is: then it may leave 0…1. */
  readonly isSame: boolean;
}

/** What shows what. */
export interface FacePlan {
  /** Terms of every expression of the character; empty for those that stay at 0. */
  readonly expressions: readonly (readonly FaceTerm[])[];
  readonly morphs: readonly PlannedMorph[];
  /** Indices of the sources that something shows, and of those that nothing does. */
  readonly shown: readonly number[];
  readonly missing: readonly number[];
}

/** What a weight of the motion can be put on: an expression of the character, or morph targets. */
type Control = { readonly expression: number } | { readonly binds: readonly FaceBind[] };

interface Controls {
  readonly expressionNames: ReadonlyMap<string, Control>;
  readonly expressionShapes: ReadonlyMap<FaceShape, Control>;
  readonly morphNames: ReadonlyMap<string, Control>;
  readonly morphShapes: ReadonlyMap<FaceShape, Control>;
}

/** A recipe is followed where the character has shapes for this much of it. */
const ENOUGH = 0.5;

/** The weights of a motion that are not 0 all the time: of its expressions, and of the morph targets that have names, each name once. */
export function faceSources(expressions: readonly ExpressionTrack[], morphs: readonly MorphKeys[]): FaceSource[] {
  const sources = new Map<string, FaceSource>();
  const add = (name: string, kind: FaceSource['kind'], keys: Keys): void => {
    const key = `${kind} ${name}`;
    if (name !== '' && !sources.has(key)) sources.set(key, { name, named: shapeOfName(name), kind, keys });
  };
  for (const track of expressions) if (!isZero(track.values)) add(track.name, 'expression', track);
  for (const morph of morphs) {
    for (const [target, name] of (morph.targetNames ?? []).entries()) {
      if (target >= morph.targetCount || isZero(morph.values, morph.targetCount, target)) continue;
      add(name, 'morph', componentOf(morph, morph.targetCount, target));
    }
  }
  return [...sources.values()];
}

function listOf<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  if (list.length === 0) lists.set(key, list);
  return list;
}

/** Targets of one node by shape: one that is the whole shape, else all that are parts of it. */
function shapesOfNode({ node, targetNames }: MorphNode): Map<FaceShape, FaceBind[]> {
  const wholes = new Map<FaceShape, FaceBind[]>();
  const parts = new Map<FaceShape, FaceBind[]>();
  for (const [target, name] of (targetNames ?? []).entries()) {
    const named = shapeOfName(name);
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
    const named = shapeOfName(name);
    if (!expressionNames.has(name)) expressionNames.set(name, { expression });
    if (named?.parts === 1 && !expressionShapes.has(named.shape)) expressionShapes.set(named.shape, { expression });
  }
  const names = new Map<string, FaceBind[]>();
  const shapes = new Map<FaceShape, FaceBind[]>();
  for (const morphNode of morphNodes) {
    const { node, targetNames } = morphNode;
    for (const [target, name] of (targetNames ?? []).entries()) {
      // Of targets of one node with the same name the first counts.
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

/** What shows one source: by its own name first, among its like first; then by its meaning; then by a recipe. Null where nothing does. */
function controlsFor(
  { name, named, kind }: FaceSource,
  controls: Controls,
): { control: Control; factor: number }[] | null {
  const { expressionNames, expressionShapes, morphNames, morphShapes } = controls;
  const same =
    kind === 'morph'
      ? (morphNames.get(name) ?? expressionNames.get(name))
      : (expressionNames.get(name) ?? morphNames.get(name));
  if (same !== undefined) return [{ control: same, factor: 1 }];
  if (named === null) return null;
  const share = 1 / named.parts;
  const ofShape = (shape: FaceShape): Control | undefined => expressionShapes.get(shape) ?? morphShapes.get(shape);
  const alike = ofShape(named.shape);
  if (alike !== undefined) return [{ control: alike, factor: share }];
  for (const recipe of FACE_RECIPES[named.shape] ?? []) {
    const parts = Object.entries(recipe) as [FaceShape, number][];
    const there = parts.flatMap(([shape, weight]) => {
      const control = ofShape(shape);
      return control === undefined ? [] : [{ control, factor: share * weight }];
    });
    const offered = there.reduce((sum, { factor }) => sum + factor, 0);
    const wanted = parts.reduce((sum, [, weight]) => sum + share * weight, 0);
    if (offered >= ENOUGH * wanted - 1e-9) return there;
  }
  return AT_REST.has(named.shape) ? [] : null;
}

/**
 * Decides what of a character shows each weight of a motion: an expression or morph targets of its name; else of its meaning, in any
 * convention (`shapeOfName`), expressions first; else a recipe of other shapes (FACE_RECIPES), where the character has at least half of
 * it. Expressions that change only materials are as if they were not there.
 */
export function planFace(sources: readonly FaceSource[], rig: FaceRig): FacePlan {
  const controls = controlsOf(rig);
  const expressions: FaceTerm[][] = rig.expressions.map(() => []);
  const morphs = new Map<string, { node: number; target: number; terms: FaceTerm[]; isSame: boolean }>();
  const shown: number[] = [];
  const missing: number[] = [];
  for (const [source, one] of sources.entries()) {
    const found = controlsFor(one, controls);
    (found === null ? missing : shown).push(source);
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
  return { expressions, morphs: [...morphs.values()], shown, missing };
}
