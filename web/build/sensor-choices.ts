/** From what `src/sensors` knows to what the viewer offers. Runs when the page is built, so the page carries the result only. */
import type { Composition, ViewerSensor } from '../scenes/bands.ts';

interface BandFacts {
  readonly name: string;
  readonly role: string | null;
  readonly kind: 'reflective' | 'thermal' | 'radar' | 'quality';
  readonly centreNm: number | null;
  readonly resolutionM: number;
}

/** The part of a `Sensor` of `src/sensors` that the viewer uses. */
interface SensorFacts {
  readonly dataset: string;
  readonly title: string;
  readonly bands: readonly BandFacts[];
  readonly defaultCompositions: readonly (readonly string[])[];
}

const ROLE_TITLES: Readonly<Record<string, string>> = {
  COASTAL: 'Coastal aerosol',
  BLUE: 'Blue',
  GREEN: 'Green',
  RED: 'Red',
  REDEDGE1: 'Red edge',
  REDEDGE2: 'Red edge',
  REDEDGE3: 'Red edge',
  NIR: 'Near infrared',
  NIR2: 'Narrow near infrared',
  WATERVAPOUR: 'Water vapour',
  CIRRUS: 'Cirrus',
  SWIR1: 'Short-wave infrared',
  SWIR2: 'Short-wave infrared',
  PAN: 'Panchromatic',
  THERMAL1: 'Thermal',
  THERMAL2: 'Thermal',
};

const KIND_TITLES = { thermal: 'Thermal', radar: 'Radar', quality: 'Quality' } as const;

/** Compositions that mean the same on every sensor; each channel takes the first of its roles that there is. */
const READY_MADE = [
  { title: 'Natural colour', hint: 'as the eye sees it', roles: [['RED'], ['GREEN'], ['BLUE']] },
  { title: 'False colour', hint: 'vegetation in red', roles: [['NIR'], ['RED'], ['GREEN']] },
  { title: 'SWIR', hint: 'moisture, burns and bare soil', roles: [['SWIR2'], ['NIR2', 'NIR'], ['RED']] },
] as const;

/** Indices the server has by name, for sensors with these roles. */
const INDICES = [{ name: 'NDVI', hint: 'how green the ground is', roles: ['NIR', 'RED'] }] as const;

/** Width of a pixel of a 256 px tile at zoom 0 on the equator, in metres. */
const ZOOM_0_PIXEL_M = 156_543.034;
/** The map goes no deeper. */
const MAX_ZOOM = 18;

/** What the band measures, in words; a band without a role is named by its wavelength, from infrared at 700 nm on. */
const toKindTitle = ({ role, kind, centreNm }: BandFacts): string => {
  if (role !== null) {
    const title = ROLE_TITLES[role];
    if (title === undefined) throw new Error(`The viewer has no words for bands of the role ${role}.`);
    return title;
  }
  if (kind !== 'reflective') return KIND_TITLES[kind];
  if (centreNm === null) return 'Reflectance';
  if (centreNm >= 1000) return 'Short-wave infrared';
  return centreNm >= 700 ? 'Near infrared' : 'Visible';
};

/** `665 nm`; thermal wavelengths are read in micrometres: `10.9 µm`. */
const toWavelength = (centreNm: number): string =>
  centreNm < 3000 ? `${Math.round(centreNm)} nm` : `${(centreNm / 1000).toFixed(1)} µm`;

const toBandTitle = (band: BandFacts): string =>
  band.centreNm === null ? toKindTitle(band) : `${toKindTitle(band)}, ${toWavelength(band.centreNm)}`;

const toReadyMade = (bands: readonly BandFacts[]): Composition[] =>
  READY_MADE.flatMap(({ title, hint, roles }) => {
    const names = roles.flatMap((channel) => {
      const found = channel.map((role) => bands.find((band) => band.role === role)?.name);
      return found.find((name) => name !== undefined) ?? [];
    });
    return names.length === roles.length ? [{ bands: names.join(), title, hint }] : [];
  });

const toIndices = (bands: readonly BandFacts[]): Composition[] =>
  INDICES.flatMap(({ name, hint, roles }) => {
    const needed = roles.flatMap((role) => bands.find((band) => band.role === role)?.name ?? []);
    return needed.length === roles.length ? [{ bands: name, needs: needed.join(), title: name, hint }] : [];
  });

/** A composition of the sensor's own that is not among the ready-made ones. */
const toOwn = (names: readonly string[], bands: readonly BandFacts[]): Composition => {
  const [band] = bands.filter(({ name }) => name === names[0]);
  if (names.length > 1 || band === undefined)
    return { bands: names.join(), title: names.join(', '), hint: '' };
  // Radar bands are known by their polarisation, which is their name.
  const title = band.kind === 'radar' ? band.name : toKindTitle(band);
  return { bands: band.name, title, hint: toBandTitle(band) };
};

/** What the viewer offers of a sensor: its own default compositions first, then those that its bands allow. */
export const toViewerSensor = ({ dataset, title, bands, defaultCompositions }: SensorFacts): ViewerSensor => {
  const readyMade = toReadyMade(bands);
  const own = defaultCompositions.map(
    (names) => readyMade.find((ready) => ready.bands === names.join()) ?? toOwn(names, bands),
  );
  const [first, ...others] = [
    ...own,
    ...readyMade.filter((ready) => !own.includes(ready)),
    ...toIndices(bands),
  ];
  if (first === undefined) throw new Error(`The sensor ${dataset} has no composition to show.`);
  const finestM = Math.min(...bands.map(({ resolutionM }) => resolutionM));
  return {
    dataset,
    title,
    bands: bands.map((band) => ({
      name: band.name,
      title: toBandTitle(band),
      ...(band.kind === 'quality' ? { isClasses: true } : {}),
    })),
    compositions: [first, ...others],
    maxZoom: Math.min(MAX_ZOOM, Math.ceil(Math.log2(ZOOM_0_PIXEL_M / finestM))),
  };
};
