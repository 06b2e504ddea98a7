import type { Geometry } from '../core/asset/geometry.ts';
import type { UsdScene } from '../formats/usd/read/scene.ts';
import type { UsdFile } from './open-usd.ts';

/** A USD file with its nodes, as jobs use it. */
export interface UsdSource extends UsdFile {
  readonly scene: UsdScene;
  /** Reads what is seen of it without its images, for whoever asks for points only. Throws FormatError. */
  readonly readShape: () => Geometry;
}

/** Paths of the files beside the first one that were read. */
export function resourcesOf({ known }: UsdFile['files']): string[] {
  return [...known].slice(1).flatMap(([file, found]) => (typeof found === 'string' ? [] : [file]));
}
