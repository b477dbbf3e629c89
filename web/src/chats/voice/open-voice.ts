/** Apart from the player, so that a chat can be left without loading it. */
export const openVoice = {
  /** Pauses what is played. */
  stop: (): void => undefined,
};
