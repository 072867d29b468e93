import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A small file system of our own, until the tests of the file are over. */
export interface Mounted {
  readonly directory: string;
  remount(options: string): void;
}

const mount = (...args: readonly string[]): boolean =>
  process.platform === 'linux' && spawnSync('mount', args).status === 0;

/** Mounts a file system in memory; null without the rights to. */
export function mountTmpfs(options: string): Mounted | null {
  const directory = mkdtempSync(join(tmpdir(), 'swath-mount-'));
  const isMounted = mount('-t', 'tmpfs', '-o', options, 'tmpfs', directory);
  after(() => {
    if (isMounted) spawnSync('umount', ['-l', directory]);
    rmSync(directory, { recursive: true, force: true });
  });
  if (!isMounted) return null;
  return { directory, remount: (more) => void execFileSync('mount', ['-o', `remount,${more}`, directory]) };
}

/**
 * Makes a directory read-only for all that is opened from now on, by a mount over itself; gives what ends that, or null
 * without the rights to mount.
 */
export function coverReadOnly(directory: string): (() => void) | null {
  if (!mount('--bind', directory, directory)) return null;
  const uncover = (): void => void spawnSync('umount', ['-l', directory]);
  after(uncover);
  return mount('-o', 'remount,bind,ro', directory) ? uncover : null;
}
