/**
 * Asks Helm and kubeconform whether the chart is right: `npm run oracle chart`.
 *
 * Renders the chart with the values below, which switch on every part of it. kubeconform fetches the schemas of Kubernetes
 * unless KUBECONFORM_SCHEMAS names where they are, such as `/srv/schemas/{{ .ResourceKind }}{{ .KindSuffix }}.json`.
 */
import { spawnSync } from 'node:child_process';

const CHART = 'deploy/helm/swath';
/** Of the clusters that it is rendered for; Helm alone assumes 1.20. */
const KUBERNETES = '1.31.0';
const DATABASE = [
  'database.enabled=true',
  'database.url=postgres://swath:secret@db/swath',
  'bucket.results=s3://mine/results',
];
const RENDERINGS: Readonly<Record<string, readonly string[]>> = {
  'one node': [],
  'many nodes': DATABASE,
  'every part': [
    ...DATABASE,
    ...[
      'bucket.cubes=s3://mine/cubes',
      'bucket.sharedTiles=s3://mine/tiles',
      'bucket.sourcesSecret=sources',
      'secrets.existingSecret=more',
    ],
    ...['settings.SWATH_CATALOGS=earth-search', 'worker.autoscaling.queue.enabled=true'],
    ...['ingress.enabled=true', 'ingress.className=nginx', 'ingress.tlsSecret=certificate'],
    ...[
      'networkPolicy.from[0].podSelector.matchLabels.app=proxy',
      'networkPolicy.to[0].ipBlock.cidr=10.0.0.0/8',
    ],
    ...['metrics.podMonitor=true', 'serviceAccount.annotations.role=reader', 'image.pullSecrets[0]=registry'],
    ...['nodeSelector.disk=ssd', 'tolerations[0].key=batch', 'podAnnotations.team=maps'],
  ],
  'fixed numbers of nodes': [
    ...DATABASE,
    ...['api.autoscaling.enabled=false', 'worker.autoscaling.enabled=false', 'networkPolicy.enabled=false'],
    'serviceAccount.create=false',
  ],
};
/** Values that must be refused, and what the refusal names. */
const REFUSALS: readonly (readonly [values: readonly string[], names: string])[] = [
  [['database.enabled=true', 'bucket.results=s3://mine/results'], 'database.url'],
  [['database.enabled=true', 'database.url=postgres://db/swath'], 'bucket.results'],
  [['database.url=postgres://db/swath'], 'database.enabled'],
  [['api.replica=3'], 'replica'],
  [['settings.PORT=80'], 'PORT'],
];

const toArguments = (values: readonly string[]): string[] => values.flatMap((value) => ['--set', value]);
const run = (program: string, args: readonly string[], input = '') =>
  spawnSync(program, args, { encoding: 'utf8', input });
const isThere = (program: string, flag: string): boolean => run(program, [flag]).status === 0;

if (!isThere('helm', 'version')) {
  console.log('Helm 3 is not installed; nothing was checked.');
  process.exit(1);
}
const hasKubeconform = isThere('kubeconform', '-v');
if (!hasKubeconform) console.log('kubeconform is not installed; what the chart renders is not checked.');
const schemas = process.env.KUBECONFORM_SCHEMAS;

const faults: string[] = [];
function judge(what: string, isRight: boolean, output: string): void {
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${what}`);
  if (isRight) return;
  console.log(output);
  faults.push(what);
}

for (const [name, values] of Object.entries(RENDERINGS)) {
  const lint = run('helm', ['lint', '--strict', CHART, ...toArguments(values)]);
  judge(`helm lint: ${name}`, lint.status === 0, lint.stdout + lint.stderr);
  const rendered = run('helm', [
    'template',
    'swath',
    CHART,
    '--kube-version',
    KUBERNETES,
    ...toArguments(values),
  ]);
  judge(`helm template: ${name}`, rendered.status === 0, rendered.stderr);
  if (!hasKubeconform || rendered.status !== 0) continue;
  const location = schemas === undefined ? [] : ['-schema-location', schemas];
  const judged = run(
    'kubeconform',
    ['-strict', '-summary', '-skip', 'PodMonitor', ...location, '-'],
    rendered.stdout,
  );
  judge(`kubeconform: ${name}: ${judged.stdout.trim()}`, judged.status === 0, judged.stderr);
}
for (const [values, named] of REFUSALS) {
  const { status, stderr } = run('helm', [
    'template',
    'swath',
    CHART,
    '--kube-version',
    KUBERNETES,
    ...toArguments(values),
  ]);
  judge(`refused, naming ${named}: ${values.join(' ')}`, status !== 0 && stderr.includes(named), stderr);
}
process.exit(faults.length === 0 && hasKubeconform ? 0 : 1);
