import type { Object3D } from 'three';
import type {
  StageClip,
  StageEventMap,
  StageFigure,
  StageLayout,
  StageShow,
  StageTheme,
  StageViewpoint,
} from './contract.ts';
import type { Figure } from './figure/figure.ts';
import { FigureElement } from './figure-element.ts';
import type { Extent } from './layout.ts';
import { createSheet, readColors } from './styles.ts';
import { RenderLoop } from './view/render-loop.ts';
import { createRenderer } from './view/renderer.ts';
import { Viewport } from './viewport.ts';

/** Change of the space that figures need, by their height, from which they are framed anew. */
const OUTGROWN = 0.06;
const LAYOUTS: readonly StageLayout[] = ['row', 'overlay'];
const VIEWS: readonly StageViewpoint[] = ['orbit', 'front', 'side', 'top'];
const THEMES: readonly StageTheme[] = ['light', 'dark'];
const SHOWN: StageShow = {
  mesh: true,
  skeleton: false,
  ground: true,
  labels: true,
  trails: false,
  marks: false,
  rest: false,
};

function oneOf<Value extends string>(name: string, values: readonly Value[], value: string): Value {
  const found = values.find((one) => one === value);
  if (found !== undefined) return found;
  throw new TypeError(`${name} is ${JSON.stringify(value)}. Expected one of: ${values.join(', ')}.`);
}

/** What a stage says instead of a picture. */
const NO_WEBGL = 'This browser has no WebGL 2, or it is turned off: there is no picture.';

/** Creates what is in the place of a picture. */
function createNotice(): HTMLElement {
  const notice = document.createElement('p');
  notice.className = 'notice';
  const words = document.createElement('slot');
  words.name = 'no-webgl';
  words.textContent = NO_WEBGL;
  notice.append(words);
  return notice;
}

/**
 * `<anyrig-stage>`: shows characters and their motions side by side, on one clock that plays like an HTMLMediaElement. It requests nothing
 * from the network and works under a CSP without `unsafe-inline`. Attributes: `layout`, `view`, `theme`, `follow`, `aria-label`.
 * When it is removed from the document, its figures and everything on the GPU are freed. Where the browser has no WebGL 2 it says so, in the words of
 * an element with `slot="no-webgl"` if there is one.
 */
export class AnyrigStage extends FigureElement {
  /** Attributes that set properties. */
  static readonly observedAttributes: readonly string[] = ['layout', 'view', 'theme', 'follow', 'aria-label'];

  readonly #loop: RenderLoop = new RenderLoop(
    (elapsed) => this.#frame(elapsed),
    () => !this.paused && this.duration > 0,
  );
  #viewport: Viewport | null = null;
  #view: StageViewpoint = 'orbit';
  #follow = false;
  #framed: Extent = { min: [0, 0, 0], max: [0, 0, 0] };
  #show: StageShow = SHOWN;

  /** Creates an empty stage. Call {@link defineStage} first. */
  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [createSheet()];
  }

  /** Starts rendering. Called by the browser when the element is in a document. */
  connectedCallback(): void {
    if (this.#viewport !== null) return;
    const root = this.shadowRoot as ShadowRoot;
    const renderer = createRenderer();
    root.replaceChildren(...(renderer === null ? [createNotice()] : []));
    if (renderer === null) return;
    this.#viewport = new Viewport(root, renderer, this.world, {
      onChange: () => this.#loop.request(),
      onUserMove: () => this.#leaveView(),
      onFrameAll: () => this.frameAll(),
      onResize: () => {
        this.world.isPortrait = this.clientHeight > this.clientWidth;
        if (this.#viewport?.rig.isMoved === false) this.frameAll();
      },
      onPick: (figure, joint) => {
        const detail = { figure: figure.id, node: figure.skeleton.joints.nodes[joint] };
        this.dispatchEvent(new CustomEvent('jointpick', { detail }));
      },
      onRotate: (done) => this.#reportRotation(done),
    });
    this.world.recolor(readColors(this));
    this.frameAll();
  }

  /** Frees everything, unless the element was only moved. Called by the browser. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#loop.stop();
      this.pause();
      this.edited = null;
      this.#viewport?.dispose();
      this.#viewport = null;
      this.world.dispose();
      this.figuresChanged();
    });
  }

  /**
   * Takes over an attribute. Called by the browser.
   *
   * @param name Name of the attribute.
   * @param _before Value before.
   * @param value Value now; null when it was removed.
   */
  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    if (name === 'layout') this.layout = (value ?? 'row') as StageLayout;
    else if (name === 'view') this.view = (value ?? 'orbit') as StageViewpoint;
    else if (name === 'follow') this.follow = value !== null;
    else if (name === 'theme') this.#recolor();
    else this.#loop.request();
  }

  /** How figures are arranged: `row` (side by side) by default, or `overlay` (on one spot). */
  get layout(): StageLayout {
    return this.world.layout;
  }

  /** Arranges the figures. */
  set layout(layout: StageLayout) {
    this.world.layout = oneOf('layout', LAYOUTS, layout);
    this.figuresChanged();
  }

  /** Ids of figures from left to right, within their row; figures that are not named follow in the order in which they were added. Empty by default. */
  get order(): readonly string[] {
    return this.world.order;
  }

  /** Orders the figures of a row. Sources stay left of results. */
  set order(ids: readonly string[]) {
    if (ids.join('\n') === this.world.order.join('\n')) return;
    this.world.order = [...ids];
    this.figuresChanged();
  }

  /** Id of the figure that is shown alone; null (default) for all. It may be added later. */
  get focused(): string | null {
    return this.world.focused;
  }

  /** Shows one figure, or all again, and moves the camera to what is shown. */
  set focused(id: string | null) {
    if (id === this.world.focused) return;
    this.world.focused = id;
    this.frameAll();
  }

  /** Draws figures as tall as the first result; false by default. */
  get equalHeights(): boolean {
    return this.world.equalHeights;
  }

  /** Draws figures in one height, or in that of their files. */
  set equalHeights(isEqual: boolean) {
    if (isEqual === this.world.equalHeights) return;
    this.world.equalHeights = isEqual;
    this.figuresChanged();
  }

  /** Where the camera is. Setting it frames all figures; it becomes `orbit` when the user rotates the camera. */
  get view(): StageViewpoint {
    return this.#view;
  }

  /** Moves the camera so that it sees all figures from a direction. */
  set view(view: StageViewpoint) {
    this.#view = oneOf('view', VIEWS, view);
    this.#viewport?.rig.forgetMove();
    this.frameAll();
  }

  /** Whether the camera moves along with the hips of the first result. */
  get follow(): boolean {
    return this.#follow;
  }

  /** Starts or ends following. */
  set follow(follow: boolean) {
    this.#follow = follow;
    if (this.#viewport?.rig.isMoved === false && this.#isOutgrown()) this.frameAll();
    this.#loop.request();
  }

  /** Colors: `light` by default, or `dark`. Reflected as attribute. */
  get theme(): StageTheme {
    return this.getAttribute('theme') === 'dark' ? 'dark' : 'light';
  }

  /** Changes the colors. */
  set theme(theme: StageTheme) {
    this.setAttribute('theme', oneOf('theme', THEMES, theme));
  }

  /** What is drawn. Setting some of the fields leaves the others as they are. */
  get show(): StageShow {
    return this.#show;
  }

  /** Changes what is drawn; fields that are not set stay as they are. */
  set show(show: Partial<StageShow>) {
    this.#show = { ...this.#show, ...show };
    this.#loop.request();
  }

  /** Moves the camera so that it sees all figures, or the focused one, in the direction of `view`. */
  frameAll(): void {
    this.world.update(this.currentTime, this.#show);
    this.#framed = this.world.extent(this.#isFollowing);
    this.#viewport?.frame(this.#framed, this.#view);
    this.#loop.request();
  }

  /**
   * Takes a picture.
   *
   * @param width Pixels; the width of the element by default.
   * @param height Pixels; the height of the element by default.
   * @returns A PNG with the background, without texts.
   * @throws Error If the element is not in a document, or the browser has no WebGL 2.
   */
  async snapshot(width: number = this.clientWidth, height: number = this.clientHeight): Promise<Blob> {
    const viewport = this.#connected();
    this.#frame(0);
    return viewport.snapshot(width, height);
  }

  /**
   * Draws a figure that is not on the stage: a thumbnail.
   *
   * @param clip What it plays; null for its rest pose.
   * @param times Moments of the clip, seconds: a picture each, from left to right.
   * @param size Pixels along a side of each picture.
   * @returns A PNG of `times.length` squares in a row.
   * @throws Error If the element is not in a document, was removed from it meanwhile, or the browser has no WebGL 2.
   * @throws TypeError If the bytes are not a GLB, or the GLB is compressed with Draco.
   */
  async portrait(figure: StageFigure, clip: StageClip | null, times: readonly number[], size: number): Promise<Blob> {
    const viewport = this.#connected();
    const drawn = await this.world.load(figure, (added) => viewport.prepare(added));
    let picture: OffscreenCanvas;
    try {
      drawn.setClip(clip);
      // The element may have been removed while the figure was loaded.
      picture = this.#connected().portrait(drawn, times, size);
    } finally {
      drawn.dispose();
      if (this.#viewport !== null) this.#frame(0);
    }
    return picture.convertToBlob();
  }

  /**
   * Returns the picture as a video track, for a MediaRecorder.
   *
   * @param fps Frames per second; every frame by default.
   * @returns The stream. Stop its tracks when they are no longer needed.
   * @throws Error If the element is not in a document, or the browser has no WebGL 2.
   */
  captureStream(fps?: number): MediaStream {
    return this.#connected().canvas.captureStream(fps);
  }

  override addEventListener<Type extends keyof StageEventMap>(
    type: Type,
    listener: (event: StageEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  /**
   * Adds a listener.
   *
   * @param type Name of the event: those of {@link StageEventMap} and of every element.
   * @param listener What is called.
   * @param options As for every element.
   */
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener, options);
  }

  /** @internal */
  protected override clockChanged(): void {
    this.#loop.request();
  }

  /** @internal */
  protected override requestFrame(): void {
    this.#loop.request();
  }

  /** @internal */
  protected override figuresChanged(): void {
    this.clock.duration = this.world.duration;
    if (this.#viewport?.rig.isMoved === false) this.frameAll();
    this.#loop.request();
  }

  /** @internal */
  protected override clipChanged(): void {
    this.clock.duration = this.world.duration;
    this.world.arrange();
    if (this.#viewport?.rig.isMoved === false && this.#isOutgrown()) this.frameAll();
    this.#loop.request();
  }

  /** @internal */
  protected override async prepareFigure(figure: Figure): Promise<void> {
    await this.#viewport?.prepare(figure);
  }

  /** @internal */
  protected override showGizmo(object: Object3D | null): void {
    this.#viewport?.gizmo.attach(object);
  }

  /** Poses and draws everything. */
  #frame(elapsed: number): void {
    this.clock.advance(elapsed);
    this.world.update(this.currentTime, this.#show);
    const followed = this.#isFollowing ? this.world.main : null;
    this.#viewport?.describe(this.getAttribute('aria-label') ?? this.#description());
    this.#viewport?.render(followed, elapsed, this.#show.labels);
  }

  /** Says what is shown and how to move the camera. */
  #description(): string {
    const names = this.world.figures.map(({ id, label }) => label || id).join(', ') || 'empty';
    return `3D view: ${names}. Arrow keys, with Shift where the page uses them, rotate the camera; plus and minus zoom, Home shows everything.`;
  }

  /** Tells whether the camera moves along: small ways stay in the picture anyway. */
  get #isFollowing(): boolean {
    return this.#follow && this.world.isTraveling;
  }

  /** Tells whether the figures need clearly more or less space than what was framed. */
  #isOutgrown(): boolean {
    const size = ({ min, max }: Extent): number[] => max.map((value, c) => value - min[c]);
    const [before, now] = [size(this.#framed), size(this.world.extent(this.#isFollowing))];
    const height = Math.max(before[1], now[1]);
    return now.some((value, c) => Math.abs(value - before[c]) > OUTGROWN * height);
  }

  #connected(): Viewport {
    if (!this.isConnected) throw new Error('The stage is not in a document. Append it first.');
    if (this.#viewport === null) throw new Error(NO_WEBGL);
    return this.#viewport;
  }

  #leaveView(): void {
    if (this.#view === 'orbit') return;
    this.#view = 'orbit';
    this.dispatchEvent(new Event('viewchange'));
  }

  #recolor(): void {
    if (this.#viewport === null) return;
    this.world.recolor(readColors(this));
    this.#loop.request();
  }

  #reportRotation(done: boolean): void {
    if (this.edited === null) return;
    const { figure, node } = this.edited;
    const { x, y, z, w } = figure.nodes[node].quaternion;
    const rotation = [x, y, z, w] as const;
    figure.player.edit({ node, rotation });
    this.dispatchEvent(new CustomEvent('jointrotate', { detail: { figure: figure.id, node, rotation, done } }));
  }
}
