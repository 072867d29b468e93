import type { Admission, Route } from '../kit/endpoint.ts';
import type { IntensityDeps } from './intensity-range.ts';
import { intensityRange } from './intensity-range.ts';
import { parseVb } from './parse-vb.ts';
import type { PointDeps } from './point.ts';
import { pointValue } from './point.ts';

/** What values are read with. */
export type ValueRouteDeps = IntensityDeps & PointDeps;

const measured: Admission = { access: 'read', door: 'render', lane: 'tile', answersWhileDraining: false };

/** Numbers instead of pictures: points, intensity ranges, parts of an expression. */
export const valueRoutes = (deps: ValueRouteDeps): readonly Route[] => [
  {
    ...measured,
    method: 'GET',
    path: '/api/render/:sensor/point/*',
    shownPath: '/api/render/{sensor}/point/{scene_id}/{bands}/{lat}/{lon}',
    endpoint: pointValue(deps),
  },
  {
    ...measured,
    method: 'GET',
    path: '/api/render/:sensor/ir/*',
    shownPath: '/api/render/{sensor}/ir/{scene_id}/{bands}',
    endpoint: intensityRange(deps),
  },
  {
    ...measured,
    method: 'GET',
    path: '/api/render/:sensor/parse_vb/*',
    shownPath: '/api/render/{sensor}/parse_vb/{bands}',
    endpoint: parseVb(deps),
  },
];
