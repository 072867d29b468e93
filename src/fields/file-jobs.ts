/** The jobs on files of fields, for threads of the pool. */

import type { JobHandlers } from '../pool/index.ts';
import type { FieldExportJobs } from './export-fields.ts';
import { fieldExportJobs } from './export-fields.ts';
import type { FieldImportJobs } from './import/check-file.ts';
import { fieldImportJobs } from './import/check-file.ts';

/** Jobs that read and write files of fields. */
export type FieldFileJobs = FieldExportJobs & FieldImportJobs;

/** Their handlers. */
export const fieldFileJobs: JobHandlers<FieldFileJobs> = { ...fieldExportJobs, ...fieldImportJobs };
