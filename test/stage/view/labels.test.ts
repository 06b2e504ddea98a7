import { PerspectiveCamera, type Vector3 } from 'three';
import { afterEach, expect, it, vi } from 'vitest';
import { Labels } from '../../../src/stage/view/labels.ts';

afterEach(() => vi.unstubAllGlobals());

/** Returns the texts that are drawn beside two joints at one height, the second 60 pixels right of the first. */
function drawn(...texts: readonly [string, string]): string[] {
  const elements: { textContent: string; hidden: boolean; className: string }[] = [];
  const createElement = () => ({ style: {}, textContent: '', hidden: false, className: '' });
  vi.stubGlobal('document', { createElement });
  const parent = { append: (element: (typeof elements)[number]) => elements.push(element) };
  // 1000 pixels are 2 units at this distance.
  const camera = new PerspectiveCamera(90, 1, 0.1, 10);
  camera.position.z = 1;
  camera.updateMatrixWorld();
  const at = (joint: number, out: Vector3): Vector3 => out.set(0.1 + 0.12 * joint, 0, 0);
  new Labels(parent as unknown as ShadowRoot).updateJoints([{ labels: texts, at }], camera, 1000, 1000);
  const names = elements.filter(({ className, hidden }) => className.includes('joint-name') && !hidden);
  return names.map(({ textContent }) => textContent);
}

it('a text beside a joint that would overlap an earlier one is left out', () => {
  expect(drawn('12345678', 'b')).toEqual(['12345678', 'b']);
  expect(drawn('12345678901', 'b')).toEqual(['12345678901']);
});

it('kanji are as wide as high', () => {
  expect(drawn('左手', 'b')).toEqual(['左手', 'b']);
  expect(drawn('左手首捩先右', 'b')).toEqual(['左手首捩先右']);
});
