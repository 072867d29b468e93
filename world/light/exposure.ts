import type { Painted, Survey } from '../ground/ground.ts';

/** One band of an instrument. */
export interface SpectralBand {
  readonly name: string;
  readonly kind: 'reflective' | 'thermal';
  readonly centreNm: number;
  readonly widthNm: number;
}

/** The sky of one moment: what clouds there are and where, from a seed. */
export interface SkyPlan {
  readonly seed: number;
  /** Share of the world under opaque clouds, 0..1. */
  readonly opaque: number;
  /** Share under thin cirrus. */
  readonly cirrus: number;
  /** Thickness of the haze, 0 (clear mountain air) .. 1. */
  readonly haze: number;
}

/** The sun above the world's middle. */
export interface SunPosition {
  readonly elevationDeg: number;
  /** Clockwise from north. */
  readonly azimuthDeg: number;
}

/** What to take a picture of. */
export interface ExposureRequest {
  readonly survey: Survey;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly bands: readonly SpectralBand[];
  readonly sky: SkyPlan;
  /**
   * `top`: reflectance at the top of the atmosphere as Level-1 products hold it after division by the sun's cosine.
   * `surface`: as Level-2 products hold it, clouds and their shadows still in it.
   */
  readonly level: 'top' | 'surface';
}

/** What an ideal instrument sees: no noise, nothing rounded. */
export interface Exposure {
  /** By band: reflectance (0..1, above it on clouds and snow slopes), or brightness temperature in kelvin. */
  readonly planes: readonly Float32Array[];
  /** 1 where a pixel lies under an opaque cloud, under cirrus alone, in the shadow of an opaque cloud. */
  readonly opaque: Uint8Array;
  readonly cirrus: Uint8Array;
  readonly shadow: Uint8Array;
  readonly sun: SunPosition;
  readonly painted: Painted;
}

/** What a radar sees: sigma nought, linear, with the speckle of a number of looks. */
export interface RadarRequest {
  readonly survey: Survey;
  readonly atMs: number;
  readonly polarisation: 'VV' | 'VH' | 'HH' | 'HV';
  /** Where the radar stands as seen from the ground, clockwise from north, and its angle from the vertical. */
  readonly lookAzimuthDeg: number;
  /** By pixel. */
  readonly incidenceDeg: Float32Array;
  readonly looks: number;
  readonly seed: number;
}
