import { expect, it } from 'vitest';
import { reportClip } from '../../../src/files/reports/job-reports.ts';
import { track } from '../../formats/usd/write/small-geometry.ts';

it('reportClip: the duration includes morph weights after the last joint key', () => {
  const chosen = { clip: { name: 'Talk', duration: 4, clips: [], morphs: [], otherChannels: 0 }, index: 2 };
  const tracks = [track(0, 'translation', [0, 1], [0, 0, 0, 1, 0, 0])];
  const morphs = [
    { times: Float64Array.of(0, 2, 4), values: Float64Array.of(0, 1, 0), interpolation: 'LINEAR' as const },
  ];
  expect(reportClip({ name: 'Talk 2', duration: 1, tracks }, morphs, 'talk.glb', chosen)).toEqual({
    name: 'Talk 2',
    duration: 4,
    tracks: 2,
    keys: 5,
    from: { file: 'talk.glb', clip: 'Talk', index: 2 },
  });
  expect(reportClip({ name: 'Still', duration: 3, tracks }, [], 'talk.glb', chosen).duration).toBe(3);
});
