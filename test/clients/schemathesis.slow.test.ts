import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXPLAINED } from './explained-failures.ts';
import { isExplained, parseReport } from './schemathesis.ts';

const REPORT = `=== FAILURES ===
_______________ GET /api/render/terrain/profile _______________
1. Test Case ID: abc

- ST202 Schema-valid request rejected

[400] Bad Request:

    \`{"status":false,"error":"LINE …","code":"bad-line","request_id":"1"}\`

2. Test Case ID: def

- ST101 Server error

[500] Internal Server Error:

    \`{"status":false,"error":"…","code":"bad-line","request_id":"2"}\`
_______________ GET /openapi.json _______________
1. Test Case ID: ghi

- ST108 Response violates schema

[200] OK:
`;

test('a report of schemathesis is read case by case', () => {
  assert.deepEqual(parseReport(REPORT), [
    { operation: 'GET /api/render/terrain/profile', rule: 'ST202', status: 400, code: 'bad-line' },
    { operation: 'GET /api/render/terrain/profile', rule: 'ST101', status: 500, code: 'bad-line' },
    { operation: 'GET /openapi.json', rule: 'ST108', status: 200, code: null },
  ]);
});

test('only what the list explains is explained, and no server error ever', () => {
  assert.deepEqual(parseReport(REPORT).map(isExplained), [true, false, false]);
  const refused = { operation: 'GET /api/render/terrain/profile', rule: 'ST202', code: 'bad-line' };
  assert.equal(isExplained({ ...refused, status: 503 }), false);
  assert.equal(isExplained({ ...refused, status: 400, code: 'odd-new-code' }), false);
  for (const { reason } of EXPLAINED) assert.match(reason, /^[A-Zp].*\.$/);
});
