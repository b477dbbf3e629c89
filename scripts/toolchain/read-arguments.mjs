/** Reads what stands after a command of ours: `--help` and a wrong argument are answered before anything else happens. */
import { parseArgs } from 'node:util';

/**
 * The flags and the other words of this program, as `parseArgs` gives them. Ends the program after `--help`, and with
 * the usage after an argument that the program does not know.
 * @param {string} usage what `--help` prints
 * @param {import('node:util').ParseArgsConfig} config its flags, and whether it takes other words
 */
export function readArguments(usage, config = {}) {
  const options = { ...config.options, help: { type: 'boolean', short: 'h' } };
  try {
    const { values, positionals } = parseArgs({ ...config, options });
    if (!values.help) return { values, positionals };
    console.log(usage);
    process.exit(0);
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS_')) throw error;
    // The first sentence names the argument; what follows is advice for programs with other rules.
    console.error(`${error.message.split('. ')[0].replace(/\.$/, '')}.\n\n${usage}`);
    process.exit(1);
  }
}
