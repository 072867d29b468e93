import type { HistogramBins } from '../../stats/index.ts';
import type { Task } from '../../tasks/index.ts';
import type { TaskForm } from './task-answers.ts';

/** An answer that is made of the document of a task, as plain data: another thread may write it. */
export type DocumentQuestion = {
  /** As JSON. */
  readonly document: string;
} & (
  | {
      readonly kind: 'poll';
      readonly form: TaskForm;
      readonly task: Task;
      /** What the poll says of the callback; null for none. */
      readonly callback: object | null;
    }
  | { readonly kind: 'json'; readonly taskId: string; readonly histogram: HistogramBins | null }
  | { readonly kind: 'csv' }
  /** With the area as the text of a GeoJSON geometry. */
  | { readonly kind: 'geojson'; readonly area: string }
);

/** Writes such an answer. */
export type WriteDocument = (
  question: DocumentQuestion,
  signal?: AbortSignal,
) => Promise<Uint8Array<ArrayBuffer>>;
