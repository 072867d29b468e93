import type { AreaGeometry, PointGeometry } from '../../geo/index.ts';
import type { StatisticsDocument } from '../../tasks/index.ts';
import { TASK_FORMS } from '../tasks/task-answers.ts';
import type { DocumentQuestion, WriteDocument } from '../tasks/task-poll.ts';
import { toStatisticsCsv, toStatisticsGeoJson, toStatisticsJson } from './statistics-formats.ts';

/** What is written at once, in characters of the document and of its area: about a millisecond's work. */
const SHORT = 32_768;

/**
 * Writes short answers at once and leaves long ones to another thread: five thousand measurements are 1.5 MB, which take
 * 30 ms to parse and to write.
 */
export const makeWriteDocument =
  (writeElsewhere: WriteDocument): WriteDocument =>
  async (question, signal) => {
    const chars = question.document.length + (question.kind === 'geojson' ? question.area.length : 0);
    return chars <= SHORT ? writeDocument(question) : writeElsewhere(question, signal);
  };

/** Writes an answer of any length at once. */
export function writeDocument(question: DocumentQuestion): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(toText(question, JSON.parse(question.document) as StatisticsDocument));
}

function toText(question: DocumentQuestion, document: StatisticsDocument): string {
  switch (question.kind) {
    case 'poll': {
      const { form, task, callback } = question;
      const body = TASK_FORMS[form].toFinished(task, { resultUrl: null, document });
      return JSON.stringify(callback === null ? body : { ...body, callback });
    }
    case 'json':
      return JSON.stringify(toStatisticsJson(document, question));
    case 'csv':
      return toStatisticsCsv(document);
    case 'geojson': {
      const area = JSON.parse(question.area) as AreaGeometry | PointGeometry;
      return JSON.stringify(toStatisticsGeoJson(document, area));
    }
  }
}
