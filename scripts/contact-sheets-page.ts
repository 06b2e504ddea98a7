/** A page that draws characters of three.js in motion, with their meshes and the ground: rows of clips and of live retargeting. */
import { createHumanoid, createRetargeter, type ThreeHumanoid } from 'anyrig/three';
import {
  AmbientLight,
  type AnimationClip,
  AnimationMixer,
  Box3,
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  Float32BufferAttribute,
  GridHelper,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  SkeletonHelper,
  Vector3,
  WebGLRenderer,
} from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { BONE } from '../src/core/humanoid/bones.ts';

/** A character and its clip. */
export interface SheetFile {
  /** Name of the served file; its extension selects the loader. */
  readonly file: string;
  /** Name of the clip; the first one otherwise. */
  readonly clip?: string;
}

/** A row of a sheet. */
export interface PageRow {
  readonly label: string;
  readonly character: SheetFile;
  /** Motion that drives the character frame by frame, with live contacts; its own clip otherwise. */
  readonly live?: SheetFile;
}

/** A direction of view; `hands` is the front, enlarged around the trunk. */
export type PageView = 'side' | 'front' | 'hands';

/** A sheet. */
export interface PageOrder {
  readonly title: string;
  readonly rows: readonly PageRow[];
  readonly views: readonly PageView[];
  /** Seconds. */
  readonly times: readonly number[];
  /** Width and height of a cell, pixels. */
  readonly cell: readonly [width: number, height: number];
  readonly image: 'png' | 'jpeg';
}

/** Frames per second of live retargeting. */
const FPS = 60;
/** Width of the labels and height of the title, pixels. */
const LABELS = 78;
const TITLE = 26;
/** Height of a cell relative to that of the character, and of the part below the ground. */
const EXTENT = 1.35;
const BELOW = 0.12;
const HANDS_EXTENT = 0.62;
/** Angles of the front view, radians: to the side, and from above. */
const AZIMUTH = 0.5;
const ELEVATION = 0.16;

interface Loaded {
  readonly root: Object3D;
  readonly clips: readonly AnimationClip[];
}

interface Actor {
  readonly group: Group;
  readonly humanoid: ThreeHumanoid;
  readonly clip: AnimationClip | undefined;
  readonly hasMesh: boolean;
  /** Height of its highest vertex, meters. */
  readonly top: number;
}

async function load(name: string): Promise<Loaded> {
  const bytes = await (await fetch(`/${encodeURIComponent(name)}`)).arrayBuffer();
  if (/\.bvh$/i.test(name)) {
    const { skeleton, clip } = new BVHLoader().parse(new TextDecoder().decode(bytes));
    return { root: skeleton.bones[0], clips: [clip] };
  }
  if (/\.fbx$/i.test(name)) {
    const root = new FBXLoader().parse(bytes, '');
    return { root, clips: root.animations };
  }
  const gltf = await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).parseAsync(bytes, '');
  return { root: gltf.scene, clips: gltf.animations };
}

/** Loads a character and stands it on the ground of the scene, facing +Z, in meters. */
async function createActor({ file, clip: name }: SheetFile): Promise<Actor> {
  const { root, clips } = await load(file);
  const clip = clips.find((one) => one.name === name) ?? clips[0];
  const humanoid = createHumanoid(root, clip === undefined ? {} : { motion: clip });
  const { frame, metersPerUnit, ground, height } = humanoid.humanoid;
  for (const object of humanoid.ignoredRoots) {
    object.position.set(0, 0, 0);
    object.quaternion.identity();
    object.scale.set(1, 1, 1);
  }
  const group = new Group().add(root);
  group.quaternion.fromArray(frame);
  group.scale.setScalar(metersPerUnit);
  group.position.y = -ground;
  let hasMesh = false;
  root.traverse((object) => {
    object.frustumCulled = false;
    if ('isMesh' in object) hasMesh = true;
    if ('isLight' in object) object.visible = false;
  });
  group.updateMatrixWorld(true);
  const top = hasMesh ? new Box3().setFromObject(group, true).max.y : 1.1 * height;
  return {
    group,
    humanoid,
    clip,
    hasMesh,
    top: Math.max(top, height),
  };
}

/** The ground as a translucent plane with a grid: what is below it is tinted. */
function createGround(): Group {
  const plane = new Mesh(
    new PlaneGeometry(40, 40),
    new MeshBasicMaterial({ color: 0x6f9bd1, transparent: true, opacity: 0.45, side: DoubleSide, depthWrite: false }),
  );
  plane.rotation.x = -Math.PI / 2;
  return new Group().add(plane, new GridHelper(40, 40, 0x8fa9c8, 0x8fa9c8));
}

/** The ground seen from the side: a line on top of everything. */
function createGroundLine(): Line {
  const line = new Line(
    new BufferGeometry().setAttribute('position', new Float32BufferAttribute([0, 0, -20, 0, 0, 20], 3)),
    new LineBasicMaterial({ color: 0x2b6cb0, depthTest: false }),
  );
  line.renderOrder = 1;
  return line;
}

function cameraFor(view: PageView, { humanoid, top }: Actor, aspect: number): OrthographicCamera {
  const hips = humanoid.objects[humanoid.humanoid.map.nodes[BONE.hips]].getWorldPosition(new Vector3());
  const extent = (view === 'hands' ? HANDS_EXTENT : EXTENT) * top;
  const camera = new OrthographicCamera();
  const middle = view === 'hands' ? hips.y + 0.16 * top : (0.5 - BELOW) * extent;
  const [azimuth, elevation] = view === 'side' ? [-Math.PI / 2, 0] : [-AZIMUTH, view === 'hands' ? 0.05 : ELEVATION];
  const target = new Vector3(hips.x, middle, hips.z);
  const direction = new Vector3(
    Math.sin(azimuth) * Math.cos(elevation),
    Math.sin(elevation),
    Math.cos(azimuth) * Math.cos(elevation),
  );
  camera.position.copy(target).addScaledVector(direction, 20 * top);
  camera.lookAt(target);
  Object.assign(camera, {
    top: extent / 2,
    bottom: -extent / 2,
    left: (-extent * aspect) / 2,
    right: (extent * aspect) / 2,
  });
  Object.assign(camera, { near: 0.1 * top, far: 60 * top });
  camera.updateProjectionMatrix();
  return camera;
}

/** Poses an actor at ascending times. */
async function createPlayer({ character, live }: PageRow): Promise<{ actor: Actor; show: (time: number) => void }> {
  const actor = await createActor(character);
  if (live === undefined) {
    const mixer = new AnimationMixer(actor.humanoid.root);
    if (actor.clip !== undefined) mixer.clipAction(actor.clip).play();
    const end = (actor.clip?.duration ?? 0) - 1e-4;
    return { actor, show: (time) => void mixer.setTime(Math.max(0, Math.min(time, end))) };
  }
  const source = await createActor(live);
  const retargeter = createRetargeter(source.humanoid, actor.humanoid);
  const mixer = new AnimationMixer(source.humanoid.root);
  if (source.clip !== undefined) mixer.clipAction(source.clip).play();
  const end = (source.clip?.duration ?? 0) - 1e-4;
  let frame = 0;
  const show = (time: number): void => {
    for (; frame <= Math.round(time * FPS); frame++) {
      mixer.setTime(Math.max(0, Math.min(frame / FPS, end)));
      retargeter.update(1 / FPS);
    }
  };
  return { actor, show };
}

/** Draws a sheet; returns a data URL. */
async function drawSheet(renderer: WebGLRenderer, order: PageOrder): Promise<string> {
  const { rows, views, times, cell } = order;
  const [width, height] = cell;
  const size = [LABELS + width * times.length, TITLE + height * rows.length * views.length];
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = size;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size[0], size[1]);
  context.fillStyle = '#111';
  context.font = 'bold 15px sans-serif';
  context.fillText(order.title, 8, 18);
  context.font = '13px sans-serif';
  renderer.setSize(width, height, false);
  for (const [r, row] of rows.entries()) {
    const { actor, show } = await createPlayer(row);
    const scene = new Scene();
    scene.background = new Color(0xf7f8fa);
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(-1, 2, 2);
    const [ground, line] = [createGround(), createGroundLine()];
    scene.add(actor.group, new AmbientLight(0xffffff, 1.6), light, ground, line);
    if (!actor.hasMesh) {
      const helper = new SkeletonHelper(actor.humanoid.root);
      helper.frustumCulled = false;
      (helper.material as LineBasicMaterial).color.set(0x000000);
      (helper.material as LineBasicMaterial).vertexColors = false;
      scene.add(helper);
    }
    for (const [t, time] of times.entries()) {
      show(time);
      scene.updateMatrixWorld(true);
      for (const [v, view] of views.entries()) {
        [ground.visible, line.visible] = [view === 'front', view === 'side'];
        renderer.render(scene, cameraFor(view, actor, width / height));
        // Rows of the same view are below each other, so that they can be compared.
        const y = TITLE + height * (v * rows.length + r);
        context.drawImage(renderer.domElement, LABELS + width * t, y);
        if (t === 0) context.fillText(row.label, 6, y + height / 2);
        if (v === 0 && r === 0) context.fillText(`${time.toFixed(2)} s`, LABELS + width * t + 4, y + 14);
      }
    }
  }
  return canvas.toDataURL(`image/${order.image}`, 0.85);
}

/** Draws the sheet of `order.json`; returns a data URL. */
export async function run(): Promise<string> {
  const order = (await (await fetch('/order.json')).json()) as PageOrder;
  return drawSheet(new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true }), order);
}
