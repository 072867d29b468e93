export type { KeyRecord, KeyScope, KeyStore } from './key-store.ts';
export { type Keys, makeKeys } from './keys.ts';
