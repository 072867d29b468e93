import { badInput } from '../../errors.ts';
import type { HelpCommand } from './options.ts';
import { help, parseDay, parseOptions } from './options.ts';

/** `swath demo …`. */
export type DemoCommand =
  | { readonly name: 'demo build'; readonly set: 'small' | 'standard' | 'full' }
  | { readonly name: 'demo remove' }
  | {
      readonly name: 'demo truth';
      readonly longitude: number;
      readonly latitude: number;
      readonly day: string;
      /** Abbreviation of a sensor. */
      readonly sensor: string;
      readonly json: boolean;
    };

const demoHelp: HelpCommand = { name: 'help', topic: 'demo' };

/** Reads what follows `swath demo`. */
export function parseDemo(words: readonly string[]): DemoCommand | HelpCommand {
  if (words[0] === 'truth') return parseTruth(words.slice(1));
  const options = {
    ...help,
    full: { type: 'boolean' },
    small: { type: 'boolean' },
    remove: { type: 'boolean' },
  } as const;
  const { values } = parseOptions(words, options, 0);
  if (values.help) return demoHelp;
  const chosen = (['full', 'small', 'remove'] as const).filter((name) => values[name]);
  if (chosen.length > 1) throw badInput('usage', `--${chosen.join(' and --')} exclude each other.`);
  if (values.remove) return { name: 'demo remove' };
  return { name: 'demo build', set: values.full ? 'full' : values.small ? 'small' : 'standard' };
}

function parseTruth(words: readonly string[]): DemoCommand | HelpCommand {
  const options = {
    ...help,
    at: { type: 'string' },
    date: { type: 'string' },
    sensor: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  const { values } = parseOptions(words, options, 0);
  if (values.help) return demoHelp;
  if (values.at === undefined || values.date === undefined) {
    throw badInput(
      'usage',
      'Where and when? "swath demo truth --at -122.4,48.4 --date 2026-06-21" (longitude, latitude, day).',
    );
  }
  const [longitude, latitude] = parsePosition(values.at);
  return {
    name: 'demo truth',
    longitude,
    latitude,
    day: parseDay(values.date, '--date'),
    sensor: values.sensor ?? 'S2L2A',
    json: values.json ?? false,
  };
}

function parsePosition(text: string): readonly [longitude: number, latitude: number] {
  const parts = text.split(',');
  const [longitude, latitude] = parts.map((part) =>
    /^-?\d{1,3}(\.\d{1,12})?$/.test(part.trim()) ? Number(part) : Number.NaN,
  ) as [number, number];
  const isPosition = parts.length === 2 && Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
  if (!isPosition) throw badInput('usage', '--at takes longitude,latitude in degrees, such as -122.4,48.4.');
  return [longitude, latitude];
}
