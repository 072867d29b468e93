export { runCallbacks } from './callbacks-command.ts';
export {
  type Command,
  type IngestCommand,
  type IngestDemCommand,
  type IngestSoilMoistureCommand,
  type IngestWeatherCommand,
  parseCommand,
} from './commands/index.ts';
export { runDem } from './dem-command.ts';
export { printTruth } from './demo-command.ts';
export { type Finding, printReport, type ReportSection } from './doctor-command.ts';
export { EXIT, toExitStatus } from './exit-status.ts';
export { printGreeting, type WorkerGreeting } from './greeting.ts';
export { printHelp } from './help.ts';
export { runIngest } from './ingest-command.ts';
export { runIngestDem } from './ingest-dem-command.ts';
export { runIngestGrids } from './ingest-grids-command.ts';
export { runKeys } from './keys-command.ts';
export { makeNoteBug } from './print-problems.ts';
export { runScenes } from './scenes-command.ts';
export { runSoilMoisture } from './soil-moisture-command.ts';
export { runTasks } from './tasks-command.ts';
export { makeTerminal, type Terminal } from './terminal.ts';
export { runWeather } from './weather-command.ts';
