/** Resolves the material bindings of prims and of their GeomSubsets (UsdShadeMaterialBindingAPI). */
import { numbersOf, textsOf, typeNameAt } from '../../skel/typed-values.ts';
import { propertyMetadata } from '../../stage/composed-metadata.ts';
import { forwardedTargetsOf } from '../../stage/relationship-targets.ts';
import { childrenOf, isUsable, primAndAncestors, primAt, type Stage } from '../../stage/stage.ts';
import { addFinding, type Findings } from '../geometry-findings.ts';
import { faceCount, type UsdPolygons } from '../meshes/read-polygons.ts';
import { restValue } from '../rest-value.ts';

/** Binding relationships in order of precedence: the purpose `preview`, all purposes, the purpose `full`. */
const PURPOSES = ['material:binding:preview', 'material:binding', 'material:binding:full'] as const;

interface Binding {
  readonly material: string;
  /** Whether it overrides the bindings of descendants (`strongerThanDescendants`). */
  readonly isStronger: boolean;
}

/** Cache of resolved bindings: by prim path, one for each purpose. */
export type MaterialBindings = Map<string, readonly (Binding | null)[]>;

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
    addFinding(findings, 'USD_GEOMETRY', 'Material bindings do not target a Material prim and were ignored', prim);
    return null;
  }
  const strength = textsOf(propertyMetadata(stage, prim, relationship, 'bindMaterialAs'))?.[0];
  return { material, isStronger: strength === 'strongerThanDescendants' };
}

/**
 * Resolves the bound material of a prim: the binding of the nearest ancestor-or-self, unless an ancestor binds `strongerThanDescendants`. Bindings
 * for the purpose `preview` win over those for all purposes, which win over `full`. Collection-based bindings are ignored with a finding. Returns
 * path of the Material; null for none.
 */
export function boundMaterial(stage: Stage, prim: string, known: MaterialBindings, findings: Findings): string | null {
  let above: readonly (Binding | null)[] = PURPOSES.map(() => null);
  for (const { path, properties } of primAndAncestors(stage, prim).reverse()) {
    let here = known.get(path);
    if (here === undefined) {
      const collections = properties.filter((name) => name.startsWith('material:binding:collection'));
      const what = 'Collection-based material bindings are not supported and were ignored. Bind the prims directly';
      addFinding(findings, 'GEOMETRY_DROPPED', what, path, collections.length);
      here = PURPOSES.map((relationship, purpose) => {
        const inherited = above[purpose];
        if (inherited?.isStronger) return inherited;
        const isAuthored = properties.includes(relationship);
        return (isAuthored ? ownBinding(stage, path, relationship, findings) : null) ?? inherited;
      });
      known.set(path, here);
    }
    above = here;
  }
  return above.find((binding) => binding !== null)?.material ?? null;
}

/**
 * Splits the faces of a mesh by material: one part for each material GeomSubset, then one for the remaining faces. Material subsets have the family
 * `materialBind`, or no family and a binding. A face in several subsets belongs to the first. Empty parts are omitted.
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
    let outside = 0;
    let repeated = 0;
    for (let i = 0; i < indices.length; i++) {
      const face = indices[i];
      if (!(face >= 0 && face < taken.length)) outside++;
      else if (taken[face] === 1) repeated++;
      else {
        taken[face] = 1;
        faces.push(face);
      }
    }
    addFinding(
      findings,
      'USD_GEOMETRY',
      'Subsets contain faces that the mesh does not have; they were ignored',
      path,
      outside,
    );
    addFinding(
      findings,
      'USD_GEOMETRY',
      'Faces are in several subsets and got the material of the first',
      path,
      repeated,
    );
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
