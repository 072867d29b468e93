import { clamp, smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { baseGrid, makeLinearSampler } from '../base/grid.ts';
import type { GroundBase } from '../base/ground-base.ts';
import { makeStrokeFinder } from '../base/stroke-index.ts';
import { materialPart, zonePart } from '../parts.ts';
import { makeCountryPainter } from './country.ts';
import { bandShare, insideShare, planDetail } from './detail.ts';
import { makeHazards } from './hazards.ts';
import type { GroundSample, Relief } from './height.ts';
import type { Mixer } from './mixer.ts';
import { makeSeaPainter } from './sea.ts';
import type { Shores } from './shores.ts';
import { makeTownPainter } from './town.ts';
import { makeWatersidePainter } from './waterside.ts';

/** What a surveyor works with. */
export interface SurveyTools {
  readonly base: GroundBase;
  readonly noise: Noise;
  readonly shores: Shores;
  readonly relief: Relief;
}

/** Pixels longer than this are averaged from several locations, each of at most this side. */
export const longestSideM = 170;

const parts = {
  asphalt: materialPart('asphalt'),
  sand: materialPart('beach-sand'),
  shallow: materialPart('shallow-water'),
  riverWater: zonePart('river-water'),
} as const;

/** What a surveyor notes of a location in addition to its mixture; reused. */
export interface SurveyedSite extends GroundSample {
  fieldId: number;
  snowHeightM: number;
  burn: number;
  aboveRiverM: number;
  rimM: number;
}

/** Makes a site to reuse. */
export const makeSite = (): SurveyedSite => ({
  heightM: 0,
  slopeX: 0,
  slopeY: 0,
  fieldId: 0,
  snowHeightM: 0,
  burn: 0,
  aboveRiverM: 0,
  rimM: 0,
});

/** Makes the look at one location of a given side: layer over layer, from the country to its roads. */
export function makeSurveyor(
  { base, noise, shores, relief }: SurveyTools,
  sideM: number,
): (x: number, y: number, site: SurveyedSite, mixer: Mixer) => void {
  const detail = planDetail(Math.min(sideM, longestSideM));
  const paintSea = makeSeaPainter(noise, detail);
  const paintCountry = makeCountryPainter({ base, noise }, detail);
  const paintTown = makeTownPainter(noise, detail);
  const waterside = makeWatersidePainter(noise, detail);
  const hazards = makeHazards(base, noise);
  const settled = makeLinearSampler(base.settled, baseGrid);
  const findRiver = makeStrokeFinder(base.rivers);
  const findRoad = makeStrokeFinder(base.roads);
  const near = { edgeM: 0, halfWidthM: 0, value: 0 };

  return (x, y, site, mixer) => {
    const inlandM = shores.inlandM(x, y);
    site.fieldId = 0;
    site.burn = 0;
    site.rimM = 0;
    site.aboveRiverM = Number.POSITIVE_INFINITY;
    const isNearSea = inlandM < detail.sideM / 2;
    if (inlandM <= 0) {
      site.heightM = 0;
      site.slopeX = 0;
      site.slopeY = 0;
      site.snowHeightM = 0;
      paintSea(x, y, -inlandM, mixer);
      if (findRiver(x, y, near) && near.halfWidthM > 8) {
        mixer.coverEvenly(
          parts.riverWater,
          bandShare(near.edgeM, near.halfWidthM, detail.sideM) * smoothStep(-900, 0, inlandM),
        );
      }
      if (inlandM > -detail.sideM / 2) mixer.coverEvenly(parts.sand, insideShare(-inlandM, detail.sideM));
      return;
    }
    relief.sample(x, y, detail.sideM, site);
    if (site.heightM < 0) site.heightM = 0;
    const north = clamp(site.slopeY, -1, 1);
    const steep = Math.sqrt(site.slopeX * site.slopeX + site.slopeY * site.slopeY);
    // Steep slopes shed their snow.
    site.snowHeightM =
      site.heightM +
      230 * north -
      320 * smoothStep(0.4, 1.3, steep) +
      70 * noise.fractal(x / 330, y / 330, 2, 140) * detail.of200;
    site.fieldId = paintCountry(x, y, site, mixer);
    if (settled(x, y) > -1.3) paintTown(x, y, mixer);
    waterside.beach(x, y, inlandM, mixer);
    if (findRiver(x, y, near)) waterside.river(x, y, near, mixer);
    const lakeEdgeM = shores.lakeEdgeM(x, y);
    waterside.lake(x, y, lakeEdgeM, mixer);
    if (lakeEdgeM < 0) site.rimM = Math.round(clamp(-lakeEdgeM, 1, 255));
    if (isNearSea) mixer.coverEvenly(parts.shallow, insideShare(inlandM, detail.sideM));
    if (findRoad(x, y, near))
      mixer.coverEvenly(parts.asphalt, bandShare(near.edgeM, near.halfWidthM, detail.sideM) * 0.95);
    site.burn = lakeEdgeM < 0 ? 0 : hazards.burn(x, y, site);
    site.aboveRiverM = hazards.aboveRiverM(x, y, site.heightM);
  };
}
