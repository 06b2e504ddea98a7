/** Leaves out triangles of a mesh: where WebGL runs on the processor, small triangles take most of the time. */
import { BufferAttribute, type BufferGeometry } from 'three';
import { attributeFloats } from '../../engines/three/read-attribute.ts';
import { nextTask } from '../next-task.ts';

/** Largest distance from the original surface, as a fraction of the size of the mesh. */
const MOST_ERROR = 0.01;
/** Triangles that are simplified in one task. */
const MOST_PER_TASK = 10_000;

/** The simplifier of the optional package meshoptimizer; null without it, and where it does not run, such as under a CSP without `wasm-unsafe-eval`. */
async function loadSimplifier() {
  try {
    const { MeshoptSimplifier } = await import('meshoptimizer/simplifier');
    await MeshoptSimplifier.ready;
    return MeshoptSimplifier.supported ? MeshoptSimplifier : null;
  } catch {
    return null;
  }
}

/**
 * Simplifies a mesh. Vertices stay as they are.
 *
 * @returns An index with fewer triangles; null for a geometry without an index and where the simplifier does not run.
 */
export async function createLightIndex(geometry: BufferGeometry, fraction: number): Promise<BufferAttribute | null> {
  const { index, groups, attributes } = geometry;
  const simplifier = index === null || groups.length > 0 ? null : await loadSimplifier();
  if (index === null || simplifier === null) return null;
  const positions = new Float32Array(attributeFloats(attributes['position'], 3));
  const all = new Uint32Array(index.array);
  const parts: Uint32Array[] = [];
  for (let start = 0; start < all.length; start += 3 * MOST_PER_TASK) {
    const part = all.subarray(start, start + 3 * MOST_PER_TASK);
    const target = 3 * Math.floor((fraction * part.length) / 3);
    // Parts of a mesh keep their borders, so that there are no holes between them.
    const flags = all.length > part.length ? ['LockBorder' as const] : [];
    parts.push(simplifier.simplify(part, positions, 3, target, MOST_ERROR, flags)[0]);
    await nextTask();
  }
  const light = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    light.set(part, end);
    end += part.length;
  }
  return new BufferAttribute(light, 1);
}
