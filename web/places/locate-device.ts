/** Where the device is, as the browser says, after it has asked the user. */

/** Why there is no location. */
export type NotLocated = 'denied' | 'unknown' | 'insecure';

const TIMEOUT_MS = 20_000;
/** A minute ago is now, for a map. */
const MAX_AGE_MS = 60_000;

/** Asks the browser once; the location is used for the map and sent nowhere. */
export const locateDevice = (): Promise<{ readonly lon: number; readonly lat: number } | NotLocated> => {
  if (!isSecureContext || !('geolocation' in navigator)) return Promise.resolve('insecure');
  return new Promise((resolve) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lon: coords.longitude, lat: coords.latitude }),
      ({ code, PERMISSION_DENIED }) => resolve(code === PERMISSION_DENIED ? 'denied' : 'unknown'),
      { timeout: TIMEOUT_MS, maximumAge: MAX_AGE_MS },
    ),
  );
};
