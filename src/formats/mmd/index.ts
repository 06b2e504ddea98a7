/** Models and motions of MikuMikuDance (MMD): PMX, PMD, VMD and VPD. */

// Read MMD

export { readMmd } from './read-mmd.ts';
