import { expect, it } from 'vitest';
import { benchChart } from '../../bench/chart.ts';
import type { Row } from '../../bench/measure.ts';

function row(name: string, ratio: number, kind: 'speedup' | 'cost'): Row {
  return {
    name,
    value: 1,
    unit: 'ms',
    against: 'three.js & more',
    againstValue: ratio,
    ratio,
    goal: { kind, limit: 1 },
    runs: 1,
    rounds: [],
  };
}

it('benchChart: speedups are bars on a logarithmic axis, costs are left out', () => {
  const svg = benchChart(
    [row('slow', 10, 'speedup'), row('fast', 100, 'speedup'), row('bytes', 2, 'cost')],
    'a machine',
  );
  expect(svg).toContain('against three.js &amp; more');
  expect(svg).toContain('a machine');
  expect(svg).not.toContain('>bytes<');
  const widths = [...svg.matchAll(/<rect x="\d+" y="\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(widths).toHaveLength(2);
  expect(widths[1] / widths[0]).toBeCloseTo(2, 2);
});
