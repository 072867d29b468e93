/** What people measure most: expressions, thresholds and names of classes, with where they come from. */

/** A way to measure classes. Plain data: the viewer shows it too. */
export interface ClassPreset {
  readonly id: string;
  readonly title: string;
  /** Two sentences: what it measures, and what to mind. */
  readonly about: string;
  readonly reference: string;
  /** Which scenes can be measured. */
  readonly kind: 'optical' | 'radar';
  /** One value a pixel; of several the first whose bands a scene has. */
  readonly expressions: readonly string[];
  /** What the values of two scenes become; null for one scene. */
  readonly difference: 'before-after' | 'after-before' | null;
  /** Ascending, or found in the area itself. */
  readonly thresholds: readonly number[] | 'otsu';
  /** The unit of the values; null for an index without one. */
  readonly unit: 'dB' | null;
  /** From the lowest values on. */
  readonly classes: readonly PresetClass[];
  /** Whether speckle of radar is filtered before values are computed. */
  readonly filtersSpeckle: boolean;
  /** Smaller patches become part of their largest neighbour. */
  readonly minHectares: number;
}

/** A class of a preset. */
export interface PresetClass {
  readonly label: string;
  /** `#rrggbb`. */
  readonly color: string;
  /** Whether it is what the preset looks for, so that sums of such classes are the answer. */
  readonly isSought: boolean;
}

const other = (label: string, color: string): PresetClass => ({ label, color, isSought: false });
const sought = (label: string, color: string): PresetClass => ({ label, color, isSought: true });

/** All of them. */
export const classPresets: readonly ClassPreset[] = [
  {
    id: 'burn-severity',
    title: 'Burn severity',
    about:
      'How much of the plants a fire has taken: the normalised burn ratio before minus after, in the classes of the USGS. Choose clear scenes from shortly before and after the fire; harvests and clouds that were not recognised look like a low severity.',
    reference:
      'Key and Benson (2006): Landscape Assessment, in FIREMON, RMRS-GTR-164-CD, USDA Forest Service, table LA-2. https://doi.org/10.2737/RMRS-GTR-164',
    kind: 'optical',
    expressions: ['NBR'],
    difference: 'before-after',
    thresholds: [-0.25, -0.1, 0.1, 0.27, 0.44, 0.66],
    unit: null,
    classes: [
      other('enhanced regrowth, high', '#1a7a3a'),
      other('enhanced regrowth, low', '#8cc665'),
      other('unburned', '#e8ead8'),
      sought('low severity', '#ffe14d'),
      sought('moderate-low severity', '#ffab33'),
      sought('moderate-high severity', '#f2661f'),
      sought('high severity', '#a3122c'),
    ],
    filtersSpeckle: false,
    minHectares: 0.5,
  },
  {
    id: 'radar-water',
    title: 'Water by radar',
    about:
      'Smooth water reflects radar away and is dark, day and night and through clouds; the threshold between water and land is found in the area itself. It needs an area with a good part of both, and wind, wet snow and asphalt can deceive it.',
    reference:
      'Otsu (1979): A threshold selection method from gray-level histograms. https://doi.org/10.1109/TSMC.1979.4310076 — for floods: Twele et al. (2016). https://doi.org/10.1080/01431161.2016.1192304',
    kind: 'radar',
    expressions: ['VV_DB', 'HH_DB'],
    difference: null,
    thresholds: 'otsu',
    unit: 'dB',
    classes: [sought('water', '#2166ac'), other('land', '#e8e3d3')],
    filtersSpeckle: true,
    minHectares: 0.5,
  },
  {
    id: 'radar-change',
    title: 'Radar change',
    about:
      'By how many decibels the echo has changed between two radar scenes: new water, harvested fields and cleared forest are darker, growing plants, ploughed fields and new buildings brighter. Slopes look different from another orbit, so take scenes of the same one if there are any.',
    reference:
      'Rignot and van Zyl (1993): Change detection techniques for ERS-1 SAR data. https://doi.org/10.1109/36.239913',
    kind: 'radar',
    expressions: ['VV_DB', 'HH_DB'],
    difference: 'after-before',
    thresholds: [-3, 3],
    unit: 'dB',
    classes: [
      sought('darker by 3 dB or more', '#2166ac'),
      other('little change', '#f1f1ec'),
      sought('brighter by 3 dB or more', '#b2182b'),
    ],
    filtersSpeckle: true,
    minHectares: 0.5,
  },
  {
    id: 'ndwi-water',
    title: 'Open water (NDWI)',
    about:
      'Water reflects green light and swallows near infrared, so that the index is above 0 over open water. Snow, clouds and shadows of buildings can look alike.',
    reference:
      'McFeeters (1996): The use of the Normalized Difference Water Index (NDWI) in the delineation of open water features. https://doi.org/10.1080/01431169608948714',
    kind: 'optical',
    expressions: ['NDWI'],
    difference: null,
    thresholds: [0],
    unit: null,
    classes: [other('land', '#e8e3d3'), sought('water', '#2166ac')],
    filtersSpeckle: false,
    minHectares: 0,
  },
  {
    id: 'snow',
    title: 'Snow (NDSI)',
    about:
      'Snow is bright in green light and dark in the short-wave infrared, where clouds are bright: from 0.4 on a pixel is more than half snow. Under trees snow is hidden, and water has high values too.',
    reference:
      'Hall, Riggs and Salomonson (1995): Development of methods for mapping global snow cover using MODIS data. https://doi.org/10.1016/0034-4257(95)00137-P',
    kind: 'optical',
    expressions: ['NDSI'],
    difference: null,
    thresholds: [0.4],
    unit: null,
    classes: [other('no snow', '#d9d2bf'), sought('snow', '#5aa7e0')],
    filtersSpeckle: false,
    minHectares: 0,
  },
  {
    id: 'vegetation-change',
    title: 'Vegetation change',
    about:
      'The vegetation index after minus before: what was lost, by harvest, clearing, drought or hail, and what has grown. Compare the same season, because plants change by themselves through the year; the breaks are round numbers, not a standard.',
    reference:
      'Singh (1989): Digital change detection techniques using remotely-sensed data. https://doi.org/10.1080/01431168908903939',
    kind: 'optical',
    expressions: ['NDVI'],
    difference: 'after-before',
    thresholds: [-0.3, -0.1, 0.1, 0.3],
    unit: null,
    classes: [
      sought('strong loss', '#a6611a'),
      sought('loss', '#dfc27d'),
      other('little change', '#f1f1ec'),
      sought('gain', '#80cdc1'),
      sought('strong gain', '#018571'),
    ],
    filtersSpeckle: false,
    minHectares: 0,
  },
];

/** The preset of an id; null for an unknown one. */
export const findClassPreset = (id: string): ClassPreset | null =>
  classPresets.find((preset) => preset.id === id) ?? null;
