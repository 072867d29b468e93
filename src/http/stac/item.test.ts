import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as z from 'zod';
import { toScene } from '../../catalog/index.ts';
import { anyScene } from '../../ingest/stac/testing/any-scene.ts';
import { casesOf } from '../../testing/test-size.ts';
import { makeAddresses } from './addresses.ts';
import type { ItemTools } from './item.ts';
import { makeWriteItem } from './item.ts';
import { toViewId } from './item-properties.ts';
import { parseInstant } from './item-times.ts';

/*
 * The rules of STAC 1.1 and of the extensions that items break easily, in a short form: `npm run oracle standards` asks the
 * schemas themselves.
 */

const instant = z.string().refine((text) => parseInstant(text) !== null);
const address = z.string().regex(/^https:\/\/maps\.example\/base\//);
const position = z.tuple([z.number(), z.number()]);
const ring = z.array(position).min(4);
const word = z.string().min(1);

/** Properties; those with the prefix of an extension are the ones that it has. */
const properties = z
  .looseObject({
    datetime: instant,
    updated: instant.optional(),
    platform: word.optional(),
    constellation: word.optional(),
    instruments: z.array(word).min(1).optional(),
    gsd: z.number().positive().optional(),
    'eo:cloud_cover': z.number().min(0).max(100).optional(),
    'view:sun_elevation': z.number().min(-90).max(90).optional(),
    'view:sun_azimuth': z.number().min(0).max(360).optional(),
    'sat:orbit_state': z.enum(['ascending', 'descending', 'geostationary']).optional(),
    'sat:absolute_orbit': z.number().min(1).refine(Number.isInteger).optional(),
    'sar:instrument_mode': word.optional(),
    'sar:frequency_band': z.enum(['P', 'L', 'S', 'C', 'X', 'Ku', 'K', 'Ka']).optional(),
    'sar:product_type': word.optional(),
    'sar:polarizations': z
      .array(z.enum(['HH', 'VV', 'HV', 'VH']))
      .min(1)
      .optional(),
  })
  .refine((all) => {
    const radar = Object.keys(all).filter((name) => name.startsWith('sar:'));
    return radar.length === 0 || radar.length === 4;
  }, 'the sar extension requires all of its fields');

const asset = z.looseObject({
  href: z.string().min(1),
  type: z.string().optional(),
  roles: z.array(word).min(1),
  'proj:code': z.union([z.string().regex(/^EPSG:\d+$/), z.null()]).optional(),
  'proj:shape': z.tuple([z.int().min(1), z.int().min(1)]).optional(),
  'proj:transform': z.array(z.number()).length(6).optional(),
  bands: z
    .array(
      z.looseObject({
        data_type: z.enum(['uint8', 'uint16', 'int16', 'float32']),
        nodata: z.union([z.number(), z.enum(['nan', 'inf', '-inf'])]).optional(),
        'raster:scale': z.number().optional(),
        'raster:offset': z.number().optional(),
        'eo:common_name': z
          .string()
          .regex(/^[a-z]+\d{0,3}$/)
          .optional(),
        'eo:center_wavelength': z.number().positive().optional(),
        'eo:full_width_half_max': z.number().positive().optional(),
      }),
    )
    .optional(),
});

/** Web map links: a tile address has its three variables, and a WMTS names the layers that show the item. */
const link = z
  .looseObject({
    rel: word,
    href: address,
    type: word.optional(),
    'wmts:layer': z.union([word, z.array(word).min(1)]).optional(),
  })
  .refine(({ rel, href }) => rel !== 'xyz' || ['{z}', '{x}', '{y}'].every((part) => href.includes(part)))
  .refine((one) => (one.rel === 'wmts') === 'wmts:layer' in one, 'wmts:layer belongs to wmts links');

/** Extensions whose rules are written here; an item that names another one needs its rules first. */
const RULED = [
  'projection/v2.0.0',
  'eo/v2.0.0',
  'raster/v2.0.0',
  'view/v1.0.0',
  'sat/v1.0.0',
  'sar/v1.0.0',
  'web-map-links/v1.2.0',
].map((name) => `https://stac-extensions.github.io/${name}/schema.json`);

const item = z.strictObject({
  type: z.literal('Feature'),
  stac_version: z.literal('1.1.0'),
  stac_extensions: z.array(z.enum(RULED)),
  id: z.string().regex(/^[\w-]+$/),
  collection: word,
  geometry: z.union([
    z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) }),
    z.strictObject({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)).min(1) }),
  ]),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  properties,
  links: z.array(link),
  assets: z.record(word, asset),
});

const tools: ItemTools = {
  publicUrl: 'https://maps.example/base',
  addresses: makeAddresses('https://maps.example/base'),
  toThumbnail: ({ viewId }) => `https://maps.example/base/thumbnails/${viewId}.png`,
  toFolder: (viewId) => `https://maps.example/base/stac/files/x/${viewId}/`,
  toMap: (itemId) => `https://maps.example/base/ogc/xyz/x/scene.${itemId}/default`,
  signedFor: 'x',
};

test('property: items of any scene follow STAC 1.1 and name just the extensions that they use', () => {
  fc.assert(
    fc.property(anyScene, fc.boolean(), (scene, isHit) => {
      const { assets: _, ...hit } = toScene(scene);
      const made: unknown = JSON.parse(makeWriteItem(tools)(isHit ? hit : toScene(scene)).toString());
      const parsed = item.safeParse(made);
      assert.ok(parsed.success, parsed.success ? '' : z.prettifyError(parsed.error));
      const { data } = parsed;
      assert.equal(toViewId(data.id), scene.viewId);
      for (const rel of ['self', 'root', 'parent', 'collection'])
        assert.equal(data.links.filter((link) => link.rel === rel).length, 1, rel);
      const parts = [
        data.properties,
        ...Object.values(data.assets).flatMap((one) => [one, ...(one.bands ?? [])]),
      ];
      const used = new Set(parts.flatMap((part) => Object.keys(part)).map((name) => name.split(':')[0]));
      const prefixes = {
        proj: 'projection',
        eo: 'eo',
        raster: 'raster',
        view: 'view',
        sat: 'sat',
        sar: 'sar',
      };
      for (const [prefix, extension] of Object.entries(prefixes))
        assert.equal(
          data.stac_extensions.some((one) => one.includes(`/${extension}/`)),
          used.has(prefix),
          `${extension} of ${JSON.stringify(data.properties)}`,
        );
      assert.equal(new Set(data.stac_extensions).size, data.stac_extensions.length);
      assert.equal(
        data.stac_extensions.some((one) => one.includes('/web-map-links/')),
        data.links.some(({ rel }) => rel === 'xyz' || rel === 'wmts'),
      );
      const text = JSON.stringify(made);
      for (const { href } of Object.values(scene.assets))
        assert.ok(!text.includes(JSON.stringify(href)), `${href} is where the file lies`);
    }),
    { numRuns: casesOf(300) },
  );
});
