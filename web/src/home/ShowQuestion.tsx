/**
 * The question whether to show what one hears: once, on home, after the first evening with another person. The server
 * keeps the answer, so that no other page asks again.
 */
import type { EveningWith, HearingAudience } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { useApp, useUser } from '../app-context.ts';
import { t } from '../language/t.ts';
import { asking } from '../store/asking.ts';
import { useBusy } from '../store/use-busy.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { ModalCard } from '../ui/dialogs/ModalCard.tsx';
import { ownSheet } from '../ui/own-sheet.ts';
import { Avatar } from '../ui/records/Avatar.tsx';
import { titleLines } from '../ui/title-lines.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { AudienceRows } from '../accounts/settings/AudienceRows.tsx';
import { HearsLine, HearsPicture } from '../people/Hears.tsx';
import { firstName } from '../people/person-words.ts';
import sheet from './ShowQuestion.css?inline';

const styles = ownSheet('show', sheet);

/** For a user who was never asked; nothing where there is no evening to ask about. */
export function ShowQuestion() {
  const { connection } = useApp();
  const [evening, setEvening] = useState<EveningWith | null>(null);
  useEffect(
    () =>
      asking(
        (signal) => connection.requestUntilAnswered('rooms/firstEvening', {}, { signal }),
        (answer) => {
          if (answer.ok) setEvening(answer.value.evening);
        },
      ),
    [connection],
  );
  return evening && <Question evening={evening} />;
}

function Question({ evening }: { evening: EveningWith }) {
  const { callRoute, session } = useApp();
  const [to, setTo] = useState<HearingAudience>('nobody');
  const { isBusy, run } = useBusy();
  const answerOf = useAnswerOf({ band: 'blush' });
  const name = firstName(evening.name);
  const answer = (hearingShownTo: HearingAudience) => (): void =>
    run(async () => {
      const user = await answerOf(callRoute('PATCH /api/accounts/me', { hearingShownTo }));
      if (user !== null) session.takeUser(user);
    });
  return (
    <ModalCard
      title={words.question(name)}
      text={words.why(evening, name)}
      band="blush"
      onCancel={answer('nobody')}
      body={
        <>
          <Sample evening={evening} name={name} />
          <div className={styles.rows}>
            <AudienceRows title={words.question(name)} nobodyMeans={t`As it is now`} value={to} onChange={setTo} />
          </div>
          <p className={styles.small}>{words.later}</p>
        </>
      }
    >
      <Button onClick={answer('nobody')}>{t`Not now`}</Button>
      <Button variant="primary" busy={isBusy} onClick={answer(to)}>
        {t`Save`}
      </Button>
    </ModalCard>
  );
}

/** What the other would read. */
function Sample({ evening, name }: { evening: EveningWith; name: string }) {
  const self = useUser();
  const { last } = evening;
  const { name: title, artist } = titleLines(last.videoId, last.title);
  const hears = { uid: self.uid, title, artist, thumbnail: last.thumbnail, untilMs: null };
  return (
    <figure className={styles.sample}>
      <figcaption className={styles.small}>{t`${name} would see`}</figcaption>
      <div className={styles.row}>
        <Avatar id={self.uid} name={self.name} badge="online" />
        <span className={styles.words}>
          <strong dir="auto">{self.name}</strong>
          <HearsLine hears={hears} />
        </span>
        <HearsPicture hears={hears} size={40} />
      </div>
    </figure>
  );
}

const words = {
  question: (name: string) => t`Show ${name} what you hear?`,
  why: ({ tracks, last }: EveningWith, name: string) =>
    tracks === 1
      ? t`You have just heard ‘${titleLines(last.videoId, last.title).name}’ together. When you listen in a room, ${name} could see it here and listen along.`
      : t`You have just heard ${tracks} songs together. When you listen in a room, ${name} could see it here and listen along.`,
  later: t`Never who else is in the room. You can change this in Account, and a host can keep a room to itself.`,
} as const;
