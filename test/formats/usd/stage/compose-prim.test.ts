import { describe, expect, it } from 'vitest';
import { primAt } from '../../../../src/formats/usd/stage/stage.ts';
import { stageOf } from './scene.ts';

describe('composeNames', () => {
  it('lists each name once, those of the weakest opinion first', () => {
    const stage = stageOf(
      'class "C" {\n int a\n int b\n def "K" {}\n def "L" {} }\ndef "P" (\ninherits = </C>\n)\n{\n int c\n int a\n def "M" {}\n def "K" {} }\n',
    );
    expect(primAt(stage, '/P')?.properties).toEqual(['a', 'b', 'c']);
    expect(primAt(stage, '/P')?.children).toEqual(['K', 'L', 'M']);
  });

  it('applies the authored order', () => {
    const stage = stageOf(
      'def "P" {\n reorder properties = ["c", "a"]\n reorder nameChildren = ["L", "K"]\n int a\n int b\n int c\n def "K" {}\n def "L" {} }\n',
    );
    expect(primAt(stage, '/P')?.properties).toEqual(['c', 'a', 'b']);
    expect(primAt(stage, '/P')?.children).toEqual(['L', 'K']);
  });

  it('returns the list of the layer itself if only one layer has it', () => {
    const names = Array.from({ length: 20 }, (_, k) => ` int p${k}`).join('\n');
    const stage = stageOf(
      `class "C" {\n${names} }\ndef "A" (\ninherits = </C>\n)\n{\n}\ndef "B" (\ninherits = </C>\n)\n{\n}\n`,
    );
    expect(primAt(stage, '/A')?.properties).toHaveLength(20);
    expect(primAt(stage, '/A')?.properties).toBe(primAt(stage, '/B')?.properties);
  });
});

describe('type and specifier of a prim', () => {
  it('come from the strongest opinion; inheriting a class does not make the prim a class', () => {
    const stage = stageOf(
      'class Mesh "C" {\n}\nover "A" (\ninherits = </C>\n)\n{\n}\ndef Xform "B" (\ninherits = </C>\n)\n{\n}\n',
    );
    const shown = (path: string): unknown[] => [primAt(stage, path)?.typeName, primAt(stage, path)?.specifier];
    expect(shown('/C')).toEqual(['Mesh', 'class']);
    expect(shown('/A')).toEqual(['Mesh', 'over']);
    expect(shown('/B')).toEqual(['Xform', 'def']);
  });
});
