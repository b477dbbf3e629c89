/** What is allowed: the pure decisions of every feature. */
export * from './presence/presence-update.ts';
export * from './rooms/hand-over.ts';
export * from './rooms/admission.ts';
export * from './rooms/membership.ts';
export * from './rooms/majority.ts';
export * from './rooms/proposals.ts';
export * from './rooms/room-kinds.ts';
export * from './rooms/room-size.ts';
export * from './playback/playback-of-document.ts';
export * from './playback/thumbnail.ts';
export * from './tunemates/capped-list.ts';
export * from './tunemates/merged-lists.ts';
export * from './soulmate/soulmate-link.ts';
export * from './notifications/inbox.ts';
export * from './chats/first-contact.ts';
export * from './chats/pair-id.ts';
export * from './chats/ticks.ts';
