/** What is allowed: the pure decisions of every feature. */
export * from './people/people.ts';
export * from './rooms/membership.ts';
export * from './rooms/proposals.ts';
export * from './rooms/room-kinds.ts';
export * from './rooms/slow-chat.ts';
export * from './playback/playback.ts';
export * from './playback/loudness.ts';
export * from './listens/heard.ts';
export * from './notifications/inbox.ts';
export * from './chats/chats.ts';
export * from './chats/message-acts.ts';
export * from './chats/message-search.ts';
export * from './chats/previewed-link.ts';
export * from './catalogue/m3u8.ts';
export * from './catalogue/video-reference.ts';
export * from './text/plain-letters.ts';
export * from './put-latest.ts';
