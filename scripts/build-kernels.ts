/** `npm run kernels`: recompiles src/kernels/assembly. Run it after editing the source; the result is committed. */
import { writeFileSync } from 'node:fs';
import { compileKernel, KERNEL_NAMES, kernelModulePath } from './compile-kernel.ts';

for (const name of KERNEL_NAMES) {
  const text = await compileKernel(name);
  writeFileSync(kernelModulePath(name), text);
  console.log(`${kernelModulePath(name)}: ${text.length} characters`);
}
