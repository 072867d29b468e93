import { badInput } from '../../../src/errors.ts';
import { clamp } from '../../numbers/easing.ts';
import type { Locations } from '../ground.ts';
import { firstFieldPart } from '../parts.ts';
import type { BakedSurvey } from './baked-survey.ts';
import { maxPixels } from './baked-survey.ts';
import { makeMixer, storedParts, storeMixture } from './mixer.ts';
import type { SurveyTools } from './surveyor.ts';
import { longestSideM, makeSite, makeSurveyor } from './surveyor.ts';

/** Looks at every location of a grid once and bakes what no day changes. */
export function makeSurvey(tools: SurveyTools, locations: Locations): BakedSurvey {
  const { width, height, sideM } = locations;
  const count = width * height;
  if (count > maxPixels || locations.x.length !== count || locations.y.length !== count) {
    throw badInput(
      'survey-size',
      `A survey of ${width} x ${height} locations needs ${count} coordinates and may have at most ${maxPixels} locations.`,
    );
  }
  const surveyor = makeSurveyor(tools, sideM);
  const split = Math.ceil(sideM / longestSideM);
  const out = {
    locations,
    heightM: new Float32Array(count),
    slopeX: new Float32Array(count),
    slopeY: new Float32Array(count),
    fieldId: new Int32Array(count),
    parts: new Uint16Array(count * storedParts),
    shares: new Uint8Array(count * storedParts),
    mainPart: new Uint16Array(count),
    tone: new Uint8Array(count),
    snowHeightM: new Int16Array(count),
  };
  const burn = new Uint8Array(count);
  const floodCm = new Int16Array(count);
  const rimM = new Uint8Array(count);
  let hasBurn = false;
  let hasFlood = false;
  let hasRim = false;
  const isUsed = new Uint8Array(tools.base.farm.slotOfField.length + 1);
  const mixer = makeMixer();
  const mean = makeMixer();
  const site = makeSite();
  for (let at = 0; at < count; at++) {
    const x = locations.x[at]!;
    const y = locations.y[at]!;
    surveyor(x, y, site, mixer);
    if (split > 1) {
      averageAround(x, y);
      storeMixture(mean, at, out);
    } else {
      storeMixture(mixer, at, out);
    }
    out.heightM[at] = site.heightM;
    out.slopeX[at] = site.slopeX;
    out.slopeY[at] = site.slopeY;
    out.fieldId[at] = site.fieldId;
    out.mainPart[at] = mainPartOf(at, site.fieldId);
    out.tone[at] = clamp(Math.round((split > 1 ? mean.tone : mixer.tone) * 128), 1, 255);
    out.snowHeightM[at] = Math.round(site.snowHeightM);
    burn[at] = Math.round(site.burn * 255);
    floodCm[at] = site.aboveRiverM > 300 ? 32767 : Math.round(site.aboveRiverM * 100);
    rimM[at] = site.rimM;
    if (burn[at] !== 0) hasBurn = true;
    if (floodCm[at]! < 32767) hasFlood = true;
    if (site.rimM !== 0) hasRim = true;
  }
  for (let i = 0; i < out.parts.length; i++) {
    if (out.parts[i]! >= firstFieldPart) isUsed[((out.parts[i]! - firstFieldPart) >> 1) + 1] = 1;
  }
  const fields: number[] = [];
  for (let id = 1; id < isUsed.length; id++) if (isUsed[id] === 1) fields.push(id);
  return {
    ...out,
    burn: hasBurn ? burn : new Uint8Array(0),
    floodCm: hasFlood ? floodCm : new Int16Array(0),
    rimM: hasRim ? rimM : new Uint8Array(0),
    fields: Int32Array.from(fields),
  };

  /** Averages parts and ground over a coarse pixel; what the middle says of fields and hazards stays. */
  function averageAround(x: number, y: number): void {
    mean.clear();
    const { fieldId, burn: burnt, aboveRiverM, rimM: rim, snowHeightM } = site;
    let heightM = 0;
    let slopeX = 0;
    let slopeY = 0;
    const weight = 1 / (split * split);
    for (let j = 0; j < split; j++) {
      for (let i = 0; i < split; i++) {
        const px = x + ((i + 0.5) / split - 0.5) * sideM;
        const py = y + ((j + 0.5) / split - 0.5) * sideM;
        surveyor(px, py, site, mixer);
        mean.addMixture(mixer, weight);
        heightM += site.heightM * weight;
        slopeX += site.slopeX * weight;
        slopeY += site.slopeY * weight;
      }
    }
    site.heightM = heightM;
    site.slopeX = slopeX;
    site.slopeY = slopeY;
    site.fieldId = fieldId;
    site.burn = burnt;
    site.aboveRiverM = aboveRiverM;
    site.rimM = rim;
    site.snowHeightM = snowHeightM;
  }

  function mainPartOf(at: number, fieldId: number): number {
    const main = out.parts[at]!;
    if (fieldId === 0) return main;
    const rich = firstFieldPart + (fieldId - 1) * 2;
    let share = 0;
    for (let k = 0; k < storedParts; k++) {
      const part = out.parts[k * count + at]!;
      if (part === rich || part === rich + 1) share += out.shares[k * count + at]!;
    }
    return share > out.shares[at]! ? rich : main;
  }
}
