/** The question whether two people keep what they hear together: to ask it, to wait for the answer, and to answer it. */
import type { MusicState, UserCard } from '@tunemate/protocol';
import { useApp, useUser } from '../app-context.ts';
import { navigate } from '../store/address.ts';
import { firstName } from '../people/person-words.ts';
import { useBusy } from '../store/use-busy.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import { BackToHome } from '../shell/BackToHome.tsx';
import { useModals } from '../ui/dialogs/modals.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { dateOf, musicWords as words } from './music-words.ts';
import sheetAsking from './Asking.css?inline';
import { ownSheet } from '../ui/own-sheet.ts';
import { t } from '../language/t.ts';

const styles = ownSheet('music-ask', sheetAsking);

interface AskingProps {
  other: UserCard;
  state: Exclude<MusicState, { status: 'kept' }>;
  onChanged: () => void;
}

export function Asking({ other, state, onChanged }: AskingProps) {
  const self = useUser();
  const name = firstName(other.name);
  const { isBusy, run, keep } = useKeep(other, onChanged);
  const { status } = state;
  const isLate = useApp().serverNowMs() < (status === 'none' ? state.askFrom : 0);
  return (
    <div className={styles.page}>
      <BackToHome variant="ghost" />
      <h1>{words.title}</h1>
      <section className={styles.card} data-band="blush">
        <div className={styles.records} aria-hidden="true">
          <Vinyl person={{ id: self.uid, name: self.name }} />
          <Vinyl person={{ id: other.uid, name: other.name }} />
        </div>
        <h2 dir="auto">{headOf(status, name)}</h2>
        <ul>
          <li>{words.whatIsKept}</li>
          <li>{words.onlyYou}</li>
          <li>{t`A blend mixes what each of you heard in these 90 days.`}</li>
          <li>{t`Either of you can delete it at any time, for both.`}</li>
        </ul>
        <p>{status === 'none' && state.forgottenBy === 'them' ? words.ended(name) : noteOf(state, name, isLate)}</p>
        <div className={styles.keys}>
          {status === 'none' && !isLate && (
            <>
              <Button variant="ink" busy={isBusy} onClick={() => run(() => keep(true))}>
                {t`Ask ${name}`}
              </Button>
              <Button variant="inkLine" onClick={() => navigate('/')}>
                {t`Not now`}
              </Button>
            </>
          )}
          {status === 'asked' && (
            <Button variant="inkLine" busy={isBusy} onClick={() => run(() => keep(false))}>
              {t`Take back`}
            </Button>
          )}
          {status === 'asks' && (
            <>
              <Button variant="ink" busy={isBusy} onClick={() => run(() => keep(true))}>
                {t`Keep it`}
              </Button>
              <Button variant="inkLine" onClick={() => run(() => keep(false))}>
                {t`No`}
              </Button>
            </>
          )}
        </div>
      </section>
    </div>
  );
}

const headOf = (status: AskingProps['state']['status'], name: string): string =>
  status === 'asks'
    ? t`${name} would like to keep what you hear together`
    : status === 'asked'
      ? t`${name} is asked`
      : t`Keep what you and ${name} hear together?`;

function noteOf(state: AskingProps['state'], name: string, isLate: boolean): string {
  if (state.status === 'asks') return t`If you say no, ${name} reads only that nothing is kept.`;
  if (state.status === 'none' && isLate) return words.later(name, dateOf(state.askFrom));
  return words.isAskedToo(name);
}

/** Asks, takes it back, or answers. */
export function useKeep(other: UserCard, onChanged: () => void) {
  const { connection } = useApp();
  const modals = useModals();
  const answerOf = useAnswerOf({ band: 'blush' });
  const { isBusy, run } = useBusy();
  async function keep(keeps: boolean): Promise<void> {
    const answer = await answerOf(connection.request('music/keep', { uid: other.uid, keeps }));
    if (answer?.outcome === 'history-off') await modals.ok(words.historyOff, { band: 'blush' });
    onChanged();
  }
  return { isBusy, run, keep };
}
