import { redactAddresses } from '../../net/index.ts';

/** The outcome for a product. */
export type ProductOutcome = 'ingested' | 'unchanged' | 'skipped' | 'broken';

/** One line of a report. */
export interface ProductReport {
  /** Its path below the folder. */
  readonly product: string;
  readonly outcome: ProductOutcome;
  readonly viewId?: string;
  /** Whether an ingested scene is new. */
  readonly change?: 'added' | 'replaced';
  /** Why it was skipped or is broken, for programs and for people. */
  readonly code?: string;
  readonly reason?: string | undefined;
  /** How many files of a folder were skipped for the same reason. */
  readonly files?: number | undefined;
  /** Notes about an ingested product. */
  readonly notes?: readonly string[] | undefined;
}

/** The result of an ingest, as plain JSON. */
export interface IngestReport {
  readonly totals: Readonly<Record<ProductOutcome, number>>;
  readonly products: readonly ProductReport[];
  /** True if it was stopped before its end; another run continues from there. */
  readonly stopped: boolean;
  /** Items that were read and do not match the filters; absent if there are none. */
  readonly filteredOut?: number;
}

/** Counts the lines of a report, and removes secrets from addresses in messages of items and stores. */
export function toReport(lines: readonly ProductReport[], stopped: boolean): IngestReport {
  const products = lines.map(withoutSecrets);
  const totals = { ingested: 0, unchanged: 0, skipped: 0, broken: 0 };
  for (const { outcome } of products) totals[outcome]++;
  return { totals, products, stopped };
}

const withoutSecrets = ({ product, reason, notes, ...line }: ProductReport): ProductReport => ({
  product: redactAddresses(product),
  ...line,
  reason: reason && redactAddresses(reason),
  notes: notes?.map(redactAddresses),
});

/** Files that were skipped, one line for each folder and reason. */
export function toSkippedLines(
  skipped: readonly { readonly name: string; readonly code: string; readonly reason: string }[],
): ProductReport[] {
  const folderOf = (name: string) => name.split('/').slice(0, -1).join('/') || '.';
  const groups = Map.groupBy(skipped, ({ name, code }) => `${code} ${folderOf(name)}`);
  return [...groups.values()].map((files) => {
    const { name, code, reason } = files[0]!;
    const product = files.length === 1 ? name : folderOf(name);
    return {
      product,
      outcome: 'skipped',
      code,
      reason,
      files: files.length === 1 ? undefined : files.length,
    };
  });
}
