/**
 * Whether a client has what it asks for already. RFC 9110 13.1.2: a list of tags, weak ones compare equal to strong ones,
 * `*` matches anything. The tag comes with its quotes.
 */
export const isFresh = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false;
