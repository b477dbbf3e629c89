/** Tracks that were played, the latest first: a few, or all; to copy as text and, in a room, to add again. */
import { limits, type NamedTrack, type PlayedTrack, type Result } from '@tunemate/protocol';
import { useState } from 'react';
import { useApp } from '../../app-context.ts';
import { useBusy } from '../../store/use-busy.ts';
import { type Now, useNow } from '../../store/use-now.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { CheckIcon } from '../../ui/icons/icons.tsx';
import { PlusIcon } from '../../ui/icons/page-icons.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { tileCode } from '../../ui/records/tile-code.ts';
import type { Elements } from '../../ui/OwnText.tsx';
import { titleLines } from '../../ui/title-lines.ts';
import { clockTime } from '../../words/dates.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { historyWords } from './history-words.ts';
import { t } from '../../language/t.ts';

/** The page of tracks before this number, the latest first. */
export type AskPlayed = (before?: number) => Promise<Result<{ tracks: readonly PlayedTrack[] }>>;

interface PlayedListProps {
  /** The latest ones. */
  tracks: readonly PlayedTrack[];
  total: number;
  ask: AskPlayed;
  /** What a press on a track's + is called, and does. */
  again?: { label: (title: string) => string; add: AgainProps['add'] } | undefined;
  /** Adds all, once each, the first one played first. */
  onAddAll?: ((tracks: readonly NamedTrack[]) => Promise<void>) | undefined;
  children?: Elements;
}

const fewTracks = 8;

export function PlayedList({ tracks, total, ask, again, onAddAll, children }: PlayedListProps) {
  const nowMs = useNow(useApp().serverNowMs);
  const toast = useToast();
  const answerOf = useAnswerOf();
  const { isBusy, run } = useBusy();
  const [older, setOlder] = useState<readonly PlayedTrack[] | null>(null);
  const known = older === null ? tracks : withOlder(tracks, older);
  const shown = older === null ? known.slice(0, fewTracks) : known;

  /** All of them; null when they can't be read. */
  async function readAll(): Promise<readonly PlayedTrack[] | null> {
    const all = [...known];
    while (all.length < total) {
      const page = await answerOf(ask(all.at(-1)?.number));
      if (page === null) return null;
      all.push(...page.tracks);
      if (page.tracks.length < limits.playedPage) break;
    }
    return all;
  }
  const withAll = (use: (all: readonly PlayedTrack[]) => unknown) => (): void =>
    run(async () => {
      const all = await readAll();
      if (all !== null) await use(all);
    });

  return (
    <>
      <List label={historyWords.title}>
        {shown.map((track) => (
          <li key={track.number}>
            <Row
              lead={
                <span style={leadStyle}>
                  <span className="meta">{clockTime(track.at, nowMs)}</span>
                  <Sleeve code={tileCode(track.videoId)} pictureUrl={track.thumbnail ?? undefined} size="44px" />
                </span>
              }
              title={titleLines(track.videoId, track.title).name}
              detail={playedDetail(track)}
              trail={again && <Again {...again} track={track} />}
            />
          </li>
        ))}
      </List>
      <ButtonGroup inline>
        {shown.length < total && (
          <Button variant="ghost" small busy={isBusy} onClick={withAll(setOlder)}>
            {showAll(total)}
          </Button>
        )}
        {onAddAll && (
          <Button variant="ghost" small busy={isBusy} onClick={withAll((all) => onAddAll(eachOnce(all)))}>
            {historyWords.addAll}
          </Button>
        )}
        <Button
          variant="ghost"
          small
          busy={isBusy}
          onClick={withAll(async (all) =>
            toast((await copyText(asText(all, nowMs))) ? t`Copied as text` : t`This browser does not let pages copy.`),
          )}
        >
          {t`Copy as text`}
        </Button>
        {children}
      </ButtonGroup>
    </>
  );
}

interface AgainProps {
  label: (title: string) => string;
  /** Resolves to whether the room took it. */
  add: (track: NamedTrack) => Promise<boolean>;
  track: NamedTrack;
}

/** Stays a button once the room has taken the track: the focus is on it. */
export function Again({ label, add, track }: AgainProps) {
  const [isAdded, setIsAdded] = useState(false);
  return (
    <IconButton
      label={label(track.title)}
      icon={isAdded ? <CheckIcon /> : <PlusIcon />}
      onClick={() => void add(track).then(setIsAdded)}
    />
  );
}

const showAll = (tracks: number): string => t`Show all ${tracks}`;

const leadStyle = { display: 'flex', gap: '12px', alignItems: 'center' } as const;

/** 'Lena Vogt · proposed by Kenji' */
function playedDetail({ videoId, title, by }: PlayedTrack): string {
  const proposer = by?.name;
  const { artist } = titleLines(videoId, title);
  return [artist, proposer !== undefined && t`proposed by ${proposer}`].filter(Boolean).join(' · ');
}

/** One line for each track, the first one played first. */
const asText = (latestFirst: readonly PlayedTrack[], nowMs: Now): string =>
  latestFirst
    .toReversed()
    .map(({ at, title }) => `${clockTime(at, nowMs)} ${title}`)
    .join('\n');

function withOlder(latest: readonly PlayedTrack[], known: readonly PlayedTrack[]): PlayedTrack[] {
  const numbers = new Set(latest.map(({ number }) => number));
  return [...latest, ...known.filter(({ number }) => !numbers.has(number))].toSorted((a, b) => b.number - a.number);
}

const eachOnce = (latestFirst: readonly PlayedTrack[]): NamedTrack[] => [
  ...new Map(latestFirst.toReversed().map((track) => [track.videoId, track])).values(),
];
