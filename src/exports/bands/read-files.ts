import { checkStamp, toOpenedState } from '../../blocks/index.ts';
import type { Asset } from '../../catalog/index.ts';
import type { SidecarSuffix, StoredFile } from '../../formats/block-file/index.ts';
import { readStoredFile } from '../../formats/block-file/index.ts';
import type { JobContext } from '../../pool/index.ts';
import type { OpenSource } from '../../sources/index.ts';

/** A file of a scene, as its record has it. */
export interface RecordedFile {
  readonly href: string;
  readonly sidecars: readonly SidecarSuffix[];
  /** The state of the file with its overviews; absent when the catalog does not know it. */
  readonly stamp?: string;
}

/** What is read of the files of an order before it is planned. */
export interface FilesJob {
  readonly files: readonly RecordedFile[];
}

/** The file of a band, as its record has it. */
export function toRecordedFile({ href, sidecars = [], stamps }: Asset): RecordedFile {
  const { stamp } = toOpenedState(stamps === undefined ? { sidecars } : { sidecars, stamps });
  return { href, sidecars, ...(stamp === undefined ? {} : { stamp }) };
}

const versionOf = (file: StoredFile): string =>
  file.format === 'tiff' && file.overviewBytes !== null
    ? `${file.bytes.version} ${file.overviewBytes.version}`
    : file.bytes.version;

/** Builds the reading of headers: on a thread, because a header may be large, or made to take long. */
export function makeReadFiles({ open }: { readonly open: OpenSource }) {
  return async ({ files }: FilesJob, { signal }: Pick<JobContext, 'signal'>): Promise<StoredFile[]> =>
    Promise.all(
      files.map(async ({ href, sidecars, stamp }) => {
        const file = await readStoredFile({ href, sidecars, open, signal });
        checkStamp(versionOf(file), stamp);
        return file;
      }),
    );
}
