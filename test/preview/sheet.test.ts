import { describe, expect, it } from 'vitest';
import { makeBody } from '../../src/demo/body.ts';
import { worldPose } from '../../src/demo/body-pose.ts';
import { makePose } from '../../src/demo/pose.ts';
import { ADULT, type Proportions, TALL } from '../../src/demo/proportions.ts';
import { makeWalk } from '../../src/demo/walk.ts';
import { drawSheet, type SheetRow } from '../../src/preview/sheet.ts';

const TIMES = [0, 0.4, 0.8];

function walking(proportions: Proportions, more: Partial<SheetRow> = {}): SheetRow {
  const body = makeBody({ proportions, extras: ['ends'] });
  const walk = makeWalk(body.figure);
  const frames = TIMES.map((time) => {
    const pose = makePose(body.figure);
    walk.pose(pose, time);
    return worldPose(body, pose).positions;
  });
  const { parents } = body.skeleton;
  return { title: 'a walk', parents, bones: body.bones, frames, ground: 0, height: body.figure.height, ...more };
}

/** Values of an attribute of the elements of a kind. */
function attributes(svg: string, element: string, name: string): string[] {
  return [...svg.matchAll(new RegExp(`<${element}\\b[^>]*\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => value);
}

describe('drawSheet', () => {
  const svg = drawSheet([walking(ADULT, { source: true }), walking(TALL, { title: 'onto <another> & "taller" one' })], {
    title: 'Walk',
    subtitle: 'two bodies',
    times: TIMES,
  });

  it('is one well-formed SVG: tags close in order, text is escaped, numbers are finite', () => {
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

  it('has every figure twice, from the front and from the side, with a head each', () => {
    expect(attributes(svg, 'circle', 'r').length).toBe(2 * 2 * TIMES.length);
    for (const title of ['Front', 'Side', 'Walk', 'two bodies', '0.40 s', 'MOTION'])
      expect(svg).toContain(`>${title}<`);
  });

  it('draws bodies of different heights equally tall, on their ground', () => {
    const heads = attributes(svg, 'circle', 'cy').map(Number);
    const grounds = attributes(svg, 'path', 'd').flatMap((d) =>
      [...d.matchAll(/^M[\d.]+ ([\d.]+)h/g)].map(([, y]) => Number(y)),
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

  it('follows the body while marks on the ground go by', () => {
    const walk = walking(ADULT);
    const one = drawSheet([walk], { title: 'one', times: TIMES });
    const centres = attributes(one, 'circle', 'cx').map(Number);
    const steps = [centres[4] - centres[3], centres[5] - centres[4]];
    expect(Math.abs(steps[0] - steps[1])).toBeLessThan(6);
    const marks = attributes(one, 'path', 'd').filter((d) => d.includes('v4'));
    const offsets = marks.slice(3).map((d) => {
      const [start, first] = [...d.matchAll(/M([\d.]+)/g)].map(([, x]) => Number(x));
      return (first - start).toFixed(2);
    });
    expect(new Set(offsets).size).toBe(TIMES.length);
  });

  it('replaces letters that no XML may hold', () => {
    const odd = drawSheet([], { title: 'a\u0000b\ud800c\u001bd\uffff', times: [] });
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
    const plain = drawSheet([chain], { title: 'plain', times: [0] });
    expect([...plain.matchAll(/L/g)].length).toBe(2 * 2);
    expect(drawSheet([], { title: 'nothing', times: [] })).not.toMatch(/NaN|Infinity/);
  });
});
