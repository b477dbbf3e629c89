/** Texts of the list of one's rooms. */
import type { YourRoom } from '@tunemate/protocol';

export const yourRoomsCopy = {
  title: 'Your rooms',
  back: 'Return',
  returnTo: (name: string) => `Return to ${name}`,
  end: 'End',
  endRoom: (name: string) => `End ${name}`,
  endQuestion: (name: string) => `End ${name}?`,
  endConsequence: 'The room closes for everyone in it.',
  endFailed: 'The room could not be ended',
  people: ({ hostName, people }: YourRoom, isMine: boolean): string => {
    const others = people <= 1 ? 'nobody else' : `${String(people)} people`;
    return `${isMine ? 'You host' : hostName} · ${others}`;
  },
  /** `at` is a clock time. */
  ends: (at: string) => `Ends at ${at} unless you return`,
  playing: ({ title, isPlaying }: YourRoom): string => {
    if (title === null) return 'No music selected';
    return isPlaying ? title : `Paused: ${title}`;
  },
} as const;
