/** Texts about one person: their sheet, and the questions before a soulmate request, its end and blocking. */
export const personSheetWords = {
  inRoom: (name: string) => `In ${name}`,
  thisRoom: 'In this room',
  soulmate: 'Your soulmate',
  tunemate: 'Tunemate, ',
  stranger: 'Not on your list of tunemates',
  chat: 'Chat',
  invite: 'Invite',
  addTunemate: 'Add as tunemate',
  tunemateAsked: (name: string) => `${firstName(name)} is asked`,
  ask: 'Ask to be soulmates',
  takeBack: 'Take back your soulmate request',
  part: 'Part',
  makeHost: 'Make host',
  asksFirst: (name: string) => `Asks ${firstName(name)} first`,
  cannotAnswer: (name: string) => `${firstName(name)} is reconnecting and can’t be asked now`,
  remove: 'Remove',
  mayAskAgain: 'May ask again after 10 minutes',
  block: 'Block',
  unblock: 'Unblock',
  report: 'Report',
  isGone: 'This account is gone',
  isBlocked: 'You blocked them',
  chatIsOpen: 'This chat is open',
  isHere: 'Is in this room already',
  onlyTunemates: 'Only tunemates can be invited',
  onlyAcquainted: 'Only tunemates and people you have a chat with can be asked',
  partFirst: 'You have a soulmate. Part first.',
  blocked: (name: string) => `${name} is blocked`,
} as const;

export const personActionWords = {
  askQuestion: (name: string) => `Ask ${name} to be your soulmate?`,
  askConsequence: 'They can accept or decline.',
  askAction: 'Ask',
  partQuestion: (name: string) => `Part from ${name}?`,
  partConsequence: 'You are no longer soulmates, and nor are they.',
  requestSent: 'Invitation sent!',
  failed: 'That did not work',
  blockQuestion: (name: string) => `Block ${name}?`,
  blockConsequence: (name: string, isSoulmate: boolean) =>
    `${isSoulmate ? 'You are no longer soulmates. ' : ''}You leave each other’s lists, and ${name} leaves your rooms. Neither can write to or invite the other. Unblocking brings none of that back. ${name} does not see who did it.`,
  unblockQuestion: (name: string) => `Unblock ${name}?`,
} as const;

export function firstName(name: string): string {
  return name.split(' ')[0] ?? name;
}
