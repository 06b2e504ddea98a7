/** Writes one file of the scale bench in a process of its own: `write-file.ts FORMAT DIMENSION COUNT FILE`. */
import { writeFileSync } from 'node:fs';
import { type Dimension, makeFile, type ScaleFormat } from './make-file.ts';

const [format, dimension, count, path] = process.argv.slice(2);
writeFileSync(
  path,
  await makeFile({ format: format as ScaleFormat, dimension: dimension as Dimension, count: Number(count) }),
);
