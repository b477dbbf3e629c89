/** The figures of `bench:web` as a table, with what misses its goal in bold. Knows figures, not how they came about. */
import { median } from '@tunemate/testkit/percentile';
import { machine, tableOf } from '../report/write-page.ts';
import type { Weight } from './web-memory.ts';
import type { Visit } from './web-visit.ts';

export interface PageFigures {
  readonly page: string;
  readonly how: 'cold' | 'returning' | 'installed';
  readonly visits: readonly Visit[];
  readonly goals: Partial<Record<keyof Visit, number>>;
}

const heads = {
  lcpMs: 'LCP ms',
  tbtMs: 'TBT ms',
  cls: 'CLS',
  kilobytes: 'kB',
  longTasks: 'long tasks',
  longestTaskMs: 'longest ms',
  soundMs: 'first sound ms',
  inpMs: 'INP ms',
} as const satisfies Record<keyof Visit, string>;
const keys = Object.keys(heads) as (keyof Visit)[];

const valueOf = ({ visits }: PageFigures, key: keyof Visit): number =>
  median(visits.map((visit) => visit[key] ?? Number.POSITIVE_INFINITY));

/** What misses its goal, in words. */
export function missed(pages: readonly PageFigures[]): string[] {
  return pages.flatMap((of) =>
    keys.flatMap((key) => {
      const goal = of.goals[key];
      const value = valueOf(of, key);
      return goal === undefined || value <= goal
        ? []
        : [`${of.page}, ${of.how}: ${heads[key]} ${words(key, value)}, goal ${String(goal)}`];
    }),
  );
}

/** A page may keep its first hour; a tenth more after the second is the noise of a collector. */
export const grows = ([, first, second]: readonly Weight[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  (second.heapMb > first.heapMb * 1.1 || second.nodes > first.nodes * 1.1);

function words(key: keyof Visit, value: number): string {
  if (!Number.isFinite(value)) return '–';
  return key === 'cls' ? value.toFixed(3) : value.toFixed(0);
}

/** One line of the table, headed as there. */
export function rowOf(of: PageFigures): Record<string, string> {
  const cells = keys.map((key) => {
    const text = words(key, valueOf(of, key));
    const goal = of.goals[key];
    return [heads[key], goal !== undefined && valueOf(of, key) > goal ? `**${text}**` : text];
  });
  return { page: of.page, visit: of.how, ...(Object.fromEntries(cells) as Record<string, string>) };
}

/** The whole report. `command` is what was typed. */
export function markdown(pages: readonly PageFigures[], weights: readonly Weight[], command: string): string {
  const hours = weights.map(({ when, heapMb, nodes, listeners }) => ({
    when,
    'heap MB': heapMb.toFixed(1),
    'DOM nodes': String(nodes),
    listeners: String(listeners),
  }));
  return `# The web, measured

\`${command}\`

A real server and Chromium, its processor slowed 4 times, its line 1.6 Mbit/s with 150 ms of latency. Each figure is the
median of ${String(pages[0]?.visits.length ?? 0)} visits; bold ones miss their goal (home, cold: LCP 2000 ms, TBT 150 ms, CLS 0; a room: first sound 3000 ms; a room and a chat: INP 200 ms).
Cold is a browser that was never here, returning the same browser's second visit, installed its third, as from the home
screen. TBT is what tasks took beyond 50 ms
from the first paint until four seconds after the page was there; 'first sound' counts from the start of the navigation
into a room that already plays. INP is the longest time from a press or a key to the next paint, while a message is
written and sent. The line slows HTTP alone: Chromium does not throttle the frames of a socket, which are
counted in kB. Other work on the machine makes times longer, never shorter, and leaves bytes and CLS as they are.

${machine()}

${tableOf(pages.map(rowOf))}

## A page that stays open

A room's page through 600 messages and 200 changes of the track, then the same again, each as fast as the server takes it,
after the collector ran. A page may keep what an hour brought; what a second hour adds to that is growth: ${grows(weights) ? '**it grows**' : 'none beyond a tenth'}.

${tableOf(hours)}
`;
}
