/** What the five cards of a year say, and how they are drawn. */
import type { OurYear, UserCard } from '@tunemate/protocol';
import { locale, t } from '../language/t.ts';
import { bandOf, type Card } from '../ui/records/card-picture.tsx';
import { tileCode } from '../ui/records/tile-code.ts';
import { titleLines } from '../ui/title-lines.ts';
import { firstName } from '../people/person-words.ts';
import { lengthOf } from '../words/lengths.ts';
import { musicWords, numberOf } from './music-words.ts';

interface About {
  heard: OurYear;
  year: number;
  self: UserCard;
  other: UserCard;
}

const blush = bandOf('blush');

/** Those of the five for which there is something to say. */
export function cardsOf(about: About): Card[] {
  if (about.heard.heardMs === 0) return [];
  return [nameCard(about), minutesCard(about), mostHeardCard(about), longestCard(about), foundCard(about)].flatMap(
    (card) => card ?? [],
  );
}

const songsOf = (songs: number): string => (songs === 1 ? t`1 song` : t`${songs} songs`);
const eveningsOf = (evenings: number): string => (evenings === 1 ? t`1 evening` : t`${evenings} evenings`);
const timesOf = (times: number): string => t`${times} times, more than any other`;
const namesOf = ({ self, other }: About): string => `${firstName(self.name)} & ${firstName(other.name)}`;
const withYear = (about: About): string => `${namesOf(about)}, ${String(about.year)}`;

function nameCard(about: About): Card {
  const { heard, year } = about;
  const title = t`Our year ${String(year)}`;
  const code = heard.longest?.room.code ?? '0A4F9E';
  return {
    id: `our-year-${String(year)}`,
    alt: `${namesOf(about)}. ${title}.`,
    draw: (pen) => {
      pen.fill(blush);
      pen.tiles(code, { y: 0, columns: 3, count: 6 }, blush);
      pen.text(namesOf(about), 920, { size: 132, isWide: true });
      pen.text(title, 1004, { size: 40 });
      pen.text('Tunemate', 1004, { size: 40, isAtEnd: true });
    },
  };
}

function minutesCard(about: About): Card {
  const minutes = numberOf(Math.floor(about.heard.heardMs / 60_000));
  const says = t`minutes in the same second`;
  const evenings = eveningsOf(about.heard.evenings);
  return {
    id: `our-minutes-${String(about.year)}`,
    alt: `${minutes} ${says}. ${evenings}. ${withYear(about)}.`,
    draw: (pen) => {
      pen.fill(pen.ink);
      pen.rings(860, 330, '#6b4a45');
      pen.text(minutes, 310, { size: 300, colour: blush, isWide: true });
      pen.text(says, 900, { size: 88, colour: pen.paper, isWide: true, lines: 3 });
      pen.text(evenings, 1004, { size: 40, colour: pen.paper });
      pen.text(withYear(about), 1004, { size: 40, colour: pen.paper, isAtEnd: true, width: 560 });
    },
  };
}

function mostHeardCard(about: About): Card | null {
  const [track] = about.heard.most;
  if (track === undefined) return null;
  const { name, artist } = titleLines(track.videoId, track.title);
  const times = timesOf(track.times);
  return {
    id: `our-song-${String(about.year)}`,
    alt: `${name}${artist === null ? '' : `, ${artist}`}. ${times}. ${String(about.year)}.`,
    draw: (pen) => {
      pen.fill(pen.paper);
      pen.tiles(tileCode(track.videoId), { y: 0, columns: 3, count: 6, size: 330, x: 45 }, blush);
      pen.text(name, 830, { size: 100, isWide: true });
      if (artist !== null) pen.text(artist, 900, { size: 52 });
      pen.text(times, 1004, { size: 40, width: 760 });
      pen.text(String(about.year), 1004, { size: 40, isAtEnd: true });
    },
  };
}

function longestCard(about: About): Card | null {
  const { longest, longestTracks } = about.heard;
  if (longest === null) return null;
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' }).format(longest.from);
  const title = t`The longest evening`;
  const length = musicWords.lengthIn(lengthOf(longest.heardMs), longest.room.name);
  const songs = songsOf(longestTracks.length);
  return {
    id: `our-evening-${String(about.year)}`,
    alt: `${title}: ${day}. ${length}. ${songs}. ${withYear(about)}.`,
    draw: (pen) => {
      pen.fill(pen.paper);
      pen.text(title, 140, { size: 56 });
      pen.text(day, 330, { size: 200, isWide: true });
      longestTracks.slice(0, 16).forEach(({ videoId }, index) => {
        const [x, y] = [76 + (index % 8) * 116, 420 + Math.floor(index / 8) * 116];
        pen.tiles(tileCode(videoId).slice(-1), { x, y, columns: 1, count: 1, size: 112 }, blush);
      });
      pen.text(length, 860, { size: 64, lines: 3 });
      pen.text(songs, 1004, { size: 40 });
      pen.text(withYear(about), 1004, { size: 40, isAtEnd: true, width: 600 });
    },
  };
}

function foundCard(about: About): Card | null {
  const { found } = about.heard;
  if (found.mine + found.theirs === 0) return null;
  const [mine, theirs] = [numberOf(found.mine), numberOf(found.theirs)];
  const [me, them] = [firstName(about.self.name), firstName(about.other.name)];
  const says = t`${me} put on ${mine} songs for the first time, ${them} ${theirs}.`;
  const title = t`Found for each other`;
  return {
    id: `our-finds-${String(about.year)}`,
    alt: `${title}. ${says} ${String(about.year)}.`,
    draw: (pen) => {
      pen.fill(blush);
      pen.record(330, 330, 270, { colour: blush, text: mine });
      pen.record(750, 330, 270, { colour: pen.paper, text: theirs });
      pen.text(says, 890, { size: 68, lines: 3 });
      pen.text(title, 1004, { size: 40 });
      pen.text(String(about.year), 1004, { size: 40, isAtEnd: true });
    },
  };
}
