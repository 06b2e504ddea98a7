import { expect, it } from 'vitest';
import { conventionLabel } from '../../../studio/src/app/convention-label.ts';

it('conventionLabel: words have capitals, abbreviations their own spelling', () => {
  const labels = ['mixamo', 'unreal_ue4_mannequin', 'vrm1', 'rigify_def'].map(conventionLabel);
  expect(labels).toEqual(['Mixamo', 'Unreal UE4 Mannequin', 'VRM 1', 'Rigify DEF']);
});
