/** The page behind the QR code of 'Hold your phone beside it': one press, and the phone plays the same second for a minute. */
import { useEffect, useState } from 'react';
import { useApp } from '../app-context.ts';
import { pageTimers } from '../playback/players/page-timers.ts';
import type { ScreenProps } from '../store/address.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button, ButtonLink } from '../ui/buttons/Button.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { PlayIcon } from '../ui/icons/marks.tsx';
import { Poster } from '../ui/layout/Poster.tsx';
import { type Along, type PlayAlong, playAlong } from './play-along.ts';
import { t } from '../language/t.ts';

export function BesideScreen({ params: { key = '' } }: ScreenProps) {
  const { callRoute } = useApp();
  const [along] = useState(() => openAlong(key, callRoute));
  useEffect(() => along.open(), [along]);
  const now = useReadable(along.state);
  return (
    <Poster line={[t`Same song,`, t`same second.`]}>
      {now.status === 'loading' && <LoadingScreen fill={false} />}
      {now.status === 'over' && <Over />}
      {now.status !== 'loading' && now.status !== 'over' && <Playing now={now} along={along} />}
    </Poster>
  );
}

function openAlong(key: string, callRoute: Parameters<typeof playAlong>[1]['callRoute']): PlayAlong {
  const element = document.createElement('audio');
  return playAlong(key, { callRoute, element, schedule: pageTimers, nowMs: () => performance.now() });
}

function Playing({ now, along }: { now: Exclude<Along, { status: 'loading' | 'over' }>; along: PlayAlong }) {
  const { track, status, isInStep } = now;
  return (
    <>
      <h1 dir="auto">{track.title}</h1>
      {track.artist !== null && <p dir="auto">{track.artist}</p>}
      {status === 'ready' ? (
        <Button variant="primary" block icon={<PlayIcon />} onClick={along.start}>
          {t`Play here, too`}
        </Button>
      ) : (
        <p aria-live="polite">{wordsOf(status, isInStep)}</p>
      )}
    </>
  );
}

function wordsOf(status: 'playing' | 'paused', isInStep: boolean): string {
  if (status === 'paused') return t`Paused on the other device`;
  return isInStep ? t`In step with the other device` : t`Coming into step …`;
}

const Over = () => (
  <>
    <h1>{t`That was the minute`}</h1>
    <p className="lead">{t`With an account you listen together for as long as you like.`}</p>
    <ButtonLink href="/signup" variant="primary" block>
      {t`Create Account`}
    </ButtonLink>
    <ButtonLink href="/login" block>
      {t`Sign In`}
    </ButtonLink>
  </>
);
