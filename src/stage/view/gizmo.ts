import type { Camera, Object3D, Scene } from 'three';
import type { TransformControls } from 'three/addons/controls/TransformControls.js';

/** Size relative to the default of three.js. */
const SIZE = 0.7;

/** What a gizmo reports. */
interface GizmoEvents {
  /** The object has a new rotation; `done` when the pointer was released. */
  readonly onRotate: (done: boolean) => void;
  /** Dragging started or ended. */
  readonly onDrag: (isDragging: boolean) => void;
  /** The gizmo looks different. */
  readonly onChange: () => void;
}

/** Rotates an object about its own axes. Its code is loaded when it is shown for the first time. */
export class Gizmo {
  readonly #camera: Camera;
  readonly #canvas: HTMLElement;
  readonly #scene: Scene;
  readonly #events: GizmoEvents;
  #object: Object3D | null = null;
  #controls: TransformControls | null = null;
  #isLoading = false;
  #isDisposed = false;

  /** Creates a gizmo that is hidden. */
  constructor(camera: Camera, canvas: HTMLElement, scene: Scene, events: GizmoEvents) {
    this.#camera = camera;
    this.#canvas = canvas;
    this.#scene = scene;
    this.#events = events;
  }

  /** Whether the pointer is over it or drags it. */
  get isBusy(): boolean {
    return this.#controls !== null && (this.#controls.dragging || this.#controls.axis !== null);
  }

  /**
   * Shows the gizmo at an object.
   *
   * @param object The object; null hides it.
   */
  attach(object: Object3D | null): void {
    this.#object = object;
    if (this.#controls !== null) this.#show(this.#controls);
    else if (object !== null && !this.#isLoading) void this.#load();
  }

  /** Removes the listeners and frees the meshes. */
  dispose(): void {
    this.#isDisposed = true;
    this.#controls?.getHelper().removeFromParent();
    this.#controls?.dispose();
  }

  async #load(): Promise<void> {
    this.#isLoading = true;
    const { TransformControls } = await import('three/addons/controls/TransformControls.js');
    if (this.#isDisposed) return;
    const events = this.#events;
    const controls = new TransformControls(this.#camera, this.#canvas);
    controls.setMode('rotate');
    controls.setSpace('local');
    controls.setSize(SIZE);
    controls.addEventListener('change', events.onChange);
    controls.addEventListener('objectChange', () => events.onRotate(false));
    controls.addEventListener('dragging-changed', ({ value }) => {
      events.onDrag(value === true);
      if (value === false) events.onRotate(true);
    });
    this.#scene.add(controls.getHelper());
    this.#controls = controls;
    this.#show(controls);
    events.onChange();
  }

  #show(controls: TransformControls): void {
    if (this.#object === null) controls.detach();
    else controls.attach(this.#object);
  }
}
