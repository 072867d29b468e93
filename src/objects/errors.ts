/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { unsupported, notFound, conflict, tooLarge, unavailable, sourceBroken, cancelled, internal } =
  errorsOf({
    unsupported: ['no-conditional-writes'],
    notFound: ['result-gone'],
    conflict: ['lease-lost'],
    tooLarge: ['no-space'],
    unavailable: ['other-size-stored', 'own-files-unavailable', 'results-unavailable', 'staged-file-gone'],
    sourceBroken: ['bad-listing', 'bad-object', 'bad-upload', 'other-bytes-stored', 'store-refuses'],
    cancelled: ['cancelled'],
    internal: ['bad-blob-key', 'bad-object-key', 'object-too-large', 'result-cut'],
  });
