import { parseCubeName } from '../../cubes/index.ts';
import { badInput } from '../../errors.ts';
import { help, parseOptions } from './options.ts';

/** What `list` and `remove` of data cubes ask for. */
export type CubesAction =
  | { readonly action: 'help' }
  | { readonly action: 'list'; readonly json: boolean }
  | { readonly action: 'remove'; readonly cube: string };

/** Reads `list` and `remove` after the word of a subject, such as `soilmoisture`. */
export function parseCubesAction(word: string, [action, ...rest]: readonly string[]): CubesAction {
  switch (action) {
    case undefined:
    case '--help':
    case '-h':
      return { action: 'help' };
    case 'list': {
      const { values } = parseOptions(rest, { ...help, json: { type: 'boolean' } } as const, 0);
      return values.help ? { action: 'help' } : { action: 'list', json: values.json ?? false };
    }
    case 'remove': {
      const { values, positionals } = parseOptions(rest, help, 1);
      if (values.help) return { action: 'help' };
      const [cube] = positionals;
      if (cube === undefined)
        throw badInput(
          'usage',
          `Which data cube? "swath ${word} remove NAME"; "swath ${word} list" shows them.`,
        );
      return { action: 'remove', cube: parseCubeName(cube) };
    }
    default:
      throw badInput(
        'unknown-command',
        `There is no command "${word} ${action}". "swath ${word} --help" lists them.`,
      );
  }
}
