export { rememberLookups } from './remember-lookups.ts';
export type { Store } from './store.ts';
export { makeStoreHealth, type StoreState } from './store-health.ts';
