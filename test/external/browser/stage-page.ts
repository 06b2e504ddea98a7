/** A page with a stage: shows what the test asks for, moves pointer and keys, and returns what it saw. */
import { type AnyrigStage, defineStage, type StageClip, type StageFigure } from 'anyrig/stage';
import { type Camera, type Mesh, type Object3D, Vector3, type WebGLRenderer } from 'three';

/** A figure and its clip; numbers are plain arrays, because the page receives them as JSON. */
export interface PageFigure extends Omit<StageFigure, 'glb'> {
  readonly file: string;
  readonly clip?: StageClip;
}

/** What the page is asked to show. */
export interface PageOrder {
  readonly figures: readonly PageFigure[];
  /** Moment at which vertices are read, seconds. */
  readonly time: number;
}

/** Vertices of a primitive: world, meters; every `step`-th vertex, xyz. */
export interface PagePart {
  readonly figure: string;
  readonly node: number;
  readonly primitive: number;
  readonly step: number;
  readonly positions: readonly number[];
}

/** Result of the page. */
export interface PageResult {
  readonly parts: readonly PagePart[];
  /** Seconds: with all figures, and after the stage was removed. */
  readonly durationWhenShown: number;
  readonly duration: number;
  readonly events: readonly string[];
  /** Joint that was clicked, the one that was projected there, and the text at the pointer. */
  readonly pick: { readonly asked: number; readonly found: unknown; readonly text: string };
  /** Rotation by the gizmo. */
  readonly gizmo: { readonly events: number; readonly done: boolean; readonly angle: number };
  /** Whether keys of the camera and of the page were taken. */
  readonly keys: Readonly<Record<string, boolean>>;
  /** Frames that were drawn in half a second without a change, and during playback. */
  readonly idleFrames: number;
  readonly playedFrames: number;
  /** Rows in which the figures stand while the stage is wider than high, and higher than wide. */
  readonly rows: readonly number[];
  /** Pictures as data URLs, by name. */
  readonly pictures: Readonly<Record<string, string>>;
  /** Geometries, textures and programs on the GPU after 5 and after 50 times adding and removing a figure. */
  readonly memory: readonly (readonly number[])[];
  /** Violations of the content security policy, errors of the console, and requests of the stage. */
  readonly violations: readonly string[];
  readonly errors: readonly string[];
  readonly requests: readonly string[];
  /** After the stage was moved in the document, and after it was removed. */
  readonly figuresWhenMoved: number;
  readonly figuresWhenRemoved: number;
}

interface Inside {
  readonly world: {
    readonly figures: readonly { readonly id: string; readonly nodes: readonly Object3D[]; readonly group: Object3D }[];
  };
}

const errors: string[] = [];
const violations: string[] = [];
const renderers: WebGLRenderer[] = [];
console.error = (...text: unknown[]) => void errors.push(text.join(' '));
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  violations.push(`${violatedDirective} ${blockedURI}`);
});
// Renderers of three.js introduce themselves to the developer tools.
const tools = new EventTarget();
tools.addEventListener('observe', (event) => {
  const { detail } = event as CustomEvent<object>;
  if ('domElement' in detail) renderers.push(detail as WebGLRenderer);
});
Object.assign(globalThis, { __THREE_DEVTOOLS__: tools });

async function bytesOf(name: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(`/${name}`)).arrayBuffer());
}

function frames(count: number): Promise<void> {
  return new Promise((resolve) => {
    const next = (left: number): unknown => (left === 0 ? resolve() : requestAnimationFrame(() => next(left - 1)));
    next(count);
  });
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsDataURL(blob);
  });
}

/** Lists the meshes of a node, without those of the nodes below. */
function primitivesOf(object: Object3D, isNode: ReadonlySet<Object3D>): Mesh[] {
  const below = object.children.filter((child) => !isNode.has(child)).flatMap((child) => primitivesOf(child, isNode));
  return 'isMesh' in object ? [object as Mesh, ...below] : below;
}

function readParts(stage: AnyrigStage): PagePart[] {
  const point = new Vector3();
  return (stage as unknown as Inside).world.figures.flatMap(({ id, nodes }) => {
    const isNode = new Set(nodes);
    return nodes.flatMap((object, node) =>
      primitivesOf(object, isNode).map((mesh, primitive): PagePart => {
        const { count } = mesh.geometry.attributes['position'];
        const step = Math.max(1, Math.floor(count / 40));
        const positions: number[] = [];
        for (let vertex = 0; vertex < count; vertex += step) {
          mesh.getVertexPosition(vertex, point).applyMatrix4(mesh.matrixWorld);
          positions.push(...point.toArray());
        }
        return { figure: id, node, primitive, step, positions };
      }),
    );
  });
}

function canvasOf(stage: AnyrigStage): HTMLCanvasElement {
  return stage.shadowRoot?.querySelector('canvas') as HTMLCanvasElement;
}

function pointer(stage: AnyrigStage, type: string, x: number, y: number, buttons = 0): void {
  const { left, top } = canvasOf(stage).getBoundingClientRect();
  const at = {
    clientX: left + x,
    clientY: top + y,
    pointerId: 1,
    pointerType: 'mouse',
    button: type === 'pointermove' ? -1 : 0,
    buttons,
  };
  canvasOf(stage).dispatchEvent(new PointerEvent(type, { ...at, bubbles: true, cancelable: true }));
}

/** Clicks a joint at which no other joint is near: the last of the overlay of the first figure. */
async function pickJoint(
  stage: AnyrigStage,
  toPicture: (object: Object3D) => [number, number],
  figure: string,
): Promise<PageResult['pick']> {
  const { nodes } = (stage as unknown as Inside).world.figures.find(({ id }) => id === figure) as {
    readonly nodes: readonly Object3D[];
  };
  const asked = nodes.findIndex(({ name }) => /^(?:mixamorig)?LeftForeArm$/.test(name));
  let found: unknown = null;
  stage.addEventListener('jointpick', ({ detail }) => {
    found = detail;
  });
  const [x, y] = toPicture(nodes[asked]);
  pointer(stage, 'pointermove', x + 2, y);
  await frames(2);
  const text = stage.shadowRoot?.querySelector('.joint')?.textContent ?? '';
  pointer(stage, 'pointerdown', x + 2, y, 1);
  pointer(stage, 'pointerup', x + 2, y);
  return { asked, found, text };
}

/** Drags a ring of the gizmo: tries points around the joint until one is on a ring. */
async function rotateJoint(
  stage: AnyrigStage,
  toPicture: (object: Object3D) => [number, number],
  pick: JointAt,
): Promise<PageResult['gizmo']> {
  const { nodes } = (stage as unknown as Inside).world.figures.find(({ id }) => id === pick.figure) as {
    readonly nodes: readonly Object3D[];
  };
  const before = nodes[pick.node].quaternion.clone();
  let events = 0;
  let done = false;
  let angle = 0;
  stage.addEventListener('jointrotate', ({ detail }) => {
    events++;
    done = detail.done;
    const [a, b, c, d] = detail.rotation;
    angle = 2 * Math.acos(Math.min(1, Math.abs(before.x * a + before.y * b + before.z * c + before.w * d)));
  });
  stage.editJoint(pick.figure, pick.node);
  await frames(2);
  const [x, y] = toPicture(nodes[pick.node]);
  for (let distance = 20; distance < 160 && events === 0; distance += 3) {
    pointer(stage, 'pointermove', x + distance, y);
    pointer(stage, 'pointerdown', x + distance, y, 1);
    pointer(stage, 'pointermove', x + distance + 20, y + 30, 1);
    pointer(stage, 'pointerup', x + distance + 20, y + 30);
  }
  await frames(2);
  stage.editJoint(pick.figure, null);
  return { events, done, angle };
}

interface JointAt {
  readonly figure: string;
  readonly node: number;
}

function pressKeys(stage: AnyrigStage): Record<string, boolean> {
  const taken: Record<string, boolean> = {};
  for (const key of ['ArrowLeft', 'ArrowUp', '+', 'Home', ' ', 'j']) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true });
    canvasOf(stage).dispatchEvent(event);
    taken[key] = event.defaultPrevented;
  }
  return taken;
}

async function show(stage: AnyrigStage, figures: readonly PageFigure[]): Promise<void> {
  for (const { file, clip, ...figure } of figures) {
    await stage.addFigure({ ...figure, glb: await bytesOf(file) });
    if (clip !== undefined) stage.setClip(figure.id, clip);
  }
}

async function takePictures(stage: AnyrigStage, figures: readonly PageFigure[]): Promise<Record<string, string>> {
  const pictures: Record<string, string> = {};
  const take = async (name: string): Promise<void> => {
    pictures[name] = await dataUrl(await stage.snapshot(640, 360));
  };
  await take('light-row');
  stage.theme = 'dark';
  stage.show = { skeleton: true };
  await take('dark-skeleton');
  stage.theme = 'light';
  stage.show = { skeleton: false, rest: true };
  await take('rest-pose');
  stage.show = { rest: false };
  stage.layout = 'overlay';
  stage.view = 'front';
  await take('front-overlay');
  stage.layout = 'row';
  stage.view = 'side';
  const [{ id }] = figures;
  const walk = Float32Array.from({ length: 90 }, (_, k) => [0.1, 0.1 + 0.1 * Math.sin(k), 0.05 * (k / 3)][k % 3]);
  const sole = [-0.2, 0, -0.1, 0.2, 0, -0.1, 0.2, 0, 0.4, -0.2, 0, 0.4];
  stage.setTrails(id, [{ points: walk, color: '#e3734b' }]);
  stage.setPath(
    id,
    walk.map((value, k) => (k % 3 === 1 ? 0 : value)),
  );
  stage.setMarks(id, [{ points: Float32Array.from(sole), from: 0, to: 10, color: '#4cc36b' }]);
  stage.view = 'orbit';
  stage.show = { trails: true, marks: true };
  await take('trails');
  stage.setTrails(id, []);
  stage.setPath(id, null);
  stage.setMarks(id, []);
  return pictures;
}

export async function run(): Promise<PageResult> {
  defineStage();
  const order = JSON.parse(new TextDecoder().decode(await bytesOf('order.json'))) as PageOrder;
  const stage = document.createElement('anyrig-stage');
  Object.assign(stage.style, { position: 'fixed', left: '0', top: '0', width: '800px', height: '450px' });
  document.body.append(stage);
  // Pointers of a script cannot be captured.
  canvasOf(stage).setPointerCapture = () => {};
  const events: string[] = [];
  for (const type of ['play', 'pause', 'ended', 'durationchange'] as const) {
    stage.addEventListener(type, () => events.push(type));
  }
  const [first] = order.figures;
  await show(stage, order.figures);
  stage.currentTime = order.time;
  stage.layout = 'overlay';
  await frames(3);
  const parts = readParts(stage);
  const durationWhenShown = stage.duration;
  stage.layout = 'row';
  const pictures = await takePictures(stage, order.figures);
  const ownFiles = new Set([
    'page.js',
    'start.js',
    'order.json',
    'favicon.ico',
    ...order.figures.map(({ file }) => file),
  ]);
  const requests = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => !ownFiles.has(new URL(name).pathname.slice(1)));

  const [renderer] = renderers;
  let camera: Camera | null = null;
  const render = renderer.render.bind(renderer);
  renderer.render = (scene, seenBy) => {
    camera = seenBy;
    render(scene, seenBy);
  };
  const toPicture = (object: Object3D): [number, number] => {
    const point = new Vector3().setFromMatrixPosition(object.matrixWorld).project(camera as unknown as Camera);
    return [((point.x + 1) / 2) * 800, ((1 - point.y) / 2) * 450];
  };
  stage.view = 'front';
  stage.show = { skeleton: true };
  await frames(3);
  const pick = await pickJoint(stage, toPicture, first.id);
  const gizmo = await rotateJoint(stage, toPicture, { figure: first.id, node: pick.asked });
  const keys = pressKeys(stage);

  // The frame with all pixels, a moment after the last change, belongs to the change.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await frames(3);
  const drawn = (): number => renderer.info.render.frame;
  const before = drawn();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const idleFrames = drawn() - before;
  stage.play();
  await frames(8);
  stage.pause();
  const playedFrames = drawn() - before - idleFrames;
  await frames(2);

  stage.layout = 'row';
  const rows: number[] = [];
  for (const [width, height] of [
    [600, 300],
    [300, 600],
  ]) {
    Object.assign(stage.style, { width: `${width}px`, height: `${height}px` });
    await frames(3);
    rows.push(new Set((stage as unknown as Inside).world.figures.map(({ group }) => group.position.z)).size);
  }

  for (const { id } of order.figures.slice(1)) stage.removeFigure(id);
  const memory: number[][] = [];
  stage.show = { rest: true };
  const glb = await bytesOf(first.file);
  for (let round = 1; round <= 15; round++) {
    await stage.addFigure({ id: 'again', glb });
    await frames(1);
    stage.removeFigure('again');
    const { geometries, textures } = renderer.info.memory;
    if (round === 5 || round === 15) memory.push([geometries, textures, renderer.info.programs?.length ?? 0]);
  }
  const other = document.createElement('div');
  document.body.append(other);
  other.append(stage);
  await frames(1);
  const figuresWhenMoved = stage.figures.length;
  stage.remove();
  await frames(1);
  return {
    parts,
    durationWhenShown,
    duration: stage.duration,
    events,
    pick,
    gizmo,
    keys,
    idleFrames,
    playedFrames,
    rows,
    pictures,
    memory,
    violations,
    errors,
    requests,
    figuresWhenMoved,
    figuresWhenRemoved: stage.figures.length,
  };
}
