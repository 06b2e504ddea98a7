import { expect, it } from 'vitest';
import { createQueueMetrics } from '../../../src/batch/queue/queue-metrics.ts';

it('createQueueMetrics: counts jobs by state, those that run, stalled ones and durations, and serves nothing but /metrics', async () => {
  const metrics = await createQueueMetrics(0, '127.0.0.1');
  const read = async (path: string): Promise<[number, string]> => {
    const response = await fetch(`http://127.0.0.1:${metrics.port}${path}`);
    return [response.status, await response.text()];
  };
  for (let k = 0; k < 3; k++) metrics.started();
  metrics.ended('made', 0.2);
  metrics.ended('failed', 20);
  metrics.stalled();
  const [status, text] = await read('/metrics');
  expect(status).toBe(200);
  for (const line of [
    'anyrig_jobs_total{state="made"} 1',
    'anyrig_jobs_total{state="failed"} 1',
    'anyrig_jobs_active 1',
    'anyrig_jobs_stalled_total 1',
    'anyrig_job_seconds_bucket{le="0.3"} 1',
    'anyrig_job_seconds_count 2',
  ])
    expect(text.split('\n')).toContain(line);
  expect(await read('/')).toEqual([404, 'The metrics are at /metrics.\n']);
  await expect(createQueueMetrics(metrics.port, '127.0.0.1')).rejects.toThrow(
    /cannot be served on 127\.0\.0\.1, port \d+: .*EADDRINUSE/,
  );
  metrics.close();
});
