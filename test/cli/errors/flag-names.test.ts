import { expect, it } from 'vitest';
import { withFlags } from '../../../src/cli/errors/flag-names.ts';

it.each([
  ['Allow it with the option assetRoot.', 'Allow it with --asset-root.'],
  ['use the option mesh: false to write bones.', 'use --no-mesh to write bones.'],
  ['The option axes of define corrects them.', '--axes of define corrects them.'],
  ['choose with the option clips', 'choose with --clip'],
])('withFlags: names the flag of the option in "%s"', (message, expected) => {
  expect(withFlags(message)).toBe(expected);
});

it('withFlags: keeps options of functions that have no flag', () => {
  const message = 'allow more with the option limits.keys of parseGltf';
  expect(withFlags(message)).toBe(message);
});
