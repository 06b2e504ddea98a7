/** Draws the pictures of `site-pictures.ts` in Chromium. */
import { type OpenFile, openBytes, type RetargetMotionsOptions, retargetMotions, tryFindHumanoid } from 'anyrig/files';
import { concatParts } from 'anyrig/gltf';
import { type AnyrigStage, defineStage } from 'anyrig/stage';
import { CHARACTERS, MOTIONS } from '../site/built-in.ts';
import { BONE, type BoneName } from '../src/core/humanoid/bones.ts';
import * as quat from '../src/core/math/quat.ts';
import { makeCharacter } from '../src/demo/characters/make-character.ts';
import { makeMesh } from '../src/demo/characters/mesh.ts';
import { UNREAL_RIG } from '../src/demo/characters/rigs.ts';
import { characterDocument, glbBytes } from '../src/demo/files/glb.ts';
import type { DemoFile } from '../src/demo/index.ts';
import { toStageClip } from '../studio/src/engine/stage-clip.ts';
import { demoBody } from '../test/contacts/demo-pair.ts';
import { type TouchKind, touchMotion } from '../test/contacts/touch-motions.ts';

/** What is drawn. */
export interface PictureJob {
  readonly kind: 'hero' | 'gallery' | 'options';
  /** Which part of the frames of the moving picture, from 0. */
  readonly part?: number;
  /** How many parts there are: drawing in software takes longer than a page may. */
  readonly parts?: number;
}

/** Pictures as WebP in base64. */
export interface Pictures {
  readonly frames: readonly string[];
  readonly names: readonly string[];
  readonly milliseconds: number;
}

/** Frames per second of the moving picture. */
const RATE = 20;
/**
 * Characters of the moving picture from left to right: built-in ones, and files beside the page. They differ in proportions, names, axes and rest poses; what
 * they have in common is that people like to look at them.
 */
const HERO: readonly string[] = [
  'robot.glb',
  'VALID_AIAN_M_1_Casual.glb',
  'chibi.vrm',
  'quaternius_women_Witch.glb',
  'giant.glb',
  'runner.glb',
];
/** Most of the frame is for what the dance does in one moment: over all of it, the row would be small. */
const HERO_ZOOM: Zoom = { x: 0.53, y: 0.54, by: 1.25 };
const HERO_SIZE = [960, 352] as const;
const QUALITY = 0.72;
/** The moving picture has many frames, and is a part of the home page before it is touched. */
const HERO_QUALITY = 0.37;

/**
 * Adds a motion on a character to a stage.
 *
 * @param options Options of the motion. On the spot by default: what walks away leaves the picture, and a loop of it jumps.
 * @param change What is done to the motion before.
 */
async function add(
  stage: AnyrigStage,
  motion: Pick<DemoFile, 'name' | 'bytes'>,
  character: Pick<DemoFile, 'name' | 'bytes'>,
  options: Omit<RetargetMotionsOptions, 'output'> = { edits: { root: 'in-place' } },
  id = character.name,
  change: (motion: OpenFile) => void = () => {},
): Promise<void> {
  const hero = await openBytes(character.bytes(), { name: character.name });
  const walk = await openBytes(motion.bytes(), { name: motion.name });
  change(walk);
  const output = character.name.replace(/.*\./, 'shown.');
  const { outputs } = await retargetMotions([walk], hero, { ...options, output });
  const glb = Uint8Array.from(concatParts(outputs[0].parts));
  const file = await openBytes(glb, { name: character.name });
  const found = tryFindHumanoid(file);
  if (found === null) throw new Error(`${character.name} is no humanoid.`);
  const { humanoid, part, index } = found;
  const { frame, metersPerUnit, ground } = humanoid;
  const hips = part.sourceNodes[humanoid.map.nodes[BONE.hips]];
  await stage.addFigure({ id, glb, frame: Array.from(frame), metersPerUnit, ground, hips });
  const clip = file.asset.clips[0];
  stage.setClip(id, toStageClip(clip.clips[index], part, clip.morphs));
}

function createStage(width: number, height: number): AnyrigStage {
  defineStage();
  const stage = document.createElement('anyrig-stage') as AnyrigStage;
  Object.assign(stage.style, { width: `${width}px`, height: `${height}px` });
  // Shadows are seen on light ground.
  stage.theme = 'light';
  stage.show = { trails: false, marks: false, labels: false };
  document.body.append(stage);
  return stage;
}

/** What is shown of a picture: its middle, as parts of width and height, and how much larger. */
interface Zoom {
  readonly x: number;
  readonly y: number;
  readonly by: number;
}

const WHOLE: Zoom = { x: 0.5, y: 0.5, by: 1 };

/** Takes a picture of a moment, drawn larger and scaled down: edges are smooth. */
async function picture(
  stage: AnyrigStage,
  time: number,
  width: number,
  height: number,
  zoom = WHOLE,
  quality = QUALITY,
): Promise<string> {
  stage.currentTime = time;
  const scale = 2 * zoom.by;
  const [left, top] = [zoom.x, zoom.y].map((part) => Math.min(zoom.by - 1, Math.max(0, zoom.by * part - 0.5)));
  const drawn = await createImageBitmap(
    await stage.snapshot(scale * width, scale * height),
    2 * left * width,
    2 * top * height,
    2 * width,
    2 * height,
  );
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  context.imageSmoothingQuality = 'high';
  context.drawImage(drawn, 0, 0, width, height);
  drawn.close();
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

async function drawHero({ part = 0, parts = 1 }: PictureJob): Promise<Pictures> {
  const [width, height] = HERO_SIZE;
  const stage = createStage(width, height);
  // They differ by a factor of three: the small ones would be specks beside the tall ones.
  stage.equalHeights = true;
  const [motion] = MOTIONS;
  for (const name of HERO) {
    const builtIn = CHARACTERS.find((one) => one.name === name);
    const file = builtIn?.bytes() ?? new Uint8Array(await (await fetch(`/${name}`)).arrayBuffer());
    await add(stage, motion, { name, bytes: () => file });
  }
  stage.frameAll();
  const count = Math.round(stage.duration * RATE);
  const frames: string[] = [];
  const end = Math.round(((part + 1) * count) / parts);
  for (let k = Math.round((part * count) / parts); k < end; k++)
    frames.push(await picture(stage, (k * stage.duration) / count, width, height, HERO_ZOOM, HERO_QUALITY));
  return { frames, names: [], milliseconds: Math.round((1000 * stage.duration) / count) };
}

async function drawGallery(): Promise<Pictures> {
  const size = 320;
  const frames: string[] = [];
  const names: string[] = [];
  for (const motion of MOTIONS) {
    for (const character of CHARACTERS) {
      const stage = createStage(size, size);
      await add(stage, motion, character);
      stage.frameAll();
      frames.push(await picture(stage, stage.duration * 0.3, size, size));
      names.push(`${motion.name}-${character.name}`);
      stage.remove();
    }
  }
  return { frames, names, milliseconds: 0 };
}

/** An option in two frames: without and with it. */
interface OptionPicture {
  readonly name: string;
  /** Name of a built-in motion, or what hands do. */
  readonly motion: string | { readonly touch: TouchKind };
  /** Name of a built-in character, or one that was made for the picture. */
  readonly character: string | Pick<DemoFile, 'name' | 'bytes'>;
  /** What is done to the motion before, so that it has what the option repairs. */
  readonly change?: (motion: OpenFile) => void;
  readonly without: Omit<RetargetMotionsOptions, 'output'>;
  readonly with: Omit<RetargetMotionsOptions, 'output'>;
  /** Moment, as a part of the clip. */
  readonly at: number;
  readonly view: 'front' | 'side';
  readonly zoom?: Zoom;
}

const IN_PLACE = { root: 'in-place' } as const;

/** Raises a motion of a file by meters. */
function raise(file: OpenFile, meters: number): void {
  const { humanoid, index } = tryFindHumanoid(file)!;
  for (const { target, path, values } of file.asset.clips[0].clips[index].tracks) {
    if (target !== humanoid.map.nodes[BONE.hips] || path !== 'translation') continue;
    for (let k = 1; k < values.length; k += 3) values[k] += meters / humanoid.metersPerUnit;
  }
}

/** Turns a bone of a motion about an axis between two parts of the clip. */
function turn(file: OpenFile, bone: BoneName, axis: readonly number[], degrees: number, from = 0, to = 1): void {
  const { humanoid, index } = tryFindHumanoid(file)!;
  const clip = file.asset.clips[0].clips[index];
  const more = new Float64Array(4);
  quat.fromAxisAngle(more, 0, axis, 0, (degrees * Math.PI) / 180);
  for (const { target, path, times, values } of clip.tracks) {
    if (target !== humanoid.map.nodes[BONE[bone]] || path !== 'rotation') continue;
    for (let k = 0; k < times.length; k++) {
      if (times[k] < from * clip.duration || times[k] > to * clip.duration) continue;
      quat.multiply(values, 4 * k, values, 4 * k, more, 0);
    }
  }
}

/** Makes a file in which hands touch something. */
async function touchFile(touch: TouchKind): Promise<Pick<DemoFile, 'name' | 'bytes'>> {
  const clip = touchMotion(touch, await demoBody());
  const bytes = glbBytes(characterDocument(makeCharacter({}), { color: [0.5, 0.5, 0.5], clips: [clip] }));
  return { name: `${touch}.glb`, bytes: () => bytes };
}

/**
 * Makes a character whose right forearm is skinned as usual where there is a twist joint: to the elbow, the twist joint in the middle, and the hand at the
 * wrist. Built-in bodies have rigid forearms. Stripes along it show what the skin does: a round sleeve that turns about its axis looks the same.
 */
function stripedForearm(): Pick<DemoFile, 'name' | 'bytes'> {
  // In the T-pose the forearm is along x.
  const character = makeCharacter({ ...UNREAL_RIG, bindPose: {} });
  const mesh = makeMesh(character, [0.35, 0.1, 0.05], 4);
  const { bones, joints, skeleton } = character;
  const [elbow, wrist] = [bones[BONE.rightLowerArm], bones[BONE.rightHand]];
  const chain = [elbow, skeleton.names.indexOf('lowerarm_twist_01_r'), wrist];
  const between = (from: number, to: number, value: number): number =>
    Math.min(1, Math.max(0, (value - from) / (to - from)));
  for (let v = 0; v < mesh.positions.length / 3; v++) {
    if (mesh.nodes[4 * v] !== elbow) continue;
    const [x, y, z] = mesh.positions.subarray(3 * v).map((value, axis) => value - joints[3 * elbow + axis]);
    const along = x / (joints[3 * wrist] - joints[3 * elbow]);
    const [twist, hand] = [between(0.1, 0.5, along), between(0.7, 1, along)];
    mesh.nodes.set(chain, 4 * v);
    mesh.weights.set([1 - twist, twist - hand, hand], 4 * v);
    if (Math.floor((8 * Math.atan2(y, z)) / Math.PI + 0.5) % 2 === 0) mesh.colors.set([235, 225, 205], 4 * v);
  }
  const costume = { mesh, material: 'stripes', roughness: 0.75, metalness: 0 };
  return { name: 'striped.glb', bytes: () => glbBytes(characterDocument(character, { costume })) };
}

const OPTIONS: readonly OptionPicture[] = [
  {
    name: 'contacts',
    motion: 'walk.glb',
    character: 'robot.glb',
    without: { contacts: 'off', edits: IN_PLACE },
    with: { edits: IN_PLACE },
    at: 0.55,
    view: 'side',
    zoom: { x: 0.5, y: 0.8, by: 3 },
  },
  {
    name: 'selfCollision',
    motion: 'dance.vrma',
    character: 'chibi.vrm',
    without: { selfCollision: 'off', edits: IN_PLACE },
    with: { edits: IN_PLACE },
    at: 0.75,
    view: 'front',
    zoom: { x: 0.5, y: 0.4, by: 1.8 },
  },
  {
    name: 'hands',
    motion: { touch: 'clap' },
    character: 'chibi.vrm',
    without: { hands: false },
    with: {},
    at: 0.5,
    view: 'front',
    zoom: { x: 0.5, y: 0.4, by: 2.4 },
  },
  {
    name: 'face',
    motion: 'wave.vrma',
    character: 'chibi.vrm',
    without: { face: false },
    with: {},
    at: 0.5,
    view: 'front',
    zoom: { x: 0.5, y: 0.3, by: 2.4 },
  },
  {
    name: 'twist',
    motion: 'wave.vrma',
    character: stripedForearm(),
    change: (motion) => turn(motion, 'rightHand', [1, 0, 0], 120),
    without: { channels: { twist: false } },
    with: {},
    at: 0.5,
    view: 'front',
    zoom: { x: 0.39, y: 0.19, by: 4.2 },
  },
  {
    name: 'ground',
    motion: 'dance.vrma',
    character: 'runner.glb',
    change: (motion) => raise(motion, 0.25),
    without: {},
    with: { edits: { ground: 'fit' } },
    at: 0.3,
    view: 'front',
  },
  {
    name: 'clean',
    motion: 'walk.glb',
    character: 'runner.glb',
    change: (motion) => turn(motion, 'leftUpperArm', [0, 0, 1], 75, 0.48, 0.52),
    without: { edits: IN_PLACE },
    with: { edits: { ...IN_PLACE, clean: true } },
    at: 0.5,
    view: 'front',
  },
  {
    name: 'hipsScale',
    motion: 'walk.glb',
    character: 'kid.vrm',
    without: { channels: { hipsScale: 'hips' } },
    with: { channels: { hipsScale: 1 } },
    at: 0.97,
    view: 'side',
  },
  {
    name: 'armSpace',
    motion: 'walk.glb',
    character: 'runner.glb',
    without: { edits: IN_PLACE },
    with: { armSpace: 25, edits: IN_PLACE },
    at: 0.1,
    view: 'front',
  },
  {
    name: 'legSpace',
    motion: 'walk.glb',
    character: 'robot.glb',
    without: { edits: IN_PLACE },
    with: { legSpace: 12, edits: IN_PLACE },
    at: 0.1,
    view: 'front',
  },
  {
    name: 'root',
    motion: 'walk.glb',
    character: 'runner.glb',
    without: {},
    with: { edits: IN_PLACE },
    at: 0.97,
    view: 'side',
  },
  {
    name: 'mirror',
    motion: 'wave.vrma',
    character: 'chibi.vrm',
    without: { edits: IN_PLACE },
    with: { edits: { ...IN_PLACE, mirror: true } },
    at: 0.5,
    view: 'front',
  },
];

/** Draws each option as two pictures beside each other, from one place of the camera. */
async function drawOptions(): Promise<Pictures> {
  const [width, height] = [128, 112];
  const frames: string[] = [];
  const one = (name: string, all: readonly DemoFile[]): DemoFile => {
    const found = all.find((file) => file.name === name);
    if (found === undefined) throw new Error(`There is no ${name}; expected one of ${all.map((file) => file.name)}.`);
    return found;
  };
  for (const { motion, character, change, without, with: changed, at, view, zoom } of OPTIONS) {
    const { x, y, by } = zoom ?? WHOLE;
    const stage = createStage(2 * width, 2 * height);
    stage.follow = false;
    stage.layout = 'overlay';
    const walk = typeof motion === 'string' ? one(motion, MOTIONS) : await touchFile(motion.touch);
    const hero = typeof character === 'string' ? one(character, CHARACTERS) : character;
    await add(stage, walk, hero, without, 'without', change);
    await add(stage, walk, hero, changed, 'with', change);
    stage.view = view;
    stage.frameAll();
    const canvas = new OffscreenCanvas(2 * width, height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.imageSmoothingQuality = 'high';
    // The property of the stage moves the camera, too.
    const world = Reflect.get(stage, 'world') as { focused: string | null };
    for (const [k, id] of ['without', 'with'].entries()) {
      world.focused = id;
      stage.currentTime = at * stage.duration;
      const drawn = await createImageBitmap(await stage.snapshot(4 * by * width, 4 * by * height));
      const [left, top] = [by * x - 0.5, by * y - 0.5].map((part) => Math.min(by - 1, Math.max(0, part)));
      const from = [4 * left * width, 4 * top * height, 4 * width, 4 * height] as const;
      context.drawImage(drawn, ...from, k * width, 0, width, height);
      drawn.close();
    }
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: QUALITY });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    frames.push(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')));
    stage.remove();
  }
  return { frames, names: OPTIONS.map(({ name }) => name), milliseconds: 0 };
}

/** Draws the pictures of the job beside the page. */
export async function run(): Promise<Pictures> {
  const job = (await (await fetch('/job.json')).json()) as PictureJob;
  if (job.kind === 'options') return drawOptions();
  return job.kind === 'hero' ? drawHero(job) : drawGallery();
}
