/** Draws the picture of `babylon-pictures.ts` in Chromium: the same moment of a walk in Babylon.js without contacts and with them. */
import '@babylonjs/loaders/glTF/2.0/index.js';
import {
  ArcRotateCamera,
  Color3,
  Color4,
  DirectionalLight,
  Engine,
  HemisphericLight,
  LoadAssetContainerAsync,
  MeshBuilder,
  Scene,
  ShadowGenerator,
  StandardMaterial,
  type TransformNode,
  Vector3,
} from '@babylonjs/core';
import { retargetAnimationGroup } from 'anyrig/babylon';

const [WIDTH, HEIGHT] = [760, 570];
/** Moment of the walk, as a part of the clip: the toes of the foot behind are about to leave the ground. */
const MOMENT = 0.55;
const QUALITY = 0.85;
const BACKGROUND = '#e9eaef';

async function load(scene: Scene, name: string) {
  const file = new File([await (await fetch(`/${name}`)).arrayBuffer()], name);
  return LoadAssetContainerAsync(file, scene, { pluginExtension: '.glb' });
}

/** Draws the character at the moment, close to its feet. */
async function draw(contacts: 'off' | 'auto'): Promise<HTMLCanvasElement> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  document.body.append(canvas);
  const engine = new Engine(canvas, true, { preserveDrawingBuffer: true });
  const scene = new Scene(engine);
  scene.clearColor = Color4.FromHexString(`${BACKGROUND}ff`);
  const walk = await load(scene, 'walk.glb');
  const hero = await load(scene, 'character.glb');
  hero.addAllToScene();
  const root = hero.rootNodes[0] as TransformNode;
  const { group } = retargetAnimationGroup(walk.animationGroups[0], walk.rootNodes[0] as TransformNode, root, {
    contacts,
  });
  group.start(false);
  group.pause();
  group.goToFrame(group.from + MOMENT * (group.to - group.from));

  new HemisphericLight('sky', Vector3.Up(), scene).intensity = 0.7;
  const sun = new DirectionalLight('sun', new Vector3(-0.5, -1.2, 0.6), scene);
  sun.position = new Vector3(2, 5, -3);
  sun.intensity = 0.6;
  const shadow = new ShadowGenerator(2048, sun);
  shadow.usePercentageCloserFiltering = true;
  for (const mesh of root.getChildMeshes()) shadow.addShadowCaster(mesh);
  const ground = MeshBuilder.CreateGround('ground', { width: 40, height: 40 }, scene);
  ground.receiveShadows = true;
  const gray = new StandardMaterial('gray', scene);
  gray.diffuseColor = Color3.FromHexString('#c9ccd6');
  gray.specularColor = Color3.Black();
  ground.material = gray;

  root.computeWorldMatrix(true);
  for (const skeleton of scene.skeletons) skeleton.prepare();
  const feet = root.getChildTransformNodes(false).filter(({ name }) => /foot/i.test(name));
  const target = feet.reduce((sum, node) => sum.add(node.getAbsolutePosition()), Vector3.Zero()).scale(1 / feet.length);
  // From the side, at the height of the knees.
  new ArcRotateCamera('camera', -Math.PI / 2, 1.48, 1.7, new Vector3(target.x, 0.35, target.z), scene).minZ = 0.05;
  await scene.whenReadyAsync();
  scene.render();
  scene.render();
  return canvas;
}

/** Returns both pictures beside each other, as JPEG in base64. */
export async function run(): Promise<string> {
  const both = document.createElement('canvas');
  [both.width, both.height] = [2 * WIDTH + 8, HEIGHT];
  const context = both.getContext('2d') as CanvasRenderingContext2D;
  context.fillStyle = 'white';
  context.fillRect(0, 0, both.width, both.height);
  for (const [k, contacts] of (['off', 'auto'] as const).entries())
    context.drawImage(await draw(contacts), k * (WIDTH + 8), 0);
  return both.toDataURL('image/jpeg', QUALITY).replace(/^[^,]*,/, '');
}
