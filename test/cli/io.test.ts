import { describe, expect, it } from 'vitest';
import { oneLine, stylesFor } from '../../src/cli/io.ts';
import { keptIo } from './run-here.ts';

describe('stylesFor', () => {
  const styled = async (options: Parameters<typeof keptIo>[0]): Promise<string> => {
    const { io } = keptIo(options);
    return (await stylesFor(io.stdout, io))('red', 'text');
  };

  it('colors for a terminal only, and not against the wish of the user', async () => {
    expect(await styled({ terminal: true })).toBe('\u001b[31mtext\u001b[39m');
    expect(await styled({ terminal: false })).toBe('text');
    expect(await styled({ terminal: true, env: { NO_COLOR: '1' } })).toBe('text');
    expect(await styled({ terminal: true, env: { TERM: 'dumb' } })).toBe('text');
  });
});

it('oneLine leaves nothing that a terminal would obey', () => {
  expect(oneLine('a\r\n\tb\u001b[31mc\u0085d\u2028e')).toBe('a b [31mc d e');
  expect(oneLine('日本 é')).toBe('日本 é');
});
