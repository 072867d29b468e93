import type { ParseArgsOptionsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import { badInput } from '../errors.ts';

/** What the command line asks for. */
export type Command =
  | { readonly name: 'serve' }
  | { readonly name: 'doctor' }
  | { readonly name: 'version' }
  | { readonly name: 'help'; readonly topic: string | null }
  | {
      readonly name: 'keys create';
      readonly label: string;
      readonly expiresAt: string | null;
      readonly ratePerMinute: number | null;
      readonly readOnly: boolean;
    }
  | { readonly name: 'keys list'; readonly json: boolean }
  | { readonly name: 'keys revoke'; readonly id: string };

const help = { help: { type: 'boolean', short: 'h' } } as const;

/** Reads the command line; a mistake throws `bad-input` with a sentence and the way to the help. */
export function parseCommand(argv: readonly string[]): Command {
  const [first, ...rest] = argv;
  switch (first) {
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      return { name: 'help', topic: rest[0] ?? null };
    case '--version':
    case '-V':
      return { name: 'version' };
    case 'serve':
    case 'doctor': {
      const { values } = parse(rest, help, 0);
      return values.help ? { name: 'help', topic: first } : { name: first };
    }
    case 'keys':
      return parseKeys(rest);
    default:
      throw badInput('unknown-command', `There is no command "${first}". "swath --help" lists them.`);
  }
}

function parseKeys([action, ...rest]: readonly string[]): Command {
  switch (action) {
    case undefined:
    case '--help':
    case '-h':
      return { name: 'help', topic: 'keys' };
    case 'create': {
      const options = {
        ...help,
        label: { type: 'string', short: 'l' },
        expires: { type: 'string' },
        rate: { type: 'string' },
        'read-only': { type: 'boolean' },
      } as const;
      const { values } = parse(rest, options, 0);
      if (values.help) return { name: 'help', topic: 'keys' };
      return {
        name: 'keys create',
        label: values.label ?? 'unnamed',
        expiresAt: values.expires === undefined ? null : parseDate(values.expires),
        ratePerMinute: values.rate === undefined ? null : parseRate(values.rate),
        readOnly: values['read-only'] ?? false,
      };
    }
    case 'list': {
      const { values } = parse(rest, { ...help, json: { type: 'boolean' } } as const, 0);
      return values.help
        ? { name: 'help', topic: 'keys' }
        : { name: 'keys list', json: values.json ?? false };
    }
    case 'revoke': {
      const { values, positionals } = parse(rest, help, 1);
      if (values.help) return { name: 'help', topic: 'keys' };
      const [id] = positionals;
      if (id === undefined)
        throw badInput('usage', 'Which key? "swath keys revoke <id>"; "swath keys list" shows the ids.');
      return { name: 'keys revoke', id };
    }
    default:
      throw badInput(
        'unknown-command',
        `There is no command "keys ${action}". "swath keys --help" lists them.`,
      );
  }
}

function parse<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  positionals: number,
) {
  try {
    const result = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    if (result.positionals.length > positionals)
      throw new Error(`Unexpected argument "${result.positionals.at(-1)}".`);
    return result;
  } catch (error) {
    throw badInput(
      'usage',
      `${(error as Error).message.split('. To specify')[0]} "swath --help" shows what is possible.`,
    );
  }
}

function parseDate(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.test(text) || Number.isNaN(Date.parse(text))) {
    throw badInput('usage', '--expires takes a date such as 2030-12-31.');
  }
  // A day without a time means all of it.
  return text.includes('T') ? text : `${text}T23:59:59.999Z`;
}

function parseRate(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw badInput('usage', '--rate takes a whole number of requests per minute, 1 or more.');
  return Number(text);
}
