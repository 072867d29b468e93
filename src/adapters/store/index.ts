export { rememberLookups } from './remember-lookups.ts';
export type { Store } from './store.ts';
