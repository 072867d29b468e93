import type { Route } from '../../../src/http/kit/endpoint.ts';
import { read } from '../../../src/http/kit/endpoint.ts';
import { sensorBands } from './sensor-bands.ts';

/** What sensors there are, and what they measure. */
export const sensorRoutes = (): readonly Route[] => [
  read.get('/api/render/:sensor/bands', 'listBands', sensorBands),
];
