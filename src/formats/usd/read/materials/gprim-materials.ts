/** Collects the materials of gprims: bound Materials with the gprim's double-sidedness, and plain materials for display colors. */
import type { Material } from '../../../../core/asset/material.ts';
import { uvSetOrder } from '../../uv-sets.ts';
import { defaultMaterial } from './preview-surface.ts';

/** The appearance of a part of a gprim: everything that its material depends on. */
export interface Appearance {
  /** Path of its Material; null for none. */
  readonly material: string | null;
  /** Whether both sides are visible. USD authors this on gprims, glTF on materials. */
  readonly isDoubleSided: boolean;
  /** Without a Material: the display color, linear RGBA; white for vertex colors, null for none. */
  readonly color: readonly [number, number, number, number] | null;
  /** Without a Material: whether any display opacity is below 1. */
  readonly isTranslucent: boolean;
}

/** Collects unique appearances; their indices are the material indices of the geometry. */
export interface AppearanceTable {
  readonly appearances: Appearance[];
  readonly known: Map<string, number>;
  readonly uvNames: Map<string, Set<string>>;
}

export function createAppearanceTable(): AppearanceTable {
  return { appearances: [], known: new Map(), uvNames: new Map() };
}

export function appearanceIndex(
  { appearances, known, uvNames }: AppearanceTable,
  appearance: Appearance,
  uvs: Iterable<string>,
): number {
  const { material, isDoubleSided, color, isTranslucent } = appearance;
  if (material !== null) {
    const names = uvNames.get(material) ?? new Set();
    uvNames.set(material, names);
    for (const name of uvs) names.add(name);
  } else if (color === null && !isDoubleSided) return -1;
  const key = JSON.stringify([material, isDoubleSided, material === null ? [color, isTranslucent] : null]);
  const index = known.get(key) ?? appearances.push(appearance) - 1;
  known.set(key, index);
  return index;
}

export function boundMaterials({ uvNames }: AppearanceTable): { paths: string[]; uvSets: string[][] } {
  return { paths: [...uvNames.keys()], uvSets: Array.from(uvNames.values(), uvSetOrder) };
}

/** Creates a material from a display color; everything else has the fallback values of UsdPreviewSurface. */
function displayColorMaterial({ color, isDoubleSided, isTranslucent }: Appearance): Material {
  return {
    ...defaultMaterial(color === null ? 'default' : 'displayColor'),
    baseColor: color ?? [1, 1, 1, 1],
    alphaMode: isTranslucent ? 'blend' : 'opaque',
    doubleSided: isDoubleSided,
  };
}

export function materialsOfAppearances(table: AppearanceTable, read: readonly Material[]): Material[] {
  const indices = new Map([...table.uvNames.keys()].map((path, index) => [path, index]));
  return table.appearances.map((appearance): Material => {
    if (appearance.material === null) return displayColorMaterial(appearance);
    const material = read[indices.get(appearance.material) as number];
    return appearance.isDoubleSided ? { ...material, doubleSided: true } : material;
  });
}
