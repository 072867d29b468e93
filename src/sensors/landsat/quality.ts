import type { BandPalette, BitField, CloudRule, QualityBits } from '../definition/quality.ts';
import type { Band, Sensor } from '../definition/sensor.ts';
import { qualityBand } from '../definition/sensor.ts';

const bit = (name: string, firstBit: number): BitField => ({ name, firstBit, bits: 1 });
const confidence = (name: string, firstBit: number): BitField => ({ name, firstBit, bits: 2 });

/** The layout of requests: cirrus in bits 12 and 13, clouds in bits 14 and 15. */
const preCollection: QualityBits = {
  fields: [
    bit('fill', 0),
    bit('dropped frame', 1),
    bit('terrain occlusion', 2),
    confidence('water', 4),
    confidence('cloud shadow', 6),
    confidence('vegetation', 8),
    confidence('snow', 10),
    confidence('cirrus', 12),
    confidence('cloud', 14),
  ],
  moves: [{ from: 0, bits: 16, to: 0 }],
};

/** BQA of collection 1; on Landsat 4 to 7 bit 1 means "dropped pixel", and there is no cirrus. */
const collection1: QualityBits = {
  fields: [
    bit('fill', 0),
    bit('terrain occlusion', 1),
    { name: 'radiometric saturation', firstBit: 2, bits: 2 },
    bit('cloud', 4),
    confidence('cloud', 5),
    confidence('cloud shadow', 7),
    confidence('snow', 9),
    confidence('cirrus', 11),
  ],
  moves: [
    { from: 0, bits: 1, to: 0 },
    { from: 7, bits: 2, to: 6 },
    { from: 9, bits: 2, to: 10 },
    { from: 11, bits: 2, to: 12 },
    { from: 5, bits: 2, to: 14 },
  ],
};

/** QA_PIXEL of collection 2; cirrus on Landsat 8 and 9 only. */
const collection2: QualityBits = {
  fields: [
    bit('fill', 0),
    bit('dilated cloud', 1),
    bit('cirrus', 2),
    bit('cloud', 3),
    bit('cloud shadow', 4),
    bit('snow', 5),
    bit('clear', 6),
    bit('water', 7),
    confidence('cloud', 8),
    confidence('cloud shadow', 10),
    confidence('snow', 12),
    confidence('cirrus', 14),
  ],
  moves: [
    { from: 0, bits: 1, to: 0 },
    // one bit becomes a confidence: high for water, low otherwise
    { from: 7, bits: 1, to: 4, values: [1, 3] },
    { from: 10, bits: 2, to: 6 },
    { from: 12, bits: 2, to: 10 },
    { from: 14, bits: 2, to: 12 },
    { from: 8, bits: 2, to: 14 },
  ],
};

/** The layouts of Landsat's quality bits over time. */
export const landsatQuality: NonNullable<Sensor['quality']> = {
  band: 'BQA',
  requestLayout: 'pre-collection',
  layouts: { 'pre-collection': preCollection, 'collection-1': collection1, 'collection-2': collection2 },
};

/** The quality band, in the layout of requests; 1 is "fill" in every layout. */
export const toBqaBand = (resolutionM: number): Band =>
  qualityBand({ name: 'BQA', resolutionM, type: 'uint16', nodata: 1 });

/** Default colours of BQA; our choice, because there is no convention. */
const bqaPalette: BandPalette = {
  kind: 'bits',
  entries: [
    { bits: [15, 14], color: '#ffffff', label: 'Cloud' },
    { bits: [13, 12], color: '#e0ffff', label: 'Cirrus' },
    { bits: [11, 10], color: '#add8e6', label: 'Snow or ice' },
    { bits: [5, 4], color: '#0000ff', label: 'Water' },
  ],
};

/** The palettes of every Landsat sensor. */
export const landsatPalettes: Sensor['palettes'] = { BQA: bqaPalette };

/** Landsat 8 and 9: clouds pixel by pixel. */
export const landsatCloudBits: CloudRule = {
  kind: 'bits',
  band: 'BQA',
  cloudBits: [15, 14],
  cirrusBits: [13, 12],
  shadowBits: [7, 6],
  onlyOpaqueByDefault: false,
};

/** Landsat 4, 5 and 7: only the scene's own percentage counts; -1 there means "not computed". */
export const landsatScenePercent: CloudRule = { kind: 'scene-percent', unknownPercent: -1 };
