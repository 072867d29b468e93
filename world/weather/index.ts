export type { WeatherLocation } from '../grids/local-weather.ts';
export type { LocalDays } from './local-days.ts';
export type { LocalHours } from './local-hours.ts';
export { makeWorldWeather, type WorldWeather } from './world-weather.ts';
