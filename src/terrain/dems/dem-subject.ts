import type { Subject } from '../../errors.ts';

/** What errors of the files of elevation models are about. */
export const DEM_FILES: Subject = { file: 'a file of the model', server: 'a store of the model' };
