/** What the server is ready for, and what it knows. */
import type { Knowledge } from '../scenes/knowledge.ts';
import { parseColormaps, parseFunctions } from '../scenes/knowledge.ts';
import { parseOrigins } from '../scenes/origins.ts';
import { asRecord, asText } from '../scenes/read-json.ts';
import { parseSensors } from '../scenes/sensor.ts';
import { toFailure } from './failure.ts';
import type { Requests } from './requests.ts';
import { parseJson } from './requests.ts';

/** Whether the server can answer searches yet, and if not, what it is waiting for. */
type Readiness = { readonly isReady: true } | { readonly isReady: false; readonly waiting: string };

/** The calls; they need no key. */
export interface ServiceCalls {
  readReadiness(): Promise<Readiness>;
  /** Sensors, colormaps and functions. */
  readKnowledge(): Promise<Knowledge>;
}

const parseWaiting = (text: string): string =>
  asText(asRecord(parseJson(text)).waiting) ?? 'the server is starting';

/** Builds them. */
export const makeServiceCalls = ({ request, readJson }: Requests): ServiceCalls => {
  // The list may have changed with a new version of the server: the browser asks, and is mostly told that it has not.
  const readPublic = (path: string): Promise<unknown> => readJson(path, { headers: {}, cache: 'no-cache' });
  return {
    async readReadiness() {
      const response = await request('readyz', { cache: 'no-store' });
      if (response.ok) return { isReady: true };
      const text = await response.text();
      if (response.status !== 503) throw toFailure(response.status, text);
      return { isReady: false, waiting: parseWaiting(text) };
    },
    async readKnowledge() {
      const [sensors, colormaps, functions] = await Promise.all([
        readPublic('api/sensors'),
        readPublic('api/colormaps'),
        readPublic('api/functions'),
      ]);
      return {
        sensors: parseSensors(sensors),
        colormaps: parseColormaps(colormaps),
        functions: parseFunctions(functions),
        origins: parseOrigins(sensors),
      };
    },
  };
};
