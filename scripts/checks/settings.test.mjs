import { expect, test } from 'vitest';
import { settingProblems } from './settings.mjs';

const files = {
  'server/src/config.ts':
    "\nconst meanings: Record<string, string> = {\n  PORT: 'a port',\n  LOG_LEVEL: 'one of',\n};\n",
  Dockerfile: 'FROM node AS tunemate\nENV NODE_ENV=production \\\n  PORT=3000\n',
  'compose.yaml': "    ports: ['${PORT:-3000}:3000']\n    environment:\n      LOG_LEVEL: ${LOG_LEVEL:-}\n",
  'compose.cluster.yaml': '  environment:\n    LOG_LEVEL: ${LOG_LEVEL:-}\n    DOMAIN: ${DOMAIN:?}\n',
  'docs/operating.md': '```ini\n[Unit]\nEnvironment=NODE_ENV=production PORT=3000\nEnvironmentFile=-/etc/x.env\n```\n',
  'docs/configuration.md': '| name | default |\n| `PORT` | `3000` |\n| `LOG_LEVEL` | `info` |\n',
};
const read = (changed) => (path) => ({ ...files, ...changed })[path];
const without = (path, text) => ({ [path]: files[path].replace(text, '') });
const withMore = (path, text, more) => ({ [path]: files[path].replace(text, `${text}${more}`) });

test('settings that every place knows are no problem', () => {
  expect(settingProblems(read({}))).toEqual([]);
});

test.each([
  ['compose.yaml', '      LOG_LEVEL: ${LOG_LEVEL:-}\n'],
  ['compose.cluster.yaml', '    LOG_LEVEL: ${LOG_LEVEL:-}\n'],
  ['docs/configuration.md', '| `LOG_LEVEL` | `info` |\n'],
])('a setting without a place in %s is a problem', (path, line) => {
  expect(settingProblems(read(without(path, line)))).toEqual([`${path}: the setting LOG_LEVEL has no place`]);
});

test.each([
  ['Dockerfile', 'PORT=3000', ' LOG_LEVELS=info'],
  ['compose.yaml', 'environment:\n', '      LOG_LEVELS: info\n'],
  ['compose.cluster.yaml', 'environment:\n', "    PUBLIC: '${LOG_LEVELS}'\n".replace('PUBLIC', 'LOG_LEVEL')],
  ['docs/operating.md', 'PORT=3000', ' LOG_LEVELS=info'],
  ['docs/configuration.md', '| `3000` |\n', '| `LOG_LEVELS` | `info` |\n'],
])('a name in %s that is no setting is a problem', (path, after, more) => {
  expect(settingProblems(read(withMore(path, after, more)))).toEqual([
    `${path}: LOG_LEVELS is no setting of the server`,
  ]);
});

test('a unit without a file of settings is a problem', () => {
  expect(settingProblems(read(without('docs/operating.md', 'EnvironmentFile=-/etc/x.env\n')))).toEqual([
    'docs/operating.md: the unit reads no file of settings (EnvironmentFile=)',
  ]);
});
