/** Finds the gprims of a scene that are visible and meant for rendering (UsdGeomImageable). */
import { isPointBased, isSkinnable } from '../../skel/prim-types.ts';
import { textsOf } from '../../skel/typed-values.ts';
import { timeSamplesOf } from '../../stage/attribute-values.ts';
import { type Prim, primAndAncestors, primAt } from '../../stage/stage.ts';
import { addFinding, type Findings } from '../geometry-findings.ts';
import { restValue } from '../rest-value.ts';
import type { UsdScene } from '../scene.ts';
import { TESSELLATED } from './tessellate-gprim.ts';

interface VisibleGprim {
  readonly node: number;
  readonly prim: Prim;
}

/** Inherited visibility of a prim. */
interface Visibility {
  readonly isVisible: boolean;
  /** `default`, `render`, `proxy` or `guide`; null if not authored. */
  readonly purpose: string | null;
  readonly isPrototype: boolean;
}

const VISIBLE: Visibility = { isVisible: true, purpose: null, isPrototype: false };

/**
 * Finds the gprims to read, in node order. They and their ancestors are not invisible, and their purpose, authored or inherited, is neither `proxy`
 * nor `guide`.
 */
export function visibleGprims({ stage, prims, joints }: UsdScene, findings: Findings): VisibleGprim[] {
  const known = new Map<string, Visibility>();
  const visibilityOf = (path: string): Visibility => {
    let above = VISIBLE;
    for (const { path: at, properties, parent } of primAndAncestors(stage, path).reverse()) {
      let here = known.get(at);
      if (here === undefined) {
        const word = (name: string): string | null =>
          properties.includes(name) ? (textsOf(restValue(stage, at, name))?.[0] ?? null) : null;
        if (properties.includes('visibility') && timeSamplesOf(stage, at, 'visibility').length > 1) {
          const message = 'Prims have animated visibility, which is not supported; the static or first value was used';
          addFinding(findings, 'GEOMETRY_DROPPED', message, at);
        }
        here = {
          isVisible: above.isVisible && word('visibility') !== 'invisible',
          purpose: word('purpose') ?? above.purpose,
          isPrototype: above.isPrototype || primAt(stage, parent)?.typeName === 'PointInstancer',
        };
        known.set(at, here);
      }
      above = here;
    }
    return above;
  };
  const found: VisibleGprim[] = [];
  const seen = new Set<string>();
  for (const [node, path] of prims.entries()) {
    const prim = primAt(stage, path);
    if (prim === null || joints[node] >= 0 || seen.has(path)) continue;
    seen.add(path);
    const { typeName } = prim;
    if (!isSkinnable(typeName) || typeName.endsWith('Light')) continue;
    const { isVisible, purpose, isPrototype } = visibilityOf(path);
    if (isPrototype) continue;
    if (!isVisible || purpose === 'proxy' || purpose === 'guide') {
      addFinding(
        findings,
        'GEOMETRY_DROPPED',
        'Gprims are invisible or have the purpose proxy or guide and were skipped',
        path,
      );
    } else if (typeName === 'Mesh' || TESSELLATED.has(typeName)) found.push({ node, prim });
    else {
      const what = isPointBased(typeName) || typeName === 'PointInstancer' ? 'is not polygonal' : 'is not supported';
      addFinding(
        findings,
        'GEOMETRY_DROPPED',
        `Prims have the type ${typeName}, which ${what}; they were dropped`,
        path,
      );
    }
  }
  return found;
}
