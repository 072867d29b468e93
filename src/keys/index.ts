export {
  CONFIGURED_KEY_ID,
  type CountedRequest,
  type KeyRecord,
  type KeyScope,
  type KeyStore,
  type Keys,
  makeKeys,
  type RatedRequest,
  type RateStore,
} from './keys.ts';
export {
  type CallbackSecrets,
  makeCallbackSecrets,
  makeLinkSigner,
  makeReadLinks,
  obtainLinkSecret,
  type RotationStore,
  type SecretStore,
} from './secrets.ts';
