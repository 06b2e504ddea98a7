/** The picture of a stage while it is in a document: canvas, renderer, camera, pointer and keys. */
import { type CubeTexture, PerspectiveCamera, Vector3, type WebGLRenderer } from 'three';
import type { StageShow, StageViewpoint } from './contract.ts';
import { texturesOf } from './figure/dispose.ts';
import type { Figure } from './figure/figure.ts';
import type { Extent } from './layout.ts';
import { nextTask } from './next-task.ts';
import { CameraRig } from './view/camera-rig.ts';
import { createEnvironment } from './view/environment.ts';
import { Gizmo } from './view/gizmo.ts';
import { Labels } from './view/labels.ts';
import { pickJoint } from './view/picking.ts';
import { Quality } from './view/quality.ts';
import { BEST_RATIO } from './view/renderer.ts';
import { fitPlanes } from './view/viewpoints.ts';
import type { World } from './world.ts';

/** Vertical field of view, degrees: that of a portrait lens, which distorts little. */
const FOV = 30;
/** Part of the environment that materials show. Tuned by eye, with the other lights: white stays below white. */
const ENVIRONMENT = 0.5;
/** Milliseconds between two frames up to which the picture is being changed. */
const CHANGING = 120;
/** Part of the height of a figure at rest that a portrait shows. */
const BUST = 0.52;
const PORTRAIT: StageShow = {
  mesh: true,
  skeleton: false,
  ground: true,
  labels: false,
  trails: false,
  marks: false,
  rest: false,
};
/** CSS pixels that the pointer may move during a click. */
const CLICK_REACH = 4;

/** A joint of a figure. */
interface JointOfFigure {
  readonly figure: Figure;
  readonly joint: number;
}

/** What a viewport reports. */
interface ViewportEvents {
  /** A frame is needed. */
  readonly onChange: () => void;
  /** The user moved the camera to another direction. */
  readonly onUserMove: () => void;
  /** The picture has another size. */
  readonly onResize: () => void;
  /** The user wants to see everything. */
  readonly onFrameAll: () => void;
  /** The user clicked a joint. */
  readonly onPick: (figure: Figure, joint: number) => void;
  /** The user rotated the joint of the gizmo. */
  readonly onRotate: (done: boolean) => void;
}

/** Shows a world on a canvas. */
export class Viewport {
  readonly canvas: HTMLCanvasElement;
  readonly camera: PerspectiveCamera = new PerspectiveCamera(FOV, 16 / 9);
  readonly rig: CameraRig;
  readonly gizmo: Gizmo;
  readonly renderer: WebGLRenderer;
  readonly #world: World;
  readonly #events: ViewportEvents;
  readonly #labels: Labels;
  readonly #quality: Quality;
  readonly #resize: ResizeObserver;
  readonly #environment: CubeTexture;
  #size: readonly [number, number] = [1, 1];
  /** When the last frame was drawn, milliseconds. */
  #drawn = Number.NEGATIVE_INFINITY;
  #sharpening: ReturnType<typeof setTimeout> | undefined;
  #sinceShadow = 0;
  #hovered: JointOfFigure | null = null;
  #pressed: readonly [number, number] = [0, 0];

  /** Shows a world on the canvas of a renderer, which it frees in the end. */
  constructor(parent: ShadowRoot, renderer: WebGLRenderer, world: World, events: ViewportEvents) {
    const { camera } = this;
    const canvas = renderer.domElement;
    parent.append(canvas);
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    this.canvas = canvas;
    this.renderer = renderer;
    this.#world = world;
    this.#environment = createEnvironment();
    world.scene.environment = this.#environment;
    world.scene.environmentIntensity = ENVIRONMENT;
    this.#events = events;
    this.#labels = new Labels(parent);
    this.#quality = new Quality(BEST_RATIO);
    this.rig = new CameraRig(camera, canvas, events.onChange, events.onUserMove);
    this.gizmo = new Gizmo(camera, canvas, world.scene, {
      onRotate: events.onRotate,
      onDrag: (isDragging) => {
        this.rig.controls.enabled = !isDragging;
      },
      onChange: events.onChange,
    });
    this.#resize = new ResizeObserver(() => {
      this.resize();
      events.onResize();
    });
    this.#resize.observe(canvas);
    this.resize();
    canvas.addEventListener('keydown', this.#onKey);
    canvas.addEventListener('pointerdown', this.#onPress);
    canvas.addEventListener('pointermove', this.#onMove);
    canvas.addEventListener('pointerup', this.#onRelease);
    canvas.addEventListener('pointerleave', this.#onLeave);
    canvas.addEventListener('webglcontextrestored', events.onChange);
  }

  /** Names the picture for screen readers. */
  describe(text: string): void {
    if (this.canvas.getAttribute('aria-label') !== text) this.canvas.setAttribute('aria-label', text);
  }

  /** Takes over the size of the element. */
  resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.#size = [Math.max(clientWidth, 1), Math.max(clientHeight, 1)];
    // The next frame sets the size of the picture: until then the one before is shown, where a new buffer is black.
    this.#setAspect(...this.#size);
    this.#events.onChange();
  }

  /** Moves the camera to a view of a box. */
  frame(extent: Extent, view: StageViewpoint): void {
    this.rig.frame(extent, view);
    const { ground, lights } = this.#world;
    const { min, max } = this.#world.extent(true);
    ground.fit(Math.max(1, Math.hypot(max[0] - min[0], max[2] - min[2])));
    lights.fit({ min, max });
  }

  /** Compiles the programs of a figure, asks for their uniforms and uploads its textures, each in a task of its own, so that its first frame is not late. */
  async prepare({ meshes, skeleton }: Figure): Promise<void> {
    const { renderer, camera } = this;
    const objects = [...meshes, skeleton.object, this.#world.overlaySamples()];
    await Promise.all(objects.map((object) => renderer.compileAsync(object, camera, this.#world.scene)));
    for (const program of renderer.info.programs ?? []) {
      await nextTask();
      // Both are kept. The first question waits for the GPU.
      program.getUniforms();
      program.getAttributes();
    }
    for (const texture of texturesOf(meshes)) {
      await nextTask();
      if (this.canvas.isConnected) renderer.initTexture(texture);
    }
  }

  /**
   * Draws the world.
   *
   * @param followed Figure that the camera follows; null for none.
   * @param elapsed Seconds since the last frame of playback; 0 when the frame is not measured.
   * @param isLabeled Whether figures have their names.
   */
  render(followed: Figure | null, elapsed: number, isLabeled: boolean): void {
    if (elapsed === 0 || this.#world.isLoading) this.#quality.reset();
    else this.#quality.measure(1000 * elapsed);
    // Only playback, and a camera that is being moved, need to be fast.
    this.#applySize(this.#isSharp(elapsed) ? this.#quality.best : this.#quality.ratio);
    this.#sinceShadow++;
    this.renderer.shadowMap.needsUpdate = elapsed === 0 || this.#sinceShadow >= this.#quality.shadowInterval;
    if (this.renderer.shadowMap.needsUpdate) this.#sinceShadow = 0;
    this.rig.follow(followed === null ? null : followed.center(new Vector3()));
    this.#world.ground.follow(this.rig.controls.target);
    this.#world.lights.follow(this.rig.controls.target);
    this.#draw();
    const { shown } = this.#world;
    this.#labels.update(isLabeled ? shown : [], this.camera, ...this.#size);
    this.#labels.updateJoints(
      shown.flatMap(({ skeleton, group }) => {
        const { labels } = skeleton.joints;
        if (labels === undefined || !skeleton.object.visible) return [];
        const at = (joint: number, out: Vector3): Vector3 =>
          group.localToWorld(out.fromArray(skeleton.positions, 3 * joint));
        return [{ labels, at }];
      }),
      this.camera,
      ...this.#size,
    );
  }

  /** Tells whether a frame has all pixels: that of a picture that stands still. One that changes gets them a moment after its last change. */
  #isSharp(elapsed: number): boolean {
    clearTimeout(this.#sharpening);
    const now = performance.now();
    const isChanging = elapsed > 0 || now - this.#drawn < CHANGING;
    this.#drawn = now;
    if (isChanging) this.#sharpening = setTimeout(this.#events.onChange, 1.5 * CHANGING);
    return !isChanging;
  }

  /**
   * Draws the world in another size and returns the picture.
   *
   * @throws Error If the browser cannot encode the picture.
   */
  snapshot(width: number, height: number): Promise<Blob> {
    this.#setSize(width, height, 1);
    this.renderer.shadowMap.needsUpdate = true;
    this.#draw();
    const blob = new Promise<Blob>((resolve, reject) => {
      this.canvas.toBlob((result) => {
        if (result === null) reject(new Error(`A picture of ${width} × ${height} pixels could not be encoded.`));
        else resolve(result);
      }, 'image/png');
    });
    this.#events.onChange();
    return blob;
  }

  /**
   * Draws a figure alone into a corner of the canvas and copies it. Draw the world afterwards: the canvas shows something else then.
   *
   * @param times Moments of its clip: a square each, from left to right.
   * @param size Pixels along a side of a square.
   */
  portrait(figure: Figure, times: readonly number[], size: number): OffscreenCanvas {
    const { renderer, canvas } = this;
    const { lights, ground } = this.#world;
    const picture = new OffscreenCanvas(size * times.length, size);
    const context = picture.getContext('2d');
    const { min, max } = figure.sweep?.around ?? figure.extent;
    const hasClip = figure.sweep !== null;
    // Arms that point to the sides leave the picture: a face is what one looks for.
    const half = hasClip ? Math.max(max[0] - min[0], max[1] - min[1]) / 2 : (BUST * (max[1] - min[1])) / 2;
    const middle = new Vector3(0, hasClip ? (min[1] + max[1]) / 2 : max[1] - 0.94 * half, 0);
    const camera = new PerspectiveCamera(FOV, 1);
    const distance = (1.12 * half) / Math.tan((FOV * Math.PI) / 360);
    fitPlanes(camera, distance);
    const start = figure.sweep?.start ?? figure.restCenter;
    this.#world.alone(figure, () => {
      for (const [k, time] of times.entries()) {
        figure.update(time, PORTRAIT);
        const now = figure.center(new Vector3());
        const target = middle.clone().add(hasClip ? new Vector3(now.x, 0, now.z) : new Vector3(start.x, 0, start.z));
        camera.position.set(0.3, 0.12, 1).normalize().multiplyScalar(distance).add(target);
        camera.lookAt(target);
        lights.fit({ min, max });
        lights.follow(target);
        ground.follow(target);
        renderer.shadowMap.needsUpdate = true;
        this.#setSize(size, size, 1);
        renderer.render(this.#world.scene, camera);
        context?.drawImage(canvas, k * size, 0, size, size);
      }
    });
    const extent = this.#world.extent(true);
    lights.fit(extent);
    return picture;
  }

  /** Frees renderer, canvas and listeners. */
  dispose(): void {
    clearTimeout(this.#sharpening);
    this.#resize.disconnect();
    this.#labels.dispose();
    this.gizmo.dispose();
    this.rig.dispose();
    this.#world.scene.environment = null;
    this.#environment.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }

  #draw(): void {
    const { camera } = this;
    fitPlanes(camera, camera.position.distanceTo(this.rig.controls.target));
    this.renderer.render(this.#world.scene, camera);
  }

  #applySize(ratio = this.#quality.ratio): void {
    this.#setSize(...this.#size, ratio);
  }

  #setSize(width: number, height: number, ratio: number): void {
    const { canvas, renderer } = this;
    const isSame = canvas.width === Math.floor(width * ratio) && canvas.height === Math.floor(height * ratio);
    // Even the same size makes a new buffer, for which the browser waits until everything before is drawn.
    if (!isSame || renderer.getPixelRatio() !== ratio) renderer.setDrawingBufferSize(width, height, ratio);
    this.#setAspect(width, height);
  }

  #setAspect(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** Finds the joint at a point of the canvas, of the skeletons that are drawn. */
  #jointAt(at: readonly [number, number]): JointOfFigure | null {
    const figures = this.#world.shown.filter(({ skeleton }) => skeleton.object.visible);
    const groups = figures.map(({ skeleton, group }) => ({
      positions: skeleton.positions,
      offset: group.position,
      scale: group.scale.x,
    }));
    const picked = pickJoint(groups, this.camera, at, this.#size);
    return picked === null ? null : { figure: figures[picked.group], joint: picked.joint };
  }

  #hover(found: JointOfFigure | null, at: readonly [number, number]): void {
    const before = this.#hovered;
    this.#hovered = found;
    this.#labels.showJoint(found === null ? null : (found.figure.skeleton.joints.names?.[found.joint] ?? null), ...at);
    if (before?.figure === found?.figure && before?.joint === found?.joint) return;
    this.canvas.style.cursor = found === null ? '' : 'pointer';
    if (before !== null) before.figure.skeleton.hover(-1);
    if (found !== null) found.figure.skeleton.hover(found.joint);
    this.#events.onChange();
  }

  readonly #onMove = ({ offsetX, offsetY, buttons }: PointerEvent): void => {
    const isBusy = buttons !== 0 || this.gizmo.isBusy;
    this.#hover(isBusy ? null : this.#jointAt([offsetX, offsetY]), [offsetX, offsetY]);
  };

  readonly #onLeave = (): void => this.#hover(null, [0, 0]);

  readonly #onPress = ({ offsetX, offsetY }: PointerEvent): void => {
    this.#pressed = [offsetX, offsetY];
  };

  readonly #onRelease = ({ offsetX, offsetY, button }: PointerEvent): void => {
    const distance = Math.hypot(offsetX - this.#pressed[0], offsetY - this.#pressed[1]);
    if (button !== 0 || distance > CLICK_REACH || this.gizmo.isBusy) return;
    const found = this.#jointAt([offsetX, offsetY]);
    if (found !== null) this.#events.onPick(found.figure, found.joint);
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Home') this.#events.onFrameAll();
    else if (this.rig.press(event.key)) this.#events.onUserMove();
    else return;
    // Other keys belong to the page.
    event.preventDefault();
    event.stopPropagation();
  };
}
