/** What an output holds, and what is written into it. */
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { JointNaming } from '../../core/humanoid/rigs/joint-names.ts';
import type { NewAnimation } from '../../formats/gltf/write/write-clips.ts';
import type { FileGeometry } from '../adapters/format-adapter.ts';
import type { OpenFile } from '../open-file.ts';
import type { OutputFormat } from './output-format.ts';

/** What an output holds besides new clips. */
export interface OutputPlan {
  /** Path, or a template for one file per clip. */
  readonly output: string;
  /** Format of the output. */
  readonly format: OutputFormat;
  /** `everything`: the file, edited without loss. `visible`: a new file with its visible content. `skeleton`: a new file with one skeleton. */
  readonly holds: 'everything' | 'visible' | 'skeleton';
  /** The visible content of the file, for a new file with it; null otherwise. */
  readonly visible: FileGeometry | null;
  /** The names that joints get; omitted where they keep theirs. */
  readonly names?: JointNaming;
}

/** What is written with clips. */
export interface WrittenContent {
  /** The file of the plan; it stays unchanged. */
  readonly file: OpenFile;
  /** Its skeleton that clips animate; null without one. */
  readonly part: AssetSkeleton | null;
  /** The skeleton as a humanoid: axes, facing and unit of a new file; null leaves them as they are. */
  readonly humanoid: Humanoid | null;
  /** Clips of the file that a new file with its visible content also holds, after the new ones: players start with the first clip, and USD binds it. */
  readonly own?: readonly NewAnimation[];
  /** Whether the new clips replace those of a file that is edited; they are appended by default. */
  readonly replace?: boolean;
  /** Frame rate of a BVH, in frames per second; by default that of the keys. */
  readonly fps?: number;
}
