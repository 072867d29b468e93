import type { Admission, Route } from '../../../src/http/kit/endpoint.ts';
import { sensorBands } from './sensor-bands.ts';

const light: Admission = { access: 'read', door: 'free', lane: 'tile', answersWhileDraining: false };

/** What sensors there are, and what they measure. */
export const sensorRoutes = (): readonly Route[] => [
  { ...light, method: 'GET', path: '/api/render/:sensor/bands', endpoint: sensorBands },
];
