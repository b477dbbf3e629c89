import { describe, expect, test } from 'vitest';
import { actionsFor, type PersonFacts } from './PersonSheet.tsx';

const tunemate: PersonFacts = {
  isTunemate: true,
  isSoulmate: false,
  hasSoulmate: false,
  hasChat: false,
  isBlockedByMe: false,
  isGone: false,
  isChatOpen: false,
  isHere: false,
};
const all = { chat: null, invite: null, soulmate: null };

describe('what can be done about a person', () => {
  test.each([
    ['everything about a tunemate elsewhere', {}, {}],
    ['no chat where it is open', { isChatOpen: true }, { chat: 'This chat is open' }],
    ['no invitation into the room in which both are', { isHere: true }, { invite: 'Is in this room already' }],
    ['no other soulmate before parting', { hasSoulmate: true }, { soulmate: 'You have a soulmate. Part first.' }],
    ['parting from my soulmate, tunemate or not', { hasSoulmate: true, isSoulmate: true, isTunemate: false }, {}],
    [
      'no request to a person I have only seen',
      { isTunemate: false },
      {
        invite: 'Only tunemates can be invited',
        soulmate: 'Only tunemates and people you have a chat with can be asked',
      },
    ],
    [
      'a request to a person with whom I have a chat, or may have one',
      { isTunemate: false, hasChat: null },
      { invite: 'Only tunemates can be invited' },
    ],
    ['nothing but reading after a block', { isBlockedByMe: true }, both('You blocked them')],
    ['nothing but reading when the account is gone', { isGone: true }, both('This account is gone')],
  ] satisfies [string, Partial<PersonFacts>, object][])('%s', (_, facts, whyNot) => {
    expect(actionsFor({ ...tunemate, ...facts })).toEqual({ ...all, ...whyNot });
  });
});

function both(why: string) {
  return { invite: why, soulmate: why };
}
