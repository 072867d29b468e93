import type { Spent } from './spent.ts';

const NAME_CHARS = 56;
const CELL_CHARS = 9;

/** Prints a row: what was measured, and figures. */
export const printRow = (name: string, ...cells: readonly string[]): void =>
  console.log(name.padEnd(NAME_CHARS), ...cells.map((cell) => cell.padStart(CELL_CHARS)));

/** The head of the columns of `printSpent`. */
export const printHead = (): void => printRow('', 'wall s', 'CPU s', 'MB', 'others');

const toPercent = (share: number): string => `${Math.round(100 * share)} %`;

/** Prints what a run took, the size of its file, and how busy other programs were. */
export const printSpent = (name: string, { wallS, cpuS, others }: Spent, bytes: number): void =>
  printRow(name, wallS.toFixed(2), cpuS.toFixed(2), (bytes / 1e6).toFixed(1), toPercent(others));

/** Prints whether a demand is met; the bench fails when one is not. */
export function demand(what: string, isMet: boolean): void {
  console.log(`  ${isMet ? 'met    ' : 'NOT MET'} ${what}`);
  if (!isMet) process.exitCode = 1;
}
