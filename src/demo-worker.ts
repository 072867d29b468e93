/** The script of a thread that makes the demo world; it gives way to those that draw for somebody. */
import { setPriority } from 'node:os';
import { serveJobs } from './render/index.ts';
import { makeWorldJobs } from './world/index.ts';

/** Below the threads that draw (5), so that the map stays quick while the rest of the world is made. */
const NICENESS = 10;

if (process.platform === 'linux') setPriority(0, NICENESS);

await serveJobs(makeWorldJobs());
