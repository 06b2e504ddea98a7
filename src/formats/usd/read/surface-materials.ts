/** The materials of gprims: those that are bound, with the sides from which the gprim is seen, and plain ones of colors. */
import type { Material } from '../../../core/asset/material.ts';
import { defaultMaterial } from './preview-surface.ts';
import { uvSetOrder } from './uv-sets.ts';

/** How a part of a gprim looks. */
export interface Look {
  /** Path of its Material; null for none. */
  readonly material: string | null;
  /** Whether both sides of the gprim are seen: USD says so of gprims, the hub of materials. */
  readonly isDoubleSided: boolean;
  /** Without a material: rgba, linear, white where colors are by vertex; null for no color. */
  readonly color: readonly [number, number, number, number] | null;
  readonly isTranslucent: boolean;
}

/** The looks that were met, each once; their places are indices of the materials of the geometry. */
export interface LookTable {
  readonly looks: Look[];
  readonly known: Map<string, number>;
  /** Names of the uv sets of all gprims that have a material, by its path. */
  readonly uvNames: Map<string, Set<string>>;
}

export function lookTable(): LookTable {
  return { looks: [], known: new Map(), uvNames: new Map() };
}

/** The place of a look; −1 for the default. `uvNames`: of the gprim that has it. */
export function placeOfLook({ looks, known, uvNames }: LookTable, look: Look, uvs: Iterable<string>): number {
  const { material, isDoubleSided, color, isTranslucent } = look;
  if (material !== null) {
    const names = uvNames.get(material) ?? new Set();
    uvNames.set(material, names);
    for (const name of uvs) names.add(name);
  } else if (color === null && !isDoubleSided) return -1;
  const key = JSON.stringify([material, isDoubleSided, material === null ? [color, isTranslucent] : null]);
  const place = known.get(key) ?? looks.push(look) - 1;
  known.set(key, place);
  return place;
}

/** Paths of the materials of all looks, each once, and the names of the uv sets of the gprims that have them. */
export function materialsOfLooks({ uvNames }: LookTable): { paths: string[]; uvSets: string[][] } {
  return { paths: [...uvNames.keys()], uvSets: Array.from(uvNames.values(), uvSetOrder) };
}

/** A plain material: UsdPreviewSurface's fallbacks but for the color. */
function plainMaterial({ color, isDoubleSided, isTranslucent }: Look): Material {
  return {
    ...defaultMaterial(color === null ? 'default' : 'displayColor'),
    baseColor: color ?? [1, 1, 1, 1],
    alphaMode: isTranslucent ? 'blend' : 'opaque',
    doubleSided: isDoubleSided,
  };
}

/** The material of every look; `read`: those of the paths of {@link materialsOfLooks}, in their order. */
export function materialsByLook(table: LookTable, read: readonly Material[]): Material[] {
  const places = new Map([...table.uvNames.keys()].map((path, place) => [path, place]));
  return table.looks.map((look): Material => {
    if (look.material === null) return plainMaterial(look);
    const material = read[places.get(look.material) as number];
    return look.isDoubleSided ? { ...material, doubleSided: true } : material;
  });
}
