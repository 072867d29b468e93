import type { Admission, Route } from '../endpoint/route.ts';
import { comingDays } from './coming-days.ts';
import { weatherForecast } from './forecast.ts';
import { weatherHistory } from './history.ts';
import { weatherNormals } from './normals.ts';
import type { WeatherDeps } from './weather-deps.ts';

/** All of them read a body, so that they take no slot of the front door. */
const posted: Admission = { access: 'read', door: 'free', lane: 'tile', answersWhileDraining: false };

/** Weather of the past and to come. Programs know several addresses of the same. */
export const weatherRoutes = (deps: WeatherDeps): readonly Route[] => {
  const history = weatherHistory(deps);
  const forecast = weatherForecast(deps, 'padded');
  return [
    { ...posted, method: 'POST', path: '/api/cz/backend/forecast-history', endpoint: history },
    { ...posted, method: 'POST', path: '/weather/forecast-history', endpoint: history },
    { ...posted, method: 'POST', path: '/api/cz/backend/forecast', endpoint: comingDays(deps) },
    { ...posted, method: 'POST', path: '/api/forecast/weather', endpoint: weatherForecast(deps, 'plain') },
    { ...posted, method: 'POST', path: '/api/forecast/weather/forecast', endpoint: forecast },
    { ...posted, method: 'POST', path: '/api/forecast/weather/forecast/world', endpoint: forecast },
    { ...posted, method: 'POST', path: '/api/weather/normals', endpoint: weatherNormals(deps) },
  ];
};
