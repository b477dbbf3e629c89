/**
 * What a link shows of itself where people share it: a title, a sentence and a picture for the pages that strangers may
 * open. The picture of a room's link is made of the code that the link itself holds. Nothing is looked up: it shows no
 * name, people or track, and is the same whether the room exists or not.
 */
import { tileShapes } from '@tunemate/domain/tile-shapes';
import { type Language, type PagePath, roomCode, type RoomKind } from '@tunemate/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limits } from '../access/limits.ts';
import { createSlots } from '../access/slots.ts';
import { Failure } from '../system/ports.ts';
import type { Addresses, Origins } from './address.ts';
import { letters } from './link-card-letters.ts';

/** A card of the whole house has no code, and one of a page to join without a code neither. */
interface LinkCard {
  kind: RoomKind | 'house';
  code: string | null;
}

const [width, height, tile] = [1200, 630, 210];
const [ink, paper, vinyl, light] = ['#1c110e', '#fbefe3', '#120a09', 'rgb(255 235 220)'];
/** The ink of a room's kind and the same pressed into vinyl, as the pages have them. */
const inks = {
  video: { band: '#ff6b3d', pressed: '#843821' },
  audio: { band: '#ffb938', pressed: '#845c1f' },
  house: { band: '#ff6b3d', pressed: '#843821' },
};
/** Shown where a link has no code. */
const ownCode = '7F3A9C';

const kinds: Readonly<Partial<Record<PagePath, LinkCard['kind']>>> = {
  '/': 'house',
  '/login': 'house',
  '/signup': 'house',
  '/join': 'video',
  '/tunemate/:code': 'video',
  '/join-audio-room': 'audio',
  '/audio-room/:code': 'audio',
};

/** What `url`, an address of the page `path`, shows; null for pages that only people who are signed in open. */
export function linkCardOf(path: PagePath, url: string): LinkCard | null {
  const kind = kinds[path];
  if (kind === undefined) return null;
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const named = path.endsWith('/:code') ? pathname.split('/').at(-1) : searchParams.get('code');
  const code = kind === 'house' ? undefined : roomCode.safeParse(named?.toUpperCase()).data;
  return { kind, code: code ?? null };
}

const words: Readonly<Record<Language, Record<LinkCard['kind'] | 'promise', string>>> = {
  en: {
    video: 'Join a video room on Tunemate',
    audio: 'Join an audio room on Tunemate',
    house: 'Listen together on Tunemate',
    promise: 'Everybody hears the same second.',
  },
  de: {
    video: 'Komm in einen Videoraum auf Tunemate',
    audio: 'Komm in einen Audioraum auf Tunemate',
    house: 'Zusammen hören auf Tunemate',
    promise: 'Alle hören dieselbe Sekunde.',
  },
  es: {
    video: 'Únete a una sala de video en Tunemate',
    audio: 'Únete a una sala de audio en Tunemate',
    house: 'Escuchar juntos en Tunemate',
    promise: 'Todos oyen el mismo segundo.',
  },
  hi: {
    video: 'Tunemate पर वीडियो रूम से जुड़ें',
    audio: 'Tunemate पर ऑडियो रूम से जुड़ें',
    house: 'Tunemate पर साथ सुनें',
    promise: 'सब एक ही पल सुनते हैं।',
  },
  ar: {
    video: 'انضم إلى غرفة فيديو على Tunemate',
    audio: 'انضم إلى غرفة صوتية على Tunemate',
    house: 'استماع معًا على Tunemate',
    promise: 'الجميع يسمع الثانية نفسها.',
  },
};

const nameOf = ({ kind, code }: LinkCard): string => `/card/${code === null ? kind : `${kind}-${code}`}.png`;

/** The tags for the head of a page. Messengers and search engines read them; `origin` begins the picture's address. */
export function linkCardTags(card: LinkCard, language: Language, origin: string): string {
  const { [card.kind]: title, promise } = words[language];
  const named: readonly (readonly [string, string])[] = [
    ['og:type', 'website'],
    ['og:site_name', 'Tunemate'],
    ['og:title', title],
    ['og:description', promise],
    ['og:image', origin + nameOf(card)],
    ['og:image:type', 'image/png'],
    ['og:image:width', String(width)],
    ['og:image:height', String(height)],
    ['og:image:alt', `${title}. ${promise}`],
  ];
  const tags = named.map(([property, content]) => `<meta property="${property}" content="${content}">`);
  return [...tags, '<meta name="twitter:card" content="summary_large_image">'].join('');
}

/** Scheme and host of a request's own address when that is ours, else the public one. */
export function originOf({ headers }: FastifyRequest, origins: Pick<Origins, 'isOwn' | 'publicUrl'>): string {
  const asked = `http://${headers.host ?? ''}`;
  return origins.isOwn(asked) ? asked : origins.publicUrl();
}

/** A light sweep of the record, from `from` to `to` of a turn, brightest in the middle: thin wedges of rising opacity. */
function sweep(from: number, top: number, to: number): string {
  const wedges: string[] = [];
  const point = (turn: number): string => {
    const angle = (turn + 20 / 360 - 0.25) * 2 * Math.PI;
    return `${(432 + 260 * Math.cos(angle)).toFixed(1)} ${(315 + 260 * Math.sin(angle)).toFixed(1)}`;
  };
  for (let turn = from; turn < to; turn += 0.004) {
    const share = turn < top ? (turn - from) / (top - from) : (to - turn) / (to - top);
    const opacity = (0.13 * share).toFixed(3);
    wedges.push(
      `<path d="M432 315L${point(turn)}L${point(turn + 0.004)}z" fill="${light}" fill-opacity="${opacity}"/>`,
    );
  }
  return `<g shape-rendering="crispEdges">${wedges.join('')}</g>`;
}

function record({ band, pressed }: (typeof inks)['video']): string {
  const circle = (r: number, paint: string) => `<circle cx="432" cy="315" r="${r.toFixed(1)}" ${paint}/>`;
  const grooves = Array.from({ length: 23 }, (_, at) =>
    circle(111 + at * 6.6, `fill="none" stroke="${light}" stroke-opacity="0.05" stroke-width="2.6"`),
  );
  return [
    circle(260, `fill="${pressed}"`),
    ...grooves,
    sweep(0.06, 0.14, 0.22),
    sweep(0.5, 0.62, 0.71),
    circle(107, 'fill="rgb(8 3 2)" fill-opacity="0.4"'),
    circle(104, `fill="${band}"`),
    circle(8, `fill="${vinyl}"`),
  ].join('');
}

/** Two columns of three tiles over the record's left half, in turns of colours as a sleeve has them. */
function tiles(code: string, band: string): string {
  const turns = [
    [ink, band],
    [band, ink],
    [paper, ink],
    [band, paper],
    [ink, paper],
    [paper, band],
  ];
  const squares = turns.map(([back = '', front = ''], at) => {
    const [x, y] = [(at % 2) * tile, Math.floor(at / 2) * tile];
    const shape = `<path fill-rule="evenodd" fill="${front}" d="${tileShapes[code[at] ?? ''] ?? ''}"/>`;
    return `<svg x="${x}" y="${y}" width="${tile}" height="${tile}" viewBox="0 0 24 24"><path fill="${back}" d="M0 0h24v24H0z"/>${shape}</svg>`;
  });
  return squares.join('');
}

/** Two discs that overlap. */
const logo = `<svg x="736" y="59" width="72" height="50" viewBox="0 0 40 28"><path fill="${ink}" d="M14 1a13 13 0 1 1 0 26 13 13 0 0 1 0-26zm12 0a13 13 0 1 1 0 26 13 13 0 0 1 0-26z"/><path fill="${paper}" d="M20 2.5a13 13 0 0 1 0 23 13 13 0 0 1 0-23z"/><circle cx="20" cy="14" r="2" fill="${ink}"/></svg>`;

function drawing({ kind, code }: LinkCard): string {
  const { [kind]: colours } = inks;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" fill="${colours.band}"/>`,
    record(colours),
    tiles(code ?? ownCode, colours.band),
    logo,
    `<path fill="${ink}" d="${letters.tunemate}${letters[kind]}${letters.promise}"/>`,
    '</svg>',
  ].join('');
}

interface LinkCardsDeps {
  /** Makes a PNG of a drawing (SVG), in a process of its own. The drawing has nothing of a request but a code's digits. */
  drawer: { read: (drawing: Buffer) => Promise<string | { full: Uint8Array }> };
  limits: Limits;
  addresses: Pick<Addresses, 'networkOf'>;
}

/** Pictures kept in memory, of about 100 kB. */
const mostKept = 100;
const cardName = /^(?:(house)|(video|audio)(?:-([0-9A-F]{6}))?)\.png$/;

/**
 * `/card/video-7F3A9C.png`. Drawing costs about 60 ms of one thread: one picture is drawn at a time, at a pace, and beyond it a
 * link shows the picture of its kind, without its tiles.
 */
export function linkCardRoutes(http: FastifyInstance, { drawer, limits, addresses }: LinkCardsDeps): void {
  /** By name. */
  const kept = new Map<string, Promise<Uint8Array>>();
  const drawn = createSlots({ perKey: 1 });
  const keep = (card: LinkCard): Promise<Uint8Array> => {
    const picture = drawer.read(Buffer.from(drawing(card))).then((image) => {
      if (typeof image === 'string') throw new Failure('server/unavailable', 'image.link-card-not-drawn');
      return image.full;
    });
    if (kept.size >= mostKept) kept.clear();
    kept.set(nameOf(card), picture);
    picture.catch(() => kept.delete(nameOf(card)));
    return picture;
  };

  async function pictureOf(card: LinkCard): Promise<{ bytes: Uint8Array; isOwn: boolean }> {
    const known = kept.get(nameOf(card));
    if (known) return { bytes: await known, isOwn: true };
    if (card.code === null) return { bytes: await keep(card), isOwn: true };
    const slot = drawn.take('');
    if (slot.ok) {
      try {
        if ((await limits.take('linkCardsDrawn', '')).ok) return { bytes: await keep(card), isOwn: true };
      } finally {
        slot.value();
      }
    }
    return { bytes: (await pictureOf({ ...card, code: null })).bytes, isOwn: false };
  }

  http.get<{ Params: { name: string } }>('/card/:name', async (request, reply) => {
    const [, house, kind, code] = cardName.exec(request.params.name) ?? [];
    if (house === undefined && kind === undefined) return reply.callNotFound();
    const taken = await limits.take('linkCards', addresses.networkOf(request.raw));
    if (!taken.ok) return reply.code(429).header('retry-after', '60').send();
    const { bytes, isOwn } = await pictureOf({ kind: (kind ?? 'house') as LinkCard['kind'], code: code ?? null });
    // Other sites show the picture.
    reply.header('cross-origin-resource-policy', 'cross-origin');
    reply.header('cache-control', isOwn ? 'public, max-age=86400' : 'no-store');
    return await reply.type('image/png').send(Buffer.from(bytes));
  });
}
