import { describe, expect, it } from 'vitest';
import { px, shorten, text, wrap } from '../../src/preview/svg.ts';

describe('SVG text', () => {
  it('px: rounds lengths to a tenth of a pixel', () => {
    expect([px(1.26), px(3), px(-0.04)]).toEqual(['1.3', '3', '0']);
  });

  it('text: escapes markup and replaces characters that XML excludes', () => {
    expect(text(1, 2, 9, '#000', '<a & "b">\u0000\ud800')).toBe(
      '<text x="1" y="2" font-size="9" fill="#000">&lt;a &amp; &quot;b&quot;&gt;\ufffd\ufffd</text>',
    );
  });

  it('shorten: truncates long texts without splitting a character', () => {
    expect(shorten('abcdef', 6)).toBe('abcdef');
    expect(shorten('abcdefg', 6)).toBe('abcde…');
    expect(shorten('😀😀😀😀', 3)).toBe('😀😀…');
    expect(shorten('x'.repeat(1e6), 3)).toBe('xx…');
  });

  it('wrap: breaks lines between words, and long words after a punctuation mark', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('m2mold_human-addon-animations.glb', 20)).toEqual(['m2mold_human-addon-', 'animations.glb']);
    expect(wrap('a'.repeat(25), 10)).toEqual(['a'.repeat(10), 'a'.repeat(10), 'a'.repeat(5)]);
    for (const line of wrap('Animation_With_A_Rather_Long_Name|and more of it', 12)) {
      expect(line.length).toBeLessThanOrEqual(12);
    }
  });
});
