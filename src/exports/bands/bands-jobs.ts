import type { ThreadTools } from '../../blocks/index.ts';
import type { StoredBytes, StoredFile } from '../../formats/block-file/index.ts';
import { makeJp2Encoder } from '../../formats/jp2/index.ts';
import type { JobHandlers, JobType } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import type { AreaJob } from './area-pixels.ts';
import { hasAreaPixels } from './area-pixels.ts';
import type { CopyJobs } from './copied-image.ts';
import { makeCopyBytes } from './copy-bytes.ts';
import type { EncodePartJobs } from './encoded-image.ts';
import { makeEncodePart } from './encoded-image.ts';
import type { Jp2TileJobs } from './jp2-image.ts';
import { makeEncodeTile } from './jp2-image.ts';
import type { FindMetadataJob } from './metadata-files.ts';
import { makeFindMetadata } from './metadata-files.ts';
import type { FilesJob } from './read-files.ts';
import { makeReadFiles } from './read-files.ts';
import { makeReadPixels } from './read-pixels.ts';

/** All kinds of jobs of files with bands: what each is given and gives. */
export type BandsJobs = CopyJobs &
  EncodePartJobs &
  Jp2TileJobs & {
    'export-area': JobType<AreaJob, boolean>;
    'export-files': JobType<FilesJob, StoredFile[]>;
    'export-metadata': JobType<FindMetadataJob, StoredBytes[]>;
  };

/** The handlers of files with bands, for a thread of the pool. */
export function makeBandsJobs(tools: ThreadTools): JobHandlers<BandsJobs> {
  const copyBytes = makeCopyBytes(tools);
  const readPixels = makeReadPixels(tools);
  return {
    'export-area': hasAreaPixels,
    'export-bands': makeEncodePart(readPixels, copyBytes),
    'export-copy': async (job, context) => {
      const bytes = await copyBytes(job, context);
      return withTransfer(bytes, [bytes.buffer]);
    },
    'export-files': makeReadFiles(tools),
    'export-jp2': makeEncodeTile(readPixels, makeJp2Encoder()),
    'export-metadata': makeFindMetadata(tools),
  };
}
