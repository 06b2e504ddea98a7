/** `npm run kernel`: recompiles src/playback/kernel/assembly. Run it after editing the source; the result is committed. */
import { writeFileSync } from 'node:fs';
import { compileKernel, KERNEL_FILE } from './compile-kernel.ts';

const text = await compileKernel();
writeFileSync(KERNEL_FILE, text);
console.log(`${KERNEL_FILE}: ${text.length} characters`);
