import { badInput } from '../../errors.ts';
import type { HelpCommand } from './options.ts';
import { help, parseOptions } from './options.ts';
import type { CallbacksCommand } from './parse-callbacks.ts';
import { parseCallbacks } from './parse-callbacks.ts';
import type { DemCommand, IngestDemCommand } from './parse-dem.ts';
import { parseDem } from './parse-dem.ts';
import type { DemoCommand } from './parse-demo.ts';
import { parseDemo } from './parse-demo.ts';
import type { IngestCommand } from './parse-ingest.ts';
import { parseIngest } from './parse-ingest.ts';
import type { KeysCommand } from './parse-keys.ts';
import { parseKeys } from './parse-keys.ts';
import type { ScenesCommand } from './parse-scenes.ts';
import { parseExport, parseScenes } from './parse-scenes.ts';
import type { IngestSoilMoistureCommand, SoilMoistureCommand } from './parse-soil-moisture.ts';
import { parseSoilMoisture } from './parse-soil-moisture.ts';
import type { TasksCommand } from './parse-tasks.ts';
import { parseTasks } from './parse-tasks.ts';
import type { IngestWeatherCommand, WeatherCommand } from './parse-weather.ts';
import { parseWeather } from './parse-weather.ts';

/** What the command line asks for. */
export type Command =
  | { readonly name: 'serve' | 'doctor' | 'version' }
  | HelpCommand
  | KeysCommand
  | IngestCommand
  | IngestDemCommand
  | IngestSoilMoistureCommand
  | IngestWeatherCommand
  | ScenesCommand
  | DemCommand
  | SoilMoistureCommand
  | WeatherCommand
  | TasksCommand
  | CallbacksCommand
  | DemoCommand;

/** Reads the command line; a mistake throws `bad-input` with a sentence and the way to the help. */
export function parseCommand(argv: readonly string[]): Command {
  const [first, ...rest] = argv;
  switch (first) {
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      return { name: 'help', topic: rest[0] ?? null };
    case '--version':
    case '-V':
      return { name: 'version' };
    case 'serve':
    case 'doctor': {
      const { values } = parseOptions(rest, help, 0);
      return values.help ? { name: 'help', topic: first } : { name: first };
    }
    case 'keys':
      return parseKeys(rest);
    case 'ingest':
      return parseIngest(rest);
    case 'scenes':
      return parseScenes(rest);
    case 'export':
      return parseExport(rest);
    case 'dem':
      return parseDem(rest);
    case 'soilmoisture':
      return parseSoilMoisture(rest);
    case 'weather':
      return parseWeather(rest);
    case 'tasks':
      return parseTasks(rest);
    case 'callbacks':
      return parseCallbacks(rest);
    case 'demo':
      return parseDemo(rest);
    default:
      throw badInput('unknown-command', `There is no command "${first}". "swath --help" lists them.`);
  }
}
