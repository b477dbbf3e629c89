/** Messages of friends that come while one is in a room, as a toast. Loaded soon after the room. */
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useApp } from '../app-context.ts';
import { useReadable } from '../store/use-readable.ts';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';
import { withNews, type MessageNews } from './message-news.ts';
import { MessageToast } from './MessageToast.tsx';

const none: readonly MessageNews[] = [];

/** `isCovered` while something stands before the toasts, as a room in full screen does: what comes waits for its end. */
export function NewsInRoom({ isCovered }: { isCovered: boolean }) {
  const app = useApp();
  const chats = useReadable(app.chats);
  const [, navigate] = useLocation();
  const isWide = useWideScreen();
  const [news, setNews] = useState(none);
  const [first] = news;
  const isFriend = (uid: string): boolean => {
    const bond = app.soulmate.soulmate.get();
    const isSoulmate = bond.status === 'bound' && bond.soulmate.uid === uid;
    return isSoulmate || (app.tunemates.tunemates.get() ?? []).some((mate) => mate.uid === uid);
  };
  const take = useEffectEvent((change: Parameters<typeof withNews>[1]) =>
    setNews((now) => withNews(now, change, isFriend)),
  );
  useEffect(() => app.connection.onUserChange((change) => take(change)), [app]);
  return (
    <MessageToast
      news={first ?? null}
      more={news.length - 1}
      isCovered={isCovered}
      onSend={isWide && chats && first ? (text) => chats.outbox.send({ uid: first.from.uid }, text) : undefined}
      onReply={() => {
        if (first) navigate(`/chat/${first.from.uid}`);
      }}
      onEnd={() => setNews(none)}
    />
  );
}
