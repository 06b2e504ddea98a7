/** What is seen of a scene: gprims that are visible and meant for pictures (UsdGeomImageable). */
import { isPointBased, isSkinnable } from '../skel/prim-types.ts';
import { textsOf } from '../skel/stage-reading.ts';
import { type Prim, primAndAncestors, primAt } from '../stage/stage.ts';
import { timeSamplesOf } from '../stage/values.ts';
import { type Findings, note } from './geometry-findings.ts';
import { restValue } from './rest-value.ts';
import type { UsdScene } from './scene.ts';
import { TESSELLATED } from './tessellate.ts';

/** A gprim and the node where it stands. */
export interface PlacedPrim {
  readonly node: number;
  readonly prim: Prim;
}

/** How a prim is seen, which goes down to those below it. */
interface Sight {
  readonly isVisible: boolean;
  /** `default`, `render`, `proxy` or `guide`; null where nobody says. */
  readonly purpose: string | null;
  /** Whether it is there to be copied by a PointInstancer above. */
  readonly isPrototype: boolean;
}

const ALL: Sight = { isVisible: true, purpose: null, isPrototype: false };

/**
 * The meshes and other gprims that are read, in the order of their nodes: neither they nor a prim above is invisible, and their purpose, their own or the
 * nearest above, is neither `proxy` nor `guide`. Others are told of in `findings`: what is out of sight, and types that are no polygons.
 */
export function visibleGprims({ stage, prims, joints }: UsdScene, findings: Findings): PlacedPrim[] {
  const sights = new Map<string, Sight>();
  const sightOf = (path: string): Sight => {
    let above = ALL;
    for (const { path: at, properties, parent } of primAndAncestors(stage, path).reverse()) {
      let here = sights.get(at);
      if (here === undefined) {
        const word = (name: string): string | null =>
          properties.includes(name) ? (textsOf(restValue(stage, at, name))?.[0] ?? null) : null;
        if (properties.includes('visibility') && timeSamplesOf(stage, at, 'visibility').length > 1) {
          note(findings, 'GEOMETRY_DROPPED', 'Prims that appear or vanish over time are as they are at rest', at);
        }
        here = {
          isVisible: above.isVisible && word('visibility') !== 'invisible',
          purpose: word('purpose') ?? above.purpose,
          isPrototype: above.isPrototype || primAt(stage, parent)?.typeName === 'PointInstancer',
        };
        sights.set(at, here);
      }
      above = here;
    }
    return above;
  };
  const found: PlacedPrim[] = [];
  const seen = new Set<string>();
  for (const [node, path] of prims.entries()) {
    const prim = primAt(stage, path);
    if (prim === null || joints[node] >= 0 || seen.has(path)) continue;
    seen.add(path);
    const { typeName } = prim;
    if (!isSkinnable(typeName) || typeName.endsWith('Light')) continue;
    const { isVisible, purpose, isPrototype } = sightOf(path);
    if (isPrototype) continue;
    if (!isVisible || purpose === 'proxy' || purpose === 'guide') {
      note(findings, 'GEOMETRY_DROPPED', 'Invisible gprims, and those of purpose proxy or guide, were left out', path);
    } else if (typeName === 'Mesh' || TESSELLATED.has(typeName)) found.push({ node, prim });
    else {
      const what =
        isPointBased(typeName) || typeName === 'PointInstancer' ? 'which are no polygons' : 'which are not read';
      note(findings, 'GEOMETRY_DROPPED', `Prims of type ${typeName}, ${what}, were left out`, path);
    }
  }
  return found;
}
