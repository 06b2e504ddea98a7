import type { UsdScene } from '../formats/usd/read/scene.ts';
import type { UsdFile } from './open-usd.ts';

/** A USD file with its nodes, as jobs use it. */
export interface UsdSource extends UsdFile {
  readonly scene: UsdScene;
}
