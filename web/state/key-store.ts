/** The API key, stored in this browser: for the tab, or for later visits if the user wants that. */

const STORAGE_NAME = 'swath.api_key';
const PARAMETER = 'api_key';

/** Reads, replaces and forgets the key. */
export interface KeyStore {
  readKey(): string | null;
  /** `isLasting`: later visits find it too. */
  setKey(key: string, isLasting: boolean): void;
  forgetKey(): void;
}

/** The part of a storage that is used. */
interface KeyStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

/** The parts of the browser; a storage may refuse to be there at all. */
interface KeyStoreParts {
  /** The address of the page. */
  readonly href: string;
  setHref(href: string): void;
  ofTab(): KeyStorage;
  ofBrowser(): KeyStorage;
}

/** Does something with a storage, which can be switched off in the browser: then the key lives as long as the page. */
const tryStorage = <Answer>(use: () => Answer): Answer | null => {
  try {
    return use();
  } catch {
    return null;
  }
};

/**
 * Takes `?api_key=` out of the address bar, so that it stays out of bookmarks, shared addresses and the history, and
 * stores it in the tab's session storage, so that a reload still works.
 */
export const makeKeyStore = ({ href, setHref, ofTab, ofBrowser }: KeyStoreParts): KeyStore => {
  const readStored = (): string | null =>
    tryStorage(() => ofTab().getItem(STORAGE_NAME)) ?? tryStorage(() => ofBrowser().getItem(STORAGE_NAME));
  let key = readStored();
  const store = (isLasting: boolean): void => {
    tryStorage(() => ofTab().removeItem(STORAGE_NAME));
    tryStorage(() => ofBrowser().removeItem(STORAGE_NAME));
    const given = key;
    if (given === null) return;
    tryStorage(() => (isLasting ? ofBrowser() : ofTab()).setItem(STORAGE_NAME, given));
  };

  const address = new URL(href);
  const given = address.searchParams.get(PARAMETER);
  if (given !== null) {
    address.searchParams.delete(PARAMETER);
    setHref(address.href);
    if (given !== '') key = given;
    store(false);
  }

  return {
    readKey: () => key,
    setKey(next, isLasting) {
      key = next;
      store(isLasting);
    },
    forgetKey() {
      key = null;
      store(false);
    },
  };
};
