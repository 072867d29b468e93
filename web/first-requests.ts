/** What the page does before anything else: it takes a key out of the address, and sends the requests of every start. */
import { makeEarlyRequests } from './api/early-requests.ts';
import { readSharedToken } from './shared/shared-map.ts';
import { makeKeyStore } from './state/key-store.ts';

/** The key of the page. */
export const keys = makeKeyStore({
  href: location.href,
  setHref: (href) => history.replaceState(null, '', href),
  ofTab: () => sessionStorage,
  ofBrowser: () => localStorage,
});

/** The requests that were sent already. */
export const early = makeEarlyRequests(fetch.bind(globalThis));

// A map that a link shows needs none of them.
if (readSharedToken(location.hash) === null) {
  early.askAll();
  const key = keys.readKey();
  // An address may hold another query than the plain one.
  if (key !== null && location.hash === '') early.search(key).catch(() => undefined);
}
