import { badInput } from '../../errors.ts';
import type { Query } from './query.ts';

/** How a switch, or what can be switched on by a name, is switched off. */
export const OFF_NAMES = ['false', '0'] as const;

const ON_NAMES = ['true', '1'] as const;

/** What a switch may say. */
export const SWITCH_NAMES = [...ON_NAMES, ...OFF_NAMES] as const;

const ON: ReadonlySet<string> = new Set(ON_NAMES);
const OFF: ReadonlySet<string> = new Set(OFF_NAMES);

/** Whether a text, in any case, switches something off. */
export const isOff = (text: string): boolean => OFF.has(text.toLowerCase());

/** `true`, `1`, `false` or `0`, in any case; off when it is not there. */
export function parseSwitch(query: Query, name: string): boolean {
  const text = query.get(name)?.toLowerCase();
  if (text === undefined || OFF.has(text)) return false;
  if (ON.has(text)) return true;
  throw badInput(toBadCode(name), `${name} must be true, 1, false or 0.`);
}

/** The code of an error about a parameter's value. */
export const toBadCode = (name: string): string => `bad-${name.toLowerCase().replaceAll('_', '-')}`;
