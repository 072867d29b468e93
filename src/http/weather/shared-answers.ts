import type { z } from 'zod';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { lineageDocs } from './lineage-headers.ts';

/** The answers of all weather, for the documentation. */
export const toWeatherAnswers = (
  description: string,
  content: Readonly<Record<string, z.ZodType | null>>,
): Endpoint['answers'] => ({
  200: { description, content, headers: lineageDocs },
  304: { description: 'The answer you have (If-None-Match) is still right.', headers: lineageDocs },
  400: {
    description: 'The body is malformed, or neither geometry nor polygon_id is there (no-location).',
  },
  404: {
    description: 'No such area, or no source has weather for this location and these days (no-weather).',
  },
  413: { description: 'The body is too large.' },
  422: {
    description: 'The area cannot be used; the code names the rule it breaks (area-too-large, area-…).',
  },
  503: {
    description: 'No source can answer now (weather-unavailable); come back after Retry-After seconds.',
  },
});
