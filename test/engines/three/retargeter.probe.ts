/** Updates a retargeter once, to measure its allocations. */

import { DEMO_CHARACTERS } from '../../../src/demo/index.ts';
import { createRetargeter } from '../../../src/engines/three/index.ts';
import { loadBytes } from './scenes.ts';

const [source, target] = await Promise.all(
  [DEMO_CHARACTERS[0], DEMO_CHARACTERS[4]].map(({ name, bytes }) => loadBytes(name, bytes())),
);
const retargeter = createRetargeter(source.root, target.root);

export function call(): void {
  retargeter.update(1 / 60);
}
