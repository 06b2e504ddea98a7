import { AnyrigStage } from './element.ts';

/**
 * Defines the custom element. Calling it again does nothing.
 *
 * @example
 * defineStage();
 * const stage = document.querySelector('anyrig-stage');
 * await stage.addFigure({ id: 'hero', glb: new Uint8Array(await (await fetch('hero.glb')).arrayBuffer()) });
 */
export function defineStage(): void {
  if (customElements.get('anyrig-stage') === undefined) customElements.define('anyrig-stage', AnyrigStage);
}

declare global {
  interface HTMLElementTagNameMap {
    'anyrig-stage': AnyrigStage;
  }
}
