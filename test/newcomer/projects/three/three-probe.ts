/** Reads poses of three.js, and draws models that a page does not draw itself. */
import { HemisphereLight, type Object3D, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import type { Pose } from './probe.ts';

/** Returns the local transforms of all objects at and below a root. */
export function poseBelow(root: Object3D): Pose {
  const pose: Pose = {};
  root.traverse(({ name, userData, position, quaternion, scale }) => {
    // GLTFLoader removes some characters from names; the one in the file is in `userData`.
    const nameInFile: unknown = userData['name'] ?? name;
    pose[String(nameInFile)] = [...position.toArray(), ...quaternion.toArray(), ...scale.toArray()];
  });
  return pose;
}

/** Draws a model from the front. */
export function drawModel(model: Object3D): HTMLCanvasElement {
  const scene = new Scene().add(model, new HemisphereLight(0xffffff, 0x888888, 3));
  const camera = new PerspectiveCamera(40, innerWidth / innerHeight);
  camera.position.set(0, 0.7, 4);
  const renderer = new WebGLRenderer();
  renderer.setSize(innerWidth, innerHeight);
  document.body.append(renderer.domElement);
  renderer.render(scene, camera);
  return renderer.domElement;
}
