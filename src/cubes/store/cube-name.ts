import { badInput } from '../../errors.ts';

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Whether a text can be the name of a cube. */
export const isCubeName = (text: string): boolean => NAME.test(text);

/** Checks the name of a cube; any other text throws `usage`. */
export function parseCubeName(text: string): string {
  if (isCubeName(text)) return text;
  throw badInput(
    'usage',
    `"${text.slice(0, 80)}" cannot be the name of a data cube: it takes 1 to 64 lower-case letters, digits, hyphens and underscores, and begins with a letter or a digit.`,
  );
}
