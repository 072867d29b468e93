/** A worker script that becomes ready and dies by itself soon after. */
import { serveJobs } from '../index.ts';

await serveJobs({ echo: (input: unknown) => input });
setTimeout(() => process.exit(1), 20);
