import { badInput } from '../../errors.ts';
import { help, parseAmount, parseOptions } from './options.ts';

/** Which of what is stored for tasks a list shows. */
export interface StoredList<State extends string> {
  readonly owner: string | null;
  readonly state: State | null;
  readonly limit: number;
  readonly json: boolean;
}

/** A screenful or two; a script asks for more. */
const DEFAULT_LIST = 50;
const MAX_IDS = 10_000;

/** Options of `list`; null when help is asked for. */
export function parseStoredList<State extends string>(
  words: readonly string[],
  states: readonly State[],
): StoredList<State> | null {
  const options = {
    ...help,
    key: { type: 'string' },
    state: { type: 'string' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  const { values } = parseOptions(words, options, 0);
  if (values.help) return null;
  const state = states.find((one) => one === values.state);
  if (values.state !== undefined && state === undefined)
    throw badInput('usage', `--state is one of ${states.join(', ')}.`);
  return {
    owner: values.key ?? null,
    state: state ?? null,
    limit: values.limit === undefined ? DEFAULT_LIST : parseAmount(values.limit, '--limit'),
    json: values.json ?? false,
  };
}

/** Ids of tasks after `swath <command> <action>`, at least one; null when help is asked for. */
export function parseTaskIds(
  words: readonly string[],
  {
    command,
    action,
    max = MAX_IDS,
  }: { readonly command: string; readonly action: string; readonly max?: number },
): readonly string[] | null {
  const { values, positionals } = parseOptions(words, help, max);
  if (values.help) return null;
  if (positionals.length > 0) return positionals;
  throw badInput(
    'usage',
    `Which task? "swath ${command} ${action} <task id>"; "swath ${command} list" shows them.`,
  );
}
