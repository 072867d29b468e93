import type { LogLine } from './target.ts';
import { isAboveInfo, readLog } from './target.ts';

/** A line above info that an attack causes, and that an operator should read. */
interface Expected {
  /** The text of the line. */
  readonly msg: RegExp;
  /** What its error says; any when left out. */
  readonly error?: RegExp;
  readonly attack: string;
}

/** The lines that attacks may leave in the logs; anything else above info is a finding. */
const EXPECTED: readonly Expected[] = [
  {
    msg: /^the store (fails|works again)/,
    attack: 'disk full; database locked; PostgreSQL unreachable; PostgreSQL hangs',
  },
  {
    msg: /^a source failed$/,
    error: /changed while it was read|became shorter|ends before|damaged|not a/i,
    attack: 'file overwritten in place',
  },
  {
    msg: /^a source failed$/,
    error: /cannot be (read|opened)|not a plain file|not allowed|lies outside the folders|link/i,
    attack: 'links out of the data directory; a pipe instead of a file',
  },
  {
    msg: /^a source failed$/,
    error: /did not finish within|took too long|timed out|did not answer/i,
    attack: 'a stopped upstream; renders beyond their time limit',
  },
  {
    msg: /database|store|catalog|disk|written|area|contrast|remember/i,
    error: /disk|full|room|written|locked|busy|space/i,
    attack: 'disk full; database locked',
  },
  {
    msg: /database|store|catalog|contrast|remember|readiness/i,
    error: /connect|terminat|ECONN|unreachable|time/i,
    attack: 'PostgreSQL unreachable; PostgreSQL hangs',
  },
  {
    msg: /^an attempt at a task failed/,
    error: /held by another program|connection|disk|full|room|bucket|unreachable|time/i,
    attack: 'results without storage; database locked; PostgreSQL unreachable',
  },
  {
    msg: /^a callback could not be sent/,
    error: /PostgreSQL|connect|disk|full|locked/i,
    attack: 'PostgreSQL unreachable; PostgreSQL hangs; disk full',
  },
  {
    msg: /^an attempt at a callback failed/,
    error: /cannot be reached|not allowed|private/i,
    attack: 'callbacks that lead inside',
  },
];

/** The lines above info of a log: how many an attack explains, and the texts of the others. */
export function listUnexplained(output: string): {
  readonly explained: number;
  readonly unexplained: readonly string[];
} {
  const lines = readLog(output).filter(isAboveInfo);
  const counts = new Map<string, number>();
  let explained = 0;
  for (const line of lines) {
    if (EXPECTED.some((expected) => isExpected(line, expected))) explained += 1;
    else counts.set(describe(line), (counts.get(describe(line)) ?? 0) + 1);
  }
  return { explained, unexplained: [...counts].map(([text, count]) => `${text} ×${count}`) };
}

const isExpected = ({ msg, err }: LogLine, { msg: text, error }: Expected): boolean =>
  text.test(msg) && (error === undefined || error.test(err?.message ?? ''));

const describe = ({ level, msg, err }: LogLine): string =>
  `${level} ${msg}${err?.message === undefined ? '' : ` (${err.message.split('\n')[0]})`}`;
