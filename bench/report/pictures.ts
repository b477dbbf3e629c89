/** The pictures at the start of docs/benchmarks.md, drawn from the tables of bench/results: bars on a ground of their own. */

/** What is drawn of one page: its file of bench/results and its panels. */
export interface Picture {
  readonly file: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}
interface Panel {
  /** What the bars are, with their unit. */
  readonly title: string;
  /** The bars of a group are in the order of these names. */
  readonly series: readonly string[];
  readonly groups: readonly { readonly label: string; readonly values: readonly number[] }[];
}

type Row = readonly string[];

/** The cells of all rows of a page, its headings too. */
function rowsOf(page: string): Row[] {
  const lines = page.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The first number that `pattern` finds in a cell. */
function numberIn(cell: string | undefined, pattern: RegExp): number {
  const found = pattern.exec(cell ?? '')?.[1];
  if (found === undefined) throw new Error(`${String(pattern)} is not in: ${cell ?? 'no cell'}`);
  return Number(found);
}

/** Phase by phase, of both engines. */
export function heardPictures(page: string): Picture[] {
  const rows = rowsOf(page);
  const series = ['Chromium and Chromium', 'Chromium and Firefox'];
  const at = rows[0]?.indexOf('heard, p95') ?? -1;
  const of = (pair: string): Row[] => rows.filter(([first]) => first === pair);
  const groups = of(series[0] ?? '').map(([, , label = '']) => {
    const values = series.map((pair) => Number(of(pair).find(([, , phase]) => phase === label)?.[at] ?? 0));
    return { label, values };
  });
  const panel = { title: 'heard apart, milliseconds, 95 % within', series, groups };
  return [{ file: 'heard', title: 'How far apart a guest is heard', panels: [panel] }];
}

/** Beside a bare server, by people. A run of some figures alone draws what it has. */
export function loadPictures(page: string): Picture[] {
  const rows = rowsOf(page);
  const group = (begin: RegExp, label: string, ...values: (readonly ['ours' | 'bare', RegExp])[]) => {
    const row = rows.find(([figure = '']) => begin.test(figure));
    if (!row) return [];
    return [{ label, values: values.map(([of, pattern]) => numberIn(row[of === 'ours' ? 1 : 2], pattern)) }];
  };
  const series = ['Tunemate', 'a bare WebSocket server'];
  const inCpu = (label: string, begin: RegExp) => {
    const row = rows.find(([figure = '']) => begin.test(figure));
    return row ? [{ label, values: [numberIn(row[3], /^([\d.]+)x CPU/u), 1] }] : [];
  };
  const action = (label: string, begin: RegExp) =>
    group(begin, label, ['ours', /^([\d.]+)/u], ['bare', /ws ([\d.]+)/u]);
  const whole = (label: string, begin: RegExp) => group(begin, label, ['ours', /([\d.]+) MB$/u]);
  const pictures: Picture[] = [
    {
      file: 'load-beside-bare',
      title: 'Letting in, and an action of the host',
      panels: [
        {
          title: '1,000 people are let in: times the CPU of a bare server, connecting included',
          series,
          groups: [
            ...inCpu('one by one', /^1000 people join one room, approved/u),
            ...inCpu('all at once', /^1000 people join one room, accepted all/u),
            ...inCpu('they return', /^1000 people join one room, returning/u),
          ],
        },
        {
          title: 'an action of the host, CPU milliseconds per 1,000 deliveries',
          series,
          groups: [
            ...action('to 1,000 people', /^host's action to 1000 in/u),
            ...action('to 5,000 pages', /^host's action to 5000 in/u),
          ],
        },
      ],
    },
    {
      file: 'load-memory',
      title: 'Memory, by people',
      panels: [
        {
          title: 'above the empty process, MB',
          series,
          groups: group(
            /^10000 live verified/u,
            '10,000 connected',
            ['ours', /^([\d.]+) MB/u],
            ['bare', /ws ([\d.]+) MB/u],
          ),
        },
        {
          title: 'the whole process after kill -9 and the return of its people, MB',
          series: ['Tunemate'],
          groups: [...whole('5,000 people', /^kill -9, 5000 /u), ...whole('10,000 people', /^kill -9, 10000 /u)],
        },
      ],
    },
  ];
  return pictures
    .map((picture) => ({ ...picture, panels: picture.panels.filter(({ groups }) => groups.length > 0) }))
    .filter(({ panels }) => panels.length > 0);
}

const width = 720;
const [left, right, bar, gap] = [190, 90, 12, 10];
const colours = {
  ground: '#190f0e',
  text: '#fbefe3',
  quiet: '#cdb8a8',
  line: '#3d2c26',
  bars: ['#ff6b3d', '#a9d8bc'],
} as const;

/** An SVG with its own ground, so that it is readable on a light page and on a dark one. `source` stands at its foot. */
export function draw({ title, panels }: Picture, source: string): string {
  const parts: string[] = [];
  let y = 34;
  const write = (x: number, words: string, look: string) =>
    void parts.push(
      `<text x="${String(x)}" y="${String(y)}" ${look}>${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`,
    );
  write(24, title, `fill="${colours.text}" font-size="18" font-weight="700"`);
  for (const panel of panels) {
    y += 30;
    write(24, panel.title, `fill="${colours.text}" font-weight="600"`);
    y += 20;
    let x = 24;
    for (const [index, name] of panel.series.entries()) {
      parts.push(
        `<rect x="${String(x)}" y="${String(y - 10)}" width="10" height="10" rx="2" fill="${colours.bars[index % 2] ?? ''}"/>`,
      );
      write(x + 16, name, `fill="${colours.quiet}"`);
      x += 44 + name.length * 7.5;
    }
    y += 10;
    const most = Math.max(...panel.groups.flatMap(({ values }) => values));
    for (const { label, values } of panel.groups) {
      const top = y;
      for (const [index, value] of values.entries()) {
        const long = Math.max(2, (value / most) * (width - left - right));
        parts.push(
          `<rect x="${String(left)}" y="${String(y)}" width="${long.toFixed(1)}" height="${String(bar)}" rx="3" fill="${colours.bars[index % 2] ?? ''}"/>`,
        );
        y += bar - 2;
        write(left + long + 7, String(value), `fill="${colours.text}"`);
        y += 4;
      }
      const end = y;
      y = (top + end) / 2 + 3;
      write(left - 12, label, `fill="${colours.text}" text-anchor="end"`);
      y = end + gap;
    }
  }
  y += 12;
  parts.push(
    `<line x1="24" x2="${String(width - 24)}" y1="${String(y - 14)}" y2="${String(y - 14)}" stroke="${colours.line}"/>`,
  );
  y += 6;
  write(24, source, `fill="${colours.quiet}" font-size="11"`);
  const height = y + 18;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" font-family="system-ui, sans-serif" font-size="13" role="img">
<title>${title}</title>
<rect width="${String(width)}" height="${String(height)}" rx="14" fill="${colours.ground}"/>
${parts.join('\n')}
</svg>
`;
}
