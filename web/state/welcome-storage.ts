/** Whether the first words were closed in this browser. */

const STORAGE_NAME = 'swath.welcome';
const CLOSED = 'closed';

/** Reads it; without storage they are there on every visit. */
export const isWelcomeClosed = (): boolean => {
  try {
    return localStorage.getItem(STORAGE_NAME) === CLOSED;
  } catch {
    return false;
  }
};

/** Stores that they were closed. */
export const storeWelcomeClosed = (): void => {
  try {
    localStorage.setItem(STORAGE_NAME, CLOSED);
  } catch {
    // Storage can be switched off in the browser: they stay closed until the page is left.
  }
};
