/** Disks in memory that can be full. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Mounts a disk; false where this process may not. */
export function mountDisk(folder: string, size: string): boolean {
  mkdirSync(folder, { recursive: true });
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status === 0;
}

/** Changes the size of a disk. */
export function growDisk(folder: string, size: string): void {
  spawnSync('mount', ['-o', `remount,size=${size}`, folder]);
}

/** Unmounts a disk. */
export function unmountDisk(folder: string): void {
  spawnSync('umount', [folder]);
}
