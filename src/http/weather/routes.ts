import type { Admission, Route } from '../kit/endpoint.ts';
import type { WeatherDeps } from './answer-weather.ts';
import { comingDays, weatherForecast } from './forecast.ts';
import { weatherHistory, weatherNormals } from './history.ts';

/** All of them read a body, so that they take no slot of the front door. */
const posted: Admission = { access: 'read', door: 'free', lane: 'tile', answersWhileDraining: false };

/** Weather of the past and to come. Programs know several addresses of the same. */
export const weatherRoutes = (deps: WeatherDeps): readonly Route[] => {
  const history = weatherHistory(deps);
  const forecast = weatherForecast(deps, 'padded');
  return [
    { ...posted, method: 'POST', path: '/api/cz/backend/forecast-history', cost: 10, endpoint: history },
    { ...posted, method: 'POST', path: '/weather/forecast-history', cost: 10, endpoint: history },
    { ...posted, method: 'POST', path: '/api/cz/backend/forecast', cost: 5, endpoint: comingDays(deps) },
    {
      ...posted,
      method: 'POST',
      path: '/api/forecast/weather',
      cost: 5,
      endpoint: weatherForecast(deps, 'plain'),
    },
    { ...posted, method: 'POST', path: '/api/forecast/weather/forecast', cost: 5, endpoint: forecast },
    { ...posted, method: 'POST', path: '/api/forecast/weather/forecast/world', cost: 5, endpoint: forecast },
    { ...posted, method: 'POST', path: '/api/weather/normals', cost: 10, endpoint: weatherNormals(deps) },
  ];
};
