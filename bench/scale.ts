/**
 * Writes docs/scale.md from the tables of bench/results.
 * Usage: npm run bench -- scale
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scalePage } from './load/scale-page.ts';

const at = (name: string) => join(import.meta.dirname, `results/${name}.md`);
const audience = existsSync(at('audience')) ? readFileSync(at('audience'), 'utf8') : null;
const page = scalePage({ load: readFileSync(at('load'), 'utf8'), audience });
writeFileSync(join(import.meta.dirname, '../docs/scale.md'), page);
