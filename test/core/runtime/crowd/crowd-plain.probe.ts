/** Updates a crowd repeatedly, to count allocations. */
import { createCrowdProbe } from './crowd-probe.ts';

export const call = createCrowdProbe(undefined);
