/** What the page and the worker say to each other: plain data only. */

import type { BoneAssignments, BoneName, ContactReport, Issue } from 'anyrig';
import type { HumanoidReport } from 'anyrig/files';
import type { Level } from '../../../src/core/measure/verdict.ts';
import type { BoneReport, Quaternion, ReferencePoseReport } from '../../../src/files/reports/humanoid-report.ts';
import type { StageClip, StageMark } from '../../../src/stage/contract.ts';
import type { MotionOptions } from '../app/motion-options.ts';

/** A file of the page with those that it may reference. Their bytes are read in the worker, so that the page never has them. */
export interface SentFile {
  /** Id between page and worker. */
  readonly id: string;
  readonly name: string;
  readonly blob: Blob;
  /** Files that it may reference, by path relative to it. */
  readonly resources: ReadonlyMap<string, Blob>;
}

/** One of several people in a file. */
export interface Person {
  /** Index of the skeleton in the file. */
  readonly skeleton: number;
  readonly name: string;
}

export type FileRole = 'motion' | 'character' | 'both' | 'neither';

/** An opened file, in words and numbers. */
export interface FileSummary {
  /** Identifies the file between page and worker. */
  readonly id: string;
  readonly name: string;
  /** Format, such as `vrm0` or `bvh`. */
  readonly format: string;
  /** Size in bytes. */
  readonly size: number;
  readonly role: FileRole;
  readonly clips: readonly { readonly name: string; readonly duration: number; readonly keys: number }[];
  readonly hasMesh: boolean;
  /** The humanoid; the first of several. */
  readonly humanoid: HumanoidReport | null;
  /** The humanoids of a file with several. */
  readonly people: readonly Person[];
  /** Why there is no humanoid; null when there is one. */
  readonly reason: string | null;
  readonly issues: readonly Issue[];
}

/** What the user decided about the humanoid of a file. */
export interface HumanoidEdits {
  /** Index of the skeleton in the file; null where it has one humanoid. */
  readonly skeleton: number | null;
  /** Nodes of bones by name or index; null takes the detected map. */
  readonly map: BoneAssignments | null;
  /** Reference pose: a choice of the command line, or a pose edited by hand. */
  readonly pose: PoseEdit;
}

export interface NodeRotation {
  /** Index of the glTF node. */
  readonly node: number;
  /** Local rotation, xyzw. */
  readonly rotation: Quaternion;
}

export type PoseEdit =
  | {
      readonly kind: 'auto' | 'declared' | 'bind' | 'node';
    }
  | {
      /** A frame of the first chosen clip. */
      readonly kind: 'frame';
      /** Index of the frame, from 0. */
      readonly frame: number;
    }
  | {
      /** The pose of another file, matched by node names and corrected to a T-pose. */
      readonly kind: 'file';
      readonly file: string;
    }
  | {
      readonly kind: 'edited';
      /** Local rotations of nodes; others keep their rest rotation. */
      readonly rotations: readonly NodeRotation[];
    };

export interface FigureJoint {
  /** Index of the glTF node. */
  readonly node: number;
  /** Index of the parent among the joints; −1 for roots. */
  readonly parent: number;
  readonly name: string;
  /** Its bone; null for a joint that is no bone. */
  readonly bone: BoneName | null;
}

export interface FigureHumanoid {
  /** Rotation from the axes of the GLB to the canonical frame (front +Z, up +Y), xyzw. */
  readonly frame: Quaternion;
  /** Meters per unit of length of the GLB. */
  readonly metersPerUnit: number;
  /** Height of the ground in the canonical frame, meters. */
  readonly ground: number;
  /** glTF node of the hips. */
  readonly hips: number;
  /** Local rotations of bones in the reference pose. */
  readonly rotations: readonly NodeRotation[];
  /** Local translation of the hips in the reference pose. */
  readonly hipsTranslation: readonly [number, number, number];
  /** How the pose was found, and degrees off a T-pose. */
  readonly pose: ReferencePoseReport;
}

export interface FigureData {
  /** Joints of the humanoid skeleton, else of the first one; parents first. */
  readonly joints: readonly FigureJoint[];
  readonly humanoid: FigureHumanoid | null;
  /** Why no humanoid was found; null when one was. */
  readonly reason: string | null;
}

export interface RetargetRequest {
  readonly motion: string;
  readonly clip: number;
  readonly character: string;
  readonly options: MotionOptions;
  /** Decisions about the humanoid of the motion. */
  readonly source: HumanoidEdits;
  /** Decisions about the humanoid of the character. */
  readonly target: HumanoidEdits;
}

/** Lines over time, one value per frame. */
export interface Charts {
  /** Frames per second of all lines. */
  readonly rate: number;
  /** Height of the lowest foot or toe joint above the ground in meters: source scaled to the target, and target. */
  readonly footHeight: { readonly source: Float32Array; readonly target: Float32Array };
  /** Speed of planted feet over the ground in meters per second. */
  readonly slide: { readonly source: Float32Array; readonly target: Float32Array };
  /** Largest angle of all bones between source and target in degrees. */
  readonly poseError: Float32Array;
  /** Angle of each bone between source and target in degrees. */
  readonly boneErrors: Readonly<Partial<Record<BoneName, Float32Array>>>;
}

/** Lines that the stage draws on the ground, canonical frame, meters. */
export interface GroundLines {
  /** Positions of the feet over time, xyz; left and right. */
  readonly trails: readonly Float32Array[];
  /** Positions of the hips over the ground, xyz. */
  readonly path: Float32Array;
  /** Areas that feet stood on. */
  readonly marks: readonly GroundMark[];
}

/** Where a foot stood. */
export type GroundMark = Omit<StageMark, 'color'>;

/** Faults of the feet of a result that those of the motion do not have, worst first; `ground` where nothing is to be seen. */
export type FeetFinding = 'ground' | 'slide' | 'below' | 'above' | 'pelvis';

export interface ResultVerdict {
  /** Verdict on the pose, and the angle of the worst limb, degrees. */
  readonly pose: { readonly level: Level; readonly degrees: number };
  /** Fault of the feet; centimeters, per second for `slide`. Null without feet. */
  readonly feet: { readonly level: Level; readonly finding: FeetFinding; readonly centimeters: number } | null;
  /** Greatest way that a wrist was moved on purpose, centimeters. */
  readonly arms: { readonly level: Level; readonly centimeters: number };
}

export interface RetargetResult {
  /** The clip on the glTF nodes of the figure of the character; null when nothing could be retargeted. */
  readonly clip: StageClip | null;
  /** Meters that the hips travel per meter of the motion. */
  readonly hipsScale: number | null;
  /** What contacts changed; null with contacts off. */
  readonly contacts: ContactReport | null;
  readonly issues: readonly Issue[];
  /** Milliseconds that it took. */
  readonly took: number;
}

export interface Measures {
  readonly charts: Charts;
  readonly lines: GroundLines;
  readonly verdict: ResultVerdict;
}

export interface MapPreset {
  /** Key of the convention, such as `mixamo`. */
  readonly convention: string;
  readonly bones: BoneAssignments;
}

export interface MapData {
  /** Index of the skeleton in the file; a map can be for another one than is detected. */
  readonly skeleton: number;
  /** The bones that have a node. */
  readonly bones: Readonly<Partial<Record<BoneName, BoneReport>>>;
  readonly nodes: readonly { readonly node: number; readonly name: string; readonly parent: number }[];
  /** Maps by one naming convention each, best first. */
  readonly presets: readonly MapPreset[];
  /** Why the skeleton is not humanoid; null when it is. */
  readonly reason: string | null;
  /** Content of the bone map file that `anyrig map` writes. */
  readonly json: string;
  readonly issues: readonly Issue[];
}

export interface WriteRequest extends Omit<RetargetRequest, 'clip'> {
  /** Index of the clip; null writes all clips of the motion. */
  readonly clip: number | null;
  /** Path of the output; its extension selects the format. */
  readonly output: string;
  /** Whether new clips replace those of the character. */
  readonly replace: boolean;
  /** `false` writes only the skeleton and the clips. */
  readonly mesh: boolean;
}

export interface WrittenFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}
