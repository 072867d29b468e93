/** Addresses that `scripts/build-web.ts` fills in, because they hold a hash of the file's content. */
declare const WORLD_URL: string;
declare const MAP_WORKER_URL: string;
