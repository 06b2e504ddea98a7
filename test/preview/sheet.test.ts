import { describe, expect, it } from 'vitest';
import { worldPose } from '../../src/demo/characters/character-pose.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { makePose } from '../../src/demo/figure/pose.ts';
import { ADULT, type Proportions, TALL } from '../../src/demo/figure/proportions.ts';
import { makeWalk } from '../../src/demo/motions/walk.ts';
import { drawSheet, type SheetRow } from '../../src/preview/sheet.ts';

const TIMES = [0, 0.4, 0.8];
const LABELS = ['0.00 s', '0.40 s', '0.80 s'];

function walking(proportions: Proportions, more: Partial<SheetRow> = {}): SheetRow {
  const body = makeCharacter({ proportions, extras: ['ends'] });
  const walk = makeWalk(body.figure);
  const frames = TIMES.map((time) => {
    const pose = makePose(body.figure);
    walk.pose(pose, time);
    return worldPose(body, pose).positions;
  });
  const { parents } = body.skeleton;
  return {
    title: 'a walk',
    parents,
    bones: body.bones,
    frames,
    labels: LABELS,
    ground: 0,
    height: body.figure.height,
    ...more,
  };
}

/** Values of an attribute of the elements of a kind. */
function attributes(svg: string, element: string, name: string): string[] {
  return [...svg.matchAll(new RegExp(`<${element}\\b[^>]*\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => value);
}

describe('drawSheet', () => {
  const svg = drawSheet([walking(ADULT, { source: true }), walking(TALL, { title: 'onto <another> & "taller" one' })], {
    title: 'Walk',
    subtitle: 'two bodies',
  });

  it('returns one well-formed SVG: tags close in order, text is escaped, numbers are finite', () => {
    const open: string[] = [];
    for (const [, slash, name, selfClosing] of svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)) {
      if (slash === '/') expect(open.pop()).toBe(name);
      else if (selfClosing === '') open.push(name);
    }
    expect(open).toEqual([]);
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    expect(svg).toContain('onto &lt;another&gt; &amp;');
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('draws every figure from the front and from the side, each with a head', () => {
    expect(attributes(svg, 'circle', 'r').length).toBe(2 * 2 * TIMES.length);
    for (const title of ['Front', 'Side', 'Walk', 'two bodies', '0.40 s', 'MOTION'])
      expect(svg).toContain(`>${title}<`);
  });

  it('draws skeletons of different heights equally tall, on their ground', () => {
    const heads = attributes(svg, 'circle', 'cy').map(Number);
    const grounds = attributes(svg, 'path', 'd').flatMap((d) =>
      [...d.matchAll(/^M[\d.]+ ([\d.]+)H/g)].map(([, y]) => Number(y)),
    );
    const tall = [heads[0], heads[6]].map((head, row) => grounds[row * 6 + 2] - head);
    expect(grounds.length).toBeGreaterThanOrEqual(12);
    expect(Math.abs(tall[0] - tall[1])).toBeLessThan(6);
    expect(tall[0]).toBeGreaterThan(90);
    const lowest = [...svg.matchAll(/M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/g)].flatMap((m) => [m[2], m[4]]);
    expect(Math.max(...lowest.map(Number))).toBeLessThan(Math.max(...grounds));
  });

  it('keeps every stroke inside the picture and every figure inside its column', () => {
    const [, , width, height] = attributes(svg, 'svg', 'viewBox')[0].split(' ').map(Number);
    for (const match of svg.matchAll(/M([\d.-]+) ([\d.-]+)L([\d.-]+) ([\d.-]+)/g)) {
      const [x0, y0, x1, y1] = match.slice(1).map(Number);
      for (const x of [x0, x1]) expect(x > 200 && x < width).toBe(true);
      for (const y of [y0, y1]) expect(y > 100 && y < height).toBe(true);
    }
  });

  it('follows the skeleton while the ground marks move', () => {
    const walk = walking(ADULT);
    const one = drawSheet([walk], { title: 'one' });
    const centers = attributes(one, 'circle', 'cx').map(Number);
    const steps = [centers[4] - centers[3], centers[5] - centers[4]];
    expect(Math.abs(steps[0] - steps[1])).toBeLessThan(6);
    const marks = attributes(one, 'path', 'd').filter((d) => d.includes('v4'));
    const offsets = marks.slice(3).map((d) => {
      const [start, first] = [...d.matchAll(/M([\d.]+)/g)].map(([, x]) => Number(x));
      return (first - start).toFixed(2);
    });
    // By 0.8 s the figure has moved by about one mark.
    expect(offsets[1]).not.toBe(offsets[0]);
  });

  it('replaces characters that XML excludes', () => {
    const odd = drawSheet([], { title: 'a\u0000b\ud800c\u001bd\uffff' });
    expect(odd).toContain('>a\ufffdb\ufffdc\ufffdd\ufffd<');
  });

  it('draws any skeleton, and no rows at all', () => {
    const chain: SheetRow = {
      title: 'a chain',
      parents: [-1, 0, 1],
      bones: null,
      frames: [[0, 0, 0, 0, 0.5, 0, 0, 1, 0.3]],
      ground: 0,
      height: 1,
    };
    const plain = drawSheet([chain], { title: 'plain' });
    expect([...plain.matchAll(/L[\d.]/g)].length).toBe(2 * 2);
    expect(drawSheet([], { title: 'nothing' })).not.toMatch(/NaN|Infinity/);
  });

  it('shows one view or both', () => {
    const heads = (view: 'front' | 'side' | 'both'): number => {
      return attributes(drawSheet([walking(ADULT)], { title: 'views', view }), 'circle', 'cx').length;
    };
    expect([heads('front'), heads('side'), heads('both')]).toEqual([3, 3, 6]);
    const side = drawSheet([walking(ADULT)], { title: 'views', view: 'side' });
    expect([side.includes('>Side<'), side.includes('>Front<')]).toEqual([true, false]);
  });

  it('aligns the columns of rows with the same number of columns', () => {
    const large = walking(ADULT, { figure: 300, title: 'large' });
    const one = { ...large, frames: large.frames.slice(0, 1), labels: ['a pose'] };
    const both = drawSheet([one, walking(ADULT), walking(TALL)], { title: 'sizes' });
    const radii = attributes(both, 'circle', 'r').map(Number);
    expect(radii[0] / radii[2]).toBeCloseTo(300 / 118, 1);
    const labels = [...both.matchAll(/<text x="([\d.]+)"[^>]*>0\.40 s</g)].map(([, x]) => x);
    expect(labels.length).toBe(4);
    expect(new Set(labels).size).toBe(2);
    expect(both).toContain('>a pose<');
  });

  it('scales down motions with extreme positions, so that the sheet stays small', () => {
    const walk = walking(ADULT);
    const frames = walk.frames.map((positions) => Array.from(positions, (v, k) => (k === 9 ? v + 1e5 : v)));
    const wild = drawSheet([{ ...walk, frames }], { title: 'wild' });
    const [, , width, height] = attributes(wild, 'svg', 'viewBox')[0].split(' ').map(Number);
    expect(width).toBeLessThan(3000);
    expect(height).toBeLessThan(1000);
  });

  it('labels the joints of the first column in both views without overlaps', () => {
    const walk = walking(ADULT);
    const names = [0, 1, 2, 3].map((joint) => ({ joint, name: `joint-${joint}` }));
    const named = drawSheet([{ ...walk, names, figure: 400 }], { title: 'names' });
    for (const { name } of names) expect([...named.matchAll(new RegExp(`>${name}<`, 'g'))].length).toBe(2);
  });

  it('fits the title and truncates overlong titles', () => {
    const widthOf = (title: string): number => {
      return Number(attributes(drawSheet([], { title }), 'svg', 'width')[0]);
    };
    expect(widthOf('a'.repeat(90))).toBeGreaterThan(widthOf('a'.repeat(60)));
    expect(widthOf('a'.repeat(1e6))).toBe(widthOf('a'.repeat(111)));
  });
});
