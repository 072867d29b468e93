import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientCheck } from './client-check.ts';
import { EXPLAINED } from './explained-failures.ts';
import { run } from './run-program.ts';

/** Fewer cases would show too little. */
const MIN_CASES = 3_000;
/** Fuzzing goes on until this time is over. */
const MAX_SECONDS = 150;

/** A failure as the report prints it. */
export interface Reported {
  readonly operation: string;
  readonly rule: string;
  readonly status: number | null;
  readonly code: string | null;
}

/** Reads the failures of a printed report: sections of operations, with cases, with rules that were broken. */
export function parseReport(report: string): readonly Reported[] {
  const [, ...sections] = report.split(/^_{3,} (.*?) _{3,}$/m);
  const failures: Reported[] = [];
  for (let i = 0; i + 1 < sections.length; i += 2) {
    for (const text of sections[i + 1]!.split(/^\d+\. Test Case ID/m).slice(1)) {
      const status = /^\[(\d{3})\]/m.exec(text)?.[1];
      const code = /"code":\s*"([^"]+)"/.exec(text)?.[1] ?? null;
      for (const [, rule = ''] of text.matchAll(/^- (ST\d+)/gm)) {
        failures.push({
          operation: sections[i]!,
          rule,
          status: status === undefined ? null : Number(status),
          code,
        });
      }
    }
  }
  return failures;
}

/** Whether the list of explanations has an entry for a failure. */
export const isExplained = ({ operation, rule, status, code }: Reported): boolean =>
  (status === null || status < 500) &&
  EXPLAINED.some(
    (explained) =>
      explained.rule === rule &&
      explained.operations.test(operation) &&
      (explained.code === null ? code === null : code !== null && explained.code.test(code)),
  );

/** Generates requests from our document, valid and not, and judges every answer. */
export const schemathesis: ClientCheck = {
  name: 'schemathesis',
  async run({ url, key, pythonBin, folder }) {
    const config = join(folder, 'schemathesis.toml');
    const schemes = ['key', 'header'].map((name) => `[auth.openapi.${name}]\napi_key = "${key}"\n`);
    writeFileSync(config, schemes.join(''));
    const result = join(folder, 'report.json');
    const printed = await run(
      join(pythonBin, 'schemathesis'),
      [
        ...['--config-file', config, 'run', `${url}/openapi.json`, '--checks', 'all', '--no-color'],
        ...['--phases', 'examples,coverage,fuzzing', '--max-examples', '20', '--continue-on-failure'],
        ...['--max-time', String(MAX_SECONDS), '--report', 'json', '--report-json-path', result],
      ],
      { cwd: folder, allowed: [0, 1] },
    );
    const { test_cases: cases, errors } = JSON.parse(readFileSync(result, 'utf8')) as {
      test_cases: { generated: number; unique_failures: number };
      errors: readonly unknown[];
    };
    if (errors.length > 0)
      throw new Error(`It could not read the document: ${JSON.stringify(errors).slice(0, 500)}`);
    const failures = parseReport(printed);
    const unexplained = failures.filter((failure) => !isExplained(failure));
    if (unexplained.length > 0) {
      const lines = unexplained.map(
        ({ operation, rule, status, code }) => `${rule} ${operation}: ${status} ${code ?? ''}`,
      );
      throw new Error(`${lines.length} failures without an explanation:\n  ${lines.join('\n  ')}`);
    }
    if (failures.length < cases.unique_failures)
      throw new Error(`Only ${failures.length} of ${cases.unique_failures} failures could be read.`);
    if (cases.generated < MIN_CASES) throw new Error(`Only ${cases.generated} cases were made.`);
    return `${cases.generated} cases, all checks; no 5xx; ${failures.length} reports, each explained`;
  },
};
