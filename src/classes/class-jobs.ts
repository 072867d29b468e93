/** The job that classifies the pixels of an area and writes the answer. */
import { rasterizeArea } from '../areas/index.ts';
import type { AreaOutline } from '../geo/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import type { ClassifyRequest } from './classify-pixels.ts';
import { classifyPixels } from './classify-pixels.ts';
import type { ClassesFile } from './write-classes.ts';
import { writeClasses } from './write-classes.ts';

/** The input of the job. */
export interface ClassifyJob extends Omit<ClassifyRequest, 'inside'> {
  /** Lies in shared memory. */
  readonly outline: AreaOutline;
  readonly file: ClassesFile;
}

/** The kind of job; it gives the bytes of the file. */
export type ClassJobs = { 'classify-pixels': JobType<ClassifyJob, Uint8Array<ArrayBuffer>> };

/** What does it. */
export const classJobs: JobHandlers<ClassJobs> = {
  async 'classify-pixels'({ outline, file, ...request }) {
    const inside = rasterizeArea(outline, request.grid, { isExact: true });
    const bytes = await writeClasses(classifyPixels({ ...request, inside }), request.grid, file);
    return withTransfer(bytes, [bytes.buffer]);
  },
};
