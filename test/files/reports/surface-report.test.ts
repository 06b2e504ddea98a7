import { describe, expect, it } from 'vitest';
import { CHIBI } from '../../../src/demo/figure/proportions.ts';
import { reportRadii, reportSoles } from '../../../src/files/reports/surface-report.ts';
import { demoBody } from '../../contacts/demo-pair.ts';

describe('reportRadii', () => {
  it('reports the mean and the largest distance of the skin from each bone, without fingers', async () => {
    const [adult, chibi] = [reportRadii((await demoBody()).surface), reportRadii((await demoBody(CHIBI)).surface)];
    expect(adult.leftLowerArm!.mean).toBeCloseTo(0.04, 1);
    expect(adult.leftLowerArm!.most).toBeGreaterThan(adult.leftLowerArm!.mean);
    expect(chibi.head!.mean).toBeGreaterThan(adult.head!.mean);
    expect(Object.keys(adult)).not.toContain('leftIndexProximal');
  });
});

describe('reportSoles', () => {
  it('reports both soles and that they come from the skin', async () => {
    const { from, left, right } = reportSoles((await demoBody()).surface);
    expect(from).toBe('skin');
    expect(left!.length).toBeCloseTo(right!.length, 3);
  });
});
