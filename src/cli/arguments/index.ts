export type { CallbacksCommand } from './parse-callbacks.ts';
export { type Command, parseCommand } from './parse-command.ts';
export type { DemCommand, IngestDemCommand } from './parse-dem.ts';
export type { DemoCommand } from './parse-demo.ts';
export type { IngestCommand } from './parse-ingest.ts';
export type { KeysCommand } from './parse-keys.ts';
export type { ScenesCommand } from './parse-scenes.ts';
export type { IngestSoilMoistureCommand, SoilMoistureCommand } from './parse-soil-moisture.ts';
export type { TasksCommand } from './parse-tasks.ts';
