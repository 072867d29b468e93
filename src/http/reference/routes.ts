import type { Admission, Route } from '../kit/endpoint.ts';
import { colormapStops } from './colormap-stops.ts';
import { functionList } from './function-list.ts';
import { sensorList } from './sensor-list.ts';

/** Facts about Swath itself and not about anyone's data. */
const known: Admission = { access: 'open', door: 'free', lane: 'tile', answersWhileDraining: false };

/** What programs have to know to offer choices: sensors, colormaps, functions. */
export const referenceRoutes: readonly Route[] = [
  { ...known, method: 'GET', path: '/api/sensors', endpoint: sensorList },
  { ...known, method: 'GET', path: '/api/colormaps', endpoint: colormapStops },
  { ...known, method: 'GET', path: '/api/functions', endpoint: functionList },
];
