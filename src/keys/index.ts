export { type CallbackSecrets, makeCallbackSecrets } from './callback-secrets.ts';
export type { KeyRecord, KeyScope, KeyStore } from './key-store.ts';
export { CONFIGURED_KEY_ID, type Keys, makeKeys } from './keys.ts';
export { type LinkSigner, makeLinkSigner, makeReadLinks, obtainLinkSecret } from './link-signer.ts';
export type { CountedRequest, RatedRequest, RateStore } from './rate-store.ts';
export type { RotationStore } from './rotation-store.ts';
export type { SecretStore } from './secret-store.ts';
