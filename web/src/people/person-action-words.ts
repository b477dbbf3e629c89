/** Texts of the questions about one person: asking them to be one's soulmate, parting, blocking. */
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
    `${isSoulmate ? 'You are no longer soulmates. ' : ''}You leave each other’s lists, and ${name} leaves your rooms. Neither can write to or invite the other. Unblocking brings none of that back. They are not told who did it.`,
  unblockQuestion: (name: string) => `Unblock ${name}?`,
} as const;
