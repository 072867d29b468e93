import { clamp, smoothStep } from '../../numbers/easing.ts';
import type { Noise } from '../../numbers/noise.ts';
import { cutCohorts, firstCutPart, materialPart, zonePart } from '../parts.ts';
import { makeCellFinder } from './cells.ts';
import type { Detail } from './detail.ts';
import { makeCrowns } from './detail.ts';
import type { GroundSample } from './height.ts';
import type { Mixer } from './mixer.ts';

/** Paints ground that is not farmed. `wooded` raises or lowers the trees, -1 to 1. */
export type PaintWildland = (
  x: number,
  y: number,
  ground: GroundSample,
  wooded: number,
  mixer: Mixer,
) => void;

const parts = {
  conifer: materialPart('conifer'),
  rock: materialPart('rock'),
  scree: materialPart('scree'),
  ice: materialPart('old-snow'),
  valleyBroadleaf: zonePart('valley-broadleaf'),
  hillBroadleaf: zonePart('hill-broadleaf'),
  alpineGrass: zonePart('alpine-grass'),
  roughGrass: zonePart('rough-grass'),
  bushes: zonePart('bushes'),
  heath: zonePart('heath'),
} as const;

/** Cut units of the timber land, about 25 ha each. */
const unitM = 520;

/** What the painters below know of a location; one is reused for all, as objects a pixel would cost more than the paint. */
interface Site {
  x: number;
  y: number;
  heightM: number;
  steep: number;
  /** How much the slope looks away from the sun, -1 to 1. */
  shade: number;
  wooded: number;
  /** Noise of 1.5 km, of about 100 m and of about 20 m. */
  patches: number;
  tuft: number;
  grain: number;
}

/** Makes the painter of forest, bushes, meadows above the trees, rock and lasting snow. */
export function makeWildlandPainter(noise: Noise, detail: Detail): PaintWildland {
  const findUnit = makeCellFinder({ spacingM: unitM, seed: noise.salt(110) });
  const crowns = makeCrowns(noise);
  const site: Site = { x: 0, y: 0, heightM: 0, steep: 0, shade: 0, wooded: 0, patches: 0, tuft: 0, grain: 0 };

  /** Covers a cut unit of the timber land; returns the share that is cut. */
  const paintUnit = (mixer: Mixer): number => {
    const { x, y, heightM, steep, tuft } = site;
    // Borders of units follow roads and creeks: bent by up to 60 m.
    const bendX = 60 * noise.gradient(x / 330, y / 330, 118);
    const bendY = 60 * noise.gradient(x / 330, y / 330, 119);
    const unit = findUnit(x + bendX, y + bendY);
    mixer.tone *= 0.93 + (0.14 * ((unit.id >>> 4) & 0xff)) / 256;
    // Timber land lies in the foothills; the high valleys are left alone.
    const timber =
      smoothStep(1150, 800, heightM) * smoothStep(40, 110, heightM) * smoothStep(0.75, 0.5, steep);
    const share = 0.55 + 0.5 * noise.gradient(x / 11000, y / 11000, 115);
    if (((unit.id >>> 12) & 0xff) / 256 > share * timber) return 0;
    const cohort = (unit.id >>> 20) % cutCohorts;
    // Leave-trees stand along the unit's border and in clumps.
    const cut = smoothStep(6, 24, unit.edgeM) * (tuft > 0.62 ? 0.3 : 1);
    mixer.cover(firstCutPart + cohort, cut * 0.98);
    return cut;
  };

  const paintForest = (mixer: Mixer): void => {
    const { x, y, heightM, steep, shade, wooded, patches, tuft, grain } = site;
    mixer.begin(heightM > 500 ? parts.heath : parts.bushes);
    const open = clamp(0.35 - wooded * 0.6 + patches * 0.5, 0, 0.9) * smoothStep(500, 200, heightM);
    mixer.cover(parts.roughGrass, open);
    const low = smoothStep(650, 60, heightM);
    // Broadleaf trees keep to valleys, gullies and young stands.
    const leaf = smoothStep(0.1, 0.5, low * 0.42 + patches * 0.9 - shade * 0.15 + tuft * 0.12 - 0.12);
    const thinned = smoothStep(1, 1.4, steep) * 0.6;
    const trees = clamp(0.93 + wooded * 0.3 + tuft * 0.12 + grain * 0.5 - thinned, 0, 0.97);
    mixer.cover(parts.conifer, trees);
    if (leaf > 0) {
      mixer.cover(heightM > 350 ? parts.hillBroadleaf : parts.valleyBroadleaf, leaf * trees * 0.9);
    }
    mixer.tone = 0.96 + grain * 0.5 + tuft * 0.13;
    const cut = heightM > 45 && wooded > -0.2 ? paintUnit(mixer) : 0;
    mixer.cover(parts.rock, smoothStep(1.05, 1.75, steep + patches * 0.25 + tuft * 0.3 + grain * 0.6) * 0.65);
    // Young stands have small crowns.
    if (detail.isFine) mixer.tone *= 1 + (crowns(x, y, cut > 0.5 ? 2.6 : 7.5) - 1) * (cut > 0.5 ? 0.35 : 1);
  };

  const paintAlpine = (mixer: Mixer): void => {
    const { x, y, heightM, steep, shade, patches, tuft, grain } = site;
    const line = 1620 + 190 * patches + 90 * tuft - shade * 70 - smoothStep(0.5, 1, steep) * 260;
    mixer.begin(parts.scree);
    const meadow =
      smoothStep(0.85, 0.45, steep) * smoothStep(2250, 1850, heightM + 160 * patches + 80 * tuft);
    mixer.cover(parts.alpineGrass, meadow * 0.92);
    const bare = noise.fractal(x / 320, y / 320, 3, 112);
    mixer.cover(parts.rock, smoothStep(0.45, 0.95, steep + 0.5 * bare + (heightM - 1900) / 2600) * 0.95);
    mixer.cover(parts.heath, smoothStep(line + 220, line - 60, heightM) * 0.8);
    const trees = smoothStep(line + 60, line - 160, heightM + 260 * grain);
    mixer.cover(parts.conifer, trees * clamp(0.9 + 0.2 * tuft, 0, 0.96));
    const ice = smoothStep(2120, 2420, heightM + shade * 330 - steep * 330 + 230 * bare + 120);
    mixer.cover(parts.ice, ice * 0.97);
    mixer.tone = 0.97 + grain * 0.3 + tuft * 0.1 + bare * 0.12 * (1 - ice);
    if (detail.isFine && trees > 0.3) mixer.tone *= crowns(x, y, 6);
  };

  return (x, y, ground, wooded, mixer) => {
    const { slopeX, slopeY } = ground;
    site.x = x;
    site.y = y;
    site.heightM = ground.heightM;
    site.wooded = wooded;
    // Height grows to the south where the slope looks north, away from the sun.
    site.shade = clamp(slopeY * 1.6 + slopeX * 0.3, -1, 1);
    site.steep = Math.sqrt(slopeX * slopeX + slopeY * slopeY);
    site.patches = noise.fractal(x / 1500, y / 1500, 4, 111);
    site.grain = (noise.value(x / 23, y / 23, 116) - 0.5) * detail.of20;
    site.tuft = noise.gradient(x / 95, y / 95, 117) * detail.of60;
    if (site.heightM > 1250) paintAlpine(mixer);
    else paintForest(mixer);
  };
}
