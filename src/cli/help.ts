import type { CommandSpec, Topic } from './command.ts';
import { readFlags, toUsage } from './command.ts';
import { describeExitStatuses } from './exit-status.ts';
import { topics } from './parse-command.ts';
import type { Terminal } from './terminal.ts';

const LINE_CHARS = 110;

/** Words in lines of a terminal, each with an indent. */
function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= LINE_CHARS) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${word}`);
  }
  return lines.join('\n');
}

/** Two columns; the second one is wrapped. */
function toColumns(rows: readonly (readonly [name: string, text: string])[], indent: string): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const blank = ' '.repeat(indent.length + width);
  return rows
    .map(([name, text]) => `${indent}${name.padEnd(width)}${wrap(text, blank).trimStart()}`)
    .join('\n');
}

/** Options without a letter begin where those with one do. */
const toFlags = (flags: string): string => (readFlags(flags).short === null ? `    ${flags}` : flags);

/** A command with its options, if they fit into a line. */
export function toUsageLine(spec: CommandSpec): string {
  const usage = `swath ${toUsage(spec)}`;
  const options = spec.options.map(({ flags, isRequired = false }) => {
    const long = flags.replace(/^-\w, /, '');
    return isRequired ? long : `[${long}]`;
  });
  const whole = [usage, ...options].join(' ');
  return whole.length <= LINE_CHARS - 'Usage: '.length ? whole : `${usage} [options]`;
}

const explain = (spec: CommandSpec): string =>
  [
    `swath ${spec.name}`,
    wrap(spec.about, '  '),
    ...(spec.options.length === 0
      ? []
      : [
          toColumns(
            spec.options.map(({ flags, about }) => [toFlags(flags), about] as const),
            '  ',
          ),
        ]),
  ].join('\n');

function writeTopic({ commands, about, elsewhere = {}, fails }: Topic): string {
  const usages = [
    ...commands.map(toUsageLine),
    ...Object.entries(elsewhere).map(
      ([name, other]) => `swath ${name} …; "swath ${other} --help" explains it`,
    ),
  ];
  return [
    usages.map((usage, i) => `${i === 0 ? 'Usage:' : '      '} ${usage}`).join('\n'),
    ...commands.map(explain),
    ...about.map((paragraph) => wrap(paragraph, '')),
    ...(fails === undefined ? [] : [`Exit status 1 if ${fails}.`]),
  ].join('\n\n');
}

const writeMain = (): string => `Swath: self-hosted satellite imagery.

Usage: swath <command> [options]

Commands:
${toColumns(
  topics.map(({ name, summary }) => [name, summary] as const),
  '  ',
)}

Options:
  -h, --help     this text, or "swath <command> --help"
  -V, --version  the version

Settings are environment variables such as SWATH_PORT and SWATH_DATA; "swath doctor" shows those in force.
Exit status: ${describeExitStatuses()}.`;

/** Prints the help of a topic, or of the program. */
export function printHelp(terminal: Terminal, name: string | null): void {
  const topic = topics.find((one) => one.name === name);
  terminal.line(topic === undefined ? writeMain() : writeTopic(topic));
}
