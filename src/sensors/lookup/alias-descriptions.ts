/** What an alias shows, for people. */
export interface AliasDescription {
  readonly title: string;
  /** One line: what high or low values mean. */
  readonly description: string;
}

const descriptions: ReadonlyMap<string, AliasDescription> = new Map([
  [
    'NDVI',
    {
      title: 'Vegetation',
      description: 'How green the ground is: bare soil near 0.1, dense crops above 0.7.',
    },
  ],
  ['NDSI', { title: 'Snow', description: 'Snow and ice above 0.4; clouds stay low.' }],
  ['NDWI', { title: 'Water', description: 'Open water above 0; soil and plants below.' }],
  [
    'NDMI',
    { title: 'Moisture', description: 'Water inside the leaves: drought stress shows as falling values.' },
  ],
  [
    'MSI',
    { title: 'Moisture stress', description: 'High where plants lack water: the inverse of moisture.' },
  ],
  [
    'RECI',
    { title: 'Chlorophyll, red edge', description: 'Chlorophyll, and with it nitrogen, in a full canopy.' },
  ],
  [
    'EVI',
    { title: 'Enhanced vegetation', description: 'Greenness that still differs where NDVI is saturated.' },
  ],
  [
    'SAVI',
    { title: 'Soil-adjusted', description: 'Greenness of sparse plants, less disturbed by bright soil.' },
  ],
  [
    'MSAVI',
    {
      title: 'Soil-adjusted, early',
      description: 'Greenness of seedlings, when most of the ground is bare.',
    },
  ],
  ['ARVI', { title: 'Haze-resistant', description: 'Greenness under smoke, dust and haze.' }],
  ['GCI', { title: 'Chlorophyll, green', description: 'Chlorophyll of leaves from the green band.' }],
  ['SIPI', { title: 'Pigments', description: 'Carotenoids against chlorophyll: high in stressed plants.' }],
  ['NBR', { title: 'Burn', description: 'Burnt ground is below 0.1; healthy plants are high.' }],
  [
    'NDRE',
    { title: 'Red edge', description: 'Chlorophyll late in the season, when NDVI no longer changes.' },
  ],
  ['CCCI', { title: 'Canopy chlorophyll', description: 'Nitrogen in leaves, whatever the plant cover.' }],
  [
    'GNDVI',
    { title: 'Green vegetation', description: 'Vigour from the green band: follows nitrogen uptake.' },
  ],
  ['FIDET', { title: 'Fire', description: 'High where fire heats the short-wave infrared.' }],
  [
    'PR_FD',
    {
      title: 'Forest fire, change',
      description: 'Growth of FIDET since an earlier scene, over former forest.',
    },
  ],
  ['ISTACK', { title: 'Index stack', description: 'Vegetation, water and snow as red, green and blue.' }],
]);

/** The words of an alias; null for an unknown name. */
export const describeAlias = (name: string): AliasDescription | null => descriptions.get(name) ?? null;
