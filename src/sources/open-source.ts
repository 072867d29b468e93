import type { Subject } from '../errors.ts';
import { isSwathError, withSubject } from '../errors.ts';
import { joinFolder } from '../files/index.ts';
import { parseAllowedUrl } from '../net/index.ts';
import type { S3Store } from '../net/s3.ts';
import { parseS3Href, toS3Url, toStoreHeaders } from '../net/s3.ts';
import type { OpenSource } from './byte-source.ts';
import { SCENE_FILES } from './byte-source.ts';
import { sourceBroken } from './errors.ts';
import { makeHeaderStore } from './header-store.ts';
import type { HttpOpenOptions, HttpSourceDeps, RemoteSource } from './http-source.ts';
import { isLost, openHttpSource } from './http-source.ts';
import { isFolderHref, makeDataFiles, makeFolderFiles } from './local-files.ts';
import type { NetworkSources, OpenSourceOptions } from './network-sources.ts';
import { makeHttpDoor, makeS3Doors, makeSourceUpstream } from './network-sources.ts';
import { withRangeCache } from './range-cache.ts';
import { withRangeMerging, withSharedReads } from './range-merging.ts';

interface S3SourceDeps extends Omit<HttpSourceDeps, 'sign' | 'identity'> {
  readonly store: S3Store;
}

/** Opens an object of a bucket: an HTTP source that signs every try. */
function openS3Source(
  href: string,
  { store, ...deps }: S3SourceDeps,
  options: HttpOpenOptions = {},
): Promise<RemoteSource> {
  const url = toS3Url(parseS3Href(href), store);
  const { wallClockMs = Date.now } = deps;
  const sign: HttpSourceDeps['sign'] = (_url, headers) =>
    toStoreHeaders(store, { url, headers, date: new Date(wallClockMs()) });
  // Other credentials may not be allowed to read the object.
  const identity = `s3 ${store.credentials?.accessKeyId ?? ''}`;
  return openHttpSource(url.href, { ...deps, sign, identity }, options);
}

/** Opens the target of an href: a file of the data directory, or an allowed path, http(s) or s3 address elsewhere. */
export function makeOpenSource(options: OpenSourceOptions): OpenSource {
  const { dataDir, folders = [], network, subject = SCENE_FILES } = options;
  const openData = makeDataFiles(dataDir, folders, subject);
  const openFolder = makeFolderFiles(folders, subject);
  const openFile: OpenSource = (href) => (isFolderHref(href) ? openFolder(href) : openData(href));
  if (network === undefined) return openFile;
  const state = makeStateSubject(subject);
  const upstream = makeSourceUpstream(options, network);
  const headers = options.headers === undefined ? undefined : makeHeaderStore(options.headers);
  const deps = { upstream, headers };
  const openHttp = makeOpenHttp(options, network, deps);
  const openS3 = makeOpenS3(options, network, deps);
  const ranges = options.ranges === undefined ? null : joinFolder(options.ranges);

  return async (href, signal, known) => {
    const scheme = /^(https?|s3):\/\//.exec(href)?.[1];
    if (scheme === undefined) return openFile(href);
    const openRemote = scheme === 's3' ? openS3 : openHttp;
    const source = await state(() => openRemote(href, { signal, stamp: known?.stamp }));
    // A name may resolve to another address by the time of a later read.
    const read: typeof source.read = (...range) => state(() => source.read(...range));
    const withBytes: typeof source.withBytes = (...range) => state(() => source.withBytes(...range));
    const merged = withRangeMerging({ ...source, read, withBytes }, { subject });
    const { cacheKey: key, isFresh } = source;
    if (ranges === null || key === null) return withSharedReads(merged);
    const confirm = () => state(() => source.confirm());
    return withSharedReads(withRangeCache(merged, { folder: ranges, key, isFresh, confirm, isLost }));
  };
}

/**
 * Builds the function that adds the subject to errors. For the user a forbidden address is a broken file like any other,
 * so that nobody can probe the internal network.
 */
const makeStateSubject =
  (subject: Subject) =>
  async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (!isSwathError(error) || error.tag !== 'not-allowed') throw withSubject(error, subject);
      throw sourceBroken.about('bad-href', '{file} has an address that is not allowed.', {
        cause: error,
        subject,
      });
    }
  };

type OpenRemote = (href: string, options: HttpOpenOptions) => Promise<RemoteSource>;
type RemoteDeps = Pick<HttpSourceDeps, 'upstream' | 'headers'>;

function makeOpenHttp(options: OpenSourceOptions, network: NetworkSources, deps: RemoteDeps): OpenRemote {
  const { policy, fetch, addresses } = makeHttpDoor(options, network);
  return async (href, open) => {
    // Opening from a stored header sends no request, and so would not check the address.
    parseAllowedUrl(href, policy);
    return openHttpSource(href, { ...deps, fetch, addresses }, open);
  };
}

function makeOpenS3(options: OpenSourceOptions, network: NetworkSources, deps: RemoteDeps): OpenRemote {
  const findDoor = makeS3Doors(options, network);
  return async (href, open) => {
    const { bucket } = parseS3Href(href);
    return openS3Source(href, { ...findDoor(bucket), ...deps }, open);
  };
}
