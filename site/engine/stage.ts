/** A stage on a page of the site. */
import { type AnyrigStage, defineStage } from 'anyrig/stage';
import type { Shown } from './worker.ts';

/** Puts an empty stage into an element. */
export function createStage(host: Element, theme: 'light' | 'dark'): AnyrigStage {
  defineStage();
  const stage = document.createElement('anyrig-stage') as AnyrigStage;
  stage.theme = theme;
  stage.loop = true;
  stage.show = { trails: false, marks: false, labels: false };
  host.append(stage);
  return stage;
}

/** Shows figures with their clips in a row, in place of those before, and plays them unless the visitor wants less motion. */
export async function showAll(stage: AnyrigStage, all: readonly Shown[]): Promise<void> {
  for (const id of stage.figures) if (!all.some(({ figure }) => figure.id === id)) stage.removeFigure(id);
  for (const { figure, clip } of all) {
    await stage.addFigure(figure);
    stage.setClip(figure.id, clip);
  }
  // What walks away alone stays in view.
  stage.follow = all.length === 1;
  stage.frameAll();
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) stage.play();
}
