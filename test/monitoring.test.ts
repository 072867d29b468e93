/** The dashboard, the alert rules and their page: they name metrics that exist, and each alert has its row. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** The metrics of the page on health, which a test of http compares with those of the service. */
const listed = new Set(
  [...readFileSync('docs/operate/health.md', 'utf8').matchAll(/`(swath_\w+)[`{]/g)].map(
    ([, name = '']) => name,
  ),
);
/** Metrics of Node and of Prometheus itself. */
const others = new Set([
  'up',
  'nodejs_eventloop_lag_p99_seconds',
  'process_resident_memory_bytes',
  'process_cpu_seconds_total',
]);

/** Names of metrics in an expression: words before a brace, a bracket, an operator or a closing parenthesis. */
const namesIn = (expression: string): readonly string[] =>
  [...expression.matchAll(/\b(?:swath|nodejs|process)_\w+|\bup\b/g)].map(([name]) => name);

const isKnown = (name: string): boolean =>
  others.has(name) || listed.has(name) || listed.has(name.replace(/_(?:bucket|sum|count)$/, ''));

const dashboard = JSON.parse(readFileSync('deploy/grafana/swath.json', 'utf8')) as {
  readonly panels: readonly {
    readonly id: number;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
};
const rules = readFileSync('deploy/prometheus/alerts.yaml', 'utf8');
const expressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...[...rules.matchAll(/expr: '(.*)'$/gm)].map(([, expr = '']) => expr),
];

test('the dashboard and the alerts name metrics that the service has', () => {
  assert.ok(expressions.length > 50, String(expressions.length));
  for (const expression of expressions) {
    const names = namesIn(expression);
    assert.ok(names.length > 0, expression);
    for (const name of names) assert.ok(isKnown(name), `${name} in ${expression}`);
  }
});

test('the dashboard shows every metric of the page', () => {
  const shown = new Set(
    expressions.flatMap(namesIn).map((name) => name.replace(/_(?:bucket|sum|count)$/, '')),
  );
  // The version is a variable of the dashboard; the others are parts of ratios that it shows otherwise.
  const unshown = [...listed].filter((name) => !shown.has(name) && !/_moved_bytes_total$/.test(name));
  assert.deepEqual(unshown.toSorted(), ['swath_info', 'swath_task_pool_memory_bytes']);
  const ids = dashboard.panels.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test('each alert has a row that says what to do', () => {
  const alerts = [...rules.matchAll(/- alert: (\w+)\n(?:.*\n){3}\s+severity: (\w+)/g)].map(
    ([, name, severity]) => `${name} ${severity}`,
  );
  const rows = [
    ...readFileSync('docs/operate/monitoring.md', 'utf8').matchAll(/^\| `(\w+)` \| (\w+) \| .{40,} \|$/gm),
  ].map(([, name, severity]) => `${name} ${severity}`);
  assert.ok(alerts.length > 10);
  assert.deepEqual(rows, alerts);
});
