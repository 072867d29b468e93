import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shared } from './snippets.ts';
import { PROGRAMS, toSnippet } from './snippets.ts';

const SHARED: Shared = {
  template:
    'https://imagery.example/api/render/S2L2A/10/U/EU/2026/6/21/1/NDVI/{z}/{x}/{y}?COLORMAP=RdYlGn&MIN_MAX=0,1',
  title: 'NDVI Vegetation, 21 Jun 2026',
  maxZoom: 14,
  view: { zoom: 11.2, lat: 48.22, lon: -122.41 },
  bounds: [-122.5, 48.1, -122.3, 48.3],
  maplibreVersion: '6.0.0',
};

test('every snippet names the server, the picture and where the key goes', () => {
  for (const program of PROGRAMS) {
    const snippet = toSnippet(program, SHARED);
    assert.match(
      snippet,
      /https:\/\/imagery\.example\/api\/render\/S2L2A\/10\/U\/EU\/2026\/6\/21\/1\/NDVI\//,
      program,
    );
    assert.match(snippet, /YOUR_KEY|\$SWATH_KEY/, program);
    assert.match(snippet, /COLORMAP=RdYlGn&MIN_MAX=0,1/, program);
  }
});

test('snippets contain the right addresses', () => {
  assert.equal(
    toSnippet('tile', { ...SHARED, template: 'https://h/api/render/S1/x/VV/{z}/{x}/{y}' }),
    'https://h/api/render/S1/x/VV/{z}/{x}/{y}?api_key=YOUR_KEY',
  );
  assert.equal(toSnippet('qgis', SHARED), `${SHARED.template}&api_key=YOUR_KEY`);
  assert.equal(
    toSnippet('curl', SHARED),
    'curl -f -o tile.png -H "x-api-key: $SWATH_KEY" ' +
      "'https://imagery.example/api/render/S2L2A/10/U/EU/2026/6/21/1/NDVI/12/655/1420" +
      "?COLORMAP=RdYlGn&MIN_MAX=0,1&mimetype=image/png'",
  );
});

test('foreign strings cannot escape the strings and elements they are in', () => {
  const hostile: Shared = {
    ...SHARED,
    title: '</title><script>alert(1)</script>',
    template: `https://h/api/render/x/'"</script>\\/{z}/{x}/{y}`,
  };
  for (const program of ['leaflet', 'maplibre'] as const) {
    const page = toSnippet(program, hostile);
    assert.ok(!page.includes('<script>alert'), program);
    assert.equal(page.match(/<\/script>/g)?.length, program === 'leaflet' ? 2 : 1, program);
  }
  assert.ok(!/'[^']*'[^']*'/.test(toSnippet('curl', hostile)));
  const [, literal = ''] = /^url = (.*)$/m.exec(toSnippet('python', hostile)) ?? [];
  assert.ok(JSON.parse(literal).startsWith(`https://h/api/render/x/'"</script>\\/0/`));
});
