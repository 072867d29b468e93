import type { CommandOf, CommandSpec } from './command.ts';
import { dem } from './dem.ts';
import { demo } from './demo.ts';
import { badInput } from './errors.ts';
import { exportTopic } from './export-scenes.ts';
import { ingest } from './ingest.ts';
import { keys } from './keys.ts';
import { scenes } from './scenes.ts';
import { doctor, serve } from './service.ts';
import { soilMoisture } from './soil-moisture.ts';
import { sync } from './sync.ts';
import { callbacks, tasks } from './tasks.ts';
import { top } from './top.ts';
import { usage } from './usage.ts';
import { weather } from './weather.ts';

/** All topics, in the order of `swath --help`. */
export const topics = [
  serve,
  ingest,
  sync,
  scenes,
  dem,
  soilMoisture,
  weather,
  exportTopic,
  keys,
  usage,
  top,
  tasks,
  callbacks,
  demo,
  doctor,
] as const;

/** What the command line asks for. */
export type Command =
  | { readonly name: 'version' }
  /** Help of the program, or of one topic. */
  | { readonly name: 'help'; readonly topic: string | null }
  | CommandOf<(typeof topics)[number]['commands'][number]>;

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

/** Reads the command line; a mistake throws `bad-input` with a sentence and the way to the help. */
export function parseCommand(argv: readonly string[]): Command {
  const [first, second, ...rest] = argv;
  if (first === undefined || first === 'help' || isHelp(first))
    return { name: 'help', topic: second ?? null };
  if (first === '--version' || first === '-V') return { name: 'version' };
  const two = findCommand(`${first} ${second}`);
  if (two !== null) return parse(two, rest);
  const one = findCommand(first);
  if (one !== null) return parse(one, argv.slice(1));
  const actions = listActions(first);
  if (actions.length === 0)
    throw badInput('unknown-command', `There is no command "${first}". "swath --help" lists them.`);
  if (second === undefined || isHelp(second)) return { name: 'help', topic: first };
  throw badInput(
    'unknown-command',
    `There is no command "${first} ${second}". Possible: ${actions.join(', ')}; "swath ${first} --help" explains them.`,
  );
}

interface Found {
  readonly topic: string;
  readonly spec: CommandSpec<Command>;
}

function findCommand(name: string): Found | null {
  for (const { name: topic, commands } of topics) {
    for (const spec of commands) if (spec.name === name) return { topic, spec };
  }
  return null;
}

const parse = ({ topic, spec }: Found, words: readonly string[]): Command =>
  spec.parse(words) ?? { name: 'help', topic };

/** The second words of the commands that begin with a word. */
const listActions = (first: string): readonly string[] =>
  topics
    .flatMap(({ commands }) => commands.map(({ name }) => name.split(' ')))
    .flatMap(([word, action]) => (word === first && action !== undefined ? [action] : []));
