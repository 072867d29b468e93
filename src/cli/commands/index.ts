export { type CommandSpec, type Option, readFlags, type Topic, toUsage } from './command.ts';
export type { DemCommand, IngestDemCommand } from './dem.ts';
export type { IngestCommand } from './ingest.ts';
export type { KeysCommand } from './keys.ts';
export { type Command, parseCommand, topics } from './parse-command.ts';
export type { ScenesCommand } from './scenes.ts';
export type { IngestSoilMoistureCommand, SoilMoistureCommand } from './soil-moisture.ts';
export type { CallbacksCommand, TasksCommand } from './tasks.ts';
export type { IngestWeatherCommand, WeatherCommand } from './weather.ts';
