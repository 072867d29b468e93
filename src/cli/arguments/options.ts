import type { ParseArgsOptionsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import { badInput } from '../../errors.ts';

/** A command line that asks for help, or for help on one topic. */
export interface HelpCommand {
  readonly name: 'help';
  readonly topic: string | null;
}

/** Every command explains itself. */
export const help = { help: { type: 'boolean', short: 'h' } } as const;

/** Reads options and at most `positionals` other words; a mistake throws `usage` with a sentence. */
export function parseOptions<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  positionals: number,
) {
  try {
    const result = parseArgs({ args: joinNegative(args), options, allowPositionals: true, strict: true });
    if (result.positionals.length > positionals)
      throw new Error(`Unexpected argument "${result.positionals[positionals]}".`);
    return result;
  } catch (error) {
    throw badInput(
      'usage',
      `${(error as Error).message.split(/\.?\s+To specify/)[0]?.replace(/\.?$/, '.')} "swath --help" shows what is possible.`,
    );
  }
}

/** `--bbox -74,40,-73,41`: a word that begins like a negative number belongs to the option before it. */
function joinNegative(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of args) {
    const last = joined.at(-1);
    const isValue = /^-\.?\d/.test(word) && last !== undefined && /^--[a-z-]+$/.test(last);
    if (isValue) joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** A whole number above 0. */
export function parseAmount(text: string, option: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw badInput('usage', `${option} takes a whole number, 1 or more.`);
  return Number(text);
}

/** One of some words. */
export function parseChoice<Word extends string>(text: string, option: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw badInput('usage', `${option} takes one of: ${words.join(', ')}.`);
  return found;
}

/** A day that exists, as 2030-12-31. */
export function parseDay(text: string, option: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  // A Date rolls 30 February over into March; then it no longer prints as it was written.
  if (!isDay || !isoOf(text).startsWith(text))
    throw badInput('usage', `${option} takes a day such as 2030-12-31.`);
  return text;
}

const isoOf = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
};

/** A box in degrees; west above east crosses the antimeridian. */
export function parseBbox(text: string): [west: number, south: number, east: number, north: number] {
  const parts = text.split(',');
  const [west, south, east, north] = parts.map((part) =>
    /^-?\d{1,3}(\.\d{1,12})?$/.test(part.trim()) ? Number(part) : Number.NaN,
  ) as [number, number, number, number];
  const isOnEarth =
    parts.length === 4 &&
    Math.abs(west) <= 180 &&
    Math.abs(east) <= 180 &&
    Math.abs(south) <= 90 &&
    Math.abs(north) <= 90 &&
    south < north &&
    west !== east;
  if (!isOnEarth) {
    throw badInput(
      'usage',
      '--bbox takes west,south,east,north in degrees, such as 2.5,42,3.5,43; west above east crosses the antimeridian.',
    );
  }
  return [west, south, east, north];
}
