import { functions } from './functions.ts';

/** A function of band math, as editors offer it. */
export interface ListedFunction {
  readonly name: string;
  readonly minArgs: number;
  readonly maxArgs: number;
}

/** All functions in the order of their names. */
export const listFunctions = (): readonly ListedFunction[] =>
  [...functions]
    .map(([name, { minArgs, maxArgs }]) => ({ name, minArgs, maxArgs }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
