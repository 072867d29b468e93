export { rememberLookups } from './remember-lookups.ts';
export type { Store, StoreLock } from './store.ts';
export { makeStoreHealth, type StoreState } from './store-health.ts';
