/** The gizmo that rotates a joint. */
import type { Camera, Object3D, Scene } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';

/** Size relative to the default of three.js. */
const SIZE = 0.7;

/** What a gizmo reports. */
export interface GizmoEvents {
  /** The object has a new rotation; `done` when the pointer was released. */
  readonly onRotate: (done: boolean) => void;
  /** Dragging started or ended. */
  readonly onDrag: (isDragging: boolean) => void;
  /** The gizmo looks different. */
  readonly onChange: () => void;
}

/** Rotates an object about its own axes. */
export class Gizmo {
  readonly #controls: TransformControls;

  /**
   * Creates a gizmo that is hidden.
   *
   * @param camera The camera.
   * @param canvas Element that the pointer moves on.
   * @param scene The scene that it is drawn in.
   * @param events What to call.
   */
  constructor(camera: Camera, canvas: HTMLElement, scene: Scene, events: GizmoEvents) {
    const controls = new TransformControls(camera, canvas);
    controls.setMode('rotate');
    controls.setSpace('local');
    controls.setSize(SIZE);
    controls.addEventListener('change', events.onChange);
    controls.addEventListener('objectChange', () => events.onRotate(false));
    controls.addEventListener('dragging-changed', ({ value }) => {
      events.onDrag(value === true);
      if (value === false) events.onRotate(true);
    });
    scene.add(controls.getHelper());
    this.#controls = controls;
  }

  /** Whether the pointer is over it or drags it. */
  get isBusy(): boolean {
    return this.#controls.dragging || this.#controls.axis !== null;
  }

  /**
   * Shows the gizmo at an object.
   *
   * @param object The object; null hides it.
   */
  attach(object: Object3D | null): void {
    if (object === null) this.#controls.detach();
    else this.#controls.attach(object);
  }

  /** Ends the listeners and frees its meshes. */
  dispose(): void {
    this.#controls.getHelper().removeFromParent();
    this.#controls.dispose();
  }
}
