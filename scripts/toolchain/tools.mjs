/** Finds the JavaScript behind the commands of our tools, so that they run under the Node of our choice on any system. */
import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';

/** The script that an installed package runs as `command` (by default its own name). */
export function toolScript(packageName, command = packageName) {
  const { bin } = JSON.parse(readFileSync(inRoot('node_modules', packageName, 'package.json'), 'utf8'));
  return inRoot('node_modules', packageName, typeof bin === 'string' ? bin : bin[command]);
}
