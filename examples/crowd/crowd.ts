/**
 * One walk on 1,000 characters of eight different models, instanced, in several phases; in front, the same moment on each model side by side.
 * `index.html` is the page. It loads files of `npx anyrig demo`; in a Vite project they are in `public/`.
 */
import { CharacterCrowd, type CharacterCrowdOptions, createHumanoid } from 'anyrig/three';
import { Color, DirectionalLight, HemisphereLight, Matrix4, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { WebGPURenderer } from 'three/webgpu';

const MOTION = 'walk.glb';
const MODELS = [
  'mixamo.glb',
  'unreal.glb',
  'child.vrm',
  'blender.glb',
  'chibi.vrm',
  'odd-axes.glb',
  'fighter.glb',
  'giant.glb',
];
/** Phases of the walk. */
const PHASES = 16;

/** A running crowd. */
export interface CrowdPage {
  /** Draws the scene. */
  readonly renderer: WebGLRenderer | WebGPURenderer;
  /** Number of characters. */
  readonly characters: number;
  /** Number of models. */
  readonly models: number;
  /** Advances the crowd and draws it. Returns the milliseconds of the crowd, and of the whole frame. */
  frame(seconds: number): { readonly crowd: number; readonly total: number };
}

/** A renderer, and how materials skin a crowd in it. */
interface Drawing {
  readonly renderer: WebGLRenderer | WebGPURenderer;
  readonly material: Pick<CharacterCrowdOptions, 'material'>;
}

/** Creates the renderer. WebGPU is loaded when it is asked for. */
async function createDrawing(canvas: HTMLCanvasElement, api: 'webgl' | 'webgpu'): Promise<Drawing> {
  if (api === 'webgl') {
    return { renderer: new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true }), material: {} };
  }
  const [webgpu, { crowdNodeMaterial }] = await Promise.all([import('three/webgpu'), import('anyrig/three/webgpu')]);
  const renderer = new webgpu.WebGPURenderer({ canvas, antialias: true });
  await renderer.init();
  return { renderer, material: { material: crowdNodeMaterial } };
}

/** Loads the files, fills the crowd and prepares the scene. */
export async function createCrowdPage(
  canvas: HTMLCanvasElement,
  count: number,
  api: 'webgl' | 'webgpu',
): Promise<CrowdPage> {
  const loader = new GLTFLoader();
  const walk = await loader.loadAsync(MOTION);
  const models = await Promise.all(MODELS.map(async (name) => createHumanoid((await loader.loadAsync(name)).scene)));
  const { renderer, material } = await createDrawing(canvas, api);
  const crowd = new CharacterCrowd(createHumanoid(walk.scene), models, {
    capacity: count + models.length,
    ...material,
  });

  const [clip] = walk.animations;
  const phases = Array.from({ length: PHASES }, (_, k) =>
    crowd.addPlayhead(clip, { time: (clip.duration * k) / PHASES }),
  );
  models.forEach((_, model) => {
    crowd.add(model, phases[0], new Matrix4().makeTranslation(1.6 * (model - (models.length - 1) / 2), 0, 5));
  });
  const columns = Math.ceil(Math.sqrt(2 * count));
  for (let k = 0; k < count; k++) {
    const x = 1.5 * ((k % columns) - (columns - 1) / 2);
    const z = -1.8 * Math.floor(k / columns);
    crowd.add((5 * k) % models.length, phases[(7 * k) % PHASES], new Matrix4().makeTranslation(x, 0, z));
  }

  const scene = new Scene();
  scene.background = new Color(0xdfe6ee);
  const sun = new DirectionalLight(0xffffff, 2);
  sun.position.set(3, 8, 6);
  scene.add(crowd.object, sun, new HemisphereLight(0xffffff, 0x8899aa, 1.5));
  const camera = new PerspectiveCamera(40, canvas.width / canvas.height, 0.1, 300);
  camera.position.set(0, 7, 19);
  camera.lookAt(0, 0.5, -2);
  renderer.setSize(canvas.width, canvas.height, false);
  return {
    renderer,
    characters: crowd.crowd.size,
    models: models.length,
    frame(seconds) {
      const start = performance.now();
      crowd.update(seconds);
      const updated = performance.now();
      renderer.render(scene, camera);
      return { crowd: updated - start, total: performance.now() - start };
    },
  };
}
