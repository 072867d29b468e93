/** The API key, stored for this browser tab only. */

const STORAGE_NAME = 'swath.api_key';
const PARAMETER = 'api_key';

/** Reads, replaces and forgets the key. */
export interface KeyStore {
  readKey(): string | null;
  setKey(key: string): void;
  forgetKey(): void;
}

/**
 * Takes `?api_key=` out of the address bar, so that it stays out of bookmarks, shared addresses and the history, and
 * stores it in the tab's session storage, so that a reload still works.
 */
export const makeKeyStore = (): KeyStore => {
  let key: string | null = null;
  const store = (): void => {
    try {
      if (key === null) sessionStorage.removeItem(STORAGE_NAME);
      else sessionStorage.setItem(STORAGE_NAME, key);
    } catch {
      // Storage can be switched off in the browser: the key then lives until the page is left, which is harmless.
    }
  };

  try {
    key = sessionStorage.getItem(STORAGE_NAME);
  } catch {
    // As above: without storage there is no key from an earlier load.
  }
  const address = new URL(location.href);
  const given = address.searchParams.get(PARAMETER);
  if (given !== null) {
    address.searchParams.delete(PARAMETER);
    history.replaceState(null, '', address);
    if (given !== '') key = given;
    store();
  }

  return {
    readKey: () => key,
    setKey(next) {
      key = next;
      store();
    },
    forgetKey() {
      key = null;
      store();
    },
  };
};
