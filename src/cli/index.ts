export { runIngestGrids } from './cubes.ts';
export { type IngestDemCommand, runDem, runIngestDem } from './dem.ts';
export { printTruth } from './demo.ts';
export { EXIT, toExitStatus } from './exit-status.ts';
export { printHelp } from './help.ts';
export { type IngestCommand, runIngest } from './ingest.ts';
export { runKeys } from './keys.ts';
export { type Command, parseCommand } from './parse-command.ts';
export { makeNoteBug } from './report.ts';
export { runScenes } from './scenes.ts';
export {
  type Finding,
  printGreeting,
  printReport,
  type ReportSection,
  type WorkerGreeting,
} from './service.ts';
export { type IngestSoilMoistureCommand, runSoilMoisture } from './soil-moisture.ts';
export { runSync, type SyncCommand } from './sync.ts';
export { runCallbacks, runTasks } from './tasks.ts';
export { makeTerminal, type Terminal } from './terminal.ts';
export { runTop } from './top.ts';
export { runUsage } from './usage.ts';
export { type IngestWeatherCommand, runWeather } from './weather.ts';
