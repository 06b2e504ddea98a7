/** Styles of a stage. Constructed style sheets need no `unsafe-inline` in a CSP. */
import { Color } from 'three';

/** Custom properties with the colors of a stage; a page may set them on the element. */
const PROPERTIES = {
  background: '--anyrig-stage-background',
  grid: '--anyrig-stage-grid',
  skeleton: '--anyrig-stage-skeleton',
  ghost: '--anyrig-stage-ghost',
} as const;

/** Colors of a stage. */
export type StageColors = Readonly<Record<keyof typeof PROPERTIES, Color>>;

const CSS = `
:host {
  display: block;
  position: relative;
  overflow: hidden;
  min-height: 120px;
  --anyrig-stage-background: #e9ebf0;
  --anyrig-stage-grid: #ffffff;
  --anyrig-stage-skeleton: #2563eb;
  --anyrig-stage-ghost: #7c3aed;
  --anyrig-stage-text: #1f2937;
  --anyrig-stage-label: rgb(255 255 255 / 0.82);
  --anyrig-stage-focus: #2563eb;
  background: var(--anyrig-stage-background);
  color: var(--anyrig-stage-text);
}
:host([theme='dark']) {
  --anyrig-stage-background: #14161c;
  --anyrig-stage-grid: #3a3f4c;
  --anyrig-stage-skeleton: #7dd3fc;
  --anyrig-stage-ghost: #c4b5fd;
  --anyrig-stage-text: #e5e7eb;
  --anyrig-stage-label: rgb(20 23 28 / 0.82);
  --anyrig-stage-focus: #7dd3fc;
}
:host([hidden]) { display: none; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; outline: none; touch-action: none; }
canvas:focus-visible { outline: 2px solid var(--anyrig-stage-focus); outline-offset: -2px; }
.notice { position: absolute; inset: 0; margin: auto; width: fit-content; height: fit-content; padding: 16px; font: 14px/1.5 system-ui, sans-serif; text-align: center; text-wrap: balance; }
.label {
  position: absolute;
  left: 0;
  top: 0;
  padding: 2px 8px;
  border-radius: 4px;
  font: 12px/1.5 system-ui, sans-serif;
  white-space: nowrap;
  pointer-events: none;
  background: var(--anyrig-stage-label);
  will-change: transform;
}
.joint { font-weight: 600; z-index: 1; }
.joint-name { padding: 0 3px; font-size: 10.5px; line-height: 16px; }
[hidden] { display: none; }
`;

export function createSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}

export function readColors(element: Element): StageColors {
  const style = getComputedStyle(element);
  const read = (name: string): Color => new Color(style.getPropertyValue(name).trim() || '#888888');
  return {
    background: read(PROPERTIES.background),
    grid: read(PROPERTIES.grid),
    skeleton: read(PROPERTIES.skeleton),
    ghost: read(PROPERTIES.ghost),
  };
}
