/** A detector's noise: deviation in the dark, and growth of the variance with the signal. */
export interface Noise {
  readonly dark: number;
  readonly shot: number;
}

/** ESA's table of signal-to-noise at a reflectance of about 0.1; four fifths of the variance are shot noise. */
const MSI: Readonly<Record<string, number>> = {
  B01: 129,
  B02: 154,
  B03: 168,
  B04: 142,
  B05: 117,
  B06: 89,
  B07: 105,
  B08: 174,
  B8A: 72,
  B09: 114,
  B10: 50,
  B11: 100,
  B12: 100,
};

/** Of reflectance and of kelvin, by dataset; written down here again, so that a change of a writer is noticed. */
const REFLECTIVE: Readonly<Record<string, Noise>> = {
  landsat9: { dark: 0.0003, shot: 1.4e-6 },
  landsat8: { dark: 0.0003, shot: 1.4e-6 },
  landsat7: { dark: 0.0008, shot: 8e-6 },
  landsat5tm: { dark: 0.0012, shot: 1.2e-5 },
  landsat4tm: { dark: 0.0012, shot: 1.2e-5 },
  landsat5mss: { dark: 0.002, shot: 2.3e-5 },
  landsat4mss: { dark: 0.002, shot: 2.3e-5 },
  modis: { dark: 0.0006, shot: 2e-6 },
  cbers4mux: { dark: 0.0015, shot: 6e-6 },
  cbers4awfi: { dark: 0.0008, shot: 3e-6 },
  cbers4pan10m: { dark: 0.0015, shot: 6e-6 },
  cbers4pan5m: { dark: 0.0018, shot: 8e-6 },
  naip: { dark: 0.0012, shot: 2e-5 },
};
const THERMAL: Readonly<Record<string, number>> = {
  landsat9: 0.05,
  landsat8: 0.05,
  landsat7: 0.15,
  landsat5tm: 0.17,
  landsat4tm: 0.17,
};

/** What a sensor's band is said to tremble. */
export function statedNoise(dataset: string, band: { name: string; kind: string }): Noise {
  if (band.kind === 'thermal') return { dark: THERMAL[dataset]!, shot: 0 };
  if (!dataset.startsWith('sentinel2')) return REFLECTIVE[dataset]!;
  const variance = (0.1 / MSI[band.name]!) ** 2;
  return { dark: Math.sqrt(0.2 * variance), shot: 8 * variance };
}
