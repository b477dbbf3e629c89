/** The files of deploy/, Docker and Compose and the table of settings name what exists. `npm run bench -- image` runs the containers. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentTable } from '@tunemate/testkit/document-table';
import { startTestApp } from '@tunemate/testkit/worlds/test-app';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Each has a line that says what it must be. */
const settingNames = Array.from(read('server/src/config.ts').matchAll(/^ {2}([A-Z\d_]+): '/gm), ([, name]) => name);

interface Compose {
  services: Record<string, { environment?: Record<string, string>; image?: string; volumes?: string[] }>;
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}
interface Alerts {
  groups: { rules: { alert: string; expr: string }[] }[];
}

/** The metrics that a query names; functions, labels and words of the language are left out. */
function metricsIn(query: string): string[] {
  const withoutLabels = query.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without) \([^)]*\)/g, '');
  return [...withoutLabels.matchAll(/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b(?! *\()/g)].map(([name]) => name);
}

describe('metrics of deploy/', () => {
  const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as Dashboard;
  const alerts = parse(read('deploy/alerts.yaml')) as Alerts;
  const queries = [
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [`panel ${title}`, expr] as const)),
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const)),
  ];

  test('each one that the dashboard and the alerts name is served', async () => {
    const app = await startTestApp();
    const served = await (await app.visitor().fetch('/metrics')).text();
    await app.close();
    const types = [...served.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    );
    // `up` is Prometheus's own.
    const named = queries.flatMap(([where, query]) => metricsIn(query).map((metric) => ({ where, metric })));
    expect(named.length).toBeGreaterThan(queries.length - 2);
    expect(named.filter(({ metric }) => !types.includes(metric))).toEqual([]);
  });
});

test.each(['compose.yaml', 'compose.cluster.yaml'])('%s sets only settings that exist', (file) => {
  const { services } = parse(read(file), { merge: true }) as Compose;
  const ours = Object.entries(services).filter(([name]) => name.startsWith('tunemate'));
  expect(ours.length).toBe(file === 'compose.yaml' ? 1 : 3);
  for (const [, { environment = {} }] of ours) {
    expect(Object.keys(environment).filter((name) => !settingNames.includes(name))).toEqual([]);
  }
  const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.flatMap((each) => /^\.\/[^:]+/.exec(each) ?? []),
  );
  expect(mounted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the Dockerfile copies what is there, and all workspaces', () => {
  const lines = read('Dockerfile').split('\n');
  const copied = lines.flatMap(
    (line) => /^COPY (?!--)(?<paths>.+) \S+$/.exec(line)?.groups?.['paths']?.split(' ') ?? [],
  );
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  expect(workspaces.filter((each) => !copied.includes(`${each}/package.json`))).toEqual([]);
});

test('docs/configuration.md lists every setting', () => {
  const listed = documentTable('docs/configuration.md', 'Settings').flatMap(([names = '']) => names.split(', '));
  expect(new Set(listed)).toEqual(new Set(settingNames));
});
