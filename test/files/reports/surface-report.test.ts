import { describe, expect, it } from 'vitest';
import { describeContactSurface } from '../../../src/core/contacts/surface/contact-surface.ts';
import { CHIBI } from '../../../src/demo/figure/proportions.ts';
import { reportCloth, reportRadii, reportSoles } from '../../../src/files/reports/surface-report.ts';
import { CLOTHES, dress } from '../../contacts/clothes.ts';
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

describe('reportCloth', () => {
  it('reports the part of the area that is cloth', async () => {
    const { humanoid, skin, surface } = await demoBody();
    const undressed = { humanoid, skin, radii: surface.radii };
    expect(reportCloth(surface)).toBeLessThan(0.01);
    // A cape of half a cylinder, 0.6 of the height long, on a body of about 2 m².
    const dressed = describeContactSurface(humanoid, dress(undressed, CLOTHES.cape(undressed)));
    expect(reportCloth(dressed)).toBeGreaterThan(0.2);
    expect(reportCloth(dressed)).toBeLessThan(0.5);
  });
});
