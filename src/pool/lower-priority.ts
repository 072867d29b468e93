import { getPriority, setPriority } from 'node:os';

/**
 * Lets a thread give way to others where they want the same core. On Linux the call reaches the calling thread alone;
 * elsewhere it would slow down the whole process. A thread that gives way further already stays as it is: a service that
 * was started with `nice` keeps what its user wanted, and only root may raise a priority.
 */
export function lowerPriority(niceness: number): void {
  if (process.platform === 'linux' && getPriority() < niceness) setPriority(niceness);
}
