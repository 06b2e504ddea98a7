/** Which material a prim and the subsets of its faces have (UsdShadeMaterialBindingAPI). */
import { numbersOf, textsOf, typeNameAt } from '../skel/stage-reading.ts';
import { propertyMetadata } from '../stage/metadata.ts';
import { childrenOf, isUsable, primAndAncestors, primAt, type Stage } from '../stage/stage.ts';
import { forwardedTargetsOf } from '../stage/targets.ts';
import { type Findings, note } from './geometry-findings.ts';
import { faceCount, type UsdPolygons } from './read-polygons.ts';
import { restValue } from './rest-value.ts';

/** The relationships that count, first the one for what is shown at once, then that for all purposes, last that for film. */
const PURPOSES = ['material:binding:preview', 'material:binding', 'material:binding:full'] as const;

/** A binding that reaches a prim. */
interface Binding {
  readonly material: string;
  /** Whether it wins over those of prims below. */
  readonly isStronger: boolean;
}

/** Bindings that were found, by the prim that they reach, one a purpose. */
export type MaterialBindings = Map<string, readonly (Binding | null)[]>;

/** Faces of a mesh with one material. */
export interface MaterialPart {
  readonly faces: ArrayLike<number>;
  /** Path of the Material; null for none. */
  readonly material: string | null;
}

function ownBinding(stage: Stage, prim: string, relationship: string, findings: Findings): Binding | null {
  const targets = forwardedTargetsOf(stage, prim, relationship, 1) ?? [];
  if (targets.length === 0) return null;
  const [material] = targets;
  if (typeNameAt(stage, material) !== 'Material') {
    note(findings, 'USD_GEOMETRY', 'Material bindings that lead to no Material were left out', prim);
    return null;
  }
  const strength = textsOf(propertyMetadata(stage, prim, relationship, 'bindMaterialAs'))?.[0];
  return { material, isStronger: strength === 'strongerThanDescendants' };
}

/**
 * Path of the material of a prim, null for none: the nearest binding of it and the prims above, unless one above is stronger than its descendants.
 * Bindings for the purpose `preview` win over those for all, these over those for `full`. Bindings of collections are not read.
 */
export function boundMaterial(stage: Stage, prim: string, known: MaterialBindings, findings: Findings): string | null {
  let above: readonly (Binding | null)[] = PURPOSES.map(() => null);
  for (const { path, properties } of primAndAncestors(stage, prim).reverse()) {
    let here = known.get(path);
    if (here === undefined) {
      const collections = properties.filter((name) => name.startsWith('material:binding:collection'));
      const what = 'Material bindings of collections are not read; bind prims themselves';
      note(findings, 'GEOMETRY_DROPPED', what, path, collections.length);
      here = PURPOSES.map((relationship, purpose) => {
        const inherited = above[purpose];
        if (inherited?.isStronger) return inherited;
        const isSaid = properties.includes(relationship);
        return (isSaid ? ownBinding(stage, path, relationship, findings) : null) ?? inherited;
      });
      known.set(path, here);
    }
    above = here;
  }
  return above.find((binding) => binding !== null)?.material ?? null;
}

/**
 * The faces of a mesh by material: those of each GeomSubset of the family `materialBind`, or of none but with a binding, then the rest. Of a face that is in
 * several the first counts. Parts without faces are left out.
 */
export function materialParts(
  stage: Stage,
  prim: string,
  polygons: UsdPolygons,
  known: MaterialBindings,
  findings: Findings,
): MaterialPart[] {
  const taken = new Uint8Array(faceCount(polygons));
  const parts: MaterialPart[] = [];
  for (const { path, typeName } of childrenOf(stage, prim).filter(isUsable)) {
    if (typeName !== 'GeomSubset' || !isMaterialSubset(stage, path)) continue;
    const indices = numbersOf(restValue(stage, path, 'indices'), 1) ?? [];
    const faces: number[] = [];
    let strays = 0;
    let twice = 0;
    for (let i = 0; i < indices.length; i++) {
      const face = indices[i];
      if (!(face >= 0 && face < taken.length)) strays++;
      else if (taken[face] === 1) twice++;
      else {
        taken[face] = 1;
        faces.push(face);
      }
    }
    note(findings, 'USD_GEOMETRY', 'Faces of subsets that the mesh does not have were left out', path, strays);
    note(findings, 'USD_GEOMETRY', 'Faces that are in several subsets have the material of the first', path, twice);
    if (faces.length > 0) parts.push({ faces, material: boundMaterial(stage, path, known, findings) });
  }
  const rest: number[] = [];
  for (let face = 0; face < taken.length; face++) if (taken[face] === 0) rest.push(face);
  if (rest.length > 0) parts.push({ faces: rest, material: boundMaterial(stage, prim, known, findings) });
  return parts;
}

function isMaterialSubset(stage: Stage, subset: string): boolean {
  const word = (name: string): string => textsOf(restValue(stage, subset, name))?.[0] ?? '';
  if ((word('elementType') || 'face') !== 'face') return false;
  const family = word('familyName');
  const hasBinding = primAt(stage, subset)?.properties.some((name) => name.startsWith('material:binding')) === true;
  return family === 'materialBind' || (family === '' && hasBinding);
}
