import type { Geometry } from '../../../core/asset/geometry.ts';
import type { UsdScene } from '../../../formats/usd/read/scene.ts';
import type { OpenedUsdStage } from './open-stage.ts';

/** A USD stage with its nodes and skeletons, as jobs use it. */
export interface UsdSource extends OpenedUsdStage {
  /** Nodes, joints and skeletons of the stage. */
  readonly scene: UsdScene;
  /**
   * Reads the geometry without images.
   *
   * @returns The geometry.
   * @throws FormatError when it cannot be read.
   */
  readonly readVertices: () => Geometry;
}

export function loadedPaths({ known }: OpenedUsdStage['files']): string[] {
  return [...known].slice(1).flatMap(([path, found]) => (typeof found === 'string' ? [] : [path]));
}
