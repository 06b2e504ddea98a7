/** KHR_draco_mesh_compression: passed through untouched, known only so that its accessors are not taken for zeros. */
import type { GltfDocument } from './document.ts';
import { isObject, memberAt } from './schema.ts';

/** Whether an accessor without a view has its data inside a compressed mesh. Never throws. */
export function isInDracoMesh(doc: GltfDocument, accessor: number): boolean {
  doc.cache.draco ??= dracoAccessors(doc);
  return doc.cache.draco.has(accessor);
}

function dracoAccessors({ json }: GltfDocument): ReadonlySet<number> {
  const found = new Set<number>();
  for (const mesh of items(memberAt(json, 'meshes'))) {
    for (const primitive of items(isObject(mesh) ? memberAt(mesh, 'primitives') : undefined)) {
      if (!isObject(primitive)) continue;
      const extensions = memberAt(primitive, 'extensions');
      if (!isObject(extensions) || !Object.hasOwn(extensions, 'KHR_draco_mesh_compression')) continue;
      const attributes = memberAt(primitive, 'attributes');
      const indices = isObject(attributes) ? Object.values(attributes) : [];
      for (const index of [...indices, memberAt(primitive, 'indices')]) {
        if (typeof index === 'number') found.add(index);
      }
    }
  }
  return found;
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
