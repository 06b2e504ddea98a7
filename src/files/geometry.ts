/** Visible content of opened files: meshes, skins, morph targets, materials and textures. */
import type { FileGeometry, Geometry } from '../core/asset/geometry.ts';
import { countInstancedVertices, countPointsOfInstances } from '../core/asset/geometry-budget.ts';
import { FormatError } from '../core/report/format-error.ts';
import type { GltfDocument } from '../formats/gltf/document/document.ts';
import { adapterOf } from './adapters/adapters.ts';
import { attachDraco } from './adapters/gltf/attach-draco.ts';
import type { OpenFile } from './open-file.ts';

/**
 * Reads the geometry of an opened file, with its images and decompressed meshes as far as images and decoders are available. Opening a file does not
 * read its geometry.
 *
 * @param file An opened file.
 * @returns The geometry, and issues about what was left out or repaired; null for formats without geometry.
 * @throws FormatError `GLTF_COMPRESSION` when a decoder is not installed, and other codes of the readers.
 */
export async function geometryOf(file: OpenFile): Promise<FileGeometry | null> {
  return (await adapterOf(file).readGeometry?.(file)) ?? null;
}

const LIMIT_CODES = {
  gltf: 'GLTF_LIMIT',
  fbx: 'FBX_LIMIT',
  usd: 'USD_LIMIT',
  bvh: 'FORMAT_UNKNOWN',
  npz: 'FORMAT_UNKNOWN',
  mmd: 'MMD_LIMIT',
  points: 'FORMAT_UNKNOWN',
} as const;

function checkVertices({ format, maxVertices = Number.POSITIVE_INFINITY }: OpenFile, vertices: number): void {
  if (vertices <= maxVertices) return;
  const message = `The meshes of the file are shown so often that they become ${vertices} vertices, more than the limit of ${maxVertices}; remove copies, or allow more with the option maxVertices`;
  throw new FormatError(LIMIT_CODES[format], message);
}

/** Vertices of documents, which have thousands of humanoids at worst. */
const verticesOfDocuments = new WeakMap<GltfDocument, Geometry>();

/**
 * Reads how the vertices of a file move with its nodes; its decoders are loaded. Returns the geometry; null where the file has none, where it
 * cannot be read, and where it becomes more vertices than `maxVertices` allows. Throws what is not a FormatError of the reader.
 */
export function readVertices(file: OpenFile): Geometry | null {
  const document = file.format === 'gltf' ? file.document : null;
  const known = document === null ? undefined : verticesOfDocuments.get(document);
  if (known !== undefined) return known;
  try {
    const geometry = adapterOf(file).readVertices?.(file) ?? null;
    if (geometry === null) return null;
    checkVertices(file, countPointsOfInstances(geometry));
    // Views of a glTF cost nothing to keep; the vertices of other formats are made anew, so that open files stay small.
    if (document !== null) verticesOfDocuments.set(document, geometry);
    return geometry;
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

/** Loads the decoders that the vertices of a file need, as far as they are installed. Functions that read vertices synchronously need them. */
export async function loadDecoders(file: OpenFile): Promise<void> {
  if (file.format === 'gltf') await attachDraco(file.document);
}

/**
 * Reads the geometry of a file that has visible content, for writing it into a new file. Returns the geometry; null for files without visible
 * meshes.
 */
export async function visibleGeometryOf(file: OpenFile): Promise<FileGeometry | null> {
  const found = await geometryOf(file);
  if (found === null || found.geometry.instances.length === 0) return null;
  checkVertices(file, countInstancedVertices(found.geometry));
  return found;
}
