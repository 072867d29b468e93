import type { AddressPolicy, GuardedFetch, S3Store } from '../../net/index.ts';
import { addressNotAllowed, parseS3Endpoint, portOf } from '../../net/index.ts';
import type { NetworkSources, OpenSourceOptions } from '../network-sources.ts';
import { makeSourceFetch } from '../network-sources.ts';

/** The store that a bucket lives in, and the only way to it. */
export interface S3Door {
  readonly store: S3Store;
  readonly fetch: GuardedFetch;
}

/** Builds the look-up of the store of a bucket; a bucket that the settings do not name is refused. */
export function makeS3Doors(options: OpenSourceOptions, network: NetworkSources): (bucket: string) => S3Door {
  // Each store has a guarded fetch of its own, which reaches its endpoint and nothing else.
  const doors = (network.s3 ?? []).map((store) => {
    const endpoint = parseS3Endpoint(store);
    const policy: AddressPolicy = {
      hosts: [endpoint.hostname, `*.${endpoint.hostname}`],
      allowHttp: endpoint.protocol === 'http:',
      ports: [portOf(endpoint)],
    };
    return { store, fetch: makeSourceFetch(options, { ...network, maxRedirects: 0 }, policy) };
  });
  return (bucket) => {
    const found = doors.find(({ store }) => store.buckets.includes(bucket));
    if (found === undefined) throw addressNotAllowed(`bucket ${bucket} is not in the list`);
    return found;
  };
}
