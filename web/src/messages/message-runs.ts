/** Consecutive messages of one sender form a run, drawn as one block. Pure. */

export interface PlaceInRun {
  readonly starts: boolean;
  readonly ends: boolean;
}

/** `continues` decides whether a message belongs to the run of the message before it. */
export function inRuns<Message>(
  messages: readonly Message[],
  continues: (message: Message, before: Message, index: number) => boolean,
): readonly (Message & PlaceInRun)[] {
  const starts = messages.map((message, index) => {
    const before = messages[index - 1];
    return before === undefined || !continues(message, before, index);
  });
  return messages.map((message, index) => ({
    ...message,
    starts: starts[index] ?? true,
    ends: starts[index + 1] ?? true,
  }));
}
