import type { MultiPolygonGeometry } from '../geo/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import type { CheckedArea } from './check-area.ts';
import { checkArea, measureArea, parseJson } from './check-area.ts';
import { parseSearchGeometry } from './parse-area.ts';
import type { WrittenArea } from './write-area.ts';
import { writeArea } from './write-area.ts';

/** Jobs on large areas, which are sent as JSON texts: these are copied to a thread at once. */
export type AreaJobs = {
  'write-area': JobType<{ readonly text: string; readonly owner: string }, WrittenArea>;
  'check-area': JobType<{ readonly text: string }, CheckedArea>;
  'measure-area': JobType<{ readonly geometry: string }, CheckedArea>;
  'parse-area': JobType<{ readonly text: string }, MultiPolygonGeometry>;
};

/** The handlers of these jobs. */
export const areaJobs = {
  'write-area': ({ text, owner }) => writeArea(text, owner),
  'check-area': ({ text }) => checkArea(text),
  'measure-area': ({ geometry }) => measureArea(geometry),
  'parse-area': ({ text }) => parseSearchGeometry(parseJson(text)),
} satisfies JobHandlers<AreaJobs>;
