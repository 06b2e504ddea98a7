/** How the page shows things: kept between visits, not undone. */
import { signal } from '@preact/signals';
import type { AnyrigStage } from 'anyrig/stage';
import type { Language } from './strings.ts';

/** What the right panel shows. */
export type Tab = 'files' | 'motion' | 'map' | 'pose' | 'export';

export interface View {
  /** Colors; `system` follows the machine. */
  readonly theme: 'system' | 'light' | 'dark';
  readonly language: Language;
  /** What the right panel shows. */
  readonly tab: Tab;
  /** Whether figures are side by side or on one spot. */
  readonly layout: 'row' | 'overlay';
  readonly camera: 'orbit' | 'front' | 'side' | 'top';
  readonly follow: boolean;
  readonly show: {
    readonly mesh: boolean;
    /** The motion's own figure, beside the characters. */
    readonly source: boolean;
    readonly skeleton: boolean;
    readonly rest: boolean;
    readonly trails: boolean;
    readonly marks: boolean;
  };
  /** Draws figures in one height. */
  readonly equalHeights: boolean;
  readonly isQualityOpen: boolean;
  /** What colors of joints mean. */
  readonly colors: 'confidence' | 'error';
}

const narrow = globalThis.matchMedia?.('(width < 900px)');

/** Tells whether the page has one column: phones and narrow windows. The files are one of the panels then. */
export const isNarrow = signal(narrow?.matches ?? false);
narrow?.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches;
});

/** Id of the figure whose reference pose is edited: it stays in that pose; null for none. */
export const posed = signal<string | null>(null);

function preferredLanguage(): Language {
  return globalThis.navigator?.language?.startsWith('ja') ? 'ja' : 'en';
}

/** Settings of a first visit. */
const DEFAULT_VIEW: View = {
  theme: 'system',
  language: preferredLanguage(),
  tab: 'motion',
  layout: 'row',
  camera: 'orbit',
  follow: true,
  show: { mesh: true, source: false, skeleton: false, rest: false, trails: false, marks: false },
  equalHeights: false,
  isQualityOpen: false,
  colors: 'confidence',
};

export const view = signal<View>(DEFAULT_VIEW);

export function changeView(changes: Partial<View>): void {
  view.value = { ...view.peek(), ...changes };
}

/**
 * Moves the camera to a view of all figures; `orbit` is the view from the front and a little above that it starts with. `stage`: the stage; null
 * before it is on the page.
 */
export function lookFrom(stage: AnyrigStage | null, camera: View['camera']): void {
  changeView({ camera });
  if (stage !== null) stage.view = camera;
}

/** Draws the skeletons, whose joints can be clicked. */
export function showSkeleton(): void {
  const { show } = view.peek();
  if (!show.skeleton) changeView({ show: { ...show, skeleton: true } });
}
