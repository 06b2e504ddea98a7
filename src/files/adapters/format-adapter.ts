/** The interface between jobs and formats. A new format is a signature, an adapter and one line in the list of adapters. */
import type { Clip } from '../../core/animation/clip.ts';
import type { AssetSkeleton, NewAnimation } from '../../core/asset/asset.ts';
import type { FileGeometry, Geometry } from '../../core/asset/geometry.ts';
import type { FaceRig } from '../../core/face/face-rig.ts';
import type { FaceTracks } from '../../core/face/face-tracks.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { OpenFile, OpenOptions } from '../open-file.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import type { OutputFormat } from '../outputs/output-format.ts';

/** How an FBX is written. */
export interface FbxForm {
  /** Whether it is text; binary by default. */
  readonly ascii?: boolean;
  /** Rest pose of a new file: a T-pose as PreRotation (the default), or that of the character as `Lcl Rotation`. */
  readonly rest?: 't-pose' | 'keep';
  /** Images of a new file: embedded by default. */
  readonly textures?: 'embed' | 'beside';
}

export interface Destination<Format extends OutputFormat = OutputFormat> {
  readonly path: string;
  readonly format: Format;
  readonly fbx?: FbxForm;
}

/** Animations to write into a file that otherwise stays as it is. */
export interface ClipChanges {
  /** Animations on node indices of the file. */
  readonly animations: readonly NewAnimation[];
  /** Whether they replace the animations of the file instead of being appended. */
  readonly replace: boolean;
}

export interface AnimatedSkeleton {
  readonly file: OpenFile;
  readonly part: AssetSkeleton;
  /** The skeleton as a humanoid; null for other skeletons. */
  readonly humanoid: Humanoid | null;
}

export interface MotionClip extends Pick<NewAnimation, 'events' | 'extras'> {
  readonly clip: Clip;
  /** Expressions and look-at that a VRMA holds beside the clip. */
  readonly face?: FaceTracks;
}

export interface NewCharacter {
  readonly file: OpenFile;
  readonly geometry: Geometry;
  /** Skeleton of the humanoid; null without one. */
  readonly part: AssetSkeleton | null;
  /** Determines up axis, facing and unit; null leaves them to the file. */
  readonly humanoid: Humanoid | null;
}

/** Writes one output file of a character. `animations`: animations in the axes and unit of the source file, on its node indices. */
export type WriteCharacter = (
  animations: readonly NewAnimation[],
  path: string,
  issues: Issue[],
) => Promise<OutputFile[]>;

/** Everything that depends on the format of a file. Optional members are missing where the format has no such thing. */
export interface FormatAdapter<File extends OpenFile = OpenFile> {
  /** Discriminant of the opened files. */
  readonly format: File['format'];

  /** Opens a file of this format. Throws FormatError when it cannot be read. */
  open(bytes: Uint8Array, options: OpenOptions): Promise<File>;

  /** Lists the referenced files that were read. Returns paths relative to the folder of the file. */
  resources(file: File): string[];

  /** Reads meshes, skins, materials and images. Throws FormatError when it cannot be read. */
  readGeometry?(file: File): Promise<FileGeometry>;

  /**
   * Reads how the vertices move with the nodes, synchronously: at least indices, positions, joints and weights. Throws FormatError when it cannot
   * be read.
   */
  readVertices?(file: File): Geometry;

  /** Reads the face controls of a character beyond the names of its morph targets. */
  readFace?(file: File, issues: Issue[]): FaceRig;

  /** Lists the issues of parsing alone, for files that are written without being interpreted. */
  parseIssues?(file: File): readonly Issue[];

  /** Checks for a file whose clips `writeLossless` can change; without this member, all files are such. */
  canEdit?(file: File): boolean;

  /**
   * Writes the file with all its content in a format of the same family; only its clips and its container may change. The file stays unchanged.
   * `changes`: animations to write; null keeps those of the file. Throws FormatError when content that must be embedded cannot be read.
   */
  writeLossless?(
    file: File,
    changes: ClipChanges | null,
    destination: Destination,
    issues: Issue[],
  ): Promise<OutputFile[]>;

  planCharacter?(character: NewCharacter, destination: Omit<Destination, 'path'>): WriteCharacter;

  /**
   * Writes a skeleton with clips and nothing else into a new file of this format. `fps`: frame rate of formats with frames; undefined takes that of
   * the keys. Throws OptionError when the format cannot hold the skeleton; FormatError when numbers exceed the format.
   */
  writeMotion?(
    skeleton: AnimatedSkeleton,
    clips: readonly MotionClip[],
    destination: Destination,
    fps: number | undefined,
    issues: Issue[],
  ): Promise<OutputFile[]>;
}
