export { makeSignInSeal, SIGN_IN_S, type SignInSeal, toReturnPath } from './attempts.ts';
export type { Admission } from './claims.ts';
export {
  type ListedPerson,
  makePeople,
  type People,
  type PersonRecord,
  type PersonStore,
  type SessionRecord,
  type SessionStore,
} from './people.ts';
export { makeProvider, type Provider } from './provider.ts';
