/** Words of 'Who comes in by themselves'. */
import type { Admission } from '@tunemate/protocol';

export const admissionWords = {
  title: 'Who comes in by themselves',
  choices: [
    { value: 'nobody', label: 'Nobody', detail: 'You approve everyone' },
    { value: 'friends', label: 'My soulmate and tunemates' },
    { value: 'invited', label: 'People I invited' },
    { value: 'everybody', label: 'Everybody with the link' },
  ] satisfies { value: Admission; label: string; detail?: string }[],
  /** Said beside the link. */
  hint: {
    nobody: 'Everyone still asks you first.',
    friends: 'Your soulmate and tunemates come straight in, others ask you first.',
    invited: 'People you invited come straight in, others ask you first.',
    everybody: 'Everyone with it comes straight in.',
  } satisfies Record<Admission, string>,
  cameIn: (name: string) => `${name} came in`,
} as const;

/** What screen readers are told behind other screens. */
export const asksToJoin = (name: string): string => `${name} asks to join`;

/** The notice after 'Accept all'. */
export function letIn(people: number): string {
  return people === 1 ? '1 person let in' : `${people} people let in`;
}

/** 'and 2 more wait', beside the first of those who ask to join; undefined when nobody else waits. */
export function othersWaiting(people: number): string | undefined {
  if (people < 2) return undefined;
  return people === 2 ? 'and 1 more waits' : `and ${people - 1} more wait`;
}
