/** The script of the network thread: what waits for stores waits here, never on a pixel thread. */
import { workerData } from 'node:worker_threads';
import type { NetworkSettings } from '../blocks/index.ts';
import { serveFetches } from '../blocks/index.ts';
import { carryTraces } from './start-tracing.ts';

serveFetches(workerData as NetworkSettings, await carryTraces());
