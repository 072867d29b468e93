import type { TaskError } from '../../tasks/index.ts';

/** Why an order of statistics is refused, and the code of it in `error_status` (docs/use/statistics.md, "As a task"). */
const STATISTICS_CODES = {
  'statistics-scene-limit': '00001',
  'statistics-sensors': '00010',
  'statistics-dates-reversed': '00011',
  'statistics-date': '00100',
  'statistics-no-geometry': '00101',
  'statistics-geometry-type': '00110',
  'statistics-geometry-invalid': '00111',
  'statistics-geometry-malformed': '01000',
  'statistics-expression': '01001',
  'statistics-search': '01010',
  'statistics-area': '01011',
  'statistics-computation': '01100',
} as const satisfies Readonly<Record<string, string>>;

/** A reason of refusal. */
export type StatisticsRefusal = keyof typeof STATISTICS_CODES;

/** The code of an error on the wire; null for one that the table does not have. */
export const toStatisticsCode = ({ code }: TaskError): string | null =>
  Object.hasOwn(STATISTICS_CODES, code) ? STATISTICS_CODES[code as StatisticsRefusal] : null;

/** A refusal that the poll reports, with a code of the interface. */
export class RefusedStatistics extends Error {
  readonly code: StatisticsRefusal;
  constructor(code: StatisticsRefusal, message: string) {
    super(message);
    this.code = code;
  }
}
