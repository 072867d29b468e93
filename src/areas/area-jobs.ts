import type { MultiPolygonGeometry } from '../geo/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import { parseSearchGeometry } from './parse-area.ts';
import type { WrittenArea } from './write-area.ts';
import { writeArea } from './write-area.ts';

/** Jobs on large areas. */
export type AreaJobs = {
  'write-area': JobType<{ readonly text: string; readonly owner: string }, WrittenArea>;
  'parse-area': JobType<{ readonly geometry: unknown }, MultiPolygonGeometry>;
};

/** The handlers of these jobs. */
export const areaJobs = {
  'write-area': ({ text, owner }) => writeArea(text, owner),
  'parse-area': ({ geometry }) => parseSearchGeometry(geometry),
} satisfies JobHandlers<AreaJobs>;
