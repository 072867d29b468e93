import { isSwathError, sourceBroken } from '../errors.ts';
import { openHttpSource } from './http/http-source.ts';
import { isFolderHref, makeDataFiles, makeFolderFiles } from './local/allowed-files.ts';
import { portOf } from './network/address-policy.ts';
import type { NetworkSources, OpenSourceOptions } from './network-sources.ts';
import { makeSourceFetch, makeSourceUpstream } from './network-sources.ts';
import type { OpenSource } from './ranges/byte-source.ts';
import { withRangeMerging } from './ranges/range-merging.ts';
import { withSharedReads } from './ranges/shared-reads.ts';
import { parseS3Href } from './s3/s3-address.ts';
import { openS3Source } from './s3/s3-source.ts';
import { makeS3Doors } from './s3-doors.ts';
import { makeSignedAddresses } from './sas/sas-tokens.ts';
import type { Upstream } from './upstream/upstream.ts';

/** Opens what an href points at: a file of the data directory, and where allowed one elsewhere or an http(s) or s3 address. */
export function makeOpenSource(options: OpenSourceOptions): OpenSource {
  const { dataDir, folders = [], network } = options;
  const openData = makeDataFiles(dataDir, folders);
  const openFolder = makeFolderFiles(folders);
  const openFile: OpenSource = (href) => (isFolderHref(href) ? openFolder(href) : openData(href));
  if (network === undefined) return openFile;
  const upstream = makeSourceUpstream(options, network);
  const openHttp = makeOpenHttp(options, network, upstream);
  const openS3 = makeOpenS3(options, network, upstream);

  return async (href, signal) => {
    const scheme = /^(https?|s3):\/\//.exec(href)?.[1];
    if (scheme === undefined) return openFile(href);
    const source = await hideRefusal(() => (scheme === 's3' ? openS3(href, signal) : openHttp(href, signal)));
    // A name may lead elsewhere by the time of a later read.
    const read: typeof source.read = (...range) => hideRefusal(() => source.read(...range));
    return withSharedReads(withRangeMerging({ ...source, read }));
  };
}

/** To the user a forbidden address is a broken file like any other: no way to find out what lies inside. */
async function hideRefusal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'not-allowed') throw error;
    throw sourceBroken('bad-href', 'A file of this scene has an address that is not allowed.', {
      cause: error,
    });
  }
}

function makeOpenHttp(options: OpenSourceOptions, network: NetworkSources, upstream: Upstream): OpenSource {
  const fetch = makeSourceFetch(options, network, {
    hosts: network.hosts ?? [],
    allowHttp: network.allowHttp ?? false,
    ...(network.ports ? { ports: network.ports } : {}),
  });
  const { tokens } = network;
  if (tokens === undefined) return (href, signal) => openHttpSource(href, { fetch, upstream }, signal);
  const addresses = makeSignedAddresses({
    services: tokens,
    fetchFor({ endpoint }) {
      const url = new URL(endpoint);
      const allowHttp = url.protocol === 'http:';
      return makeSourceFetch(options, network, { hosts: [url.hostname], allowHttp, ports: [portOf(url)] });
    },
  });
  return (href, signal) => openHttpSource(href, { fetch, upstream, addresses }, signal);
}

function makeOpenS3(options: OpenSourceOptions, network: NetworkSources, upstream: Upstream): OpenSource {
  const findDoor = makeS3Doors(options, network);
  return async (href, signal) => {
    const { bucket } = parseS3Href(href);
    return openS3Source(href, { ...findDoor(bucket), upstream }, signal);
  };
}
