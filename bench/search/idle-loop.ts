/** A process that does nothing, and says at its end for how many milliseconds it stood still at most: the machine's own part. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on('message', () => {
  process.send?.(delay.max / 1e6 - RESOLUTION_MS, () => process.exit());
});
