/** What a stage shows and reports: the types of its properties, methods and events. */
import type { Keys, TrackPath } from '../core/animation/clip.ts';

/** A color: a CSS color as three.js reads it (`#rrggbb`, `rgb(…)`, a name), or a number 0xrrggbb. */
export type StageColor = string | number;

/** A character or a skeleton for {@link AnyrigStage.addFigure}. */
export interface StageFigure {
  /** Name of the figure in all other calls, unique on the stage. */
  readonly id: string;
  /** The bytes of a GLB or VRM that contains all its resources; without Draco compression. */
  readonly glb: Uint8Array;
  /** Text under the figure. */
  readonly label?: string;
  /** In a row, sources are left of results; the camera follows the first result. `result` by default. */
  readonly role?: 'source' | 'result';
  /** Color that the materials are multiplied by. */
  readonly tint?: StageColor;
  /** Direction that the figure faces in its file, with +Y up. By default −Z for VRM 0.x, otherwise +Z. Ignored with `frame`. */
  readonly facing?: '+Z' | '-Z';
  /** Rotation from the axes of the file to the canonical frame (facing +Z, up +Y): unit quaternion xyzw, as `frame` of a humanoid. */
  readonly frame?: ArrayLike<number>;
  /** Meters per unit of length of the file; 1 by default. */
  readonly metersPerUnit?: number;
  /** Height of the ground, canonical frame, meters; 0 by default. */
  readonly ground?: number;
  /** Node that the camera follows; by default the root of the joints. */
  readonly hips?: number;
}

/** Keys of one property of one node. */
export interface StageTrack extends Keys {
  /** Index of the node in the glTF file. */
  readonly node: number;
  /** The animated property. */
  readonly path: TrackPath | 'weights';
}

/** A clip of one figure. */
export interface StageClip {
  /** Name in the file; may be empty. */
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** At most one track per node and property. */
  readonly tracks: readonly StageTrack[];
}

/** Local transform of a node in a static pose. */
export interface StageNodePose {
  /** Unit quaternion xyzw. */
  readonly rotation: ArrayLike<number>;
  /** Units of the file; the rest translation by default. */
  readonly translation?: ArrayLike<number>;
}

/** A static pose: local transforms by node index. Other nodes keep their rest pose. */
export type StagePose = ReadonlyMap<number, StageNodePose>;

/** Joints of the skeleton overlay. */
export interface StageJoints {
  /** Node index of each joint. */
  readonly nodes: ArrayLike<number>;
  /** Index of the parent of each joint in `nodes`; −1 for a root. */
  readonly parents: ArrayLike<number>;
  /** Color of each joint and of the bones that start at it: sRGB, 0…1, three floats per joint. */
  readonly colors?: Float32Array;
  /** Name of each joint, shown under the pointer. By default the names of the file. */
  readonly names?: readonly string[];
  /** Text beside each joint while the skeleton is drawn; of texts that would overlap, the first stays. None by default. */
  readonly labels?: readonly string[];
}

/** A line that a point of the figure draws over a clip. */
export interface StageTrail {
  /** Positions xyz, canonical frame, meters. */
  readonly points: Float32Array;
  /** Color of the line. */
  readonly color: StageColor;
}

/** An area on the ground that a foot touches for a while. */
export interface StageMark {
  /** Corners xyz of a simple polygon, canonical frame, meters. */
  readonly points: Float32Array;
  /** Seconds: first moment of the contact. */
  readonly from: number;
  /** Seconds: last moment of the contact. */
  readonly to: number;
  /** Color of the area. */
  readonly color: StageColor;
}

/** What the stage draws. */
export interface StageShow {
  /** Skinned meshes with their materials. */
  readonly mesh: boolean;
  /** Joints and bones over the mesh. Figures without a mesh are drawn as skeletons in any case. */
  readonly skeleton: boolean;
  /** The ground, and the shadows on it. */
  readonly ground: boolean;
  /** Names of the figures. */
  readonly labels: boolean;
  /** Trails and root motion paths. */
  readonly trails: boolean;
  /** Contact marks. */
  readonly marks: boolean;
  /** A translucent copy of each figure in its reference pose. */
  readonly rest: boolean;
}

/** How figures are arranged: side by side, or on one spot. */
export type StageLayout = 'row' | 'overlay';

/** Where the camera is: moved by the user, or in front of, beside (on +X), or above the figures. */
export type StageViewpoint = 'orbit' | 'front' | 'side' | 'top';

/** Colors of the stage. */
export type StageTheme = 'light' | 'dark';

/** Detail of `jointpick`. */
interface JointPick {
  /** Id of the figure. */
  readonly figure: string;
  /** Index of the node in the glTF file. */
  readonly node: number;
}

/** Detail of `jointrotate`. */
interface JointRotation extends JointPick {
  /** The new rotation: unit quaternion xyzw, local space. */
  readonly rotation: readonly [number, number, number, number];
  /** Whether the user released the gizmo. */
  readonly done: boolean;
}

/** Events of a stage beside those of HTMLElement. */
export interface StageEventMap {
  /** `currentTime` changed: every frame during playback, and after a seek. */
  timeupdate: Event;
  /** Playback started. */
  play: Event;
  /** Playback stopped. */
  pause: Event;
  /** Playback reached the end without `loop`. */
  ended: Event;
  /** `duration` changed. */
  durationchange: Event;
  /** The user moved the camera out of a fixed view: `view` is `orbit` now. */
  viewchange: Event;
  /** The user clicked a joint. */
  jointpick: CustomEvent<JointPick>;
  /** The user rotated a joint with the gizmo. */
  jointrotate: CustomEvent<JointRotation>;
}
