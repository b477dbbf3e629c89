/** The banner over a room of one's own: announces new requests to join, with the answers to the newest. Loaded after
   the room, for its host. */
import { limits } from '@tunemate/protocol';
import { useEffect } from 'react';
import { othersWaiting } from '../join/admission-words.ts';
import { RequestAnswers } from './RequestAnswers.tsx';
import { requestSound } from './request-sound.ts';
import { roomSentences } from '../room-copy.ts';
import { factsOf } from '../room-kinds.ts';
import { useAnswer } from './use-answer.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import type { RoomView } from '../visit/Stage.tsx';

export function RequestBanner({ kind, session, state }: Pick<RoomView, 'kind' | 'session' | 'state'>) {
  const banner = useReadable(session.banner.banner);
  const answer = useAnswer(session, factsOf(kind).ink);
  const key = banner?.key;
  useEffect(() => {
    if (key !== undefined) requestSound.tick();
  }, [key]);
  const first = banner?.people[0];
  const content =
    banner === null || first === undefined
      ? null
      : {
          key: String(banner.key),
          caption: roomSentences.newRequest,
          person: { id: first.uid, name: first.name },
          detail: othersWaiting(state.requests.length),
          actions: <RequestAnswers request={first} onAnswer={answer} />,
        };
  return <Banner content={content} lastsMs={limits.joinRequestBannerMs} onEnd={() => session.banner.dismiss()} />;
}
