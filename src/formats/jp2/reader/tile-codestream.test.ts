import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../../testing/test-size.ts';
import type { CodingStyle } from '../headers/main-header.ts';
import { findTwin } from './tile-codestream.ts';

const toStyle = (decompositions: number, block: number, precincts: readonly number[]): CodingStyle => ({
  progression: 'LRCP',
  hasSop: false,
  hasEph: false,
  hasLoneLengths: true,
  decompositions,
  layers: 1,
  blockExponents: { x: block, y: block },
  precinctExponents: precincts.map((exponent) => ({ x: exponent, y: exponent })),
});

/** Everything that is cut at multiples of some step, written out sample by sample and counted from the tile's corner. */
function listCuts(tile: number, tileSide: number, style: CodingStyle): string {
  const { decompositions, blockExponents, precinctExponents } = style;
  const [start, end] = [tile * tileSide, (tile + 1) * tileSide];
  const cuts: string[] = [`phase ${start % 2 ** decompositions}`];
  const list = (name: string, from: number, to: number, step: number) => {
    const inside = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i).filter(
      (at) => at > from && at % step === 0,
    );
    cuts.push(`${name} ${to - from}: ${inside.map((at) => at - from)}`);
  };
  precinctExponents.forEach(({ x }, resolution) => {
    const level = decompositions - resolution;
    const scale = 2 ** level;
    list(`precincts ${resolution}`, Math.ceil(start / scale), Math.ceil(end / scale), 2 ** x);
    if (resolution === 0) {
      list('blocks 0', Math.ceil(start / scale), Math.ceil(end / scale), 2 ** Math.min(blockExponents.x, x));
      return;
    }
    for (const high of [0, 1]) {
      const at = (edge: number) => Math.ceil((edge - high * scale) / (2 * scale));
      list(`blocks ${resolution} ${high}`, at(start), at(end), 2 ** Math.min(blockExponents.x, x - 1));
    }
  });
  return cuts.join('\n');
}

test('tiles with a power-of-two size are all divided like the first', () => {
  const sentinel2 = toStyle(5, 6, [8, 8, 8, 8, 8, 8]);
  for (let tile = 0; tile < 11; tile++) {
    assert.equal(findTwin(tile, { tileSide: 1_024, imageSide: 10_980 }, sentinel2, 'x'), 0);
  }
});

test('192-pixel tiles with 64-pixel precincts repeat', () => {
  const mask = toStyle(4, 2, [6, 6, 6, 6, 6]);
  const twins = Array.from({ length: 10 }, (_, tile) =>
    findTwin(tile, { tileSide: 192, imageSide: 1_920 }, mask, 'y'),
  );
  assert.deepEqual(twins.slice(0, 5), [0, 1, 2, 3, 0]);
  assert.ok(twins.every((twin, tile) => twin <= tile));
});

test('a tile and its twin are divided at the same coordinates', () => {
  const styles = fc
    .tuple(
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 2, max: 6 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
    )
    .map(([decompositions, block, precincts]) =>
      toStyle(decompositions, block, [...precincts.take(decompositions + 1)]),
    );
  fc.assert(
    fc.property(
      styles,
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 40 }),
      (style, tileSide, tile) => {
        const twin = findTwin(tile, { tileSide, imageSide: tileSide * 41 }, style, 'x');
        assert.equal(listCuts(tile, tileSide, style), listCuts(twin, tileSide, style));
      },
    ),
    { numRuns: casesOf(300), seed: 7 },
  );
});
