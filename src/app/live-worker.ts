/** The script of the thread that asks live catalogs: their answers are megabytes of JSON, too long for the main thread. */
import { parentPort, workerData } from 'node:worker_threads';
import type { LiveSettings } from '../live/index.ts';
import { makeLiveHandlers } from '../live/index.ts';
import { connectCalls } from '../pool/index.ts';
import { warmUpHttp } from '../sources/index.ts';
import { carryTraces } from './start-tracing.ts';

if (parentPort === null) throw new Error('The thread of live catalogs is started by the service.');
connectCalls(parentPort, makeLiveHandlers(workerData as LiveSettings), await carryTraces());
// A failure only makes the first search slower.
void warmUpHttp().catch(() => {});
