import { isSwathError } from '../errors.ts';

/** The exit statuses of `swath`; 70 is EX_SOFTWARE of sysexits.h, after which a supervisor starts the service again. */
export const EXIT = { done: 0, failed: 1, usage: 2, crashed: 70 } as const;

/** What each status says, for the help. */
const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done',
  failed: 'failed',
  usage: 'wrong usage or settings',
  crashed: 'crashed',
};

/** Errors whose status is not that of a command that failed. */
const STATUS_BY_CODE: ReadonlyMap<string, number> = new Map([
  ['bad-settings', EXIT.usage],
  ['unknown-catalog', EXIT.usage],
  ['unknown-command', EXIT.usage],
  ['usage', EXIT.usage],
]);

/** The exit status of a command that threw; an error that was not thrown on purpose is a crash. */
export function toExitStatus(error: unknown): number {
  if (!isSwathError(error)) return EXIT.crashed;
  return STATUS_BY_CODE.get(error.code) ?? EXIT.failed;
}

/** All statuses in one line: `0 done, 1 failed, …`. */
export const describeExitStatuses = (): string =>
  (Object.keys(EXIT) as (keyof typeof EXIT)[]).map((name) => `${EXIT[name]} ${MEANINGS[name]}`).join(', ');
