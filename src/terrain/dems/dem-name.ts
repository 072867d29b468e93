import { badInput } from '../../errors.ts';

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Checks the name of a model; any other text throws `usage`. */
export function parseDemName(text: string): string {
  if (NAME.test(text)) return text;
  throw badInput(
    'usage',
    `"${text.slice(0, 80)}" cannot be the name of a model: it takes 1 to 64 lower-case letters, digits, dots, hyphens and underscores, and begins with a letter or a digit.`,
  );
}

/** The name of a model after that of its folder or file; null if nothing of it can stand in a name. */
export function toDemName(text: string): string | null {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64)
    .replace(/[^a-z0-9]+$/, '');
  return name === '' ? null : name;
}
