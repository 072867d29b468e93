/** Writes docs/operate/commands.md from the tables of the command line: `npm run node -- scripts/commands-page.ts`. */
import { writeFileSync } from 'node:fs';
import type { CommandSpec, Option, Topic } from '../src/cli/command.ts';
import { toUsageLine } from '../src/cli/help.ts';
import { topics } from '../src/cli/parse-command.ts';

export const COMMANDS_PAGE = 'docs/operate/commands.md';

const HEAD = `# Commands

In a checkout, write \`npm run swath -- keys list\` for \`swath keys list\`. \`swath <command> --help\` prints what this page says. [start.md](start.md) lists the exit statuses.
`;

/** Prose in Markdown, in which < begins a tag. */
const toProse = (text: string): string => text.replaceAll('<', '\\<');

/** Cells end at |. */
const toRow = ({ flags, about }: Option<unknown>): string =>
  `| \`${flags.replaceAll('|', '\\|')}\` | ${toProse(about)} |`;

const toCommand = (spec: CommandSpec): string =>
  [
    `### swath ${spec.name}`,
    `    ${toUsageLine(spec)}`,
    toProse(spec.about),
    ...(spec.options.length === 0
      ? []
      : [['| Option | Meaning |', '|---|---|', ...spec.options.map(toRow)].join('\n')]),
  ].join('\n\n');

function toSection({ name, about, commands, elsewhere = {}, fails }: Topic): string {
  const links = Object.keys(elsewhere).map((other) => `[swath ${other}](#swath-${other.replace(' ', '-')})`);
  const others = links.length === 0 ? [] : [`Explained further below: ${links.join(', ')}.`];
  return [
    `## ${name}`,
    ...[...about, ...others].map(toProse),
    ...commands.map(toCommand),
    ...(fails === undefined ? [] : [`Exit status 1 if ${fails}.`]),
  ].join('\n\n');
}

/** The page as the tables have it. */
export const writeCommandsPage = (): string => `${[HEAD.trimEnd(), ...topics.map(toSection)].join('\n\n')}\n`;

if (import.meta.main) writeFileSync(COMMANDS_PAGE, writeCommandsPage());
