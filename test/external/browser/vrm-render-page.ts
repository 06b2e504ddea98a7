/** Draws VRMs with three-vrm side by side: a page for test/external/browser/vrm-convert.test.ts. */
import { MToonMaterial, type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import {
  Color,
  DirectionalLight,
  Euler,
  MathUtils,
  OrthographicCamera,
  Quaternion,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

/** What to draw: a pose and expressions of normalized bones, as three-vrm has them. */
interface View {
  readonly name: string;
  /** Height of the view in meters, and of its center. */
  readonly height: number;
  readonly center: number;
  /** Euler angles in degrees of normalized bones of a VRM 1.0. */
  readonly pose: Readonly<Record<string, readonly [number, number, number]>>;
  readonly expressions: Readonly<Record<string, number>>;
  /** Seconds of spring simulation. */
  readonly seconds: number;
}

/** The files in one view. */
export interface Sheet {
  readonly view: string;
  /** The files from left to right, as a data URL. */
  readonly png: string;
  /** Fraction of the pixels of each file that differ from those of the first one by more than 24 of 255. */
  readonly different: readonly number[];
  /** Fraction of the pixels of the first file that are not background. */
  readonly covered: number;
  readonly warnings: readonly string[];
}

const SIZE = 512;

async function load(name: string): Promise<VRM> {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const bytes = await (await fetch(`/${name}`)).arrayBuffer();
  const { userData } = await loader.parseAsync(bytes, '');
  const vrm = userData['vrm'] as VRM;
  if (vrm.meta.metaVersion === '0') {
    vrm.scene.rotation.y = Math.PI;
    halveScreenOutlines(vrm);
  }
  return vrm;
}

/**
 * Halves outlines in screen coordinates: the unit of their width is half a screen height in VRM 0.x and a screen height in
 * VRM 1.0 (VRMC_materials_mtoon, "Outline Width"), but three-vrm draws both as half screen heights.
 */
function halveScreenOutlines({ materials = [] }: VRM): void {
  for (const material of materials)
    if (material instanceof MToonMaterial && material.outlineWidthMode === 'screenCoordinates')
      material.outlineWidthFactor /= 2;
}

/** Poses the bones of a VRM 1.0; those of VRM 0.x face the other way, so their rotations are conjugated. */
function pose(vrm: VRM, { pose: bones, expressions, seconds }: View): void {
  const sign = vrm.meta.metaVersion === '0' ? -1 : 1;
  for (const [bone, degrees] of Object.entries(bones)) {
    const [x, y, z] = degrees.map(MathUtils.degToRad);
    const q = new Quaternion().setFromEuler(new Euler(x, y, z));
    vrm.humanoid.getNormalizedBoneNode(bone as 'hips')?.quaternion.set(sign * q.x, q.y, sign * q.z, q.w);
  }
  for (const [name, weight] of Object.entries(expressions)) vrm.expressionManager?.setValue(name, weight);
  vrm.springBoneManager?.reset();
  vrm.update(0);
  for (let step = 0; step < seconds * 60; step++) vrm.update(1 / 60);
}

/** Smallest difference of a color component that counts. */
const VISIBLE = 24;

function differentPixels(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    const most = Math.max(...[0, 1, 2].map((c) => Math.abs(a[i + c] - b[i + c])));
    if (most > VISIBLE) count++;
  }
  return count / (a.length / 4);
}

/** Draws every file in every view. */
export async function run(): Promise<Sheet[]> {
  const { files, views } = (await (await fetch('/job.json')).json()) as { files: string[]; views: View[] };
  const warnings: string[] = [];
  console.warn = (...parts: unknown[]) => warnings.push(parts.map(String).join(' '));
  console.error = console.warn;
  const renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(SIZE, SIZE);
  const sheets: Sheet[] = [];
  for (const view of views) {
    const sheet = document.createElement('canvas');
    sheet.width = SIZE * files.length;
    sheet.height = SIZE;
    const context = sheet.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
    for (const [f, file] of files.entries()) {
      const vrm = await load(file);
      const scene = new Scene();
      scene.background = new Color(0x8899aa);
      const light = new DirectionalLight(0xffffff, Math.PI);
      light.position.set(1, 1, 2);
      scene.add(light, vrm.scene);
      pose(vrm, view);
      const half = view.height / 2;
      const camera = new OrthographicCamera(-half, half, half, -half, 0.1, 20);
      camera.position.copy(new Vector3(0, view.center, 5));
      renderer.render(scene, camera);
      context.drawImage(renderer.domElement, f * SIZE, 0);
    }
    const pixels = files.map((_, f) => context.getImageData(f * SIZE, 0, SIZE, SIZE).data);
    const background = pixels[0].slice(0, 4);
    const empty = new Uint8ClampedArray(pixels[0].length).map((_, i) => background[i % 4]);
    sheets.push({
      view: view.name,
      png: sheet.toDataURL(),
      different: pixels.map((one) => differentPixels(pixels[0], one)),
      covered: differentPixels(pixels[0], empty),
      warnings: warnings.splice(0),
    });
  }
  return sheets;
}
