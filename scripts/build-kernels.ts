/** `npm run kernels`: compiles src/kernels/assembly anew. Needed only after it was edited; the result is committed. */
import { writeFileSync } from 'node:fs';
import { compileKernel, KERNEL_NAMES, kernelModulePath } from './compile-kernel.ts';

for (const name of KERNEL_NAMES) {
  const text = await compileKernel(name);
  writeFileSync(kernelModulePath(name), text);
  console.log(`${kernelModulePath(name)}: ${text.length} characters`);
}
