/**
 * People write to each other while the server is killed under them; prints what was lost, doubled or out of order.
 * Usage: npm run bench:durability [-- seconds kills]   (default 60 20)
 */
import { runDurability } from '@tunemate/testkit/durability';

const [seconds = 60, kills = 20] = process.argv.slice(2).map(Number);
const report = await runDurability({ pairs: 20, seconds, sendsPerSecond: 200, kills, cuts: 40, seed: 2026 });
console.table(report);
const faults = report.lost + report.doubled + report.outOfOrder + report.ticksBack;
process.exit(faults === 0 ? 0 : 1);
