import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { copyText } from '../../../src/core/text/copy-text.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';

it.each(['', 'short', 'mixamorig:LeftUpperArm', '骨'.repeat(9000), `${'a'.repeat(4095)}\u{1f600}${'b'.repeat(5000)}`])(
  'copyText: returns an equal text (%#)',
  (text) => {
    expect(copyText(text)).toBe(text);
    expect(copyText(`<<${text}>>`.slice(2, -2))).toBe(text);
  },
);

it.runIf(IS_FULL_RUN)('copyText: releases the text that the copy was cut from', () => {
  const code = `
    import { copyText } from ${JSON.stringify(new URL('../../../src/core/text/copy-text.ts', import.meta.url).href)};
    const names = [];
    for (let k = 0; k < 20; k++) names.push(copyText(String.fromCharCode(65 + k).repeat(4e6).slice(7, 107)));
    gc();
    console.log(names.length, process.memoryUsage().heapUsed < 40e6);
  `;
  const node = ['--expose-gc', '--import', import.meta.resolve('tsx'), '--input-type=module', '-e', code];
  expect(execFileSync(process.execPath, node, { encoding: 'utf8' })).toBe('20 true\n');
});
