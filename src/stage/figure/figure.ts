/** One figure on the stage: its objects, its motion and everything that is drawn with it. */
import { Box3, type Color, Group, type Mesh, type Object3D, Quaternion, Vector3 } from 'three';
import type { StageClip, StageFigure, StageJoints, StageMark, StagePose, StageShow, StageTrail } from '../contract.ts';
import type { Extent } from '../layout.ts';
import { ContactShadows } from '../overlay/contact-shadows.ts';
import { createLines } from '../overlay/lines.ts';
import { ContactMarks } from '../overlay/marks.ts';
import type { OverlayMaterials } from '../overlay/overlay-materials.ts';
import { SkeletonOverlay } from '../overlay/skeleton-overlay.ts';
import { disposeTree, freeGeometries } from './dispose.ts';
import { createGhost, disposeGhost, type Ghost } from './ghost.ts';
import { type HullPart, hullOf } from './hull.ts';
import { centerOf, jointsOf } from './joints.ts';
import type { LoadedFigure } from './load-figure.ts';
import { PosePlayer } from './pose-player.ts';
import { type Sweep, sweep } from './sweep.ts';

/** Colors and materials of overlays. */
interface OverlayStyle {
  /** Joints without a color of their own. */
  readonly skeleton: Color;
  /** The copy in the reference pose. */
  readonly ghost: Color;
  /** Materials of lines and marks. */
  readonly materials: OverlayMaterials;
}

const REVERSED = [0, 1, 0, 0];
const NO_EXTENT: Extent = { min: [-0.5, 0, -0.5], max: [0.5, 1.8, 0.5] };

/** Returns the rotation from the axes of the file to the canonical frame. */
function frameOf({ frame, facing }: StageFigure, { json }: LoadedFigure): Quaternion {
  const isBackward = facing === undefined ? json.extensions?.VRM !== undefined : facing === '-Z';
  return new Quaternion().fromArray(Array.from(frame ?? (isBackward ? REVERSED : [0, 0, 0, 1])));
}

/** A figure. Its group is moved over the ground and scaled; overlays are in the canonical frame. */
export class Figure {
  readonly id: string;
  readonly role: 'source' | 'result';
  readonly label: string;
  /** Everything of the figure. */
  readonly group: Group = new Group();
  /** The figure in its rest pose, canonical frame, meters. */
  readonly extent: Extent;
  /** Center of the figure in its rest pose, canonical frame, meters. */
  readonly restCenter: Vector3;
  readonly nodes: readonly Object3D[];
  readonly player: PosePlayer;
  skeleton: SkeletonOverlay;
  readonly #loaded: LoadedFigure;
  readonly #model: Group = new Group();
  readonly #center: number;
  readonly #style: OverlayStyle;
  #reference: StagePose | null = null;
  #ghost: Ghost | null = null;
  #ghostSkeleton: SkeletonOverlay | null = null;
  #trails: Group = new Group();
  #path: Group = new Group();
  #marks: ContactMarks;
  #time = 0;
  /** Outermost points of the meshes; null before they were needed, and without meshes. */
  #hull: readonly HullPart[] | null = null;
  readonly #spots: ContactShadows;
  #sweep: { readonly clip: StageClip; readonly sweep: Sweep } | null = null;

  /**
   * Takes over a loaded file.
   *
   * @param style Colors and materials of overlays; changed in place and freed by the owner.
   */
  constructor(figure: StageFigure, loaded: LoadedFigure, style: OverlayStyle) {
    const { id, role = 'result', label = '', metersPerUnit = 1, ground = 0 } = figure;
    this.id = id;
    this.role = role;
    this.label = label;
    this.nodes = loaded.nodes;
    this.#loaded = loaded;
    this.#style = style;
    this.#marks = new ContactMarks([], style.materials);
    this.#model.quaternion.copy(frameOf(figure, loaded));
    this.#model.scale.setScalar(metersPerUnit);
    this.#model.position.y = -ground;
    this.group.add(this.#model.add(loaded.scene), this.#trails, this.#path, this.#marks.object);
    this.player = new PosePlayer(loaded.nodes);
    const joints = jointsOf(loaded.json);
    this.#center = figure.hips ?? centerOf(joints);
    this.extent = this.#measure(joints);
    this.restCenter = this.center(new Vector3());
    this.skeleton = this.#createSkeleton(joints);
    this.#spots = new ContactShadows(joints, this.nodes, this.height);
    this.group.add(this.skeleton.object, this.#spots.object);
  }

  /** Height in the rest pose, meters. */
  get height(): number {
    return Math.max(this.extent.max[1], 1e-3);
  }

  /** The space that the figure takes in its clip; null without a clip. */
  get sweep(): Sweep | null {
    const clip = this.player.shown;
    if (clip === null) return null;
    if (this.#sweep?.clip === clip) return this.#sweep.sweep;
    const { player, group, nodes } = this;
    // Bones have no points of their own where the file shows no mesh.
    const joints = (): HullPart[] =>
      Array.from(this.skeleton.joints.nodes, (node) => ({ object: nodes[node], points: [new Vector3()] }));
    this.#hull ??= this.isSkeleton ? null : hullOf(this.meshes);
    const swept = { player, group, hull: this.#hull ?? joints(), center: nodes[this.#center] };
    const measured = sweep(swept, this.extent);
    this.#sweep = { clip, sweep: measured };
    player.show(this.#time);
    group.updateMatrixWorld(true);
    return measured;
  }

  /** Whether the file shows no mesh: its skeleton is what is seen of it. */
  get isSkeleton(): boolean {
    return this.meshes.length === 0;
  }

  get meshes(): readonly Mesh[] {
    return this.#loaded.meshes;
  }

  setJoints(joints: StageJoints | null): void {
    for (const node of Array.from(joints?.nodes ?? [])) this.player.nodeAt(node);
    const { highlighted, joints: before } = this.skeleton;
    const node = before.nodes[highlighted] ?? null;
    disposeTree(this.skeleton.object);
    this.skeleton = this.#createSkeleton(joints ?? jointsOf(this.#loaded.json));
    this.group.add(this.skeleton.object);
    this.skeleton.highlight(this.jointAt(node));
  }

  /** Returns the joint of the overlay at a node; −1 without. */
  jointAt(node: number | null): number {
    return node === null ? -1 : Array.prototype.indexOf.call(this.skeleton.joints.nodes, node);
  }

  setClip(clip: StageClip | null): void {
    this.player.setClip(clip);
  }

  setRestPose(pose: StagePose | null): void {
    for (const node of pose?.keys() ?? []) this.player.nodeAt(node);
    this.#reference = pose;
    this.#freeGhost();
  }

  setTrails(trails: readonly StageTrail[]): void {
    freeGeometries(this.#trails);
    this.#trails = createLines(trails, this.#style.materials);
    this.group.add(this.#trails);
  }

  setPath(path: readonly StageTrail[]): void {
    freeGeometries(this.#path);
    this.#path = createLines(path, this.#style.materials);
    this.group.add(this.#path);
  }

  setMarks(marks: readonly StageMark[]): void {
    freeGeometries(this.#marks.object);
    this.#marks = new ContactMarks(marks, this.#style.materials);
    this.group.add(this.#marks.object);
  }

  /** Poses everything for a moment. */
  update(time: number, show: StageShow): void {
    if (show.rest && this.#ghost === null) this.#makeGhost();
    if (!show.rest) this.#freeGhost();
    this.#time = time;
    this.player.show(time);
    this.#marks.object.visible = show.marks;
    if (show.marks) this.#marks.show(time);
    this.#trails.visible = show.trails;
    this.#path.visible = show.trails;
    for (const mesh of this.meshes) mesh.layers.mask = show.mesh ? 1 : 0;
    this.#spots.object.visible = show.ground && (show.mesh || this.isSkeleton);
    this.refresh(show);
  }

  /** Brings overlays to the current pose of the nodes. */
  refresh(show: StageShow): void {
    this.group.updateMatrixWorld();
    this.skeleton.object.visible = show.skeleton || this.isSkeleton;
    const { position, scale } = this.group;
    if (this.skeleton.object.visible) this.skeleton.update(position, scale.x);
    if (this.#spots.object.visible) this.#spots.update(position, scale.x);
    this.#ghostSkeleton?.update(position, scale.x);
  }

  /** Writes the position of the center of the figure in the world. */
  center(out: Vector3): Vector3 {
    const object = this.nodes[this.#center] ?? this.#model;
    return out.setFromMatrixPosition(object.matrixWorld);
  }

  /** Frees everything on the GPU. */
  dispose(): void {
    this.#freeGhost();
    for (const object of [this.#trails, this.#path, this.#marks.object]) freeGeometries(object);
    // Nodes outside of the scene may have meshes, too.
    for (const node of this.nodes) if (node.parent === null) disposeTree(node);
    disposeTree(this.group);
  }

  recolor(): void {
    this.skeleton.setColor(this.#style.skeleton);
    this.#freeGhost();
  }

  #createSkeleton(joints: StageJoints): SkeletonOverlay {
    return new SkeletonOverlay(joints, this.nodes, this.height, this.#style.skeleton, this.isSkeleton);
  }

  /** Measures the rest pose: of the meshes, otherwise of the joints. */
  #measure(joints: StageJoints): Extent {
    this.group.updateMatrixWorld(true);
    const box = new Box3();
    for (const mesh of this.meshes) box.expandByObject(mesh, true);
    if (box.isEmpty()) {
      const points = Array.from(joints.nodes, (node) =>
        new Vector3().setFromMatrixPosition(this.nodes[node].matrixWorld),
      );
      box.setFromPoints(points);
    }
    if (box.isEmpty()) return NO_EXTENT;
    return { min: box.min.toArray(), max: box.max.toArray() };
  }

  #makeGhost(): void {
    this.player.rest();
    const ghost = createGhost(this.#loaded, this.#reference, this.#style.ghost);
    this.#ghost = ghost;
    this.#model.add(ghost.object);
    if (!this.isSkeleton) return;
    this.#ghostSkeleton = new SkeletonOverlay(this.skeleton.joints, ghost.nodes, this.height, this.#style.ghost);
    this.group.add(this.#ghostSkeleton.object);
  }

  #freeGhost(): void {
    if (this.#ghost !== null) disposeGhost(this.#ghost);
    if (this.#ghostSkeleton !== null) disposeTree(this.#ghostSkeleton.object);
    this.#ghost = null;
    this.#ghostSkeleton = null;
  }
}
