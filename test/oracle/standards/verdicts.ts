/** What judges say, as lines that `check-standards.ts` collects into one table. */

/** One thing that a judge has looked at. */
export interface Verdict {
  readonly judge: string;
  /** Conformance classes, by the ends of their addresses (`core` of Tiles is `ogcapi-tiles-1/1.0/conf/core`); or standards without any. */
  readonly classes: readonly string[];
  readonly what: string;
  readonly tests: number;
  readonly passed: number;
}

const [VERDICT, CLAIM, MISSING] = ['VERDICT ', 'CLAIM ', 'MISSING '];

/** Tells a verdict. */
export const tell = (verdict: Verdict): void => console.log(VERDICT + JSON.stringify(verdict));

/** Tells which judge could not be asked, and why. */
export const tellMissing = (judge: string, why: string): void => console.log(`${MISSING}${judge}: ${why}`);

/** Tells what a service claims to conform to. */
export async function tellClaims(url: string, key: string): Promise<void> {
  for (const door of ['stac', 'ogc']) {
    const response = await fetch(`${url}/${door}/conformance`, { headers: { 'x-api-key': key } });
    const { conformsTo } = (await response.json()) as { conformsTo: readonly string[] };
    for (const one of conformsTo) console.log(CLAIM + one);
  }
}

/** What the lines of a run say. */
export interface Report {
  readonly verdicts: readonly Verdict[];
  readonly claims: readonly string[];
  readonly missing: readonly string[];
  /** All other lines. */
  readonly rest: readonly string[];
}

/** Reads the lines of a run. */
export function readReport(output: string): Report {
  const lines = output.split('\n');
  const behind = (word: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(word) ? [line.slice(word.length)] : []));
  return {
    verdicts: behind(VERDICT).map((text) => JSON.parse(text) as Verdict),
    claims: behind(CLAIM),
    missing: behind(MISSING),
    rest: lines.filter((line) => ![VERDICT, CLAIM, MISSING].some((word) => line.startsWith(word))),
  };
}
