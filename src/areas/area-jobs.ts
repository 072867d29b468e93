import { parseAreaGeometry } from './parse-area.ts';
import { writeArea } from './write-area.ts';

/** What is done with large areas on a thread, by the name of the job. */
export const areaJobs = {
  'write-area': ({ text, owner }: { readonly text: string; readonly owner: string }) =>
    writeArea(text, owner),
  'parse-area': ({ geometry }: { readonly geometry: unknown }) => parseAreaGeometry(geometry),
};
