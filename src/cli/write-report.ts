import { chmod, stat, writeFile } from 'node:fs/promises';
import { badInput } from '../errors.ts';

/** Writes a report as JSON to the file of `--report`. */
export async function writeReport(path: string, report: unknown, mode: number): Promise<void> {
  try {
    const isNew = (await stat(path).catch(() => null)) === null;
    await writeFile(path, `${JSON.stringify(report, null, 2)}\n`);
    // The process makes private files; this one is its caller's.
    if (isNew) await chmod(path, mode);
  } catch (error) {
    throw badInput('report-not-written', `The report could not be written to ${path}.`, { cause: error });
  }
}
