import { describe, expect, it } from 'vitest';
import { oneLine, stylesFor } from '../../src/cli/io.ts';
import { recordIo } from './run-here.ts';

describe('stylesFor', () => {
  const styled = async (options: Parameters<typeof recordIo>[0]): Promise<string> => {
    const { io } = recordIo(options);
    return (await stylesFor(io.stdout, io))('red', 'text');
  };

  it('colors only for a terminal, and respects NO_COLOR and TERM', async () => {
    expect(await styled({ terminal: true })).toBe('\u001b[31mtext\u001b[39m');
    expect(await styled({ terminal: false })).toBe('text');
    expect(await styled({ terminal: true, env: { NO_COLOR: '1' } })).toBe('text');
    expect(await styled({ terminal: true, env: { TERM: 'dumb' } })).toBe('text');
  });
});

it('oneLine: strips terminal control sequences', () => {
  expect(oneLine('a\r\n\tb\u001b[31mc\u0085d\u2028e')).toBe('a b [31mc d e');
  expect(oneLine('日本 é')).toBe('日本 é');
});
