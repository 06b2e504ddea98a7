/** Updates a crowd repeatedly, to count allocations. */

import { type CrowdKernel, kernelCrowd, loadCrowdKernel } from '../../../../src/kernels/crowd/kernel-crowd.ts';
import { createCrowdProbe } from './crowd-probe.ts';

export const call = createCrowdProbe(kernelCrowd((await loadCrowdKernel()) as CrowdKernel));
