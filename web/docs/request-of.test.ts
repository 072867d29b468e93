import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCurl, toFormRequest } from './request-of.ts';

test('a form becomes a request: slashes and commas stay, other characters are encoded, empty fields are omitted', () => {
  const request = toFormRequest({
    method: 'GET',
    template: '/api/render/{view_id}/{bands}/{z}',
    inPath: new Map([
      ['view_id', 'S2/1/2'],
      ['bands', '(B08-B04)/B 04'],
      ['z', '12'],
    ]),
    inQuery: new Map([
      ['MIN_MAX', '0,1'],
      ['COLORMAP', ''],
    ]),
    body: null,
  });
  assert.equal(request.path, 'api/render/S2/1/2/(B08-B04)/B%2004/12?MIN_MAX=0,1');
});

test('the curl line equals the request, and is safe in a shell', () => {
  const root = 'https://a.example/maps/';
  assert.equal(toCurl({ method: 'GET', path: 'healthz', body: null }, root, null), `curl '${root}healthz'`);
  assert.equal(
    toCurl({ method: 'POST', path: 'api', body: `{"a": "it's"}` }, root, 'k'),
    `curl -H 'x-api-key: k' -H 'content-type: application/json' -d '{"a": "it'\\''s"}' '${root}api'`,
  );
  assert.equal(
    toCurl({ method: 'DELETE', path: 'api/1', body: null }, root, 'k'),
    `curl -X DELETE -H 'x-api-key: k' '${root}api/1'`,
  );
});
