/** On home: the tunemates who hear something now, and the chats whose newest words are unread; three of each. */
import type { ConversationRow, Hearing, Tunemate } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { LastMessage } from '../chats/list/LastMessage.tsx';
import { t } from '../language/t.ts';
import { ListenAlong } from '../people/Hears.tsx';
import { hearsWords } from '../people/hearing-words.ts';
import { unreadPlaces } from '../shell/UnreadLink.tsx';
import { useNow } from '../store/use-now.ts';
import { Badge } from '../ui/buttons/Badge.tsx';
import { classNames } from '../ui/class-names.ts';
import { Link } from '../ui/Link.tsx';
import { List } from '../ui/lists/List.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { ownSheet } from '../ui/own-sheet.ts';
import { Avatar } from '../ui/records/Avatar.tsx';
import { usePicture } from '../ui/use-picture.ts';
import { formatWhen } from '../words/dates.ts';
import sheet from './PeopleNow.css?inline';

const styles = ownSheet('now', sheet);

export interface Heard {
  readonly tunemate: Tunemate;
  readonly hears: Hearing;
}

interface PeopleNowProps {
  heard: readonly Heard[];
  waiting: readonly ConversationRow[];
  /** Chats are on their way, and keep their place beside the other list. */
  isPending: boolean;
}

export function PeopleNow({ heard, waiting, isPending }: PeopleNowProps) {
  return (
    <div className={classNames(styles.lists, !isPending && styles.whole)}>
      {heard.length > 0 && (
        <Section title={words.hear} flush>
          <List label={words.hear} bleed>
            {heard.map((one) => (
              <HeardRow key={one.tunemate.uid} {...one} />
            ))}
          </List>
        </Section>
      )}
      {waiting.length > 0 && (
        <Section
          title={words.waiting}
          flush
          action={
            <Link href="/chats" className={styles.all}>
              {t`All chats`}
            </Link>
          }
        >
          <List label={words.waiting} bleed>
            {waiting.map((row) => (
              <WaitingRow key={row.pairId} {...row} />
            ))}
          </List>
        </Section>
      )}
    </div>
  );
}

/** A change of what the tunemate hears is not spoken: the row holds it. */
function HeardRow({ tunemate, hears }: Heard) {
  const { uid, name } = tunemate;
  const picture = usePicture(hears.thumbnail ?? undefined);
  const said = hearsWords(hears, useNow(useApp().serverNowMs));
  return (
    <li className={styles.row}>
      <span className={styles.lead}>
        {picture.url && <img src={picture.url} width={52} height={52} alt="" onError={picture.onError} />}
        <Avatar id={uid} name={name} size={picture.url ? 'xs' : 'md'} />
      </span>
      <span className={styles.words}>
        <strong dir="auto">{name}</strong>
        <span dir="auto">{said}</span>
      </span>
      <ListenAlong other={tunemate} band="persimmon" isIcon />
    </li>
  );
}

function WaitingRow({ other, last, presence, unread }: ConversationRow) {
  const { uid, name } = other;
  const nowMs = useNow(useApp().serverNowMs);
  return (
    <li>
      <Link href={`/chat/${uid}`} className={styles.row} data-band="celadon">
        <Avatar id={uid} name={name} badge={presence?.state} />
        <span className={styles.words}>
          <strong dir="auto">{name}</strong>
          <span dir="auto">
            <LastMessage {...{ last, other }} />
          </span>
        </span>
        <span className={styles.end}>
          <time className="meta" dateTime={new Date(last.timestamp).toISOString()}>
            {formatWhen(last.timestamp, nowMs)}
          </time>
          <Badge count={unread} words={unreadPlaces['/chats'].unread} />
        </span>
      </Link>
    </li>
  );
}

const words = {
  hear: t`Tunemates hear`,
  waiting: t`Chats waiting`,
} as const;
