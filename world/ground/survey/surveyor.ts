import { clamp, smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { fire, flood } from '../../setting.ts';
import { baseGrid, makeLinearSampler } from '../base/grid.ts';
import type { GroundBase } from '../base/ground-base.ts';
import { makeStrokeFinder } from '../base/polylines.ts';
import { makeWarp } from '../base/warp.ts';
import { materialPart, zonePart } from '../parts.ts';
import { makeCountryPainter } from './country.ts';
import { bandShare, insideShare, planDetail } from './detail.ts';
import type { GroundSample, Relief, Shores } from './height.ts';
import type { Mixer } from './mixer.ts';
import { makeTownPainter } from './town.ts';
import { makeSeaPainter, makeWatersidePainter } from './water.ts';

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
interface SurveyedSite extends GroundSample {
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

/** Where the wildfire and the flood come. */
interface Hazards {
  /** Severity of the fire at a location, 0..1. */
  burn(x: number, y: number, ground: GroundSample): number;
  /** Metres above the main river as far as it may flood, Infinity elsewhere. */
  aboveRiverM(x: number, y: number, heightM: number): number;
}

/** Makes the hazards of a world. */
function makeHazards(base: GroundBase, noise: Noise): Hazards {
  const warp = makeWarp(noise);
  const levelAt = makeLinearSampler(base.mainLevelM, baseGrid);
  const awayAt = makeLinearSampler(base.mainAwayM, baseGrid);
  return {
    burn(x, y, { heightM, slopeX, slopeY }) {
      const dx = (x - fire.x) / fire.radiusXM;
      const dy = (y - fire.y) / fire.radiusYM;
      const away2 = dx * dx + dy * dy;
      if (away2 > 3) return 0;
      const away = Math.sqrt(away2);
      // Fingers run up slopes and ridges; creeks and wet hollows hold the fire.
      const torn = 0.85 * noise.fractal(x / 3300, y / 3300, 7, 150);
      const inside = 1 - away + torn;
      const islands = noise.fractal(x / 620, y / 620, 4, 156);
      const edge = smoothStep(-0.015, 0.05, inside);
      if (edge === 0) return 0;
      const steep = Math.sqrt(slopeX * slopeX + slopeY * slopeY);
      const severity = 0.5 + 1.1 * islands + 0.3 * Math.min(1, steep) - 0.1 * smoothStep(1500, 1900, heightM);
      return edge * clamp(severity + 0.25 * inside, 0.06, 1) * smoothStep(-0.52, -0.38, islands);
    },
    aboveRiverM(x, y, heightM) {
      if (x < flood.fromX || x > flood.untilX || y < flood.fromY || y > flood.untilY) {
        return Number.POSITIVE_INFINITY;
      }
      const gridX = warp.x(x, y);
      const gridY = warp.y(x, y);
      const awayM = awayAt(gridX, gridY);
      if (awayM > flood.awayM) return Number.POSITIVE_INFINITY;
      // The flood's surface falls away from the river, and ends up-stream where the valley narrows.
      const fall =
        awayM / 4000 + 6 * smoothStep(52000, flood.untilX, x) + 3 * smoothStep(4000, flood.awayM, awayM);
      return heightM - levelAt(gridX, gridY) + fall;
    },
  };
}
