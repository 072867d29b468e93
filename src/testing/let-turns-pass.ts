import { setImmediate } from 'node:timers/promises';

/** Lets the event loop go round some times, for a test that something does not happen: whatever was due has happened by then. */
export async function letTurnsPass(turns = 50): Promise<void> {
  for (let i = 0; i < turns; i++) await setImmediate();
}
