import type { Logger } from 'pino';
import { pino } from 'pino';
import { redactAddresses } from '../net/index.ts';
import { toSourceLines } from './source-lines.ts';

interface LogOptions {
  readonly level: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly format: 'auto' | 'json' | 'text';
  /** Read for each line; absent if lines have no further fields. */
  readonly readFields?: () => Readonly<Record<string, string>>;
  readonly stream: Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };
}

/** Builds the log: JSON lines for machines, short lines for a person at a terminal. */
export function makeLog({ level, format, stream, readFields }: LogOptions): Logger {
  const asText = format === 'text' || (format === 'auto' && stream.isTTY === true);
  const destination = {
    write(json: string) {
      // Causes of errors say which address failed.
      const line = toSourceLines(redactAddresses(json));
      stream.write(asText ? toText(line) : line);
    },
  };
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, ...(readFields && { mixin: readFields }) },
    destination,
  );
}

/**
 * Lets SIGUSR2 switch between the level of the settings and `debug`, so that a running service can be examined without a
 * restart. Returns the function that ends this.
 */
export function switchLevelOnSignal(log: Logger): () => void {
  // Windows has no such signal.
  if (process.platform === 'win32') return () => {};
  const configured = log.level;
  const switchLevel = (): void => {
    log.level = log.level === 'debug' ? (configured === 'debug' ? 'info' : configured) : 'debug';
    log.warn({ log_level: log.level }, `the log level is ${log.level} now`);
  };
  process.on('SIGUSR2', switchLevel);
  return () => process.off('SIGUSR2', switchLevel);
}

interface LogLine {
  readonly level: number;
  readonly time: string;
  readonly msg: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly request_id?: string;
  readonly err?: { readonly message: string; readonly stack?: string };
}

/** pino's numbers: 50 is error, 40 warn, 30 info, 20 debug. */
const LEVELS: Readonly<Record<number, string>> = { 60: 'FATAL', 50: 'ERROR', 40: 'warn', 20: 'debug' };

function toText(json: string): string {
  const { level, time, msg, method, path, status, ms, err, request_id: id } = JSON.parse(json) as LogLine;
  const clock = time.slice(11, 19);
  if (msg === 'request') return `${clock} ${method} ${path} ${status} ${ms} ms\n`;
  const tag = LEVELS[level] === undefined ? '' : `${LEVELS[level]} `;
  const where = id === undefined ? '' : ` (request ${id})`;
  return `${clock} ${tag}${msg}${where}${err === undefined ? '' : `: ${err.stack ?? err.message}`}
`;
}
