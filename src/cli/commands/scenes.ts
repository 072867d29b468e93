import type { CommandOf } from './command.ts';
import { argument, command, option, severalArguments, topic, withDefault } from './command.ts';
import { parseAmount } from './parse-values.ts';
import { jsonList } from './reports.ts';

/** `swath scenes …` and `swath export`. */
export type ScenesCommand =
  | CommandOf<(typeof scenes.commands)[number]>
  | CommandOf<(typeof exportTopic.commands)[number]>;

const dataset = option('--dataset ID', 'only this dataset');
const hint = '"swath scenes list" shows them';

/** `swath scenes`. */
export const scenes = topic({
  name: 'scenes',
  summary: 'list, show and remove scenes',
  about: [],
  commands: [
    command('scenes list', {
      about: 'Shows view ids, days and clouds, and how many scenes each dataset has.',
      options: {
        dataset,
        limit: withDefault(option('--limit N', 'show at most N scenes (100)', parseAmount), 100),
        ...jsonList,
      },
    }),
    command('scenes show', {
      about: 'Prints everything the catalog knows about a scene, as JSON.',
      arguments: { viewId: argument('<view id>', 'Which scene?') },
      hint,
    }),
    command('scenes remove', {
      about: 'Removes scenes from the catalog; their files stay.',
      arguments: { viewIds: severalArguments('<view id>', 'Which scenes?') },
      hint,
    }),
  ],
  fails: 'a scene does not exist',
});

/** `swath export`. */
export const exportTopic = topic({
  name: 'export',
  summary: 'write the catalog as STAC items',
  about: [],
  commands: [
    command('export', {
      about:
        'Writes the catalog as STAC items, one per line (ndjson), to standard output or a file. Next to the file it writes their collections, as <dataset>.collection.json. "swath ingest stac FILE" reads the items again.',
      options: { dataset, output: option('-o, --output FILE', 'write to FILE in place of standard output') },
    }),
  ],
});
